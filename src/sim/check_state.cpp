// Checks of a state, and of changes by hand.
#include <algorithm>
#include <cmath>

#include "scree/sim/touching_materials.hpp"
#include "sim/check_model.hpp"
#include "sim/requirements.hpp"
#include "sim/step.hpp"

namespace scree {
namespace {

using namespace requirements;

/// R* of Hertz' law needs curvatures, which the law does not know for superellipsoids.
void check_curvature(const Model& model, const Body& body, const FieldName& name) {
  if (!has_superellipsoid(model.prototypes[body.prototype].shape)) return;
  for (std::size_t m = 0; m < model.materials.size(); ++m)
    require(model.laws(static_cast<MaterialId>(m), body.material).kind != LawKind::hertz_mindlin,
            name, body.material,
            "the body is an ellipsoid or a superellipsoid, or has one as a part, whose curvature "
            "hertz_mindlin does not know; use cundall_strack for its material, or another shape");
}

/// Checks all of a body except its id.
void check_numbers(const Model& model, const Body& body, std::string_view list, std::size_t index) {
  require_finite({list, index, "position"}, body.position);
  require_unit({list, index, "orientation"}, body.orientation);
  require_finite({list, index, "velocity"}, body.velocity);
  require_finite({list, index, "angular_velocity"}, body.angular_velocity);
  require_positive({list, index, "radius"}, body.radius);
  require_radius(model, {list, index, "radius"}, body.radius);
  require(is_usable_mass(body.mass), {list, index, "mass"}, body.mass,
          "it must be from 1e-70 to 1e70 kg");
  require_index({list, index, "prototype"}, body.prototype, model.prototypes.size(), "prototypes");
  require_index({list, index, "material"}, body.material, model.materials.size(), "materials");
  const Locks& locked = model.prototypes[body.prototype].locked;
  require(body.velocity == without(body.velocity, locked.ways), {list, index, "velocity"},
          body.velocity, "the body is locked along an axis of it");
  require(body.angular_velocity == without(body.angular_velocity, locked.turns),
          {list, index, "angular_velocity"}, body.angular_velocity,
          "the body is locked about an axis of it");
  check_curvature(model, body, {list, index, "material"});
}

/// Checks obstacles with present and future bodies up to this radius [m].
void check_obstacles_in_cell(const Model& model, double largest) {
  for (const Inflow& inflow : model.inflows) largest = std::max(largest, inflow.radius);
  for (const Filling& filling : model.fillings)
    for (const Filling::Kind& kind : filling.kinds) largest = std::max(largest, kind.high);
  for (std::size_t k = 0; k < model.obstacles.size(); ++k)
    if (const std::string misfit = misfit_of_obstacle(model, k, largest); !misfit.empty())
      throw InputError("obstacles[" + std::to_string(k) + "] '" + model.obstacles[k].name +
                       "': " + misfit);
}

/// Checks that the model's cell can have become this one.
void check_cell(const Model& model, const CellState& cell) {
  const Vec3 period = cell.edges.diagonal(), of_model = model.domain.period();
  bool same = model.strain.any() || cell.gradient == UpperTriangle{};
  for (int axis = 0; axis < 3; ++axis) same = same && (period[axis] > 0) == (of_model[axis] > 0);
  require(same, "state.cell belongs to another model: begin with initial_state(model)");
  require_finite({{}, 0, "cell.work"}, cell.work);
}

void check_bodies(const Model& model, const State& state) {
  const Bodies& bodies = state.bodies;
  require(bodies.size() < Neighbours::kObstacle, {{}, 0, "bodies.size()"}, bodies.size(),
          "indices have 31 bits");
  const char* const* field_name = Bodies::kFieldNames;
  bodies.for_each_field([&](const auto& field) {
    require(field.size() == bodies.size(),
            {{}, 0, "bodies." + std::string(*field_name++) + ".size()"}, field.size(),
            "there are " + std::to_string(bodies.size()) + " ids");
  });
  double largest = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    largest = std::max(largest, bodies.radius[i]);
    const BodyId id = bodies.id[i];
    require(id.value < state.next_id && !is_obstacle(id), {"bodies", i, "id"}, id.value,
            "it must be below next_id");
    check_numbers(model, bodies[i], "bodies", i);
  }
  check_obstacles_in_cell(model, largest);
  std::vector<BodyId> ids(bodies.id.begin(), bodies.id.end());
  std::ranges::sort(ids);
  const auto twice = std::ranges::adjacent_find(ids);
  require(twice == ids.end(), "bodies.id has " + (twice == ids.end() ? "" : text_of(twice->value)) +
                                  " twice; each body must have its own id");
}

/// Hertz' law needs a stiffness wherever bodies can touch.
void check_stiffness(const Model& model, const State& state) {
  for (const auto& [a, b] : pairs_without_stiffness(model, state))
    require(false, "hertz_mindlin between '" + model.materials[a].name + "' and '" +
                       model.materials[b].name +
                       "' has no stiffness: give one of these materials its moduli, or the law k_n "
                       "and k_t");
}

void check_ledger(const ForceLedger& ledger, const FieldName& name) {
  for (const double work : {ledger.elastic, ledger.damping, ledger.shear, ledger.moment,
                            ledger.at_start, ledger.max_held})
    require_finite(name, work);
}

/// Checks memories of compliant contacts, and their energy balance.
void check_forces(const State& state) {
  const Neighbours& list = state.neighbours;
  const std::size_t slots = list.impulse.size();
  const auto fits = [&](std::size_t size) { return size == 0 || size == slots; };
  require(fits(list.force_memory.size()) && fits(list.force_moment.size()) &&
              fits(list.force_radius.size()) && fits(list.force_held.size()),
          "neighbours.force_memory, force_moment, force_radius and force_held must be empty, or "
          "have the size of neighbours.impulse");
  for (const ForceMemory& memory : list.force_memory) {
    require_finite({{}, 0, "neighbours.force_memory.shear"}, memory.shear);
    require_finite({{}, 0, "neighbours.force_memory.normal"}, memory.normal);
    require_finite({{}, 0, "neighbours.force_memory.overlap"}, memory.overlap);
    require_finite({{}, 0, "neighbours.force_memory.closing"}, memory.closing);
  }
  for (const Vec3& moment : list.force_moment)
    require_finite({{}, 0, "neighbours.force_moment"}, moment);
  for (const double radius : list.force_radius)
    require_finite({{}, 0, "neighbours.force_radius"}, radius);
  for (const ForceHeld& held : list.force_held) {
    require_finite({{}, 0, "neighbours.force_held.energy"}, held.energy);
    require_finite({{}, 0, "neighbours.force_held.elastic"}, held.elastic);
  }
  check_ledger(state.force_total.ledger, {{}, 0, "force_total.ledger"});
  for (std::size_t k = 0; k < state.force_books.size(); ++k)
    check_ledger(state.force_books[k].ledger, {"force_books", k, "ledger"});
}

/// Checks the wrenches for the next step.
void check_all_applied(const State& state) {
  const std::size_t count = state.applied.size();
  require(count == 0 || count == state.bodies.size(), {{}, 0, "applied.size()"}, count,
          "it must be empty, or of the size of bodies");
  for (std::size_t i = 0; i < count; ++i) {
    require_finite({"applied", i, "force"}, state.applied[i].force);
    require_finite({"applied", i, "torque"}, state.applied[i].torque);
  }
}

/// True if a function or an inflow, not the user, sets the twist of an obstacle.
bool is_driven(const Model& model, std::size_t obstacle) {
  return model.obstacles[obstacle].is_moved() ||
         std::ranges::find(model.inflows, obstacle, &Inflow::plate) != model.inflows.end();
}

void check_obstacles(const Model& model, const State& state) {
  const auto& by_hand = state.moved_by_hand;
  for (std::size_t k = 0; k < by_hand.size(); ++k) {
    const std::string name = "moved_by_hand[" + std::to_string(k) + "]";
    require_index({{}, 0, name}, by_hand[k], model.obstacles.size(), "obstacles");
    require(!is_driven(model, by_hand[k]), {{}, 0, name}, by_hand[k],
            "this obstacle has a prescribed motion");
    require(k == 0 || by_hand[k - 1] < by_hand[k], {{}, 0, name}, by_hand[k],
            "it must be above the previous one");
  }
  for (std::size_t k = 0; k < state.obstacles.size(); ++k) {
    const Twist& twist = state.obstacles[k].twist;
    require_pose("obstacles", k, state.obstacles[k].pose);
    require_finite({"obstacles", k, "twist.linear"}, twist.linear);
    require_finite({"obstacles", k, "twist.angular"}, twist.angular);
    // No stage would reset it: an obstacle at rest would move.
    const bool may_move = is_driven(model, k) || std::ranges::binary_search(by_hand, k);
    require(may_move || !moves(twist), {"obstacles", k, "twist.linear"}, twist.linear,
            "an obstacle without a motion must be at rest");
  }
}

void check_fillings(const Model& model, const State& state) {
  for (std::size_t k = 0; k < state.fillings.size(); ++k) {
    const FillingState& filling = state.fillings[k];
    require_not_negative({"fillings", k, "mass"}, filling.mass);
    require_index({"fillings", k, "next_kind"}, filling.next_kind,
                  model.fillings[k].kinds.size() + 1, "kinds");
    if (filling.next_kind > 0)
      require_positive({"fillings", k, "next_radius"}, filling.next_radius);
  }
}

void check_loads(const Model& model, const State& state) {
  require(state.obstacle_loads.size() == model.obstacles.size() &&
              state.step_loads.size() == model.obstacles.size() &&
              state.facet_wear.size() == first_worn_facet(model, model.obstacles.size()),
          "obstacle_loads, step_loads or facet_wear belongs to another model: begin with "
          "initial_state(model)");
  for (std::size_t k = 0; k < state.obstacle_loads.size(); ++k) {
    const ObstacleLoad& load = state.obstacle_loads[k];
    require_finite({"obstacle_loads", k, "impulse"}, load.impulse);
    require_finite({"obstacle_loads", k, "angular_impulse"}, load.angular_impulse);
    require_finite({"obstacle_loads", k, "work"}, load.work);
    require_finite({"obstacle_loads", k, "wear.impact"}, load.wear.impact);
    require_finite({"obstacle_loads", k, "wear.sliding"}, load.wear.sliding);
    require_finite({"step_loads", k, "force"}, state.step_loads[k].force);
    require_finite({"step_loads", k, "torque"}, state.step_loads[k].torque);
  }
  for (std::size_t k = 0; k < state.facet_wear.size(); ++k) {
    require_finite({"facet_wear", k, "impact"}, state.facet_wear[k].impact);
    require_finite({"facet_wear", k, "sliding"}, state.facet_wear[k].sliding);
  }
}

/// True if each pair has at most as many slots as its shapes allow, and exactly as many with
/// compliant laws.
bool has_its_places(const Model& model, const State& state) {
  const Neighbours& list = state.neighbours;
  if (!list.angular_impulse.empty() && list.angular_impulse.size() != list.impulse.size())
    return false;
  if (list.first_place.empty())
    return list.feature.empty() && list.impulse.size() == list.pairs.size() &&
           (list.pairs.empty() || !has_many_points(model));
  if (list.first_place.size() != list.pairs.size() + 1 || list.first_place.front() != 0)
    return false;
  const bool all = list.valid && std::ranges::any_of(model.laws.all(), is_compliant);
  for (std::size_t p = 0; p < list.pairs.size(); ++p) {
    const std::uint32_t max_points = max_manifold_points(model, state.bodies, list.pairs[p]),
                        own = list.first_place[p + 1] - list.first_place[p];
    if (list.first_place[p + 1] < list.first_place[p] || own > max_points ||
        (all && own < max_points))
      return false;
  }
  return list.feature.size() == list.first_place.back() &&
         list.impulse.size() == list.first_place.back();
}

/// True if every index of the list of pairs is within bounds; an invalid list may lack the last
/// bodies.
bool is_consistent(const Neighbours& list, std::size_t bodies, std::size_t obstacles) {
  const std::size_t pairs = list.pairs.size(),
                    owners = list.first.empty() ? 0 : list.first.size() - 1;
  if (owners > bodies) return false;
  if (list.valid &&
      (owners != bodies || list.skin.size() != bodies || list.obstacle_skin.size() != obstacles))
    return false;
  if (pairs > 0 && (list.first.empty() || list.first.back() > pairs)) return false;
  if (!std::ranges::is_sorted(list.first)) return false;
  for (std::size_t p = 0; p < pairs; ++p) {
    const auto [owner, other] = list.pairs[p];
    const bool known = other & Neighbours::kObstacle ? (other & ~Neighbours::kObstacle) < obstacles
                                                     : other < bodies && other != owner;
    if (owner >= bodies || !known) return false;
  }
  return true;
}

}  // namespace

void check_body(const Model& model, const Body& body) {
  check_numbers(model, body, "body", FieldName::kNoIndex);
  check_obstacles_in_cell(model, body.radius);
}

void check_room(const State& state) {
  require(state.bodies.size() + 1 < Neighbours::kObstacle, {{}, 0, "bodies.size()"},
          state.bodies.size(), "there is no room for one more");
  require(!is_obstacle({state.next_id}), {{}, 0, "next_id"}, state.next_id, "all ids are used");
}

void check_applied(const Wrench& applied, const VelocityIncrement& increment) {
  constexpr const char* kNeeded = "it and its effect on the velocities in a step must be finite";
  require(is_finite(applied.force) && is_finite(increment.velocity), {{}, 0, "force"},
          applied.force, kNeeded);
  require(is_finite(applied.torque) && is_finite(increment.spin), {{}, 0, "torque"}, applied.torque,
          kNeeded);
}

void check_point(const Vec3& point) { require_finite({{}, 0, "point"}, point); }

void check_obstacle(const Model& model, std::uint32_t obstacle) {
  require_index({{}, 0, "obstacle"}, obstacle, model.obstacles.size(), "obstacles");
}

void check_obstacle_twist(const Model& model, std::uint32_t obstacle, const Twist& twist) {
  check_obstacle(model, obstacle);
  require(!is_driven(model, obstacle), {{}, 0, "obstacle"}, obstacle,
          "that obstacle, " + model.obstacles[obstacle].name + ", has a motion of its own");
  for (int axis = 0; axis < 3; ++axis) {
    require(std::abs(twist.linear[axis]) <= kMaxSpeed, {{}, 0, "twist.linear"}, twist.linear,
            "no component may exceed 3e8 m/s");
    require(std::abs(twist.angular[axis]) <= kMaxSpeed, {{}, 0, "twist.angular"}, twist.angular,
            "no component may exceed 3e8 rad/s");
  }
}

void check_state(const Model& model, const State& state) {
  require(state.obstacles.size() == model.obstacles.size() &&
              state.inflows.size() == model.inflows.size() &&
              state.fillings.size() == model.fillings.size(),
          "the state is not one of this model: begin with initial_state(model)");
  require_finite({{}, 0, "time"}, state.time);
  require_finite({{}, 0, "ledger.dissipated"}, state.ledger.dissipated);
  require_finite({{}, 0, "ledger.wall_work"}, state.ledger.wall_work);
  require_finite({{}, 0, "field_work"}, state.field_work);
  check_cell(model, state.cell);
  check_obstacles(model, state);
  check_loads(model, state);
  require_finite({{}, 0, "neighbours.drift"}, state.neighbours.drift);
  for (const Vec3& impulse : state.neighbours.impulse)
    require_finite({{}, 0, "neighbours.impulse"}, impulse);
  for (const Vec3& impulse : state.neighbours.angular_impulse)
    require_finite({{}, 0, "neighbours.angular_impulse"}, impulse);
  for (std::size_t k = 0; k < state.inflows.size(); ++k)
    require_finite({"inflows", k, "travelled"}, state.inflows[k].travelled);
  check_fillings(model, state);
  check_bodies(model, state);
  check_stiffness(model, state);
  check_forces(state);
  check_all_applied(state);
  check_sleep(state);
  check_joints(model, state);
  require(is_consistent(state.neighbours, state.bodies.size(), state.obstacles.size()) &&
              has_its_places(model, state),
          "neighbours is a list of other bodies; begin with that of initial_state(model)");
}

}  // namespace scree
