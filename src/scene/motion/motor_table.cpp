/// Reads tables with the targets or forces of motors.
#include <algorithm>
#include <fmt/format.h>

#include "scene/yaml/number_table.hpp"
#include "scree/core/spelling.hpp"

namespace scree::scene {

namespace {

/// Index of a column; complains if it is missing or appears twice.
std::size_t place_of(NumberTable& table, int line, const NumberTable::Cells& names,
                     std::string_view wanted) {
  const auto found = std::ranges::find(names, wanted);
  if (found == names.end()) {
    const std::vector<std::string> known(names.begin(), names.end());
    table.complain(line, fmt::format("the first line names no column '{}'{}", wanted,
                                     suggestion(std::string(wanted), known)));
    return 0;
  }
  if (std::ranges::count(names, wanted) > 1)
    table.complain(line, fmt::format("the column '{}' appears twice", wanted));
  return static_cast<std::size_t>(found - names.begin());
}

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
  NumberTable numbers(build, table);
  std::size_t time = 0, of_value = 0;
  std::vector<ValueTable::Row> rows;
  const auto header = [&](int line, const NumberTable::Cells& names) {
    time = place_of(numbers, line, names, "t");
    of_value = place_of(numbers, line, names, column);
  };
  numbers.read("values", header, [&](int line, const NumberTable::Cells& cells) {
    const auto t = numbers.number(line, "t", cells[time], kMaxSpeed),
               value = numbers.number(line, column, cells[of_value], kMaxSpeed);
    if (t && value && (rows.empty() || numbers.is_later(line, *t, rows.back().t)))
      rows.push_back({*t, *value});
  });
  if (numbers.failed()) return {};
  return ValueTable(std::move(rows));
}

}  // namespace scree::scene
