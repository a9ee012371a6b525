/// Reads columns of tables, and thins long ones.
#include "view/table_series.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <vector>

#include "scree/core/csv.hpp"
#include "scree/core/error.hpp"
#include "view/run_files.hpp"

namespace scree::view {
namespace {

namespace fs = std::filesystem;

/// A table, and the column that says whose row it is; empty if all rows are the run's.
struct TableKind {
  const char *name, *owner;
};
constexpr TableKind kTables[] = {{"statistics", ""}, {"obstacles", "obstacle"}, {"joints", "joint"},
                                 {"bodies", "body"}, {"sensors", ""},           {"cell", ""}};

fs::path file_of(const TableKind& table) { return std::string(table.name) + ".csv"; }

struct SeriesPoint {
  double time, value;
};
using Series = std::vector<SeriesPoint>;

/// The lowest and the highest point of each of `intervals` pieces, in order.
Series thinned(const Series& all, std::size_t intervals) {
  if (all.size() <= 2 * intervals) return all;
  Series few;
  for (std::size_t k = 0; k < intervals; ++k) {
    const auto at = [&](std::size_t i) {
      return all.begin() + static_cast<std::ptrdiff_t>(i * all.size() / intervals);
    };
    const auto [low, high] = std::minmax_element(
        at(k), at(k + 1),
        [](const SeriesPoint& a, const SeriesPoint& b) { return a.value < b.value; });
    few.push_back(*std::min(low, high));
    if (low != high) few.push_back(*std::max(low, high));
  }
  return few;
}

Json point_json(const SeriesPoint& point) { return {{"time", point.time}, {"value", point.value}}; }

Json series_json(const std::string& owner, const Series& all) {
  constexpr std::size_t kIntervals = 1000;  // a plot is about so many pixels wide
  const auto [low, high] = std::ranges::minmax_element(all, {}, &SeriesPoint::value);
  Json times = Json::array(), values = Json::array();
  for (const SeriesPoint& point : thinned(all, kIntervals)) {
    times.push_back(point.time);
    values.push_back(point.value);
  }
  return {{"owner", owner},
          {"times", times},
          {"values", values},
          {"lowest", point_json(*low)},
          {"highest", point_json(*high)}};
}

/// Columns whose first value is a number, except times and steps.
std::vector<std::string> columns_of(const fs::path& file) {
  std::vector<std::string> names, columns;
  read_csv(file, [&](int, const std::vector<std::string_view>& cells) {
    if (names.empty()) {
      names.assign(cells.begin(), cells.end());
      return true;
    }
    for (std::size_t k = 0; k < std::min(names.size(), cells.size()); ++k)
      if (names[k] != "time" && names[k] != "step" && (cells[k].empty() || read_number(cells[k])))
        columns.push_back(names[k]);
    return false;
  });
  return columns;
}

/// Reads a column of a table, row by row.
class ColumnReader {
 public:
  ColumnReader(std::string owner, std::string column)
      : owner_(std::move(owner)), column_(std::move(column)) {}

  bool row(const std::vector<std::string_view>& cells) {
    if (!header_read_) {
      read_header(cells);
      return true;
    }
    if (!value_at_ || !time_at_ || cells.size() <= std::max(*value_at_, *time_at_)) return true;
    const auto time = read_number(cells[*time_at_]), value = read_number(cells[*value_at_]);
    if (time && value && std::isfinite(*time) && std::isfinite(*value))
      series_[owner_at_ ? std::string(cells[*owner_at_]) : ""].push_back({*time, *value});
    return true;
  }
  bool has_column() const { return value_at_ && time_at_; }
  const std::map<std::string, Series>& series() const { return series_; }

 private:
  void read_header(const std::vector<std::string_view>& cells) {
    const auto place = [&](const std::string& name) -> std::optional<std::size_t> {
      const auto found = std::ranges::find(cells, name);
      if (found == cells.end()) return {};
      return static_cast<std::size_t>(found - cells.begin());
    };
    header_read_ = true;
    time_at_ = place("time");
    value_at_ = place(column_);
    if (!owner_.empty()) owner_at_ = place(owner_);
  }

  std::string owner_, column_;
  bool header_read_ = false;
  std::optional<std::size_t> time_at_, value_at_, owner_at_;
  std::map<std::string, Series> series_;
};

}  // namespace

Json tables_of(const RunFiles& run) {
  Json tables = Json::array();
  std::error_code error;
  for (const TableKind& table : kTables)
    if (fs::exists(run.directory() / file_of(table), error))
      tables.push_back({{"name", table.name}, {"columns", columns_of(run.inside(file_of(table)))}});
  return tables;
}

Json series_of(const RunFiles& run, const std::string& table, const std::string& column) {
  const auto kind = std::ranges::find(kTables, table, &TableKind::name);
  if (kind == std::end(kTables)) throw InputError(fmt::format("there is no table {}", table));
  ColumnReader reader(kind->owner, column);
  const std::string fault =
      read_csv(run.inside(file_of(*kind)),
               [&](int, const std::vector<std::string_view>& cells) { return reader.row(cells); });
  if (!fault.empty()) throw OutputError(fault);
  if (!reader.has_column())
    throw InputError(fmt::format("table {} has no column {}", table, column));
  Json series = Json::array();
  for (const auto& [owner, all] : reader.series())
    if (!all.empty()) series.push_back(series_json(owner, all));
  return {{"table", table}, {"column", column}, {"series", series}};
}

}  // namespace scree::view
