/// Plans a batch: combinations of values, names of the runs, and a check of every scene.
#include "scree/run/batch_plan.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "run/batch_columns.hpp"
#include "run/batch_table.hpp"
#include "scree/core/error.hpp"
#include "scree/io/sha256.hpp"
#include "scree/run/forecast.hpp"
#include "scree/scene/identity.hpp"
#include "scree/scene/paths.hpp"
#include "scree/scene/scene.hpp"

namespace scree {
namespace {

constexpr std::size_t kMaxRuns = 100'000;
constexpr std::size_t kLongestName = 120;  // characters; file systems allow 255 bytes

/// The last `count` keys of a path.
std::string label_of(const std::vector<std::string>& keys, std::size_t count) {
  std::string label;
  for (std::size_t k = keys.size() - std::min(count, keys.size()); k < keys.size(); ++k)
    label += (label.empty() ? "" : "_") + keys[k];
  return label;
}

/// Short labels, unique among parameters and other columns.
void label(std::vector<BatchParameter>& parameters, const std::vector<BatchColumn>& columns) {
  std::set<std::string> others(batch_figures().begin(), batch_figures().end());
  for (const BatchColumn& column : columns) others.insert(column.name);
  for (BatchParameter& parameter : parameters) {
    const std::vector<std::string> keys = keys_of_path(parameter.path);
    const auto is_clear = [&](std::size_t count) {
      const std::string label = label_of(keys, count);
      return !others.contains(label) &&
             std::ranges::none_of(parameters, [&](const BatchParameter& other) {
               return other.path != parameter.path &&
                      label_of(keys_of_path(other.path), count) == label;
             });
    };
    std::size_t count = 1;
    while (count < keys.size() && !is_clear(count)) ++count;
    parameter.label = label_of(keys, count);
  }
}

/// A value as part of a directory name: letters, digits, '.', '+' and '-'; '_' for other
/// characters.
std::string for_a_name(const std::string& value) {
  std::string name;
  for (const char c : value) {
    const bool plain = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') ||
                       c == '.' || c == '+' || c == '-';
    if (plain) name += c;
    if (!plain && c != ' ' && !name.empty() && name.back() != '_') name += '_';
  }
  while (name.ends_with('_')) name.pop_back();
  return name;
}

void require_sound(const BatchRequest& request) {
  if (request.parameters.empty())
    throw InputError(
        "nothing is varied; give --over PATH=VALUES, such as --over "
        "default_law.friction=0.1:0.8:8");
  std::set<std::string> paths, columns(batch_figures().begin(), batch_figures().end());
  double count = 1;
  for (const BatchParameter& parameter : request.parameters) {
    count *= static_cast<double>(parameter.values.size());
    if (parameter.values.empty()) throw InputError(fmt::format("{} has no values", parameter.path));
    if (!paths.insert(parameter.path).second)
      throw InputError(
          fmt::format("{} is varied twice; give all of its values in one --over", parameter.path));
    for (const std::string& set : request.overrides)
      if (set.substr(0, set.find('=')) == parameter.path)
        throw InputError(fmt::format("{} is both varied and given by --set; remove one of the two",
                                     parameter.path));
  }
  if (count > static_cast<double>(kMaxRuns))
    throw InputError(fmt::format("these are {:.0f} runs; a batch has at most {}", count, kMaxRuns));
  for (const BatchColumn& column : request.columns)
    if (!columns.insert(column.name).second)
      throw InputError(fmt::format(
          "the table already has a column '{}'; give this one another name, as in NAME={}:{}",
          column.name, column.file, column.key));
}

void require_paths(const BatchRequest& request, const std::string& text) {
  for (const BatchParameter& parameter : request.parameters)
    if (const std::string why = objection_to_path(parameter.path, text, request.overrides);
        !why.empty())
      throw InputError(fmt::format("--over {}: {}", parameter.path, why));
}

/// The combinations, the last parameter fastest; their names.
std::vector<BatchRun> combinations(const BatchRequest& request,
                                   const std::vector<BatchParameter>& parameters) {
  std::size_t count = 1;
  for (const BatchParameter& parameter : parameters) count *= parameter.values.size();
  std::vector<BatchRun> runs(count);
  std::set<std::string> names;
  bool clear = true;
  for (std::size_t k = 0; k < count; ++k) {
    BatchRun& run = runs[k];
    run.overrides = request.overrides;
    std::size_t left = count, rest = k;
    for (const BatchParameter& parameter : parameters) {
      left /= parameter.values.size();
      const std::string& value = parameter.values[rest / left];
      rest %= left;
      run.overrides.push_back(parameter.path + "=" + value);
      run.name +=
          fmt::format("{}{}={}", run.name.empty() ? "" : "_", parameter.label, for_a_name(value));
    }
    clear = clear && run.name.size() <= kLongestName && names.insert(run.name).second;
  }
  for (std::size_t k = 0; !clear && k < count; ++k) runs[k].name = fmt::format("run_{:05}", k + 1);
  return runs;
}

/// Reports a problem of a value from --over as such, not as --set.
[[noreturn]] void throw_again(const SceneError& error, const BatchRun& run, std::size_t given) {
  std::vector<SceneProblem> problems = error.problems;
  for (SceneProblem& problem : problems)
    for (std::size_t k = given; k < run.overrides.size(); ++k)
      if (problem.file == "--set " + run.overrides[k]) problem.file = "--over " + run.overrides[k];
  throw SceneError(std::move(problems));
}

/// Throws if the scene of a run is invalid; notes the data of it that the plan needs.
void check(BatchPlan& plan, BatchRun& run) {
  try {
    const Scene scene = load_scene_text(plan.scene_text, plan.scene_file, run.overrides);
    require_columns(plan.columns, scene);
    std::vector<std::string> paths;
    for (const BatchParameter& parameter : plan.parameters) paths.push_back(parameter.path);
    run.values = values_at(paths, scene.resolved);
    run.checksum = sha256(identity_of(scene));
    const Forecast needs = forecast(scene);
    plan.memory = std::max(plan.memory, needs.as_it_starts.memory);
    plan.memory_dense = std::max(plan.memory_dense, needs.dense.memory);
  } catch (const SceneError& error) {
    throw_again(error, run, plan.overrides.size());
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", run.name, error.what()));
  }
}

}  // namespace

BatchPlan plan_batch(const BatchRequest& request) {
  require_sound(request);
  BatchPlan plan;
  plan.scene_file = request.scene_file;
  plan.scene_text = request.scene_text ? *request.scene_text : scene_text(request.scene_file);
  plan.overrides = request.overrides;
  plan.parameters = request.parameters;
  plan.columns = request.columns;
  require_paths(request, plan.scene_text);
  label(plan.parameters, plan.columns);
  plan.runs = combinations(request, plan.parameters);
  std::map<std::string, std::string> names;  // by the checksum of the scene
  for (BatchRun& run : plan.runs) {
    check(plan, run);
    const auto [same, is_new] = names.try_emplace(run.checksum, run.name);
    if (!is_new)
      throw InputError(
          fmt::format("{} and {} are the same scene: give each value once, and vary only values "
                      "that the scene uses",
                      same->second, run.name));
  }
  return plan;
}

}  // namespace scree
