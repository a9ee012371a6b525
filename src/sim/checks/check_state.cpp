// Checks of a state, and of changes by hand.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "scree/sim/touching_materials.hpp"
#include "sim/checks/check_model.hpp"
#include "sim/checks/requirements.hpp"
#include "sim/contacts/narrow_phase.hpp"

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

/// Checks the prototype and the material of a body.
void check_kinds(const Model& model, const Body& body, std::string_view list, std::size_t index) {
  require_index({list, index, "prototype"}, body.prototype, model.prototypes.size(), "prototypes");
  require_index({list, index, "material"}, body.material, model.materials.size(), "materials");
}

/// Requires a velocity in the range of prescribed motions.
void require_speed(const FieldName& name, const Vec3& velocity, const char* unit) {
  for (int axis = 0; axis < 3; ++axis)
    require(std::abs(velocity[axis]) <= kMaxSpeed, name, velocity,
            std::string("no component may exceed 3e8 ") + unit);
}

/// Requires that doubles resolve a position to less than the radius of its body.
void require_resolved(const FieldName& name, const Vec3& position, double radius) {
  for (int axis = 0; axis < 3; ++axis)
    require(std::abs(position[axis]) * std::numeric_limits<double>::epsilon() < radius, name,
            position, "so far from the origin, rounding moves the body by more than its radius");
}

/// Checks all of a body except its id.
void check_numbers(const Model& model, const Body& body, std::string_view list, std::size_t index) {
  require_finite({list, index, "position"}, body.position);
  require_unit({list, index, "orientation"}, body.orientation);
  require_finite({list, index, "velocity"}, body.velocity);
  require_finite({list, index, "angular_velocity"}, body.angular_velocity);
  require_speed({list, index, "velocity"}, body.velocity, "m/s");
  require_speed({list, index, "angular_velocity"}, body.angular_velocity, "rad/s");
  require_positive({list, index, "radius"}, body.radius);
  require_resolved({list, index, "position"}, body.position, body.radius);
  require_radius(model, {list, index, "radius"}, body.radius);
  require(is_usable_mass(body.mass), {list, index, "mass"}, body.mass,
          "it must be from 1e-70 to 1e70 kg");
  check_kinds(model, body, list, index);
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
  for (const UpperTriangle* rows : {&cell.edges, &cell.gradient})
    for (const double number : {rows->xx, rows->yy, rows->zz, rows->xy, rows->xz, rows->yz})
      require_finite({{}, 0, "cell"}, number);
  require(same, "state.cell belongs to another model: begin with initial_state(model)");
  require_finite({{}, 0, "cell.work"}, cell.work);
  for (const auto* stress : {&cell.contact_stress, &cell.kinetic_stress, &cell.smooth_stress})
    for (const Vec3& on_face : *stress) require_finite({{}, 0, "cell.stress"}, on_face);
}

void check_bodies(const Model& model, const State& state) {
  const Bodies& bodies = state.bodies;
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

void check_books(const ForceBooks& books, const FieldName& name) {
  const auto& [ledger, energy] = books;
  for (const double joules :
       {ledger.elastic, ledger.damping, ledger.shear, ledger.moment, ledger.at_start,
        ledger.max_held, energy.elastic_normal, energy.elastic_shear, energy.elastic_moment,
        energy.damped, energy.slid, energy.rolled, energy.at_start})
    require_finite(name, joules);
}

/// A skin is infinite for a body that has left.
void check_neighbours(const Neighbours& list) {
  require_finite({{}, 0, "neighbours.drift"}, list.drift);
  for (const double skin : list.skin)
    require(!std::isnan(skin), {{}, 0, "neighbours.skin"}, skin, "it must be a number");
  for (const ObstacleApproach& skin : list.obstacle_skin)
    require(!std::isnan(skin.displacement) && !std::isnan(skin.rotation),
            "neighbours.obstacle_skin must be a number");
  for (const Vec3& impulse : list.impulse) require_finite({{}, 0, "neighbours.impulse"}, impulse);
  for (const Vec3& impulse : list.angular_impulse)
    require_finite({{}, 0, "neighbours.angular_impulse"}, impulse);
}

/// Checks memories of compliant contacts, and their energy balance.
void check_forces(const State& state) {
  const Neighbours& list = state.neighbours;
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
  check_books(state.force_total, {{}, 0, "force_total.ledger or energy"});
  for (std::size_t k = 0; k < state.force_books.size(); ++k)
    check_books(state.force_books[k], {"force_books", k, "ledger or energy"});
}

/// Checks the wrenches for the next step.
void check_all_applied(const State& state) {
  for (std::size_t i = 0; i < state.applied.size(); ++i) {
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

void check_loads(const State& state) {
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
  if (list.first_place.empty()) return list.pairs.empty() || !has_many_points(model);
  const bool all = list.valid && std::ranges::any_of(model.laws.all(), is_compliant);
  for (std::size_t p = 0; p < list.pairs.size(); ++p) {
    const std::uint32_t max_points = max_manifold_points(model, state.bodies, list.pairs[p]),
                        own = list.first_place[p + 1] - list.first_place[p];
    if (own > max_points || (all && own < max_points)) return false;
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
  const auto within = [](const Vec3& v, double most) {
    return std::abs(v.x) <= most && std::abs(v.y) <= most && std::abs(v.z) <= most;
  };
  require(is_finite(applied.force) && within(increment.velocity, kMaxSpeed), {{}, 0, "force"},
          applied.force, "it must be finite, and change velocities by at most 3e8 m/s in a step");
  require(is_finite(applied.torque) && is_finite(increment.spin), {{}, 0, "torque"}, applied.torque,
          "it and its effect on the velocities in a step must be finite");
}

void check_point(const Vec3& point) { require_finite({{}, 0, "point"}, point); }

void check_obstacle(const Model& model, std::uint32_t obstacle) {
  require_index({{}, 0, "obstacle"}, obstacle, model.obstacles.size(), "obstacles");
}

void check_obstacle_twist(const Model& model, std::uint32_t obstacle, const Twist& twist) {
  check_obstacle(model, obstacle);
  require(!is_driven(model, obstacle), {{}, 0, "obstacle"}, obstacle,
          "that obstacle, " + model.obstacles[obstacle].name + ", has a motion of its own");
  require_speed({{}, 0, "twist.linear"}, twist.linear, "m/s");
  require_speed({{}, 0, "twist.angular"}, twist.angular, "rad/s");
}

/// True if there is a target for each free coordinate, or none at all.
static bool has_its_targets(const Model& model, const State& state) {
  std::size_t coordinates = 0;
  for (const Joint& joint : model.joints) coordinates += coordinates_of(joint.kind).size();
  return state.joint_targets.empty() || state.joint_targets.size() == coordinates;
}

void check_indices(const Model& model, const State& state) {
  require(state.obstacles.size() == model.obstacles.size() &&
              state.inflows.size() == model.inflows.size() &&
              state.fillings.size() == model.fillings.size() &&
              state.joints.size() == model.joints.size() && has_its_targets(model, state) &&
              state.facet_wear.size() == first_worn_facet(model, model.obstacles.size()),
          "the state is not one of this model: begin with initial_state(model)");
  check_arrays(state);
  for (std::size_t i = 0; i < state.bodies.size(); ++i)
    check_kinds(model, state.bodies[i], "bodies", i);
}

void check_state(const Model& model, const State& state) {
  check_indices(model, state);
  require(has_its_places(model, state),
          "neighbours is a list of other bodies; begin with that of initial_state(model)");
  require_finite({{}, 0, "time"}, state.time);
  constexpr std::uint64_t kMaxStep = std::uint64_t{1} << 53;  // a double holds each number below
  require(state.step < kMaxStep, {{}, 0, "step"}, state.step, "it must be below 2^53");
  require_finite({{}, 0, "ledger.dissipated"}, state.ledger.dissipated);
  require_finite({{}, 0, "ledger.wall_work"}, state.ledger.wall_work);
  require_finite({{}, 0, "field_work"}, state.field_work);
  check_cell(model, state.cell);
  check_obstacles(model, state);
  check_loads(state);
  check_neighbours(state.neighbours);
  for (std::size_t k = 0; k < state.inflows.size(); ++k)
    require_finite({"inflows", k, "travelled"}, state.inflows[k].travelled);
  check_fillings(model, state);
  check_bodies(model, state);
  require(state.next_id <= kFirstObstacleId, {{}, 0, "next_id"}, state.next_id,
          "ids from " + std::to_string(kFirstObstacleId) + " on are those of obstacles");
  check_stiffness(model, state);
  check_forces(state);
  check_all_applied(state);
  check_sleep(state);
  check_joints(model, state);
}

}  // namespace scree
