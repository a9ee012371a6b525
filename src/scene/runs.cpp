/// Reads bodies from a checkpoint of a run.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>

#include "scene/build.hpp"
#include "scree/core/spelling.hpp"
#include "scree/io/checkpoint.hpp"
#include "scree/io/run_directory.hpp"
#include "scree/io/run_manifest.hpp"
#include "scree/scene/identity.hpp"
#include "sim/checks/check_model.hpp"

namespace scree::scene {

namespace {

namespace fs = std::filesystem;

/// Stack of the runs whose scenes are being read, each because of the one before.
class Chain {
 public:
  explicit Chain(const fs::path& run) { runs().push_back(fs::absolute(run).lexically_normal()); }
  ~Chain() { runs().pop_back(); }
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;
  static bool has(const fs::path& run) {
    return std::ranges::count(runs(), fs::absolute(run).lexically_normal()) > 0;
  }

 private:
  static std::vector<fs::path>& runs() {
    thread_local std::vector<fs::path> all;
    return all;
  }
};

/// Files whose checksums, in comments behind a checkpoint's scene, have changed.
std::vector<std::string> changed_files(const std::string& then, const std::string& now) {
  std::vector<std::string> changed;
  std::istringstream lines(now);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("# ") && then.find(line + "\n") == std::string::npos)
      changed.push_back(line.substr(2, line.find(" has SHA-256") - 2));
  return changed;
}

/// Reads the run that an entry names.
class RunReader {
 public:
  RunReader(Build& build, const Node& node)
      : build_(build),
        node_(node),
        directory_((build.directory / node["run"].text).lexically_normal()) {}

  /// Run at its checkpoint; none, and reported, if it cannot be used.
  std::shared_ptr<const SourceRun> read() try {
    if (!is_run()) return {};
    const auto file = choose_checkpoint();
    if (!file) return {};
    auto run = std::make_shared<SourceRun>();
    if (!read_scene(run->scene)) return {};
    run->state = std::move(checkpoint_.state);
    check_indices(run->scene.model, run->state);
    build_.scene.inputs.push_back(*file);
    return run;
  } catch (const SceneError& error) {
    const SceneProblem& first = error.problems.front();
    refuse(fmt::format("the scene of the run in '{}' cannot be read any more: {}{}{}",
                       directory_.string(), first.path, first.path.empty() ? "" : ": ",
                       first.message));
    return {};
  } catch (const InputError& error) {
    refuse(error.what());
    return {};
  } catch (const OutputError& error) {
    refuse(error.what());
    return {};
  }

 private:
  /// Reports a message; always false.
  bool refuse(std::string message) {
    build_.problems.report(node_["run"], std::move(message));
    return false;
  }

  bool is_run() {
    const std::string name = directory_.string();
    if (Chain::has(directory_))
      return refuse(fmt::format("the run in '{}' takes its bodies from itself", name));
    switch (directory_content(directory_)) {
      case DirectoryContent::nothing:
        return refuse(
            fmt::format("there is no run in '{}'; the path is relative to the scene", name));
      case DirectoryContent::something_else:
        return refuse(fmt::format("'{}' is not the directory of a run", name));
      case DirectoryContent::run:
        break;
    }
    const std::string status = RunManifest(directory_).status();
    if (status == "running")
      return refuse(fmt::format("the run in '{}' is still running; wait until it ends", name));
    ended_well_ = status == "done";
    return true;
  }

  /// Reads the last checkpoint, or that of the requested time.
  std::optional<fs::path> choose_checkpoint() {
    const auto files = CheckpointFiles(directory_).list();
    if (files.empty()) {
      refuse(fmt::format("the run in '{}' has no checkpoint in {}", directory_.string(),
                         (directory_ / "restart").string()));
      return {};
    }
    const Node* time = node_.find("time");
    std::vector<std::string> there;
    for (const fs::path& file : files) {
      checkpoint_ = read_checkpoint(file);
      constexpr double kRounding = 1e-9;
      const double t = checkpoint_.state.time;
      if (!time || std::abs(t - time->number) <= kRounding * std::abs(t)) {
        if (!time && !ended_well_)
          build_.problems.warn(
              node_,
              fmt::format("the run in '{}' did not finish; its bodies are taken from t = {:.6g} s",
                          directory_.string(), t));
        return file;
      }
      there.push_back(fmt::format("{} s", t));
    }
    build_.problems.report(
        *time,
        fmt::format(
            "the run in '{}' has no checkpoint at t = {} s, only at {}; a run keeps its last two",
            directory_.string(), time->number, fmt::join(there, " and ")));
    return {};
  }

  bool read_scene(Scene& scene) {
    const Chain chain(directory_);
    scene = load_scene_text(checkpoint_.scene, directory_ / "resolved.yaml");
    const auto changed = changed_files(checkpoint_.scene, identity_of(scene));
    if (changed.empty()) return true;
    return refuse(fmt::format("{} has changed since the run in '{}' began",
                              fmt::join(changed, ", "), directory_.string()));
  }

  Build& build_;
  const Node& node_;
  fs::path directory_;
  Checkpoint checkpoint_;
  bool ended_well_ = false;
};

/// Finds the scene's material for each material of the run, by name; false, and reported, if one in
/// use is missing.
bool find_materials(Build& build, const Node& node, const SourceRun& run,
                    std::vector<MaterialId>& found) {
  const auto& here = build.scene.model.materials;
  const auto& there = run.scene.model.materials;
  std::vector<bool> used(there.size(), false);
  for (const MaterialId material : run.state.bodies.material) used[material] = true;
  std::vector<std::string> known;
  known.reserve(here.size());
  for (const Material& material : here) known.push_back(material.name);
  bool all = true;
  found.assign(there.size(), 0);
  for (std::size_t m = 0; m < there.size(); ++m) {
    const auto same = std::ranges::find(here, there[m].name, &Material::name);
    if (same != here.end()) {
      found[m] = static_cast<MaterialId>(same - here.begin());
    } else if (used[m]) {
      build.problems.add(
          node, fmt::format("the run has bodies of the material '{}', which this scene lacks{}",
                            there[m].name, suggestion(there[m].name, known)));
      all = false;
    }
  }
  return all;
}

/// Scene's prototype for each prototype of the run that a body uses.
std::vector<PrototypeId> take_prototypes(Build& build, const Node& node, const SourceRun& run) {
  Model& model = build.scene.model;
  const auto& prototypes = run.scene.model.prototypes;
  std::vector<bool> used(prototypes.size(), false);
  for (const PrototypeId prototype : run.state.bodies.prototype) used[prototype] = true;
  std::vector<PrototypeId> taken(prototypes.size(), 0);
  for (std::size_t p = 0; p < prototypes.size(); ++p)
    if (used[p]) taken[p] = prototype_of(build, node, prototypes[p]);
  // Shapes point to hulls and clumps
  const auto& hulls = run.scene.model.hulls;
  model.hulls.insert(model.hulls.end(), hulls.begin(), hulls.end());
  const auto& clumps = run.scene.model.clumps;
  model.clumps.insert(model.clumps.end(), clumps.begin(), clumps.end());
  return taken;
}

/// True if the cell equals that at the end of the run, because bodies near a border touch those
/// beyond it; reports it if not.
bool repeats_alike(Build& build, const Node& node, const SourceRun& run) {
  const UpperTriangle &then = run.state.cell.edges, now = build.scene.model.domain.edges();
  if (then == now) return true;
  const auto text_of_edges = [](const UpperTriangle& edges) {
    if (edges == UpperTriangle{}) return std::string("none");
    const bool leans = edges.xy != 0 || edges.xz != 0 || edges.yz != 0;
    return fmt::format("[{}, {}, {}] m{}", edges.xx, edges.yy, edges.zz,
                       leans ? ", tilted, which no scene can start with" : "");
  };
  build.problems.report(node["run"], fmt::format("the cell at the end of the run was {}, and the "
                                                 "cell of this scene is {}; they must be the same",
                                                 text_of_edges(then), text_of_edges(now)));
  return false;
}

}  // namespace

void add_run(Build& build, const Node& node) {
  const auto run = RunReader(build, node).read();
  if (!run) return;
  const Bodies& bodies = run->state.bodies;
  if (!check_memory(build, node, static_cast<double>(bodies.size()))) return;
  TakenRun taken{.run = run, .group = build.groups.size()};
  if (!repeats_alike(build, node, *run)) return;
  if (!find_materials(build, node, *run, taken.materials)) return;
  const std::vector<PrototypeId> prototypes = take_prototypes(build, node, *run);
  State& state = build.scene.state;
  const std::uint64_t first_id = state.next_id;
  reserve_bodies(build, bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    taken.rows.push_back(TakenRun::kGone);
    if (run->state.neighbours.has_left(i)) continue;
    taken.rows.back() = static_cast<BodyIndex>(state.bodies.size());
    Body body = bodies[i];
    body.id = {first_id + body.id.value};
    body.prototype = prototypes[body.prototype];
    body.material = taken.materials[body.material];
    state.bodies.push_back(body);
  }
  state.next_id = first_id + run->state.next_id;
  build.taken.push_back(std::move(taken));
}

}  // namespace scree::scene
