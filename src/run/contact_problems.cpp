#include "scree/run/contact_problems.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>

#include "scree/core/csv.hpp"
#include "scree/core/error.hpp"

namespace scree {
namespace {

constexpr int kMostBadRows = 20;  // told one by one

struct Column {
  const char* name;
  std::function<double&(ContactProblem&)> value;
  bool required = true;
};

const std::array<Column, 13>& columns() {
  using P = ContactProblem;
  static const std::array<Column, 13> all{
      {{"W_nn", [](P& p) -> double& { return p.W.xx; }},
       {"W_nt", [](P& p) -> double& { return p.W.xy; }},
       {"W_no", [](P& p) -> double& { return p.W.xz; }},
       {"W_tt", [](P& p) -> double& { return p.W.yy; }},
       {"W_to", [](P& p) -> double& { return p.W.yz; }},
       {"W_oo", [](P& p) -> double& { return p.W.zz; }},
       {"q_n", [](P& p) -> double& { return p.q.x; }},
       {"q_t", [](P& p) -> double& { return p.q.y; }},
       {"q_o", [](P& p) -> double& { return p.q.z; }},
       {"mu", [](P& p) -> double& { return p.mu; }},
       {"r0_n", [](P& p) -> double& { return p.warm.x; }, false},
       {"r0_t", [](P& p) -> double& { return p.warm.y; }, false},
       {"r0_o", [](P& p) -> double& { return p.warm.z; }, false}}};
  return all;
}

class Table {
 public:
  using Cells = std::vector<std::string_view>;

  bool read_line(int line, const Cells& cells) {
    return width_ == 0 ? read_header(line, cells) : (read_row(line, cells), true);
  }
  void complain(int line, const std::string& message) {
    if (++bad_rows_ <= kMostBadRows) complaints_ += fmt::format("\n  line {}: {}", line, message);
  }
  std::string complaints() const {
    return bad_rows_ <= kMostBadRows
               ? complaints_
               : fmt::format("{}\n  … and {} more", complaints_, bad_rows_ - kMostBadRows);
  }
  bool has_header() const { return width_ > 0; }

  std::vector<ContactProblem> problems;

 private:
  bool read_header(int line, const Cells& cells) {
    width_ = cells.size();
    std::string missing;
    where_.fill(kAbsent);
    for (std::size_t i = 0; i < width_; ++i) {
      if (cells[i] == "id") {
        if (id_ != kAbsent) complain(line, "the column id is there twice");
        id_ = i;
      }
      for (std::size_t c = 0; c < columns().size(); ++c) {
        if (cells[i] != columns()[c].name) continue;
        if (where_[c] != kAbsent)
          complain(line, fmt::format("the column {} is there twice", cells[i]));
        where_[c] = i;
      }
    }
    if (id_ == kAbsent) missing = " id";
    for (std::size_t c = 0; c < columns().size(); ++c)
      if (where_[c] == kAbsent && columns()[c].required)
        missing += fmt::format(" {}", columns()[c].name);
    if (!missing.empty())
      complain(line, "the first line must name the columns; missing:" + missing);
    return bad_rows_ == 0;
  }

  void read_row(int line, const Cells& cells) {
    if (cells.size() != width_)
      return complain(line,
                      fmt::format("found {} columns, the first line has {}", cells.size(), width_));
    ContactProblem problem;
    problem.id = cells[id_];
    for (std::size_t c = 0; c < columns().size(); ++c) {
      if (where_[c] == kAbsent) continue;
      const auto value = read_number(cells[where_[c]]);
      if (!value || !std::isfinite(*value))
        return complain(line, fmt::format("column {}: found '{}', expected a finite number",
                                          columns()[c].name, cells[where_[c]]));
      columns()[c].value(problem) = *value;
    }
    if (problem.mu < 0)
      return complain(line, fmt::format("column mu: found {}, expected a number ≥ 0", problem.mu));
    problems.push_back(std::move(problem));
  }

  static constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);
  std::array<std::size_t, 13> where_{};
  std::size_t id_ = kAbsent, width_ = 0;
  std::string complaints_;
  int bad_rows_ = 0;
};

}  // namespace

std::vector<ContactProblem> read_contact_problems(const std::filesystem::path& file) {
  Table table;
  const std::string trouble = read_csv(
      file, [&](int line, const Table::Cells& cells) { return table.read_line(line, cells); });
  if (!trouble.empty()) throw InputError(fmt::format("{} {}", file.string(), trouble));
  if (!table.has_header())
    throw InputError(
        fmt::format("{} is empty; its first line must name the columns: "
                    "id,W_nn,W_nt,W_no,W_tt,W_to,W_oo,q_n,q_t,q_o,mu",
                    file.string()));
  if (const std::string complaints = table.complaints(); !complaints.empty())
    throw InputError(
        fmt::format("{} has bad rows; nothing was solved:{}", file.string(), complaints));
  return std::move(table.problems);
}

}  // namespace scree
