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
  throw InputError(fmt::format("--column {}:{}: {}", column.file, column.place, why));
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

/// JSON files of a run: the verdict, and others that figures may come from.
std::vector<std::string> json_files_of(const Scene& scene) {
  std::vector<std::string> files{"verdict.json", "manifest.json", "obstacles.json"};
  for (const AnalysisRequest& request : scene.output.analyses)
    files.push_back(analysis_file(request));
  return files;
}

/// A verdict of a run of the scene with everything in it that such a run may tell of: what is null
/// in it has nothing below in any run.
Json verdict_of(const Scene& scene) {
  RunResult result;
  result.part_loads.resize(scene.model.obstacles.size());
  result.fillings.resize(scene.model.fillings.size());
  RunSummary& s = result.summary;
  s.worst_contact.residual = 1;
  s.steps_driving_deeper = 1;
  s.step_fit.of_contact = 1;
  s.far_turn.emplace();
  s.motion_fault = MotionFault{};
  s.motion_fault->is_cell = true;
  if (scene.rest) s.rest = RestOutcome{.criterion = *scene.rest};
  for (const RunStage& stage : scene.stages) {
    result.stages.push_back({stage.name});
    if (stage.rest) s.rest = RestOutcome{.criterion = *stage.rest};
    if (!stage.model.fields.empty()) s.field_swing.value = 1;
  }
  return verdict_json(result, scene.model);
}

/// As verdict_of, of any JSON file; none of one whose keys are not known before a run.
std::optional<Json> example_of(const std::string& file, const Scene& scene) {
  if (file == "verdict.json") return verdict_of(scene);
  if (file == "obstacles.json") return Json::parse(obstacles_json(scene.model, scene.state));
  for (const AnalysisRequest& request : scene.output.analyses)
    if (file == analysis_file(request)) return analysis_keys(scene, request);
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
  if (std::ranges::find(columns, column.place) == columns.end())
    refuse(column, fmt::format("there is no column '{}' in {}{}", column.place, column.file,
                               suggestion(column.place, columns)));
}

/// Follows the pointer; below a list that is empty here anything may stand.
void require_key(const BatchColumn& column, const Json& example) {
  const Json* at = &example;
  std::string above = column.file;
  for (const std::string& key : split(column.place.substr(1), '/')) {
    if (at->is_array() && at->empty()) return;
    const auto number = [&] {
      return std::ranges::all_of(key, [](char c) { return '0' <= c && c <= '9'; })
                 ? std::stoul("0" + key.substr(0, 9))
                 : at->size();
    };
    if (at->is_array() && number() >= at->size())
      refuse(column,
             fmt::format("there is no entry '{}': {} stand there, from 0", key, at->size()));
    if (at->is_array()) {
      at = &(*at)[number()];
      above = key;
      continue;
    }
    if (!at->is_object())
      refuse(column, fmt::format("nothing stands below '{}' in runs of this scene", above));
    if (!at->contains(key)) {
      std::vector<std::string> keys;
      for (const auto& [there, value] : at->items()) keys.push_back(there);
      refuse(column,
             fmt::format("there is no key '{}' in {}{}", key, column.file, suggestion(key, keys)));
    }
    at = &(*at)[key];
    above = key;
  }
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
    else if (const auto example = example_of(column.file, scene))
      require_key(column, *example);
  }
}

}  // namespace scree
