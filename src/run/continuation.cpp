/// Checks if a run can be resumed, and reads and writes the progress in its checkpoints.
#include "run/continuation.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "io/tallies_json.hpp"
#include "scree/core/error.hpp"
#include "scree/io/files.hpp"
#include "scree/io/run_directory.hpp"
#include "scree/io/run_manifest.hpp"
#include "scree/scene/identity.hpp"

namespace scree {

// JSON has no NaN; a run with NaN in its state cannot be resumed.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BodyId, value)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WorstContact, a, b, residual, kind, force, unsolved_force)
using SeenMoving = RestCount::Seen;
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Vec3, x, y, z)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SeenMoving, id, position, before, since, min_speed, max_speed,
                                   speed, gains)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ConditionCount, steps, held_steps, bodies_in, bodies_out, strain,
                                   held_at_once)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ForceEnergy, elastic_normal, elastic_shear, elastic_moment,
                                   damped, slid, rolled, at_start)
// What the verdict needs of the first and last reports, and of the worst; tallies have the rest.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Report, time, step, bodies, bodies_asleep, contacts,
                                   contacts_asleep, contacts_touching, residual, convergence_ratio,
                                   kinetic_energy, potential_energy, dissipated_energy, wall_work,
                                   field_work, force_energy, joint_energy, joints, joints_missed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Contradiction, time, contacts)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WorstOverlap, time, a, b, depth, share)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StepFit, time, step, of_contact, a, b, depth, of_stable, body)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunSummary, tolerance, largest_tolerance, steps, body_steps,
                                   tallies, max_kinetic_energy, growing_penetration, worst_contact,
                                   worst_missed, contradiction, step_fit, depth_looked_at, first,
                                   last)

namespace {

namespace fs = std::filesystem;

nlohmann::json as_json(const RestCriterion& criterion) {
  const auto number = [](std::optional<double> x) { return x ? nlohmann::json(*x) : nullptr; };
  return {{"speed", number(criterion.speed)},
          {"loose", criterion.loose},
          {"lasting", number(criterion.lasting)}};
}

/// True if a run was to end by this criterion, by its progress.
bool looked_for(const nlohmann::json& progress, const RestCriterion& criterion) {
  return progress.contains("rest") && progress.at("rest").at("criterion") == as_json(criterion);
}

/// The same for a condition.
bool looked_for(const nlohmann::json& progress, const EndCondition& condition) {
  return progress.contains("condition") && progress.at("condition").at("when") == condition.text &&
         progress.at("condition").at("lasting") == condition.lasting;
}

/// True if the run of a checkpoint had ended early: all stages had ended, or it had come to rest,
/// or met its condition.
bool was_over(const Checkpoint& checkpoint, const Scene& scene) {
  const auto progress = nlohmann::json::parse(checkpoint.progress);
  if (progress.contains("stages")) return progress.at("stages").at("over");
  return (scene.rest && looked_for(progress, *scene.rest) && progress["rest"].at("reached")) ||
         (scene.condition && looked_for(progress, *scene.condition) &&
          progress["condition"].at("reached"));
}

/// Values of --set with which the run began and which are missing now, except those of its end.
std::vector<std::string> missing_overrides(const RunManifest& manifest,
                                           std::span<const std::string> now) {
  const std::string pointer = "/scene/overrides";
  std::vector<std::string> missing;
  if (!manifest.has(pointer)) return missing;
  const auto is_of_end = [](const std::string& set) {
    const std::string key = set.substr(0, set.find_first_of("=."));
    return key == "until" || key == "rest";
  };
  for (const Json& entry : manifest.list(pointer)) {
    if (!entry.is_string()) continue;
    const auto set = entry.get<std::string>();
    if (!is_of_end(set) && std::ranges::find(now, set) == now.end())
      missing.push_back("--set " + set);
  }
  return missing;
}

/// Refuses a scene that differs from the one that the run began with.
class SameScene {
 public:
  SameScene(const fs::path& directory, const RunManifest& manifest,
            std::span<const std::string> overrides)
      : directory_(directory), missing_(missing_overrides(manifest, overrides)) {}

  void require(const std::string& before, const std::string& now) const {
    const auto difference = first_difference(before, now);
    if (!difference) return;
    const auto& [key, line, old_line, new_line] = *difference;
    std::string message = fmt::format(
        "the scene is not the one that the run in {} began with: {}was '{}'{} and is '{}' now",
        directory_.string(), key.empty() ? "it " : key + " ", old_line,
        line > 0 ? fmt::format(" (line {} of resolved.yaml)", line) : "", new_line);
    if (!missing_.empty())
      message += fmt::format("; the run began with {}, which this command lacks",
                             fmt::join(missing_, " "));
    throw InputError(message +
                     "; give the same scene and the same --set, or start again with --force");
  }

 private:
  const fs::path& directory_;
  std::vector<std::string> missing_;
};

/// A condition that is added later needs counts that the run has not made.
void require_countable(const fs::path& directory, const Checkpoint& checkpoint, const Scene& scene,
                       bool came_as_far) {
  if (!scene.condition || !scene.stages.empty()) return;
  const auto progress = nlohmann::json::parse(checkpoint.progress);
  if (came_as_far && !looked_for(progress, *scene.condition))
    throw InputError(
        fmt::format("the run in {} has reached t = {:.6g} s, the end of this one, without checking "
                    "this condition; give until.at_most later than {:.6g} s",
                    directory.string(), checkpoint.state.time, scene.until));
  if (!progress.contains("condition"))
    throw InputError(
        fmt::format("the run in {} was started without a condition, but a condition counts from "
                    "the start of a run; give a time, or start again with --force",
                    directory.string()));
}

/// Reads the first of these files, which is the newest.
Checkpoint read_last(const std::vector<fs::path>& files) {
  try {
    return read_checkpoint(files.front());
  } catch (const InputError& error) {
    const auto next = files.size() > 1
                          ? "resume from the one before, " + files[1].filename().string()
                          : "start again";
    throw InputError(fmt::format("{}; remove that file to {}", error.what(), next));
  }
}

/// True if the joints that a summary names exist in a model.
bool names_its_joints(const RunSummary& s, const Model& model) {
  const auto exists = [&](std::uint32_t joint) { return joint < model.joints.size(); };
  const auto exists_if_any = [&](const Measured& found) { return !found || exists(found.joint()); };
  return std::ranges::all_of(s.worst_missed.joints_missed, exists) &&
         std::ranges::all_of(finding_table(), [&](const FindingRow& row) {
           return row.who != Who::joint ||
                  (exists_if_any(s[row].of_largest) && exists_if_any(s[row].first));
         });
}

Continuation continuation_of(const fs::path& directory, const Scene& scene,
                             std::span<const std::string> overrides, std::uint64_t last_step) {
  Continuation found;
  if (directory_content(directory) != DirectoryContent::run) return found;
  const RunManifest manifest(directory);  // of a known version
  const SameScene same_scene(directory, manifest, overrides);
  const bool done = fs::exists(directory / "DONE");
  auto files = CheckpointFiles(directory).list();
  if (!done && !files.empty() && step_of_checkpoint(files.front()) > last_step)
    throw InputError(
        fmt::format("the run in {} is already beyond t = {:.6g} s; give a later --until, or none",
                    directory.string(), scene.until));
  // Killed after its last step, before DONE: the step is repeated to write the final files.
  if (!done)
    std::erase_if(files,
                  [&](const fs::path& file) { return step_of_checkpoint(file) >= last_step; });
  while (!files.empty() && !found.checkpoint) {
    found.checkpoint = read_last(files);
    same_scene.require(found.checkpoint->scene, identity_of(scene));
    if (!done && was_over(*found.checkpoint, scene)) {
      found.checkpoint.reset();
      files.erase(files.begin());
    }
  }
  if (!found.checkpoint) {
    if (fs::exists(directory / "resolved.yaml"))
      same_scene.require(read_file(directory / "resolved.yaml"), scene.resolved);
    return found;
  }
  const bool came_as_far = found.checkpoint->state.step >= last_step;
  if (scene.rest && came_as_far &&
      !looked_for(nlohmann::json::parse(found.checkpoint->progress), *scene.rest))
    throw InputError(
        fmt::format("the run in {} has reached t = {:.6g} s, the end of this one, without checking "
                    "for this rest; give rest.at_most later than {:.6g} s",
                    directory.string(), found.checkpoint->state.time, scene.until));
  require_countable(directory, *found.checkpoint, scene, came_as_far);
  found.complete = done && (came_as_far || was_over(*found.checkpoint, scene));
  if (const auto objections = manifest.objections(); found.complete && !objections.empty())
    throw InputError(
        fmt::format("the run in {} is complete, but {}; restore the file that the run wrote, or "
                    "start again with --force",
                    directory.string(), fmt::join(objections, ", and ")));
  return found;
}

}  // namespace

Continuation find_continuation(const fs::path& directory, const Scene& scene,
                               std::span<const std::string> overrides, std::uint64_t last_step) {
  return read_progress(directory,
                       [&] { return continuation_of(directory, scene, overrides, last_step); });
}

void refuse_progress(const fs::path& directory, const char* lack) {
  throw InputError(
      fmt::format("the last checkpoint in {} does not hold the progress of this run: {}; remove "
                  "that file to resume from the one before, or start again with --force",
                  (directory / "restart").string(), lack));
}

RestWatch rest_watch_from(const nlohmann::json& progress, const RestCriterion& criterion) {
  if (!looked_for(progress, criterion)) return RestWatch(criterion);
  const nlohmann::json& rest = progress.at("rest");
  // of a version that counted differently
  if (!rest.contains("steps")) return RestWatch(criterion);
  RestCount count{.steps = rest.at("steps").get<std::uint64_t>(),
                  .shaken_steps = rest.at("shaken_steps").get<std::uint64_t>(),
                  .still_steps = rest.at("still_steps").get<std::uint64_t>(),
                  .seen = rest.at("seen").get<std::vector<SeenMoving>>()};
  if (rest.contains("changing") && !rest.at("changing").is_null())
    count.changing = rest.at("changing").get<BodyId>();
  return RestWatch(criterion, std::move(count));
}

ConditionWatch condition_watch_from(const nlohmann::json& progress, const EndCondition& condition,
                                    const Simulation& simulation) {
  ConditionCount count;
  if (progress.contains("condition")) progress.at("condition").at("count").get_to(count);
  if (!looked_for(progress, condition)) count.held_steps = 0;
  return ConditionWatch(condition, simulation, count);
}

RunSummary summary_from(const nlohmann::json& json, const Model& model) {
  RunSummary summary(0, {});
  json.get_to(summary);
  if (!names_its_joints(summary, model))
    throw UnfitProgress("its summary names joints that the scene lacks");
  return summary;
}

Checkpoints::Checkpoints(const fs::path& directory, const Scene& scene)
    : files_(directory),
      identity_(identity_of(scene)),
      due_(scene.output.checkpoint_interval, scene.model.step.h, Sampling::Zero::first_only),
      wall_interval_(scene.output.checkpoint_wall_interval) {}

bool Checkpoints::is_due(std::uint64_t step) {
  const bool wall = wall_interval_ > 0 &&
                    std::chrono::duration<double>(Clock::now() - last_).count() >= wall_interval_;
  return due_.is_due(step) || wall;
}

void Checkpoints::write(const State& state, const nlohmann::json& recorder,
                        const RunSummary& summary, double wall_seconds, const RestWatch* rest,
                        const ConditionWatch* condition, const nlohmann::json& stages) {
  nlohmann::json progress{
      {"recorder", recorder}, {"summary", summary}, {"wall_seconds", wall_seconds}};
  if (!stages.is_null()) progress["stages"] = stages;
  if (rest) {
    const RestCount& count = rest->count();
    progress["rest"] = {{"criterion", as_json(rest->criterion())},
                        {"steps", count.steps},
                        {"shaken_steps", count.shaken_steps},
                        {"still_steps", count.still_steps},
                        {"seen", count.seen},
                        {"changing", count.changing ? nlohmann::json(*count.changing) : nullptr},
                        {"reached", rest->at_rest()}};
  }
  if (condition)
    progress["condition"] = {{"when", condition->condition().text},
                             {"lasting", condition->condition().lasting},
                             {"count", condition->count()},
                             {"reached", condition->reached()}};
  files_.write(state, identity_, progress.dump());
  last_ = Clock::now();
}

}  // namespace scree
