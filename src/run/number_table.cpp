/// Reads CSV tables of numbers with columns by name.
#include "run/number_table.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "scree/core/csv.hpp"
#include "scree/core/error.hpp"

namespace scree {
namespace {

using Cells = std::vector<std::string_view>;
using Need = NumberColumn::Need;

class TableReader {
 public:
  TableReader(const TableFormat& format, const TakeRow& take)
      : format_(format), take_(take), where_(format.columns.size()) {}

  /// False if the following lines cannot be read.
  bool read_line(int line, const Cells& cells) {
    if (width_ == 0) return read_header(line, cells);
    if (const std::string trouble = trouble_of_row(cells); !trouble.empty())
      complain(line, trouble);
    ++rows_;
    return true;
  }
  bool has_header() const { return width_ > 0; }
  std::string complaints() const {
    if (bad_ <= kMaxListed) return complaints_;
    return fmt::format("{}\n  … and {} more", complaints_, bad_ - kMaxListed);
  }

 private:
  static constexpr int kMaxListed = 20;  // one by one

  void complain(int line, const std::string& message) {
    if (++bad_ <= kMaxListed) complaints_ += fmt::format("\n  line {}: {}", line, message);
  }

  bool read_header(int line, const Cells& cells) {
    width_ = cells.size();
    for (std::size_t i = 0; i < width_; ++i) {
      std::optional<std::size_t>* slot = slot_of(cells[i]);
      if (!slot) continue;
      if (*slot) complain(line, fmt::format("the column {} occurs twice", cells[i]));
      *slot = i;
    }
    std::string missing = format_.needs_label && !label_ ? " " + format_.label : "";
    std::size_t together = 0, there = 0;
    for (std::size_t c = 0; c < where_.size(); ++c) {
      const NumberColumn& column = format_.columns[c];
      if (column.need == Need::needed && !where_[c]) missing += " " + column.name;
      together += column.need == Need::together;
      there += column.need == Need::together && where_[c];
    }
    if (there != 0 && there != together) complain(line, format_.together);
    if (!missing.empty())
      complain(line, "the first line must name the columns; missing:" + missing);
    return bad_ == 0;
  }

  /// Null: no such column is used.
  std::optional<std::size_t>* slot_of(std::string_view name) {
    if (name == format_.label) return &label_;
    const auto found = std::ranges::find(format_.columns, name, &NumberColumn::name);
    if (found == format_.columns.end()) return nullptr;
    return &where_[static_cast<std::size_t>(found - format_.columns.begin())];
  }

  std::string trouble_of_row(const Cells& cells) {
    if (cells.size() != width_)
      return fmt::format("found {} columns, but the first line has {}", cells.size(), width_);
    std::vector<double> numbers(where_.size());
    for (std::size_t c = 0; c < where_.size(); ++c) {
      numbers[c] = format_.columns[c].missing;
      if (!where_[c]) continue;
      const auto number = read_number(cells[*where_[c]]);
      if (!number || !std::isfinite(*number))
        return fmt::format("column {}: found '{}', expected a finite number",
                           format_.columns[c].name, cells[*where_[c]]);
      numbers[c] = *number;
    }
    return take_(label_ ? std::string(cells[*label_]) : std::to_string(rows_), numbers);
  }

  const TableFormat& format_;
  const TakeRow& take_;
  std::vector<std::optional<std::size_t>> where_;  ///< index of each column in the file
  std::optional<std::size_t> label_;
  std::size_t width_ = 0, rows_ = 0;
  std::string complaints_;
  int bad_ = 0;
};

}  // namespace

void read_number_table(const std::filesystem::path& file, const TableFormat& format,
                       const TakeRow& take) {
  TableReader table(format, take);
  const std::string trouble =
      read_csv(file, [&](int line, const Cells& cells) { return table.read_line(line, cells); });
  if (!trouble.empty()) throw InputError(fmt::format("{} {}", file.string(), trouble));
  if (!table.has_header())
    throw InputError(fmt::format("{} is empty; its first line must name the columns: {}",
                                 file.string(), format.first_line));
  if (const std::string complaints = table.complaints(); !complaints.empty())
    throw InputError(
        fmt::format("{} has bad rows; {}:{}", file.string(), format.undone, complaints));
}

}  // namespace scree
