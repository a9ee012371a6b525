/// Reads the end and the values of each run of a batch for table.csv.
#include "run/batch_table.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "run/table_cells.hpp"
#include "scree/core/csv.hpp"
#include "scree/io/files.hpp"
#include "scree/io/parsed_json.hpp"
#include "scree/io/run_manifest.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// Source of a value: a pointer into verdict.json, a column of statistics.csv, or neither.
struct Figure {
  std::string name;
  const char* pointer = nullptr;
  const char* column = nullptr;
};

const std::array<Figure, 20>& figures() {
  static const std::array<Figure, 20> all{
      {{"run"},
       {"status"},
       {"exit_status"},
       {"verdict", "/verdict"},
       {"ended_by", "/end/by"},
       {"time", "/time"},
       {"steps", "/steps"},
       {"steps_within_tolerance", "/steps_within_tolerance"},
       {"residual", "/residual/value"},
       {"share_within_tolerance", "/contacts/share_within_tolerance"},
       {"bodies_entered", "/bodies/entered"},
       {"bodies_left", "/bodies/left"},
       {"energy_created", "/energy/created"},
       {"energy_dissipated", "/energy/dissipated"},
       {"bodies", nullptr, "bodies"},
       {"contacts_loaded", nullptr, "contacts_loaded"},
       {"max_penetration", nullptr, "max_penetration"},
       {"kinetic_energy", nullptr, "kinetic_energy"},
       {"potential_energy", nullptr, "potential_energy"},
       {"message"}}};
  return all;
}

std::string cell_of(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string cell_at(const Json& json, const std::string& pointer) {
  try {
    const Json::json_pointer parsed(pointer);
    return json.contains(parsed) ? cell_of(json.at(parsed)) : "";
  } catch (const Json::exception&) {
    return "";  // an invalid pointer or index
  }
}

/// The last row of a table, by its columns.
struct LastRow {
  std::vector<std::string> names, cells;

  explicit LastRow(const fs::path& file) {
    read_csv(file, [&](int, const std::vector<std::string_view>& row) {
      std::vector<std::string>& line = names.empty() ? names : cells;
      line.assign(row.begin(), row.end());
      return true;
    });
  }
  std::string at(const std::string& name) const {
    const auto found = std::ranges::find(names, name);
    const auto k = static_cast<std::size_t>(found - names.begin());
    return found != names.end() && k < cells.size() ? cells[k] : "";
  }
};

Json json_of(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored) ? parsed_json(read_file(file)) : Json();
}

}  // namespace

std::span<const std::string> batch_figures() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Figure& figure : figures()) all.push_back(figure.name);
    return all;
  }();
  return names;
}

BatchEnd batch_end_of(const fs::path& directory) {
  using Status = BatchEnd::Status;
  std::error_code ignored;
  if (directory_content(directory) != DirectoryContent::run) return {};
  const RunManifest manifest(directory);
  const std::string status = manifest.status();
  if (status != "done" && status != "failed") return {Status::interrupted, 0, status};
  // Killed between its last files: the run writes them again.
  if (!manifest.has("/verdict") || !manifest.objections().empty())
    return {Status::interrupted, 0, "killed"};
  return {status == "done" ? Status::done : Status::failed, manifest.whole_number("/exit_status"),
          first_line(manifest.text("/verdict"))};
}

BatchRow batch_row(const fs::path& directory, const BatchEnd& end,
                   std::span<const BatchColumn> columns) {
  const bool ended = end.status == BatchEnd::Status::done || end.status == BatchEnd::Status::failed;
  BatchRow row;
  const Json verdict = ended ? json_of(directory / "verdict.json") : Json();
  const LastRow statistics(ended ? directory / "statistics.csv" : fs::path());
  for (const Figure& figure : figures()) {
    std::string cell;
    if (figure.pointer) cell = cell_at(verdict, figure.pointer);
    if (figure.column) cell = statistics.at(figure.column);
    if (figure.name == "run") cell = directory.filename().string();
    if (figure.name == "status") cell = name(end.status);
    if (figure.name == "exit_status" && ended) cell = std::to_string(end.exit_status);
    if (figure.name == "message" && end.status == BatchEnd::Status::failed) cell = end.message;
    row.figures.push_back(std::move(cell));
  }
  for (const BatchColumn& column : columns) {
    const fs::path file = directory / column.file;
    if (!ended)
      row.columns.emplace_back();
    else if (file.extension() == ".json")
      row.columns.push_back(cell_at(json_of(file), column.key));
    else
      row.columns.push_back(LastRow(file).at(column.key));
  }
  return row;
}

std::string batch_table(const BatchPlan& plan, std::span<const BatchRow> rows) {
  std::string text = "run";
  for (const BatchParameter& parameter : plan.parameters) text += "," + parameter.label;
  const auto rest_of = [&](std::span<const std::string> figures,
                           std::span<const std::string> columns) {
    for (const std::string& cell : figures.subspan(1, figures.size() - 2))
      text += "," + csv_cell(cell);
    for (const std::string& cell : columns) text += "," + csv_cell(cell);
    text += "," + csv_cell(figures.back()) + "\n";
  };
  std::vector<std::string> names;
  for (const BatchColumn& column : plan.columns) names.push_back(column.name);
  rest_of(batch_figures(), names);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    text += csv_cell(rows[k].figures.front());
    for (const std::string& value : plan.runs[k].values) text += "," + csv_cell(value);
    rest_of(rows[k].figures, rows[k].columns);
  }
  return text;
}

}  // namespace scree
