// Checks of a model: every number, and the combinations that are not supported.
#include "sim/checks/check_model.hpp"

#include <algorithm>
#include <cmath>

#include "sim/checks/requirements.hpp"

namespace scree {
namespace {

using namespace requirements;

void check_settings(const StepSettings& step, const SolverSettings& solver) {
  require_positive({{}, 0, "step.h"}, step.h);
  require(step.error_reduction >= 0 && step.error_reduction <= 1, {{}, 0, "step.error_reduction"},
          step.error_reduction, "it must be from 0 to 1");
  require(step.overlap_correction == OverlapCorrection::positions ||
              step.overlap_correction == OverlapCorrection::velocities,
          {{}, 0, "step.overlap_correction"}, static_cast<int>(step.overlap_correction),
          "there is no such correction");
  require(step.free_rotation == FreeRotation::split ||
              step.free_rotation == FreeRotation::explicit_term,
          {{}, 0, "step.free_rotation"}, static_cast<int>(step.free_rotation),
          "there is no such rotation");
  require(!step.recovery_speed || step.overlap_correction == OverlapCorrection::velocities,
          {{}, 0, "step.recovery_speed"}, step.recovery_speed.value_or(0),
          "it limits a gap term, which only overlap_correction: velocities has");
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
  require(
      solver.method != SolverKind::gauss_seidel || solver.acceleration != Acceleration::anderson,
      {{}, 0, "solver.acceleration"}, static_cast<int>(solver.acceleration),
      "gauss_seidel of a step supports only acceleration: nesterov");
  require(solver.relaxation >= 0 && solver.relaxation < 2, {{}, 0, "solver.relaxation"},
          solver.relaxation, "it must be from 0 to below 2");
  require(solver.facets >= 3, {{}, 0, "solver.facets"}, solver.facets, "it must be at least 3");
  require(!solver.minimum_norm, {{}, 0, "solver.minimum_norm"}, 1, "a step does not support it");
}

/// `pair` is the name of the law's field, as in check_law.
void check_force(const PairLaw& law, const std::string& pair) {
  const ForceParameters& p = law.force;
  const auto not_negative = [&](const char* field, std::optional<double> value) {
    if (value) require_not_negative({{}, 0, pair + field}, *value);
  };
  not_negative(".force.k_n", p.k_n);
  // it may follow from moduli
  const bool may_follow = force_kind(law.kind) == ForceKind::hertz_mindlin;
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
  require(traits(law.kind).unilateral || !(resists_rolling(law) || is_cohesive(law)),
          pair + " has rolling_friction, spinning_friction or cohesion, which the law " +
              std::string(name(law.kind)) + " does not support: its normal impulse need not repel");
  require(takes_rolling(solver) || !resists_rolling(law),
          "solver.method is " + std::string(name(solver)) +
              ", which does not support rolling_friction and spinning_friction, as " + pair +
              " has; use gauss_seidel");
  require(suits(solver, law.kind),
          "solver.method is " + std::string(name(solver)) + ", which does not support the law " +
              std::string(name(law.kind)) + " of " + pair + "; use another solver or another law");
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
          "laws has " + std::to_string(model.laws.material_count()) + " materials; there are " +
              std::to_string(count));
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = a; b < count; ++b)
      check_law(model.laws(static_cast<MaterialId>(a), static_cast<MaterialId>(b)),
                model.solver.method, "laws(" + std::to_string(a) + ", " + std::to_string(b) + ")");
}

struct CheckShape {
  std::string_view list;  ///< list that has the shape's owner
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
  void operator()(const Clump& s) const {
    require(s.parts != nullptr, name("shape.parts"), 0, "it must point to the parts of a clump");
    require_positive(name("shape.scale"), s.scale);
  }
  void operator()(const Mesh& s) const {
    require(s.mesh != nullptr, name("shape.mesh"), 0, "it must point to a mesh");
    require_positive(name("shape.scale"), s.scale);
  }
  void operator()(const Hollow& s) const { check_round(s); }

  /// Checks a shape about an axis, from a bottom to a top.
  void check_round(const auto& s) const {
    require_not_negative(name("shape.bottom_radius"), s.bottom_radius);
    require_not_negative(name("shape.top_radius"), s.top_radius);
    require(s.bottom_radius > 0 || s.top_radius > 0, name("shape.top_radius"), s.top_radius,
            "one of the two radii must be above 0");
    require(std::isfinite(s.bottom) && std::isfinite(s.top) && s.bottom < s.top, name("shape.top"),
            s.top, "it must be above shape.bottom");
  }
  FieldName name(std::string_view field) const { return {list, index, field}; }
};

/// Any physical inertia is allowed: not all bodies are solid.
void check_prototype(const Prototype& prototype, std::size_t k) {
  constexpr double kPrototypeRounding = 1e-12;
  const Shape& shape = prototype.shape;
  const std::string name = "prototypes[" + std::to_string(k) + "].shape";
  require(
      !is_surface(shape) && !std::holds_alternative<HalfSpace>(shape),
      name +
          " must be a convex body of finite volume, or a clump of these: no other shape can move");
  std::visit(CheckShape{"prototypes", k}, shape);
  const auto* sphere = std::get_if<Sphere>(&shape);
  require(!sphere || sphere->radius == 1,
          name + " must be a sphere of radius 1: bodies have their own radii");
  require(std::abs(bounding_radius(shape) - 1) <= kPrototypeRounding,
          name + " must reach 1 from its origin: bodies have their own radii");
  require(norm(volume_properties(shape).centre) <= kPrototypeRounding,
          name + " must have its centre of mass at its origin: see solid_prototype");
  require_pose("prototypes", k, prototype.in_shape, "in_shape.position", "in_shape.orientation");
  const Vec3 moments = prototype.inertia;
  for (int axis = 0; axis < 3; ++axis) {
    require_positive({"prototypes", k, "inertia"}, moments[axis]);
    const double others = moments[(axis + 1) % 3] + moments[(axis + 2) % 3];
    require(moments[axis] <= others * (1 + kPrototypeRounding), {"prototypes", k, "inertia"},
            moments, "no moment may exceed the sum of the other two");
  }
  require(prototype.locked.ways <= kAllAxes && prototype.locked.turns <= kAllAxes,
          "prototypes[" + std::to_string(k) + "].locked must be of the axes x, y and z");
}

/// Refuses superellipsoids under hertz_mindlin: its R* needs the curvature at the contact, which no
/// closed form gives for them.
void check_curvature(const Model& model, std::size_t k) {
  const Obstacle& obstacle = model.obstacles[k];
  if (!has_superellipsoid(obstacle.shape)) return;
  for (std::size_t m = 0; m < model.materials.size(); ++m)
    require(
        model.laws(static_cast<MaterialId>(m), obstacle.material).kind != LawKind::hertz_mindlin,
        "the obstacle '" + obstacle.name +
            "' is a superellipsoid, or has one as a part, whose curvature hertz_mindlin does not "
            "know; use cundall_strack for its material, or another shape");
}

void check_domain(const Model& model) {
  const Vec3 period = model.domain.period();
  for (int axis = 0; axis < 3; ++axis) {
    require_not_negative({{}, 0, "domain.period"}, period[axis]);
    if (period[axis] == 0) continue;
    for (std::size_t k = 0; k < model.outflows.size(); ++k)
      require(std::isinf(model.outflows[k].min[axis]) && std::isinf(model.outflows[k].max[axis]),
              {"outflows", k, "min"}, model.outflows[k].min,
              "an outflow must be unbounded along periodic axes");
  }
}

/// A cell neither leans nor flows along axes that are not periodic.
void check_edges(const UpperTriangle& matrix, const Vec3& period, const char* name) {
  const auto check = [&](double value, int row, int column) {
    require_finite({{}, 0, name}, value);
    require(value == 0 || (period[row] > 0 && period[column] > 0), {{}, 0, name}, value,
            "it must be 0 except between periodic axes");
  };
  check(matrix.xx, 0, 0), check(matrix.yy, 1, 1), check(matrix.zz, 2, 2);
  check(matrix.xy, 0, 1), check(matrix.xz, 0, 2), check(matrix.yz, 1, 2);
}

/// Only bodies may strain with the cell.
void check_strain(const Model& model) {
  const CellStrain& strain = model.strain;
  const Vec3 period = model.domain.period();
  check_edges(model.domain.edges(), period, "domain.edges");
  check_edges(strain.rate, period, "strain.rate");
  require(!model.domain.flows(),
          "domain.gradient must be zero: strain.rate sets the flow of a cell");
  for (int axis = 0; axis < 3; ++axis)
    if (const auto& pressure = strain.pressure[static_cast<std::size_t>(axis)]) {
      require_finite({{}, 0, "strain.pressure"}, *pressure);
      require(period[axis] > 0, {{}, 0, "strain.pressure"}, *pressure,
              "a pressure can be held only along periodic axes");
    }
  if (strain.has_servo()) {
    require_positive({{}, 0, "strain.viscosity"}, strain.viscosity);
    require_not_negative({{}, 0, "strain.smoothing"}, strain.smoothing);
    require(strain.max_rate > 0, {{}, 0, "strain.max_rate"}, strain.max_rate, "it must be above 0");
  }
  if (!strain.any()) return;
  require(period.x > 0 && period.y > 0 && period.z > 0, {{}, 0, "domain.period"}, period,
          "a strained cell must be periodic along all axes");
  constexpr double kMaxStrainPerStep = 0.01;  // per step: contacts are those at its start
  const double servo = strain.has_servo() ? strain.max_rate : 0;
  require(model.step.h * std::max(norm(strain.rate), servo) <= kMaxStrainPerStep,
          {{}, 0, "strain.rate"}, std::max(norm(strain.rate), servo),
          "a step must not strain the cell by more than 0.01: use a shorter step.h, or a "
          "lower rate or max_rate");
  require(std::ranges::none_of(model.laws.all(), is_cohesive),
          "a strained cell cannot have rigid laws with cohesion; use a compliant law");
  require(model.step.impacts == ImpactLaw::newton, "a strained cell needs step.impacts: newton");
  require(model.obstacles.empty() && model.joints.empty() && model.inflows.empty() &&
              model.fillings.empty() && model.outflows.empty(),
          "a strained cell has only bodies: no obstacles, joints, inflows, fillings and "
          "outflows");
  require(model.gravity == Vec3{}, {{}, 0, "gravity"}, model.gravity,
          "it must be zero in a strained cell");
  require(std::ranges::none_of(model.prototypes,
                               [](const Prototype& prototype) { return prototype.locked.any(); }),
          "a strained cell has no locked bodies: bodies flow with it");
  require(model.fields.empty(),
          "a strained cell has no fields: bodies flow with it, and "
          "have neither a position nor a velocity of their own");
}

void check_field(const Model& model, std::size_t k) {
  for (const MaterialId material : model.fields[k].materials)
    require_index({"fields", k, "materials"}, material, model.materials.size(), "materials");
}

void check_obstacle(const Model& model, std::size_t k) {
  const Obstacle& obstacle = model.obstacles[k];
  std::visit(CheckShape{"obstacles", k}, obstacle.shape);
  require_pose("obstacles", k, obstacle.pose);
  require_finite({"obstacles", k, "pivot"}, obstacle.pivot);
  for (int axis = 0; axis < 3; ++axis)
    require(std::abs(obstacle.surface_velocity[axis]) <= kMaxSpeed,
            {"obstacles", k, "surface_velocity"}, obstacle.surface_velocity,
            "no component may exceed 3e8 m/s");
  require(!obstacle.records_wear || std::holds_alternative<Mesh>(obstacle.shape),
          "obstacles[" + std::to_string(k) + "] records wear, but only meshes have facets for it");
  require(bool(obstacle.motion) + bool(obstacle.servo) + bool(obstacle.path) <= 1,
          "obstacles[" + std::to_string(k) +
              "] has two of motion, servo and path; it can follow only one");
  if (obstacle.path) {
    constexpr double kPathRounding = 1e-9;  // relative to a length, and to unit length
    const Pose start = obstacle.path(0);
    const Twist apart = twist_between(start, obstacle.pose, 1);
    require(norm(apart.linear) <= kPathRounding * (1 + norm(obstacle.pose.position)) &&
                norm(apart.angular) <= kPathRounding,
            {"obstacles", k, "pose"}, obstacle.pose.position,
            "its path begins elsewhere, at " + text_of(start.position));
  }
  require_index({"obstacles", k, "material"}, obstacle.material, model.materials.size(),
                "materials");
}

/// Positions of a layer must be apart from the plate and from each other.
void check_layer(const Model& model, std::size_t k) {
  const Inflow& inflow = model.inflows[k];
  const Obstacle& plate = model.obstacles[inflow.plate];
  const double min_distance = (1 - kTolerableOverlap) * inflow.radius;
  Vec3 low = inflow.layer.empty() ? Vec3{} : inflow.layer.front(), high = low;
  for (const Vec3& position : inflow.layer) {
    require_finite({"inflows", k, "layer"}, position);
    require(signed_distance(plate.shape, plate.pose, position).distance >= min_distance,
            {"inflows", k, "layer"}, position,
            "it must be at least a radius in front of the plate");
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], position[axis]);
      high[axis] = std::max(high[axis], position[axis]);
    }
  }
  // Sorted along the longest side, few positions are as close as an overlap.
  const Vec3 size = high - low;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  std::vector<Vec3> positions = inflow.layer;
  std::ranges::sort(positions, {}, [axis](const Vec3& p) { return p[axis]; });
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (std::size_t j = i + 1;
         j < positions.size() && positions[j][axis] - positions[i][axis] < 2 * min_distance; ++j)
      require(norm(model.domain.separation(positions[i], positions[j])) >= 2 * min_distance,
              {"inflows", k, "layer"}, positions[j],
              "it must be at least two radii from the other positions");
}

void check_inflow(const Model& model, std::size_t k) {
  const Inflow& inflow = model.inflows[k];
  require_index({"inflows", k, "plate"}, inflow.plate, model.obstacles.size(), "obstacles");
  require(!model.obstacles[inflow.plate].is_moved(), {"inflows", k, "plate"}, inflow.plate,
          "this obstacle must have no prescribed motion");
  for (std::size_t other = 0; other < k; ++other)
    require(model.inflows[other].plate != inflow.plate, {"inflows", k, "plate"}, inflow.plate,
            "another inflow uses this plate");
  require_finite({"inflows", k, "velocity"}, inflow.velocity);
  require(norm(inflow.velocity) > 0, {"inflows", k, "velocity"}, inflow.velocity,
          "it must not be zero");
  for (int axis = 0; axis < 3; ++axis)
    require_not_negative({"inflows", k, "jitter"}, inflow.jitter[axis]);
  require_positive({"inflows", k, "advance"}, inflow.advance);
  require(model.step.h * norm(inflow.velocity) <= inflow.advance * (1 + 1e-9),
          {"inflows", k, "advance"}, inflow.advance,
          "the plate must not move further than this in a step");
  require_positive({"inflows", k, "radius"}, inflow.radius);
  require_radius(model, {"inflows", k, "radius"}, inflow.radius);
  require_index({"inflows", k, "material"}, inflow.material, model.materials.size(), "materials");
  require_index({"inflows", k, "prototype"}, inflow.prototype, model.prototypes.size(),
                "prototypes");
  require(!model.prototypes[inflow.prototype].locked.any(), {"inflows", k, "prototype"},
          inflow.prototype, "bodies of inflows must not be locked");
  require(model.prototypes[inflow.prototype].is_sphere(), {"inflows", k, "prototype"},
          inflow.prototype, "an inflow lays spheres only");
  const double mass =
      model.materials[inflow.material].density * volume_properties(Sphere{inflow.radius}).volume;
  require(is_usable_mass(mass), {"inflows", k, "radius"}, inflow.radius,
          "with the density of its material the mass must be from 1e-70 to 1e70 kg");
  check_layer(model, k);
}

void check_filling(const Model& model, std::size_t k) {
  const Filling& filling = model.fillings[k];
  const auto name = [k](std::string_view field) { return FieldName{"fillings", k, field}; };
  require_not_negative(name("number_rate"), filling.number_rate);
  require_not_negative(name("mass_rate"), filling.mass_rate);
  require((filling.number_rate > 0) != (filling.mass_rate > 0), name("number_rate"),
          filling.number_rate, "exactly one of number_rate and mass_rate must be above 0");
  require(std::isfinite(filling.from) && filling.from < filling.until, name("from"), filling.from,
          "it must be below until, " + text_of(filling.until));
  require_finite(name("velocity"), filling.velocity);
  for (int axis = 0; axis < 3; ++axis) require_not_negative(name("jitter"), filling.jitter[axis]);
  for (const Filling::Kind& kind : filling.kinds) {
    require_index(name("kinds.prototype"), kind.prototype, model.prototypes.size(), "prototypes");
    const AxisSet locked = model.prototypes[kind.prototype].locked.ways;
    require(filling.velocity == without(filling.velocity, locked) &&
                filling.jitter == without(filling.jitter, locked),
            name("velocity"), filling.velocity,
            "the bodies are locked along an axis of it, or of jitter");
  }
  require_finite(name("min"), filling.min);
  require_finite(name("max"), filling.max);
  require(!filling.kinds.empty(), "fillings[" + std::to_string(k) + "] has no kinds of bodies");
  for (const Filling::Kind& kind : filling.kinds) {
    require_positive(name("kinds.share"), kind.share);
    require_positive(name("kinds.low"), kind.low);
    require(std::isfinite(kind.high) && kind.low <= kind.high, name("kinds.high"), kind.high,
            "it must not be below kinds.low, " + text_of(kind.low));
    require_radius(model, name("kinds.high"), kind.high);
    require_index(name("kinds.material"), kind.material, model.materials.size(), "materials");
    const Shape& shape = model.prototypes[kind.prototype].shape;
    for (const double radius : {kind.low, kind.high})
      require(is_usable_mass(kind.density * volume_properties(scaled(shape, radius)).volume),
              name("kinds.density"), kind.density,
              "with it the mass must be from 1e-70 to 1e70 kg");
    if (kind.orientation) require_unit(name("kinds.orientation"), *kind.orientation);
    for (std::size_t m = 0; has_superellipsoid(shape) && m < model.materials.size(); ++m)
      require(model.laws(static_cast<MaterialId>(m), kind.material).kind != LawKind::hertz_mindlin,
              name("kinds.material"), kind.material,
              "the bodies are superellipsoids, or have one as a part, whose curvature "
              "hertz_mindlin does not know");
    for (int axis = 0; axis < 3; ++axis) {
      const double width = filling.max[axis] - filling.min[axis];
      require(width == 0 || width >= 2 * kind.high, name("max"), filling.max,
              "along each axis it must be 0, or large enough for the largest body");
    }
  }
}

void check_ignored(const Model& model, std::size_t k) {
  for (const Ignored::Group& group : {model.ignored[k].a, model.ignored[k].b}) {
    if (!group.one)
      require_index({"ignored", k, "material"}, group.material, model.materials.size(),
                    "materials");
    else if (is_obstacle(*group.one))
      require_index({"ignored", k, "one"}, group.one->value - kFirstObstacleId,
                    model.obstacles.size(), "obstacles");
  }
}

void check_outflow(const Outflow& outflow, std::size_t k) {
  for (int axis = 0; axis < 3; ++axis)
    require(outflow.min[axis] <= outflow.max[axis], {"outflows", k, "min"}, outflow.min,
            "it must not be above max, " + text_of(outflow.max));
}

}  // namespace

bool has_superellipsoid(const Shape& shape) {
  const auto* clump = std::get_if<Clump>(&shape);
  if (!clump) return std::holds_alternative<Superellipsoid>(shape);
  return std::ranges::any_of(clump->parts->parts(), [](const ClumpPart& part) {
    return std::holds_alternative<Superellipsoid>(part.shape);
  });
}

void check_model(const Model& model) {
  check_settings(model.step, model.solver);
  check_sleep(model);
  require_finite({{}, 0, "gravity"}, model.gravity);
  check_domain(model);
  check_strain(model);
  check_materials(model);
  for (std::size_t k = 0; k < model.prototypes.size(); ++k) check_prototype(model.prototypes[k], k);
  for (std::size_t k = 0; k < model.obstacles.size(); ++k) check_obstacle(model, k);
  for (std::size_t k = 0; k < model.ignored.size(); ++k) check_ignored(model, k);
  for (std::size_t k = 0; k < model.obstacles.size(); ++k) check_curvature(model, k);
  for (std::size_t k = 0; k < model.inflows.size(); ++k) check_inflow(model, k);
  for (std::size_t k = 0; k < model.fillings.size(); ++k) check_filling(model, k);
  for (std::size_t k = 0; k < model.outflows.size(); ++k) check_outflow(model.outflows[k], k);
  for (std::size_t k = 0; k < model.fields.size(); ++k) check_field(model, k);
  check_joints(model);
}

}  // namespace scree
