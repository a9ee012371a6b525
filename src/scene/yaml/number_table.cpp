/// Reads CSV files of numbers and reports bad rows.
#include "scene/yaml/number_table.hpp"

#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "scene/yaml/table_limits.hpp"
#include "scree/core/csv.hpp"

namespace scree::scene {

namespace {}

NumberTable::NumberTable(Build& build, const Node& key)
    : build_(build), key_(key), file_((build.directory / key.text).lexically_normal()) {
  build.scene.inputs.push_back(file_);
}

void NumberTable::complain(int line, std::string message) {
  key_.faulty = true;
  failed_ = true;
  if (++bad_rows_ <= kMaxBadRows)
    build_.problems.report_in(file_.string(), line, path_of(key_), std::move(message));
}

void NumberTable::read(const std::string& things,
                       const std::function<void(int, const Cells&)>& header,
                       const std::function<void(int, const Cells&)>& row) {
  std::size_t columns = 0, rows = 0;
  const std::string trouble = read_csv(file_, [&](int line, const Cells& cells) {
    if (columns == 0) {
      columns = cells.size();
      header(line, cells);
      return !failed_;
    }
    ++rows;
    if (cells.size() == columns)
      row(line, cells);
    else
      complain(line, fmt::format("found {} columns, the first line has {}", cells.size(), columns));
    return true;
  });
  if (!trouble.empty())
    build_.problems.report(key_, fmt::format("'{}' {}", file_.string(), trouble));
  else if (!failed_ && rows == 0)
    build_.problems.report(key_, fmt::format("'{}' has no {}", file_.string(), things));
  failed_ = failed_ || !trouble.empty() || rows == 0;
  if (bad_rows_ > kMaxBadRows)
    build_.problems.report_in(file_.string(), 0, path_of(key_),
                              fmt::format("… and {} more bad rows", bad_rows_ - kMaxBadRows));
}

std::optional<double> NumberTable::number(int line, std::string_view column, std::string_view cell,
                                          double largest) {
  const double value = read_number(cell).value_or(std::nan(""));
  if (std::abs(value) <= largest) return value;
  complain(line,
           fmt::format("column '{}': found '{}', expected a number in SI units", column, cell));
  return {};
}

bool NumberTable::is_later(int line, double t, double before) {
  if (t > before) return true;
  complain(line, fmt::format("t = {} is not later than {} in the row before", t, before));
  return false;
}

}  // namespace scree::scene
