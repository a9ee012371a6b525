#include "sim/check_model.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <string>
#include <string_view>

#include "scree/core/error.hpp"
#include "scree/sim/touching_materials.hpp"
#include "sim/step.hpp"

namespace scree {
namespace {

/// As in `step.h` or `bodies[3].radius`: put into words only when the field is refused.
struct FieldName {
  static constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);

  std::string_view list;  ///< empty: a field of the model or state itself
  std::size_t index = 0;  ///< kNoIndex: of a thing that stands in no list yet
  std::string_view field;

  std::string text() const {
    if (list.empty()) return std::string(field);
    if (index == kNoIndex) return std::string(list) + "." + std::string(field);
    return std::string(list) + "[" + std::to_string(index) + "]." + std::string(field);
  }
};

std::string text_of(double number) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}
std::string text_of(std::integral auto number) { return std::to_string(number); }
std::string text_of(const Vec3& v) {
  return "(" + text_of(v.x) + ", " + text_of(v.y) + ", " + text_of(v.z) + ")";
}
std::string text_of(const Quaternion& q) {
  return "(" + text_of(q.w) + ", " + text_of(q.x) + ", " + text_of(q.y) + ", " + text_of(q.z) + ")";
}

/// Throws InputError that says what was found and what is needed, unless all is well.
void require(bool good, const FieldName& name, const auto& found, std::string_view needed) {
  if (!good) throw InputError(name.text() + " is " + text_of(found) + "; " + std::string(needed));
}

void require(bool good, const std::string& message) {
  if (!good) throw InputError(message);
}

void require_finite(const FieldName& name, double value) {
  require(std::isfinite(value), name, value, "it must be finite");
}
void require_finite(const FieldName& name, const Vec3& value) {
  require(is_finite(value), name, value, "it must be finite");
}
void require_positive(const FieldName& name, double value) {
  require(value > 0 && std::isfinite(value), name, value, "it must be finite and above 0");
}
void require_not_negative(const FieldName& name, double value) {
  require(value >= 0 && std::isfinite(value), name, value, "it must be finite and not below 0");
}
/// Rounding of many turns, and of what was written with few digits, passes.
void require_unit(const FieldName& name, const Quaternion& q) {
  require(std::abs(norm(q) - 1) < 1e-6, name, q, "it must be a quaternion of length 1");
}
void require_index(const FieldName& name, std::size_t index, std::size_t count,
                   const char* of_what) {
  require(index < count, name, index, "there are " + std::to_string(count) + " " + of_what);
}

void check_settings(const StepSettings& step, const SolverSettings& solver) {
  require_positive({{}, 0, "step.h"}, step.h);
  require(step.error_reduction >= 0 && step.error_reduction < 1, {{}, 0, "step.error_reduction"},
          step.error_reduction, "it must be at least 0 and below 1");
  require(step.overlap_correction == OverlapCorrection::positions ||
              step.overlap_correction == OverlapCorrection::velocities,
          {{}, 0, "step.overlap_correction"}, static_cast<int>(step.overlap_correction),
          "there is no such correction");
  require(!step.recovery_speed || step.overlap_correction == OverlapCorrection::velocities,
          {{}, 0, "step.recovery_speed"}, step.recovery_speed.value_or(0),
          "it bounds a gap term, which overlap_correction: velocities alone has");
  if (step.recovery_speed)
    require(*step.recovery_speed >= 0, {{}, 0, "step.recovery_speed"}, *step.recovery_speed,
            "it must not be below 0");
  require(step.restitution_threshold >= 0, {{}, 0, "step.restitution_threshold"},
          step.restitution_threshold, "it must not be below 0");
  require(std::ranges::count(kImpactLaws, step.impacts) == 1, {{}, 0, "step.impacts"},
          static_cast<int>(step.impacts), "there is no such law of impacts");
  if (step.margin) require_not_negative({{}, 0, "step.margin"}, *step.margin);
  require(step.local_damping >= 0 && step.local_damping < 1, {{}, 0, "step.local_damping"},
          step.local_damping, "it must be at least 0 and below 1");
  require(std::ranges::count(kSolverKinds, solver.method) == 1, {{}, 0, "solver.method"},
          static_cast<int>(solver.method), "there is no such solver");
  require_positive({{}, 0, "solver.tolerance"}, solver.tolerance);
  require(solver.max_sweeps >= 1, {{}, 0, "solver.max_sweeps"}, solver.max_sweeps,
          "it must be at least 1");
  require(solver.min_sweeps >= 0 && solver.min_sweeps <= solver.max_sweeps,
          {{}, 0, "solver.min_sweeps"}, solver.min_sweeps, "it must be from 0 to max_sweeps");
  require_positive({{}, 0, "solver.fine"}, solver.fine);
  require(
      solver.method != SolverKind::gauss_seidel || solver.acceleration != Acceleration::anderson,
      {{}, 0, "solver.acceleration"}, static_cast<int>(solver.acceleration),
      "gauss_seidel of a step is accelerated by nesterov alone");
  require(solver.relaxation >= 0 && solver.relaxation < 2, {{}, 0, "solver.relaxation"},
          solver.relaxation, "it must be from 0 to below 2");
  require(solver.facets >= 3, {{}, 0, "solver.facets"}, solver.facets, "it must be at least 3");
  require(!solver.minimum_norm, {{}, 0, "solver.minimum_norm"}, 1, "a step does not look for it");
}

/// `pair` is the name of a law's place, as in check_law.
void check_force(const PairLaw& law, const std::string& pair) {
  const ForceParameters& p = law.force;
  const auto not_negative = [&](const char* field, std::optional<double> value) {
    if (value) require_not_negative({{}, 0, pair + field}, *value);
  };
  not_negative(".force.k_n", p.k_n);
  const bool may_follow = force_kind(law.kind) == ForceKind::hertz_mindlin;  // from moduli
  require(may_follow || p.k_n > 0, {{}, 0, pair + ".force.k_n"}, p.k_n,
          "a compliant law needs a stiffness above 0");
  not_negative(".force.k_t", p.k_t);
  not_negative(".force.normal_damping", p.normal_damping);
  not_negative(".force.tangential_damping", p.tangential_damping);
  not_negative(".force.damping_ratio", p.damping_ratio);
  not_negative(".force.rolling_stiffness", p.rolling_stiffness);
  not_negative(".force.spinning_stiffness", p.spinning_stiffness);
  not_negative(".force.rolling_damping", p.rolling_damping);
  not_negative(".adhesion", law.adhesion);
  require(p.rotations == RotationScheme::exact || p.rotations == RotationScheme::first_order,
          {{}, 0, pair + ".force.rotations"}, static_cast<int>(p.rotations),
          "there is no such scheme");
  require(p.branch == BranchVectors::ratcheting_free || p.branch == BranchVectors::contact_point,
          {{}, 0, pair + ".force.branch"}, static_cast<int>(p.branch),
          "there are no such branch vectors");
}

void check_law(const PairLaw& law, SolverKind solver, const std::string& pair) {
  require(std::ranges::count(kLawKinds, law.kind) == 1, {{}, 0, pair + ".kind"},
          static_cast<int>(law.kind), "there is no such law");
  require_not_negative({{}, 0, pair + ".friction"}, law.friction);
  require(law.restitution >= 0 && law.restitution <= 1, {{}, 0, pair + ".restitution"},
          law.restitution, "it must be from 0 to 1");
  if (is_compliant(law)) check_force(law, pair);
  if (traits(law.kind).has_facets())
    require(law.facets >= 4 && law.facets <= 64, {{}, 0, pair + ".facets"}, law.facets,
            "it must be from 4 to 64");
  require_not_negative({{}, 0, pair + ".rolling_friction"}, law.rolling_friction);
  require_not_negative({{}, 0, pair + ".spinning_friction"}, law.spinning_friction);
  require_not_negative({{}, 0, pair + ".cohesion"}, law.cohesion);
  require(traits(law.kind).unilateral || !(resists_turning(law) || attracts(law)),
          pair + " has rolling_friction, spinning_friction or cohesion, which the law " +
              std::string(name(law.kind)) + " does not take: it says of no r_n that it repels");
  require(takes_turning(solver) || !resists_turning(law),
          "solver.method is " + std::string(name(solver)) +
              ", which knows of no rolling_friction and spinning_friction, as " + pair +
              " has; take gauss_seidel");
  require(suits(solver, law.kind),
          "solver.method is " + std::string(name(solver)) + ", which does not know the law " +
              std::string(name(law.kind)) + " of " + pair + "; take another of the two");
}

void check_materials(const Model& model) {
  const std::size_t count = model.materials.size();
  for (std::size_t k = 0; k < count; ++k) {
    require_not_negative({"materials", k, "density"}, model.materials[k].density);
    const auto [young, poisson] = model.materials[k].moduli;
    require(young > 0, {"materials", k, "moduli.young"}, young, "it must be above 0");
    require(poisson > -1 && poisson <= 0.5, {"materials", k, "moduli.poisson"}, poisson,
            "it must be above -1, and no more than 0.5");
  }
  require(model.laws.material_count() == count,
          "laws is for " + std::to_string(model.laws.material_count()) + " materials; there are " +
              std::to_string(count));
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = a; b < count; ++b)
      check_law(model.laws(static_cast<MaterialId>(a), static_cast<MaterialId>(b)),
                model.solver.method, "laws(" + std::to_string(a) + ", " + std::to_string(b) + ")");
}

/// The inertia of a sphere or a box may be any.
void check_prototype(const Prototype& prototype, std::size_t k) {
  constexpr double kRounding = 1e-12;
  const auto* sphere = std::get_if<Sphere>(&prototype.shape);
  const auto* box = std::get_if<Box>(&prototype.shape);
  const std::string name = "prototypes[" + std::to_string(k) + "].shape";
  require(sphere || box, name + " must be a sphere or a box: no other shape can move");
  if (sphere)
    require(sphere->radius == 1,
            name + " must be a sphere of radius 1: bodies have radii of their own");
  if (box) {
    for (int axis = 0; axis < 3; ++axis)
      require_positive({"prototypes", k, "shape.half_extent"}, box->half_extent[axis]);
    require(std::abs(norm(box->half_extent) - 1) <= kRounding,
            name + " must be a box with corners 1 from its centre: bodies have radii of their own");
  }
  const Vec3 moments = prototype.inertia;
  for (int axis = 0; axis < 3; ++axis) {
    require_positive({"prototypes", k, "inertia"}, moments[axis]);
    const double others = moments[(axis + 1) % 3] + moments[(axis + 2) % 3];
    require(moments[axis] <= others * (1 + kRounding), {"prototypes", k, "inertia"}, moments,
            "no moment can be more than the other two together");
  }
}

struct CheckShape {
  std::size_t index;

  void operator()(const Sphere& s) const { require_positive(name("shape.radius"), s.radius); }
  void operator()(const HalfSpace&) const {}
  void operator()(const Box& s) const {
    for (int axis = 0; axis < 3; ++axis)
      require_positive(name("shape.half_extent"), s.half_extent[axis]);
  }
  void operator()(const Cylinder& s) const {
    require_positive(name("shape.radius"), s.radius);
    require_positive(name("shape.half_length"), s.half_length);
  }
  void operator()(const Capsule& s) const {
    require_positive(name("shape.radius"), s.radius);
    require_not_negative(name("shape.half_length"), s.half_length);
  }
  void operator()(const Frustum& s) const { check_round(s); }
  void operator()(const Superellipsoid& s) const {
    for (int axis = 0; axis < 3; ++axis)
      require_positive(name("shape.semi_axes"), s.semi_axes[axis]);
    require(s.lateral >= 2, name("shape.lateral"), s.lateral, "it must be 2 or more");
    require(s.vertical >= 2, name("shape.vertical"), s.vertical, "it must be 2 or more");
  }
  void operator()(const Polyhedron& s) const {
    require(s.hull != nullptr, name("shape.hull"), 0, "it must point to a hull");
    require_positive(name("shape.scale"), s.scale);
  }
  void operator()(const Mesh& s) const {
    require(s.mesh != nullptr, name("shape.mesh"), 0, "it must point to a mesh");
    require_positive(name("shape.scale"), s.scale);
  }
  void operator()(const Hollow& s) const { check_round(s); }

  /// About an axis, from a bottom to a top.
  void check_round(const auto& s) const {
    require_not_negative(name("shape.bottom_radius"), s.bottom_radius);
    require_not_negative(name("shape.top_radius"), s.top_radius);
    require(s.bottom_radius > 0 || s.top_radius > 0, name("shape.top_radius"), s.top_radius,
            "one of the two radii must be above 0");
    require(std::isfinite(s.bottom) && std::isfinite(s.top) && s.bottom < s.top, name("shape.top"),
            s.top, "it must be above shape.bottom");
  }
  FieldName name(std::string_view field) const { return {"obstacles", index, field}; }
};

/// Only spheres know how to touch surfaces.
void check_surfaces(const Model& model) {
  for (std::size_t k = 0; k < model.obstacles.size(); ++k)
    require(!is_surface(model.obstacles[k].shape) ||
                std::ranges::all_of(model.prototypes, &Prototype::is_sphere),
            "obstacles[" + std::to_string(k) + "], " + model.obstacles[k].name +
                ", is a mesh or a hollow form, which only spheres can touch; take out the other "
                "bodies, or build the part of boxes, cylinders and half-spaces");
}

void check_pose(std::string_view list, std::size_t k, const Pose& pose) {
  require_finite({list, k, "pose.position"}, pose.position);
  require_unit({list, k, "pose.orientation"}, pose.orientation);
}

void check_domain(const Model& model) {
  const Vec3& period = model.domain.period();
  for (int axis = 0; axis < 3; ++axis) {
    require_not_negative({{}, 0, "domain.period"}, period[axis]);
    if (period[axis] == 0) continue;
    for (std::size_t k = 0; k < model.obstacles.size(); ++k) {
      constexpr double kRounding = 1e-12;
      const Obstacle& obstacle = model.obstacles[k];
      const Vec3 normal = rotate(obstacle.pose.orientation, {0, 0, 1});
      require(
          !std::holds_alternative<HalfSpace>(obstacle.shape) || std::abs(normal[axis]) <= kRounding,
          {"obstacles", k, "pose.orientation"}, obstacle.pose.orientation,
          "a half-space must run along the axes on which the domain repeats");
    }
    for (std::size_t k = 0; k < model.outflows.size(); ++k)
      require(std::isinf(model.outflows[k].min[axis]) && std::isinf(model.outflows[k].max[axis]),
              {"outflows", k, "min"}, model.outflows[k].min,
              "an outflow must have no ends along the axes on which the domain repeats");
  }
}

/// That it meets another, and itself, by one image at most.
void check_radius(const Model& model, const FieldName& name, double radius) {
  for (int axis = 0; axis < 3; ++axis)
    if (const double period = model.domain.period()[axis]; period > 0)
      require(4 * radius < period, name, radius,
              "it must be below a quarter of the domain's period, " + text_of(period));
}

void check_obstacle(const Model& model, std::size_t k) {
  const Obstacle& obstacle = model.obstacles[k];
  std::visit(CheckShape{k}, obstacle.shape);
  check_pose("obstacles", k, obstacle.pose);
  require_finite({"obstacles", k, "pivot"}, obstacle.pivot);
  require(!(obstacle.motion && obstacle.path),
          "obstacles[" + std::to_string(k) + "] has a motion and a path; it can follow one alone");
  if (obstacle.path) {
    constexpr double kRounding = 1e-9;  // of a length, and of unit length
    const Pose start = obstacle.path(0);
    const Twist apart = twist_between(start, obstacle.pose, 1);
    require(norm(apart.linear) <= kRounding * (1 + norm(obstacle.pose.position)) &&
                norm(apart.angular) <= kRounding,
            {"obstacles", k, "pose"}, obstacle.pose.position,
            "its path must begin there, and begins at " + text_of(start.position));
  }
  require_index({"obstacles", k, "material"}, obstacle.material, model.materials.size(),
                "materials");
}

/// Places of a layer are apart from the plate and from each other.
void check_layer(const Model& model, std::size_t k) {
  const Inflow& inflow = model.inflows[k];
  const Obstacle& plate = model.obstacles[inflow.plate];
  const double least = (1 - kTolerableOverlap) * inflow.radius;
  Vec3 low = inflow.layer.empty() ? Vec3{} : inflow.layer.front(), high = low;
  for (const Vec3& place : inflow.layer) {
    require_finite({"inflows", k, "layer"}, place);
    require(signed_distance(plate.shape, plate.pose, place).distance >= least,
            {"inflows", k, "layer"}, place, "it must be a radius or more before the plate");
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], place[axis]);
      high[axis] = std::max(high[axis], place[axis]);
    }
  }
  // Along the longest side few places are as near as two that overlap.
  const Vec3 size = high - low;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  std::vector<Vec3> places = inflow.layer;
  std::ranges::sort(places, {}, [axis](const Vec3& p) { return p[axis]; });
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = i + 1; j < places.size() && places[j][axis] - places[i][axis] < 2 * least;
         ++j)
      require(norm(model.domain.separation(places[i], places[j])) >= 2 * least,
              {"inflows", k, "layer"}, places[j], "it must be two radii or more from other places");
}

void check_inflow(const Model& model, std::size_t k) {
  const Inflow& inflow = model.inflows[k];
  require_index({"inflows", k, "plate"}, inflow.plate, model.obstacles.size(), "obstacles");
  require(!model.obstacles[inflow.plate].is_moved(), {"inflows", k, "plate"}, inflow.plate,
          "that obstacle must have no motion of its own");
  for (std::size_t other = 0; other < k; ++other)
    require(model.inflows[other].plate != inflow.plate, {"inflows", k, "plate"}, inflow.plate,
            "another inflow has this plate");
  require_finite({"inflows", k, "velocity"}, inflow.velocity);
  require(norm(inflow.velocity) > 0, {"inflows", k, "velocity"}, inflow.velocity,
          "it must not vanish");
  for (int axis = 0; axis < 3; ++axis)
    require_not_negative({"inflows", k, "jitter"}, inflow.jitter[axis]);
  require_positive({"inflows", k, "advance"}, inflow.advance);
  require(model.step.h * norm(inflow.velocity) <= inflow.advance * (1 + 1e-9),
          {"inflows", k, "advance"}, inflow.advance, "the plate must not move further in a step");
  require_positive({"inflows", k, "radius"}, inflow.radius);
  check_radius(model, {"inflows", k, "radius"}, inflow.radius);
  require_index({"inflows", k, "material"}, inflow.material, model.materials.size(), "materials");
  require_index({"inflows", k, "prototype"}, inflow.prototype, model.prototypes.size(),
                "prototypes");
  require(model.prototypes[inflow.prototype].is_sphere(), {"inflows", k, "prototype"},
          inflow.prototype, "an inflow lays spheres only");
  const double mass =
      model.materials[inflow.material].density * volume_properties(Sphere{inflow.radius}).volume;
  require(is_usable_mass(mass), {"inflows", k, "radius"}, inflow.radius,
          "with the density of its material the mass must be from 1e-70 to 1e70 kg");
  check_layer(model, k);
}

void check_outflow(const Outflow& outflow, std::size_t k) {
  for (int axis = 0; axis < 3; ++axis)
    require(outflow.min[axis] <= outflow.max[axis], {"outflows", k, "min"}, outflow.min,
            "it must not be above max, " + text_of(outflow.max));
}

/// All of a body but its id.
void check_numbers(const Model& model, const Body& body, std::string_view list, std::size_t index) {
  require_finite({list, index, "position"}, body.position);
  require_unit({list, index, "orientation"}, body.orientation);
  require_finite({list, index, "velocity"}, body.velocity);
  require_finite({list, index, "angular_velocity"}, body.angular_velocity);
  require_positive({list, index, "radius"}, body.radius);
  check_radius(model, {list, index, "radius"}, body.radius);
  require(is_usable_mass(body.mass), {list, index, "mass"}, body.mass,
          "it must be from 1e-70 to 1e70 kg");
  require_index({list, index, "prototype"}, body.prototype, model.prototypes.size(), "prototypes");
  require_index({list, index, "material"}, body.material, model.materials.size(), "materials");
}

void check_bodies(const Model& model, const State& state) {
  const Bodies& bodies = state.bodies;
  require(bodies.size() < Neighbours::kObstacle, {{}, 0, "bodies.size()"}, bodies.size(),
          "indices of 31 bits must be enough");
  const char* const* field_name = Bodies::kFieldNames;
  bodies.for_each_field([&](const auto& field) {
    require(field.size() == bodies.size(),
            {{}, 0, "bodies." + std::string(*field_name++) + ".size()"}, field.size(),
            "there are " + std::to_string(bodies.size()) + " ids");
  });
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyId id = bodies.id[i];
    require(id.value < state.next_id && !is_obstacle(id), {"bodies", i, "id"}, id.value,
            "it must be below next_id");
    check_numbers(model, bodies[i], "bodies", i);
  }
  std::vector<BodyId> ids(bodies.id.begin(), bodies.id.end());
  std::ranges::sort(ids);
  const auto twice = std::ranges::adjacent_find(ids);
  require(twice == ids.end(), "bodies.id has " + (twice == ids.end() ? "" : text_of(twice->value)) +
                                  " twice; each body must have an id of its own");
}

/// Hertz' law needs a stiffness from somewhere wherever bodies can touch.
void check_stiffness(const Model& model, const State& state) {
  for (const auto& [a, b] : pairs_without_stiffness(model, state))
    require(false, "hertz_mindlin between '" + model.materials[a].name + "' and '" +
                       model.materials[b].name +
                       "' has no stiffness: give one of these materials its moduli, or the law k_n "
                       "and k_t");
}

/// What compliant contacts remember, and their books.
void check_forces(const State& state) {
  const Neighbours& list = state.neighbours;
  const std::size_t places = list.percussion.size();
  const auto fits = [&](std::size_t size) { return size == 0 || size == places; };
  require(fits(list.force_memory.size()) && fits(list.force_moment.size()) &&
              fits(list.force_radius.size()),
          "neighbours.force_memory, force_moment and force_radius must be empty, or have a place "
          "for each of neighbours.percussion");
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
  const ForceLedger& ledger = state.force_ledger;
  for (const double work : {ledger.push, ledger.damping, ledger.shear, ledger.moment,
                            ledger.at_start, ledger.most_held})
    require_finite({{}, 0, "force_ledger"}, work);
}

/// What waits for the next step.
void check_all_applied(const State& state) {
  const std::size_t count = state.applied.size();
  require(count == 0 || count == state.bodies.size(), {{}, 0, "applied.size()"}, count,
          "it must be empty, or of the size of bodies");
  for (std::size_t i = 0; i < count; ++i) {
    require_finite({"applied", i, "force"}, state.applied[i].force);
    require_finite({"applied", i, "torque"}, state.applied[i].torque);
  }
}

/// Whether something but the user sets the twist of an obstacle.
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
            "that obstacle has a motion already");
    require(k == 0 || by_hand[k - 1] < by_hand[k], {{}, 0, name}, by_hand[k],
            "it must be above the one before it");
  }
  for (std::size_t k = 0; k < state.obstacles.size(); ++k) {
    const Twist& twist = state.obstacles[k].twist;
    check_pose("obstacles", k, state.obstacles[k].pose);
    require_finite({"obstacles", k, "twist.linear"}, twist.linear);
    require_finite({"obstacles", k, "twist.angular"}, twist.angular);
    // No stage would take it back: a part at rest would move.
    const bool may_move = is_driven(model, k) || std::ranges::binary_search(by_hand, k);
    require(may_move || !moves(twist), {"obstacles", k, "twist.linear"}, twist.linear,
            "an obstacle without a motion must be at rest, and not turn");
  }
}

/// Whether each pair has as many places to remember its points as its shapes ask for.
bool has_its_places(const Model& model, const State& state) {
  const Neighbours& list = state.neighbours;
  if (!list.angular_percussion.empty() && list.angular_percussion.size() != list.percussion.size())
    return false;
  if (list.first_place.empty())
    return list.feature.empty() && list.percussion.size() == list.pairs.size() &&
           (list.pairs.empty() ||
            (std::ranges::all_of(model.prototypes, &Prototype::is_sphere) && !has_surfaces(model)));
  if (list.first_place.size() != list.pairs.size() + 1 || list.first_place.front() != 0)
    return false;
  for (std::size_t p = 0; p < list.pairs.size(); ++p)
    if (list.first_place[p + 1] - list.first_place[p] !=
        most_points(model, state.bodies, list.pairs[p]))
      return false;
  return list.feature.size() == list.first_place.back() &&
         list.percussion.size() == list.first_place.back();
}

/// Whether every index of the list of pairs is within bounds; bodies may have come since the list
/// was made if it is not valid.
bool is_consistent(const Neighbours& list, std::size_t bodies, std::size_t obstacles) {
  const std::size_t pairs = list.pairs.size(),
                    owners = list.first.empty() ? 0 : list.first.size() - 1;
  if (owners > bodies) return false;
  if (list.valid &&
      (owners != bodies || list.slack.size() != bodies || list.obstacle_slack.size() != obstacles))
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
}

void check_room(const State& state) {
  require(state.bodies.size() + 1 < Neighbours::kObstacle, {{}, 0, "bodies.size()"},
          state.bodies.size(), "there is no room for one more");
  require(!is_obstacle({state.next_id}), {{}, 0, "next_id"}, state.next_id,
          "all ids are given away");
}

void check_applied(const Wrench& applied, const BodyGain& gain) {
  constexpr const char* kNeeded =
      "it must be finite, and so must be what it adds to velocities in a step";
  require(is_finite(applied.force) && is_finite(gain.velocity), {{}, 0, "force"}, applied.force,
          kNeeded);
  require(is_finite(applied.torque) && is_finite(gain.spin), {{}, 0, "torque"}, applied.torque,
          kNeeded);
}

void check_point(const Vec3& point) { require_finite({{}, 0, "point"}, point); }

void check_part(const Model& model, std::uint32_t part) {
  require_index({{}, 0, "part"}, part, model.obstacles.size(), "parts");
}

void check_part_twist(const Model& model, std::uint32_t part, const Twist& twist) {
  check_part(model, part);
  require(!is_driven(model, part), {{}, 0, "part"}, part,
          "that part, " + model.obstacles[part].name + ", has a motion of its own");
  for (int axis = 0; axis < 3; ++axis) {
    require(std::abs(twist.linear[axis]) <= kMostSpeed, {{}, 0, "twist.linear"}, twist.linear,
            "no component may be above 3e8 m/s");
    require(std::abs(twist.angular[axis]) <= kMostSpeed, {{}, 0, "twist.angular"}, twist.angular,
            "no component may be above 3e8 rad/s");
  }
}

void check_model(const Model& model) {
  check_settings(model.step, model.solver);
  require_finite({{}, 0, "gravity"}, model.gravity);
  check_domain(model);
  check_materials(model);
  for (std::size_t k = 0; k < model.prototypes.size(); ++k) check_prototype(model.prototypes[k], k);
  for (std::size_t k = 0; k < model.obstacles.size(); ++k) check_obstacle(model, k);
  check_surfaces(model);
  for (std::size_t k = 0; k < model.inflows.size(); ++k) check_inflow(model, k);
  for (std::size_t k = 0; k < model.outflows.size(); ++k) check_outflow(model.outflows[k], k);
}

void check_state(const Model& model, const State& state) {
  require(state.obstacles.size() == model.obstacles.size() &&
              state.inflows.size() == model.inflows.size(),
          "the state is not one of this model: begin with initial_state(model)");
  require_finite({{}, 0, "time"}, state.time);
  require_finite({{}, 0, "ledger.dissipated"}, state.ledger.dissipated);
  require_finite({{}, 0, "ledger.wall_work"}, state.ledger.wall_work);
  check_obstacles(model, state);
  require_finite({{}, 0, "neighbours.drift"}, state.neighbours.drift);
  for (const Vec3& percussion : state.neighbours.percussion)
    require_finite({{}, 0, "neighbours.percussion"}, percussion);
  for (const Vec3& percussion : state.neighbours.angular_percussion)
    require_finite({{}, 0, "neighbours.angular_percussion"}, percussion);
  for (std::size_t k = 0; k < state.inflows.size(); ++k)
    require_finite({"inflows", k, "travelled"}, state.inflows[k].travelled);
  check_bodies(model, state);
  check_stiffness(model, state);
  check_forces(state);
  check_all_applied(state);
  require(is_consistent(state.neighbours, state.bodies.size(), state.obstacles.size()) &&
              has_its_places(model, state),
          "neighbours is not a list of these bodies; begin with that of initial_state(model)");
}

}  // namespace scree
