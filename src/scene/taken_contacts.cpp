/// Transfers the memory of contacts from the runs that bodies come from.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <string>

#include "scene/build.hpp"
#include "scene/yaml/document.hpp"
#include "scree/laws/force_numbers.hpp"
#include "scree/sim/force_laws.hpp"
#include "scree/sim/simulation.hpp"
#include "scree/sim/steps.hpp"
#include "sim/compliant/same_springs.hpp"
#include "sim/contacts/narrow_phase.hpp"

namespace scree::scene {

namespace {

constexpr std::uint32_t kNoObstacle = 0xffffffff;

/// Key and value of a map as YAML; empty without the key.
std::string text_of(const Node& map, std::string_view key) {
  const Node* value = map.find(key);
  Node alone;
  alone.kind = Node::Kind::map;
  if (value) alone.children.push_back(*value);
  return value ? emit_document(alone) : "";
}

/// Arrays that a step fills in the list of neighbours of a model.
struct Remembered {
  explicit Remembered(const Model& model) {
    places = has_many_points(model);
    const bool ends = has_ends(model);
    for (std::size_t a = 0; a < model.materials.size(); ++a)
      for (std::size_t b = 0; b < model.materials.size(); ++b) {
        const PairLaw& law = model.laws(static_cast<MaterialId>(a), static_cast<MaterialId>(b));
        if (!is_compliant(law)) continue;
        forces = true;
        moments =
            moments || force::numbers_of(law, model.materials[a].moduli, model.materials[b].moduli)
                           .has_moment();
        radii = radii || (ends && law.kind == LawKind::hertz_mindlin);
      }
  }
  bool places = false, forces = false, moments = false, radii = false;
};

bool any_compliant(const Model& model) {
  return std::ranges::any_of(model.laws.all(),
                             [](const PairLaw& law) { return is_compliant(law); });
}
bool is_leapfrog(const TakenRun& taken) { return any_compliant(taken.run->scene.model); }

/// True if springs of a pair are loaded.
bool has_springs(const Neighbours& list, std::size_t pair) {
  if (list.force_memory.empty()) return false;
  for (auto [place, end] = list.places(pair); place < end; ++place)
    if (list.force_memory[place].is_contact()) return true;
  return false;
}

/// Builds the list of neighbours of a scene from those of the runs.
class ContactTransfer {
 public:
  explicit ContactTransfer(Build& build)
      : build_(build),
        model_(build.scene.model),
        bodies_(build.scene.state.bodies),
        list_(build.scene.state.neighbours) {}

  /// Names of missing or changed obstacles that had loaded springs in the runs.
  const std::set<std::string>& gone() const { return gone_; }

  void take() {
    if (build_.taken.size() == 1 && is_whole(build_.taken.front())) {
      take_whole(*build_.taken.front().run);
      return;
    }
    for (const TakenRun& taken : build_.taken) collect(taken);
    if (pairs_.empty() && !any_leapfrog()) return;
    std::ranges::stable_sort(pairs_, {}, [](const Pair& pair) { return pair.now.owner; });
    write();
  }

 private:
  struct Pair {
    BodyPair now;
    const Neighbours* old;
    std::size_t index;  ///< index in the old list
    bool same_springs;  ///< true if its law has the same springs
  };

  /// True if all bodies, obstacles and springs are as at the end of the run; then its list is still
  /// valid.
  bool is_whole(const TakenRun& taken) const {
    const SourceRun& run = *taken.run;
    const Model& then = run.scene.model;
    const auto is_gone = [](BodyIndex row) { return row == TakenRun::kGone; };
    if (!run.state.neighbours.valid || taken.rows.size() != bodies_.size() ||
        std::ranges::any_of(taken.rows, is_gone) || !then.joints.empty() ||
        !entries_of(build_.root["joints"]).empty())
      return false;
    if (!std::ranges::equal(then.materials, model_.materials, {}, &Material::name, &Material::name))
      return false;
    for (std::size_t a = 0; a < model_.materials.size(); ++a)
      for (std::size_t b = 0; b <= a; ++b) {
        const MaterialPair pair{static_cast<MaterialId>(a), static_cast<MaterialId>(b)};
        if (!have_same_springs(then, pair, model_, pair)) return false;
      }
    return has_same_obstacles(run) && then.domain.period() == model_.domain.period();
  }

  bool has_same_obstacles(const SourceRun& run) const {
    const auto& obstacles = model_.obstacles;
    if (obstacles.size() != run.state.obstacles.size()) return false;
    for (std::size_t k = 0; k < obstacles.size(); ++k) {
      const Pose &then = run.state.obstacles[k].pose, &now = obstacles[k].pose;
      if (then.position != now.position || !(then.orientation == now.orientation)) return false;
    }
    const bool any_left = !run.scene.stages.empty() &&
                          std::ranges::any_of(run.scene.stages, [](const RunStage& stage) {
                            return !stage.removed.empty();
                          });
    Problems unheard("", {});
    const auto then = parse_document(run.scene.resolved, 0, unheard);
    return !any_left && then && text_of(*then, "obstacles") == text_of(build_.root, "obstacles");
  }

  /// Copies the list and the energy of springs. Keeps the books by law only without stages, which
  /// may have had other laws.
  void take_whole(const SourceRun& run) {
    list_ = run.state.neighbours;
    State& state = build_.scene.state;
    state.force_total.energy = run.state.force_total.energy;
    if (!run.scene.stages.empty()) return;
    state.force_books = books_by_law(run.state.force_books, run.state.force_total,
                                     force_laws_of(run.scene.model), force_laws_of(model_));
    for (ForceBooks& books : state.force_books) books.ledger = {};
  }

  bool any_leapfrog() const { return std::ranges::any_of(build_.taken, is_leapfrog); }

  void collect(const TakenRun& taken) {
    const Model& then = taken.run->scene.model;
    const Neighbours& old = taken.run->state.neighbours;
    std::vector<std::uint32_t> obstacle_now(then.obstacles.size(), kNoObstacle);
    for (std::size_t k = 0; k < obstacle_now.size(); ++k) {
      const auto& obstacles = model_.obstacles;
      const auto same = std::ranges::find(obstacles, then.obstacles[k].name, &Obstacle::name);
      if (same != obstacles.end())
        obstacle_now[k] = static_cast<std::uint32_t>(same - obstacles.begin());
    }
    bool all_springs = true;
    for (std::size_t p = 0; p < old.pairs.size(); ++p) {
      const auto [owner, other] = old.pairs[p];
      const bool on_obstacle = other & Neighbours::kObstacle;
      const std::uint32_t obstacle = other & ~Neighbours::kObstacle;
      const BodyIndex other_now = on_obstacle ? obstacle_now[obstacle] : taken.rows[other];
      if (taken.rows[owner] == TakenRun::kGone || (!on_obstacle && other_now == TakenRun::kGone))
        continue;
      const BodyPair now{taken.rows[owner],
                         on_obstacle ? Neighbours::kObstacle | other_now : other_now};
      if (other_now == kNoObstacle ||
          max_manifold_points(then, taken.run->state.bodies, old.pairs[p]) !=
              max_manifold_points(model_, bodies_, now)) {
        if (on_obstacle && has_springs(old, p))
          gone_.insert("'" + then.obstacles[obstacle].name + "'");
        continue;
      }
      const MaterialPair materials{taken.run->state.bodies.material[owner],
                                   on_obstacle ? then.obstacles[obstacle].material
                                               : taken.run->state.bodies.material[other]};
      const MaterialPair here{
          bodies_.material[now.owner],
          on_obstacle ? model_.obstacles[other_now].material : bodies_.material[other_now]};
      const bool same = have_same_springs(then, materials, model_, here);
      all_springs = all_springs && same;
      pairs_.push_back({now, &old, p, same});
    }
    if (!all_springs)
      build_.problems.warn(build_.root["bodies"],
                           "some contacts of the run have a law with other springs here; their "
                           "springs start unloaded");
  }

  void write() {
    Remembered wanted(model_);
    // Without compliant laws in the runs there is no memory of springs: all start unloaded
    if (!any_leapfrog()) wanted.forces = wanted.moments = wanted.radii = false;
    list_.first.assign(bodies_.size() + 1, 0);
    if (wanted.places) list_.first_place.push_back(0);
    for (const Pair& pair : pairs_) {
      ++list_.first[pair.now.owner + 1];
      list_.pairs.push_back(pair.now);
      const auto [begin, end] = pair.old->places(pair.index);
      for (std::size_t place = begin; place < end; ++place) take_point(pair, place, wanted);
      if (wanted.places)
        list_.first_place.push_back(static_cast<std::uint32_t>(list_.impulse.size()));
    }
    for (std::size_t i = 0; i < bodies_.size(); ++i) list_.first[i + 1] += list_.first[i];
    list_.valid = false;
  }

  /// Adds a contact point with the memory of the old one.
  void take_point(const Pair& pair, std::size_t place, const Remembered& wanted) {
    const Neighbours& old = *pair.old;
    const auto of = [&]<class T>(const AlignedVector<T>& array, bool holds) {
      return holds && !array.empty() ? array[place] : T{};
    };
    list_.impulse.push_back(old.impulse[place]);
    list_.angular_impulse.push_back(of(old.angular_impulse, true));
    if (wanted.places) list_.feature.push_back(old.feature.empty() ? 0 : old.feature[place]);
    if (wanted.forces) list_.force_memory.push_back(of(old.force_memory, pair.same_springs));
    if (wanted.moments) list_.force_moment.push_back(of(old.force_moment, pair.same_springs));
    if (wanted.radii) list_.force_radius.push_back(of(old.force_radius, pair.same_springs));
    if (wanted.forces && wanted.places)
      list_.force_held.push_back(of(old.force_held, pair.same_springs));
  }

  Build& build_;
  const Model& model_;
  const Bodies& bodies_;
  Neighbours& list_;
  std::vector<Pair> pairs_;
  std::set<std::string> gone_;
};

/// Shifts velocities for a resumed leapfrog, whose first kick is a full one: bodies with velocities
/// of the start, not of half a step before, lose the increment of gravity in that half step.
void set_back(Build& build) {
  const Model& model = build.scene.model;
  if (!is_within_leapfrog(build.scene.state) || !any_compliant(model)) return;
  Bodies& bodies = build.scene.state.bodies;
  std::vector<bool> is_behind(bodies.size(), false);
  for (const TakenRun& taken : build.taken)
    for (const BodyIndex row : taken.rows)
      if (row != TakenRun::kGone) is_behind[row] = is_leapfrog(taken);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (!is_behind[i]) bodies.velocity[i] -= 0.5 * model.step.h * model.gravity;
}

/// Records the energy of springs at the start, and warns of energy that is lost with missing
/// obstacles.
void count_springs(Build& build, const std::set<std::string>& gone) {
  State& state = build.scene.state;
  ForceEnergy& energy = state.force_total.energy;
  if (!is_within_leapfrog(state) || !any_compliant(build.scene.model)) return;
  if (energy == ForceEnergy{})
    energy = Simulation(build.scene.model, state).state().force_total.energy;
  double held = 0;
  for (const TakenRun& taken : build.taken) held += taken.run->state.force_total.energy.elastic();
  const double lost = held - energy.elastic();
  if (!gone.empty() && lost > 1e-6 * held)
    build.problems.warn(
        build.root["bodies"],
        fmt::format(
            "springs between bodies of the run and {} are gone, because this scene lacks these "
            "obstacles or changes their shapes: of the {:.3g} J in all springs of the run, {:.3g} "
            "J are missing from the energy budget, including the springs of bodies left out",
            fmt::join(gone, ", "), held, lost));
}

}  // namespace

void take_over_contacts(Build& build) {
  if (build.taken.empty() || !build.problems.empty()) return;
  ContactTransfer transfer(build);
  transfer.take();
  set_back(build);
  count_springs(build, transfer.gone());
}

}  // namespace scree::scene
