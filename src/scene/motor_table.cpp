/// Reads tables of what motors are to reach, or to act with.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "scene/build.hpp"
#include "scree/core/csv.hpp"
#include "scree/core/spelling.hpp"

namespace scree::scene {

namespace {

constexpr int kMostBadRows = 20;  // told one by one

class ValueReader {
 public:
  ValueReader(Build& build, const Node& table, std::filesystem::path file, std::string column)
      : build_(build), table_(table), file_(std::move(file)), column_(std::move(column)) {}

  std::vector<ValueTable::Row> read() {
    const std::string trouble = read_csv(file_, [&](int line, const Cells& cells) {
      if (columns_ > 0) return read_row(line, cells);
      return read_header(line, cells);
    });
    if (!trouble.empty())
      build_.problems.report(table_, fmt::format("'{}' {}", file_.string(), trouble));
    else if (bad_rows_ == 0 && rows_.empty())
      build_.problems.report(table_, fmt::format("'{}' has no values", file_.string()));
    if (bad_rows_ > kMostBadRows)
      build_.problems.report_in(file_.string(), 0, path_of(table_),
                                fmt::format("… and {} more bad rows", bad_rows_ - kMostBadRows));
    return bad_rows_ == 0 ? std::move(rows_) : std::vector<ValueTable::Row>();
  }

 private:
  using Cells = std::vector<std::string_view>;

  void complain(int line, std::string message) {
    if (++bad_rows_ <= kMostBadRows)
      build_.problems.report_in(file_.string(), line, path_of(table_), std::move(message));
  }

  std::optional<std::size_t> place_of(int line, const Cells& names, std::string_view wanted) {
    const auto found = std::ranges::find(names, wanted);
    if (found == names.end()) {
      const std::vector<std::string> known(names.begin(), names.end());
      complain(line, fmt::format("the first line names no column '{}'{}", wanted,
                                 suggestion(std::string(wanted), known)));
      return {};
    }
    if (std::ranges::count(names, wanted) > 1)
      complain(line, fmt::format("the column '{}' is there twice", wanted));
    return static_cast<std::size_t>(found - names.begin());
  }

  bool read_header(int line, const Cells& cells) {
    columns_ = cells.size();
    time_ = place_of(line, cells, "t").value_or(0);
    value_ = place_of(line, cells, column_).value_or(0);
    return bad_rows_ == 0;
  }

  bool read_row(int line, const Cells& cells) {
    if (cells.size() != columns_) {
      complain(line,
               fmt::format("found {} columns, the first line has {}", cells.size(), columns_));
      return true;
    }
    const auto number = [&](std::size_t place, std::string_view name) {
      const double read = read_number(cells[place]).value_or(std::nan(""));
      if (std::abs(read) <= kMostSpeed) return std::optional(read);
      complain(line, fmt::format("column '{}': found '{}', expected a number in SI units", name,
                                 cells[place]));
      return std::optional<double>();
    };
    const auto t = number(time_, "t"), value = number(value_, column_);
    if (!t || !value) return true;
    if (!rows_.empty() && !(*t > rows_.back().t))
      complain(line, fmt::format("t = {} is not later than {}, that of the row before", *t,
                                 rows_.back().t));
    else
      rows_.push_back({*t, *value});
    return true;
  }

  Build& build_;
  const Node& table_;
  std::filesystem::path file_;
  std::string column_;
  std::size_t columns_ = 0, time_ = 0, value_ = 0;
  int bad_rows_ = 0;
  std::vector<ValueTable::Row> rows_;
};

}  // namespace

double ValueTable::operator()(double t) const {
  const auto later = std::ranges::upper_bound(rows_, t, {}, &Row::t);
  if (later == rows_.begin()) return rows_.front().value;
  if (later == rows_.end()) return rows_.back().value;
  const Row &from = later[-1], &to = *later;
  return from.value + (t - from.t) / (to.t - from.t) * (to.value - from.value);
}

std::optional<ValueTable> read_value_table(Build& build, const Node& table,
                                           const std::string& column) {
  const std::filesystem::path file = (build.directory / table.text).lexically_normal();
  build.scene.inputs.push_back(file);
  std::vector<ValueTable::Row> rows = ValueReader(build, table, file, column).read();
  if (rows.empty()) return {};
  return ValueTable(std::move(rows));
}

}  // namespace scree::scene
