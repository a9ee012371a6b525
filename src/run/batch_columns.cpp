#include "run/batch_columns.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <sstream>

#include "run/run_tables.hpp"
#include "scree/core/error.hpp"
#include "scree/core/spelling.hpp"
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

/// JSON files of a run: the verdict, and others that figures may come from.
std::vector<std::string> json_files_of(const Scene& scene) {
  std::vector<std::string> files{"verdict.json", "manifest.json", "obstacles.json"};
  for (const AnalysisRequest& request : scene.output.analyses)
    files.push_back("analysis/" + request.name + "/analysis.json");
  return files;
}

/// A verdict of a run of the scene with everything in it that such a run may tell of.
Json verdict_of(const Scene& scene) {
  RunResult result;
  result.part_loads.resize(scene.model.obstacles.size());
  result.fillings.resize(scene.model.fillings.size());
  for (const RunStage& stage : scene.stages) result.stages.push_back({stage.name});
  return verdict_json(result, scene.model);
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

/// Follows the pointer as far as a verdict that knows nothing yet has something to follow.
void require_key(const BatchColumn& column, const Json& verdict) {
  const Json* at = &verdict;
  for (const std::string& key : split(column.place.substr(1), '/')) {
    if (at->is_null() || (at->is_array() && at->empty())) return;
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
      continue;
    }
    if (!at->is_object()) refuse(column, fmt::format("nothing stands below '{}'", key));
    if (!at->contains(key)) {
      std::vector<std::string> keys;
      for (const auto& [there, value] : at->items()) keys.push_back(there);
      refuse(column,
             fmt::format("there is no key '{}' in {}{}", key, column.file, suggestion(key, keys)));
    }
    at = &(*at)[key];
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
    else if (column.file == "verdict.json")
      require_key(column, verdict_of(scene));
  }
}

}  // namespace scree
