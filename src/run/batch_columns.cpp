/// Checks the columns of a batch against the tables and JSON files that its runs will write.
#include "run/batch_columns.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <sstream>

#include "run/run_tables.hpp"
#include "run/scheduled_analysis.hpp"
#include "scree/core/error.hpp"
#include "scree/core/spelling.hpp"
#include "scree/io/obstacles.hpp"
#include "scree/run/run_result.hpp"

namespace scree {
namespace {

[[noreturn]] void refuse(const BatchColumn& column, const std::string& why) {
  throw InputError(fmt::format("--column {}:{}: {}", column.file, column.key, why));
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> pieces;
  std::istringstream stream(text);
  for (std::string piece; std::getline(stream, piece, at);) pieces.push_back(piece);
  return pieces;
}

std::string analysis_file(const AnalysisRequest& request) {
  return "analysis/" + request.name + "/analysis.json";
}

/// JSON files of a run from which columns may take values.
std::vector<std::string> json_files_of(const Scene& scene) {
  std::vector<std::string> files{"verdict.json", "manifest.json", "obstacles.json"};
  for (const AnalysisRequest& request : scene.output.analyses)
    files.push_back(analysis_file(request));
  return files;
}

/// Example of the verdict of a run that ends with this model, with all entries that such a run may
/// have: a value that is null here has no entries in any such run.
Json verdict_of(const Scene& scene, const Model& model) {
  RunResult result;
  result.obstacle_loads.resize(scene.model.obstacles.size());
  result.fillings.resize(scene.model.fillings.size());
  RunSummary& s = result.summary;
  s.worst_contact.residual = 1;
  s["contacts_growing_penetration"].steps = 1;
  s.step_fit.of_contact = 1;
  s["excessive_rotation"].last.value = 1;
  s.motion_fault = MotionFault{};
  s.motion_fault->is_cell = true;
  if (scene.rest) s.rest = RestOutcome{.criterion = *scene.rest};
  for (const RunStage& stage : scene.stages) {
    result.stages.push_back({stage.name});
    if (stage.rest) s.rest = RestOutcome{.criterion = *stage.rest};
  }
  if (s.rest) s.rest->report.fastest_speed = 1;
  return verdict_json(result, model);
}

/// Examples of a JSON file, as in verdict_of: one for each stage in which a run may end; none for a
/// file whose keys are unknown before a run.
std::vector<Json> examples_of(const std::string& file, const Scene& scene) {
  if (file == "verdict.json") {
    std::vector<Json> examples{verdict_of(scene, scene.model)};
    for (const RunStage& stage : scene.stages) examples.push_back(verdict_of(scene, stage.model));
    return examples;
  }
  if (file == "obstacles.json") return {Json::parse(obstacles_json(scene.model, scene.state))};
  for (const AnalysisRequest& request : scene.output.analyses)
    if (file == analysis_file(request)) return {analysis_keys(scene, request)};
  return {};
}

void require_column(const BatchColumn& column, const std::vector<TableHeader>& tables) {
  const auto table = std::ranges::find(tables, column.file, &TableHeader::file);
  std::vector<std::string> files(tables.size());
  std::ranges::transform(tables, files.begin(), &TableHeader::file);
  if (table == tables.end())
    refuse(column, fmt::format("the runs write no table '{}'{}", column.file,
                               suggestion(column.file, files)));
  const std::vector<std::string> columns = split(table->columns, ',');
  if (std::ranges::find(columns, column.key) == columns.end())
    refuse(column, fmt::format("there is no column '{}' in {}{}", column.key, column.file,
                               suggestion(column.key, columns)));
}

/// The only list of a verdict whose length is not known before a run.
constexpr const char* kListOfRun = "/contacts/contradiction/contacts/";

/// Index of an entry of a list; none if the key is not an index without leading zeros [RFC 6901].
std::optional<std::size_t> entry_of(const Json& list, const std::string& key) {
  const bool is_number = !key.empty() && key.size() < 10 && (key == "0" || key.front() != '0') &&
                         std::ranges::all_of(key, [](char c) { return '0' <= c && c <= '9'; });
  if (!is_number || std::stoul(key) >= list.size()) return {};
  return std::stoul(key);
}

std::string entries_of(const Json& list) {
  if (list.empty()) return "the list is empty in runs of this scene";
  if (list.size() == 1) return "the only index is 0";
  return fmt::format("the indices are 0 to {}", list.size() - 1);
}

/// Reason why the pointer does not exist in the example; empty if it exists.
std::string fault_in(const BatchColumn& column, const Json& example) {
  const Json* at = &example;
  std::string above = column.file;
  for (const std::string& key : split(column.key.substr(1), '/')) {
    if (at->is_array()) {
      const auto entry = entry_of(*at, key);
      if (!entry)
        return fmt::format("there is no entry '{}' in {}: {}", key, above, entries_of(*at));
      at = &(*at)[*entry];
    } else if (!at->is_object()) {
      return fmt::format("'{}' has no entries in runs of this scene", above);
    } else if (at->contains(key)) {
      at = &(*at)[key];
    } else {
      std::vector<std::string> keys;
      for (const auto& [there, value] : at->items()) keys.push_back(there);
      return fmt::format("there is no key '{}' in {}{}", key, column.file, suggestion(key, keys));
    }
    above = key;
  }
  return "";
}

void require_key(const BatchColumn& column, const std::vector<Json>& examples) {
  if (column.file == "verdict.json" && column.key.starts_with(kListOfRun)) return;
  std::vector<std::string> faults(examples.size());
  std::ranges::transform(examples, faults.begin(),
                         [&](const Json& example) { return fault_in(column, example); });
  if (!faults.empty() && std::ranges::find(faults, "") == faults.end())
    refuse(column, faults.front());
}

}  // namespace

void require_columns(std::span<const BatchColumn> columns, const Scene& scene) {
  if (columns.empty()) return;
  const std::vector<TableHeader> tables = tables_of(scene);
  const std::vector<std::string> files = json_files_of(scene);
  for (const BatchColumn& column : columns) {
    if (std::filesystem::path(column.file).extension() == ".csv")
      require_column(column, tables);
    else if (std::ranges::find(files, column.file) == files.end())
      refuse(column, fmt::format("the runs write no file '{}'{}", column.file,
                                 suggestion(column.file, files)));
    else
      require_key(column, examples_of(column.file, scene));
  }
}

}  // namespace scree
