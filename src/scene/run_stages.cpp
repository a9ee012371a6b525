/// Reads stages of the run, each with its own settings.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "scene/build.hpp"
#include "scree/core/error.hpp"
#include "scree/core/spelling.hpp"
#include "scree/sim/force_times.hpp"
#include "scree/sim/simulation.hpp"

namespace scree::scene {

namespace {

/// Reads stages one after the other; each begins with the model of the one before.
class StageReader {
 public:
  explicit StageReader(Build& build) : build_(build), model_(build.scene.model) {
    frame_interval_ = build.scene.output.frame_interval;
    statistics_interval_ = build.scene.output.statistics_interval;
  }

  void read(const Node& node) {
    Scene trial;
    trial.model = model_;
    Build build{build_.root, build_.directory, trial, build_.problems};
    build.body_names = build_.body_names;
    RunStage stage;
    stage.name = name_of(node);
    if (const Node* gravity = node.find("gravity")) trial.model.gravity = vec3(*gravity);
    set_efforts(build_, trial.model);
    if (model_.strain.any() && trial.model.gravity != Vec3{})
      build_.problems.report(node["gravity"], "gravity must be [0, 0, 0] in a strained cell");
    if (const Node* cell = node.find("cell"); cell && sound(*cell))
      read_strain(build, *cell, trial.model);
    if (const Node* fields = node.find("fields")) {
      trial.model.fields.clear();
      read_fields(build, *fields, trial.model);
    } else if (trial.model.strain.any() && !model_.strain.any() && !model_.fields.empty()) {
      build_.problems.report(node["cell"],
                             "this strains the cell, but the fields from before remain; a strained "
                             "cell cannot have fields: add fields: [] here");
    }
    read_end(build, node, stage);
    read_laws(build, node);
    read_obstacles(build, node, stage);
    read_output(node, stage);
    check_asked(node, trial.model);
    for (const auto& file : trial.inputs)
      if (std::ranges::count(build_.scene.inputs, file) == 0) build_.scene.inputs.push_back(file);
    model_ = trial.model;
    stage.model = std::move(trial.model);
    build_.scene.stages.push_back(std::move(stage));
  }

 private:
  std::string name_of(const Node& node) {
    const std::string& name_text = node["name"].text;
    std::string name =
        name_text.empty() ? fmt::format("stage {}", build_.scene.stages.size() + 1) : name_text;
    if (!names_.insert(name).second)
      build_.problems.report(node["name"],
                             fmt::format("another stage already has the name '{}'", name));
    return name;
  }

  void read_end(Build& build, const Node& node, RunStage& stage) {
    const Node* end = build_end(build, node);
    if (!end || !sound(*end)) return;
    const double h = model_.step.h;
    if (end->number < h)
      build_.problems.report(
          *end, fmt::format("{} s is less than a step, which is {} s", end->number, h));
    const bool fills = std::ranges::any_of(
        model_.fillings, [](const Filling& filling) { return std::isinf(filling.until); });
    if (build.scene.rest && (fills || !model_.inflows.empty()))
      build_.problems.report(
          node["until"],
          "bodies enter without end, so the stage cannot come to rest; set until to a time");
    stage.until = build.scene.until = end->number;
    stage.rest = build.scene.rest;
    stage.condition = build.scene.condition;
  }

  void read_laws(Build& build, const Node& node) {
    if (const Node* solver = node.find("solver")) build_solver(build, *solver);
    if (const Node* law = node.find("default_law")) default_law_ = law;
    if (const Node* laws = node.find("laws")) laws_ = laws;
    Model& model = build.scene.model;
    const Node* changed = node.find("default_law") ? node.find("default_law") : node.find("laws");
    if (changed) {
      build_laws(build, default_law_, *laws_);
      if (build_.problems.empty()) check_springs(model, *changed);
    } else if (const Node* solver = node.find("solver")) {
      check_solver(model, *solver);
    }
  }

  /// Checks that a new solver supports the laws that stay.
  void check_solver(const Model& model, const Node& node) {
    for (const PairLaw& law : model.laws.all()) {
      const bool resists = resists_rolling(law) && !takes_rolling(model.solver.method);
      if (suits(model.solver.method, law.kind) && !resists) continue;
      build_.problems.report(
          node["method"],
          fmt::format("the solver {} does not support {}{}: choose another one, or "
                      "give this stage another law",
                      name(model.solver.method), resists ? "rolling friction in " : "the law ",
                      name(law.kind)));
      return;
    }
  }

  /// Checks that new laws keep the springs, and that the step stays stable.
  void check_springs(const Model& model, const Node& node) {
    try {
      require_change(model_, model);
    } catch (const InputError& error) {
      build_.problems.report(node, error.what());
      return;
    }
    const auto times = force_times(model, build_.scene.state, build_.scene.until);
    if (times) check_stability(build_, node, *times);
  }

  /// Obstacle with a name that the stage may change; none, and reported, if there is none.
  std::optional<std::uint32_t> obstacle_of(const Node& node, const std::string& name) {
    const auto complain = [&](const std::string& message) {
      node.is_string() && node.key.empty() ? build_.problems.report(node, message)
                                           : build_.problems.report_key(node, message);
      return std::nullopt;
    };
    std::vector<std::string> known;
    for (const Obstacle& obstacle : model_.obstacles) known.push_back(obstacle.name);
    const auto found = std::ranges::find(known, name);
    if (found == known.end())
      return complain(fmt::format("there is no obstacle '{}'{}", name, suggestion(name, known)));
    const auto obstacle = static_cast<std::uint32_t>(found - known.begin());
    if (std::ranges::find(model_.inflows, obstacle, &Inflow::plate) != model_.inflows.end())
      return complain(fmt::format("'{}' is the plate of an inflow, which alone moves it", name));
    if (model_.obstacles[obstacle].is_absent)
      return complain(fmt::format("'{}' was removed in an earlier stage", name));
    if (!used_.insert(obstacle).second)
      return complain(
          fmt::format("this stage names '{}' twice; remove, stop or move it once", name));
    return obstacle;
  }

  void read_obstacles(Build& build, const Node& node, RunStage& stage) {
    used_.clear();
    for (const auto& [key, obstacles] :
         {std::pair("remove", &stage.removed), std::pair("stop", &stage.stopped)})
      for (const Node& name : entries_of(node[key]))
        if (const auto obstacle = obstacle_of(name, name.text)) obstacles->push_back(*obstacle);
    for (const Node& entry : node["move"].children) {
      const auto obstacle = obstacle_of(entry, entry.key);
      auto motion = obstacle ? read_motion(build, entry) : std::nullopt;
      if (!motion) continue;
      StageMotion moved{*obstacle};
      moved.twist = std::move(motion->twist);
      moved.pivot = motion->pivot;
      if (!moved.twist)
        moved.displacement = [motions = std::move(motion->motions)](double t) {
          return displacement(motions, t);
        };
      stage.moved.push_back(std::move(moved));
    }
    for (const std::uint32_t obstacle : stage.removed) {
      build.scene.model.obstacles[obstacle].is_absent = true;
      check_joints(node["remove"], obstacle_id(obstacle), model_.obstacles[obstacle].name);
    }
  }

  /// Reports joints that hold an obstacle to be removed.
  void check_joints(const Node& node, BodyId obstacle, const std::string& name) {
    for (const Joint& joint : model_.joints)
      if (joint.a.body == obstacle || joint.b.body == obstacle)
        build_.problems.report(
            node,
            fmt::format(
                "'{}' cannot be removed: the joint '{}' is attached to it; stop it, or move it",
                name, joint.name));
  }

  void read_output(const Node& node, RunStage& stage) {
    const Node* output = node.find("output");
    for (const auto& [key, interval] : {std::pair("frame_interval", &frame_interval_),
                                        std::pair("statistics_interval", &statistics_interval_)}) {
      const Node* interval_node = output ? output->find(key) : nullptr;
      if (!interval_node) continue;
      *interval = interval_node->number;
      const double h = model_.step.h;
      if (interval_node->number > 0 && interval_node->number < h * (1 - 1e-9))
        build_.problems.report(*interval_node, fmt::format("{} s is shorter than a step, {} s",
                                                           interval_node->number, h));
    }
    stage.frame_interval = frame_interval_;
    stage.statistics_interval = statistics_interval_;
  }

  /// Reports settings of the scene that this stage does not allow.
  void check_asked(const Node& node, const Model& model) {
    if (const std::string unfit = unfit_for_sleep(model); model.step.sleep && !unfit.empty())
      build_.problems.report(node, fmt::format("no body may sleep: this stage has {}, which act on "
                                               "bodies that no contact wakes; remove step.sleep",
                                               unfit));
    const auto& analyses = build_.scene.output.analyses;
    if (model.strain.any() && !model_.strain.any() &&
        std::ranges::any_of(analyses, &AnalysisRequest::residence))
      build_.problems.report(node["cell"],
                             "residence times are undefined in a strained cell; remove residence "
                             "from output.analysis");
  }

  Build& build_;
  Model model_;  ///< model of the stage before
  const Node* default_law_ = build_.root.find("default_law");
  const Node* laws_ = &build_.root["laws"];
  double frame_interval_, statistics_interval_;
  std::set<std::string> names_;
  std::set<std::uint32_t> used_;  ///< obstacles named by this stage
};

}  // namespace

void build_stages(Build& build) {
  const Node* stages = build.root.find("stages");
  if (!stages) return;
  if (build.scene.rest || build.scene.condition) {
    build.problems.report(
        build.root["until"],
        "a scene with stages ends with its last stage, which may run until rest or a condition; "
        "remove this key, or give the latest time at which the run ends");
    return;
  }
  StageReader reader(build);
  for (const Node& stage : stages->children) reader.read(stage);
  double sum = 0;
  for (const RunStage& stage : build.scene.stages) sum += stage.until;
  build.scene.until = std::min(build.scene.until, sum);
}

}  // namespace scree::scene
