/// Forces of compliant laws, except between two spheres.
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "sim/cell/cell.hpp"
#include "sim/compliant/energy_cap.hpp"
#include "sim/compliant/forces.hpp"
#include "sim/compliant/point_ways.hpp"
#include "sim/compliant/remembered_points.hpp"
#include "sim/contacts/narrow_phase.hpp"
#include "sim/joints/joint_mobility.hpp"
#include "sim/motion/body_motion.hpp"
#include "sim/motion/motion.hpp"
#include "sim/neighbours/neighbours.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

/// Fills batches with the contacts of a chunk, and evaluates full ones.
class OtherFiller {
 public:
  OtherFiller(StepContext& c, ForceContacts::Chunk& chunk, ForceContacts::OtherPairs& pairs)
      : c_(c),
        f_(c.scratch.forces),
        list_(c.state.neighbours),
        ways_(c),
        chunk_(chunk),
        law_(pairs.law),
        books_(c, chunk, law_),
        on_surfaces_(c, f_.numbers[2 * law_], pairs.on_surfaces, chunk.sums[law_]),
        of_clumps_(c, f_.numbers[2 * law_], pairs.of_clumps, chunk.sums[law_]),
        at_points_(c, f_.numbers[2 * law_ + 1], pairs.at_points, chunk.sums[law_]) {
    for (ForceBlocks* blocks : {&on_surfaces_, &of_clumps_, &at_points_})
      blocks->batch().has_turns = true;
    at_points_.batch().has_points = true;
  }

  void add(const ForceContacts::OtherPair& other) {
    const Neighbours::Pair& pair = list_.pairs[other.pair];
    switch (force_touch(c_, in_order(c_, pair))) {
      case ForceTouch::at_points:
        add_points(at_points_, other, [&] { return touches_at_points(pair); });
        break;
      case ForceTouch::of_clumps:
        add_points(of_clumps_, other, [&] { return touches_of_spheres(c_, law_, other.pair); });
        break;
      default:
        if (!is_sphere(c_, pair.owner) ||
            is_clump(c_.model.obstacles[obstacle_of(pair.other)].shape))
          add_points(on_surfaces_, other, [&] { return touches_of_balls(c_, law_, other.pair); });
        else if (surface_of(c_.model, pair))
          add_points(on_surfaces_, other, [&] {
            return with_springs(touched_points(c_, law_, other.pair),
                                bodies_spring(pair, inscribed_radius(c_, pair.owner)));
          });
        else
          add_on_surface(other);
    }
  }

  void finish() {
    for (ForceBlocks* blocks : {&on_surfaces_, &of_clumps_, &at_points_}) {
      if (blocks->batch().count > 0) evaluate(*blocks);
      blocks->finish();
    }
  }

 private:
  /// Memory of a slot, which then is free.
  RememberedPoint taken(std::size_t slot) const {
    Neighbours& list = c_.state.neighbours;
    RememberedPoint known{std::exchange(list.force_memory[slot], {}), {}, 0};
    if (f_.moments) known.moment = std::exchange(list.force_moment[slot], {});
    if (!list.feature.empty())
      known.feature = std::exchange(list.feature[slot], Neighbours::kNoFeature);
    if (!list.force_held.empty()) known.held = std::exchange(list.force_held[slot], {});
    return known;
  }

  void add_on_surface(const ForceContacts::OtherPair& other) {
    const std::size_t slot = list_.places(other.pair).begin;
    std::optional<PairPoint> point;
    if (!list_.has_left(list_.pairs[other.pair])) point = touched_surface(c_, law_, other.pair);
    if (!point) {
      if (list_.force_memory[slot].is_contact()) taken(slot);
      return;
    }
    c_.scratch.slot[other.pair] = Scratch::kForce | on_surfaces_.next_lane();
    const double radius = radius_of(c_, other.pair);
    if (f_.radii) list_.force_radius[slot] = radius;
    add_point(on_surfaces_, other, *point, bodies_spring(list_.pairs[other.pair], radius),
              taken(slot), slot);
  }

  /// Spring of a pair without clumps; all its points have the same.
  Spring bodies_spring(const Neighbours::Pair& pair, double radius) const {
    const auto [a, b] = in_order(c_, pair);
    return {share_of_point(c_.model, c_.state.bodies, pair), radius,
            is_obstacle(b) ? inscribed_radius(c_, a)
                           : std::min(inscribed_radius(c_, a), inscribed_radius(c_, b)),
            a, is_obstacle(b) ? c_.scratch.problem.free_bodies : b};
  }

  static Touches with_springs(const PairPoints& points, const Spring& spring) {
    Touches touches;
    static_cast<PairPoints&>(touches) = points;
    touches.springs.fill(spring);
    return touches;
  }

  /// Points at which shapes that do not consist of spheres overlap.
  Touches touches_at_points(const Neighbours::Pair& pair) const {
    if (!has_clump(c_.model, c_.state.bodies, pair)) {
      const PairPoints points = overlaps_of(c_, pair);
      Spring spring = bodies_spring(pair, radius_at_points(pair));
      if (points.sharing > 0) spring.share = 1.0 / points.sharing;
      return with_springs(points, spring);
    }
    const ClumpPoints found = overlaps_of_parts(c_, pair);
    Touches touches;
    for (int k = 0; k < found.count; ++k) {
      const ContactPoint& p = found.points[k];
      touches.add(as_point(p.feature, p.point, p.normal, p.gap),
                  spring_of_parts(c_, in_order(c_, pair), found.parts[k]));
    }
    return touches;
  }

  /// Sum of the fractions of a pair's stiffness over the points that share one dashpot: with any
  /// number of them, it is the dashpot of the whole.
  static double share_of_all(const Touches& points) {
    double share = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(points.count); ++k)
      if (points.springs[k].share != 1 && points.points[k].gap <= 0)
        share += points.springs[k].share;
    return share > 0 ? share : 1;
  }

  /// Energy cap of the springs of points, some of which have memories.
  EnergyCap budget_of(const ForceContacts::OtherPair& other, const Touches& points,
                      std::span<const RememberedPoint> known) const {
    const auto [a, b] = in_order(c_, list_.pairs[other.pair]);
    EnergyCap budget(f_.numbers[2 * law_ + 1]);
    std::array<bool, Neighbours::kMaxSurfacePoints> stays{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(points.count); ++k) {
      const PairPoint& point = points.points[k];
      if (point.gap > 0) continue;
      const RememberedPoint* before = of_feature(known, point.feature);
      if (before) stays[static_cast<std::size_t>(before - known.data())] = true;
      const Spring& spring = points.springs[k];
      const Vec3 displacement = ways_.displacement_at_point(a, b, point);
      const Vec3 normal_before = before ? before->memory.normal : point.normal;
      budget.add(spring.share, spring.radius, -point.gap, -dot(displacement, point.normal),
                 -dot(displacement, normal_before), before ? before->held : ForceHeld{});
    }
    for (std::size_t k = 0; k < known.size(); ++k)
      if (!stays[k])
        budget.remove(known[k].memory.overlap, c_.model.step.h * known[k].memory.closing,
                      known[k].held);
    budget.close();
    return budget;
  }

  /// Memories of a pair, one per slot.
  template <class Points>
  void add_points(ForceBlocks& blocks, const ForceContacts::OtherPair& other, Points points_now) {
    const bool left = list_.has_left(list_.pairs[other.pair]);
    const Touches points = left ? Touches{} : points_now();
    transfer_warm_start(c_, other.pair, points);
    const bool keeps_radius = f_.radii && points.keeps_radius;
    std::array<RememberedPoint, Neighbours::kMaxSurfacePoints> known;
    std::size_t count = 0;
    const auto [first, end] = list_.places(other.pair);
    for (std::size_t slot = first; slot < end; ++slot)
      if (list_.force_memory[slot].is_contact()) {
        known[count] = taken(slot);
        if (keeps_radius) known[count].radius = list_.force_radius[slot];
        ++count;
      }
    clear_rows(other);
    const std::uint32_t first_lane = blocks.next_lane();
    const bool one = end - first == 1;
    const double together = share_of_all(points);
    // Parts of clumps are contacts of their own: none takes over the shear of another.
    const bool jumps = &blocks == &at_points_ && !one &&
                       !has_clump(c_.model, c_.state.bodies, list_.pairs[other.pair]);
    std::optional<EnergyCap> budget;
    if (&blocks == &at_points_ && !one && f_.numbers[2 * law_].adhesion == 0)
      budget = budget_of(other, points, {known.data(), count});
    std::size_t slot = first;
    for (std::size_t k = 0; k < static_cast<std::size_t>(points.count); ++k) {
      const PairPoint& point = points.points[k];
      const RememberedPoint* of_point = one ? (count > 0 ? known.data() : nullptr)
                                            : of_feature({known.data(), count}, point.feature);
      const bool is_known = of_point != nullptr;
      if (point.gap > 0 && !is_known) continue;  // a neck needs a touch first
      const RememberedPoint before =
          is_known ? *of_point
                   : (jumps ? inherited_memory(point, points, {known.data(), count})
                            : RememberedPoint{});
      Spring spring = points.springs[k];
      if (keeps_radius) {
        if (before.radius > 0) spring.radius = before.radius;
        list_.force_radius[slot] = spring.radius;
      }
      if (budget) list_.force_held[slot] = budget->held(spring.share, spring.radius, -point.gap);
      const int lane = blocks.batch().count;
      blocks.batch().softness[lane] = budget ? budget->softness() : 1;
      blocks.batch().together[lane] = spring.share == 1 ? 1 : together;
      add_point(blocks, other, point, spring, before, slot++);
    }
    if (slot > first) c_.scratch.slot[other.pair] = Scratch::kForce | first_lane;
  }

  /// Clears the pair's own rows in other chunks.
  void clear_rows(const ForceContacts::OtherPair& other) const {
    for (const std::uint32_t row : {other.row_a, other.row_b}) {
      if (is_obstacle(row) || row < c_.state.bodies.size()) continue;
      f_.rows[row] = {};
      if (f_.has_torque_rows()) f_.torque_rows[row] = {};
    }
  }

  void add_point(ForceBlocks& blocks, const ForceContacts::OtherPair& other, const PairPoint& point,
                 const Spring& spring, const RememberedPoint& known, std::size_t slot) {
    Neighbours& list = c_.state.neighbours;
    const Neighbours::Pair& pair = list.pairs[other.pair];
    const auto [a, b] = in_order(c_, pair);
    const std::uint32_t at = blocks.next_lane();
    ForceBatch& batch = blocks.batch();
    const int lane = batch.count;
    batch.a[lane] = spring.a;
    batch.b[lane] = spring.b;
    batch.row_a[lane] = other.row_a;
    batch.row_b[lane] = other.row_b;
    batch.is_point[lane] = &blocks == &at_points_ ? 1 : 0;
    batch.share[lane] = spring.share;
    // Springs that share a pair have one dashpot, for the whole masses.
    batch.turned[lane] = spring.share == 1 ? turned(a, point.point, point.normal) +
                                                 turned(b, point.point, point.normal)
                                           : 0;
    if (batch.has_joints) {
      // The same holds for its effective-mass factor by joints: as for pushes at the centres.
      const bool at_point = spring.share == 1;
      batch.mass_factor[lane] =
          effective_mass_factor(c_, a, at_point ? ways_.arm_of(a, point.point) : Vec3{}, b,
                                at_point ? ways_.arm_of(b, point.point) : Vec3{}, point.normal);
    }
    set_lane(batch.normal, lane, point.normal);
    batch.overlap[lane] = -point.gap;
    batch.radius[lane] = spring.radius;
    batch.inner[lane] = spring.inner;
    batch.point[lane] = point.point;
    batch.remembered[lane] = known.memory;
    batch.moment[lane] = known.moment;
    batch.before[lane] = &batch.remembered[lane];
    batch.after[lane] = &list.force_memory[slot];
    const Vec3 before = known.memory.is_contact() ? known.memory.normal : point.normal;
    if (&blocks == &of_clumps_) {
      if (batch.has_displacements) set_lane(batch.displacement, lane, vector_to_image(c_, a, b));
      if (batch.has_flows) set_lane(batch.flow, lane, flow_between(c_, a, b));
    } else {
      set_lane(batch.displacement, lane,
               &blocks == &on_surfaces_
                   ? ways_.displacement_of_surface(spring.a, obstacle_of(b), before, point.normal) +
                         ways_.displacement_along_surface(b, point.normal)
                   : ways_.displacement_at_point(a, b, point));
      set_lane(batch.rotation_b, lane, ways_.rotation_of(b));
    }
    batch.pair[lane] = other.pair;
    batch.slot[lane] = static_cast<std::uint32_t>(slot);
    if (!list.feature.empty()) {
      list.feature[slot] = point.feature;
      f_.points[at] = point.point;
    }
    if (++batch.count == kBlock) evaluate(blocks);
  }

  /// Part of the compliance along `normal` at the point that comes from the rotation of the body
  /// [1/kg].
  double turned(BodyIndex i, const Vec3& point, const Vec3& normal) const {
    if (is_obstacle(i) || is_sphere(c_, i)) return 0;
    const Bodies& bodies = c_.state.bodies;
    const PrototypeId prototype = bodies.prototype[i];
    const Vec3 row = along_spin(c_, i, cross(ways_.arm_of(i, point), normal) / bodies.radius[i]);
    const double moment =
        c_.scratch.kinds[prototype].isotropic ? c_.model.prototypes[prototype].inertia.x : 1;
    return squared_norm(row) / (moment * bodies.mass[i]);
  }

  /// R* of Hertz' law [m]: for a sphere on a face its radius; for shapes without a sphere that of
  /// the inscribed spheres.
  double radius_at_points(const Neighbours::Pair& pair) const {
    const auto [a, b] = in_order(c_, pair);
    if (is_obstacle(b)) {
      const auto* ball = std::get_if<Sphere>(&c_.model.obstacles[obstacle_of(b)].shape);
      return ball ? ball->radius : inscribed_radius(c_, a);
    }
    if (is_sphere(c_, a)) return inscribed_radius(c_, a);
    if (is_sphere(c_, b)) return inscribed_radius(c_, b);
    return force::effective_radius(inscribed_radius(c_, a), 1 / inscribed_radius(c_, b));
  }

  void evaluate(ForceBlocks& blocks) {
    ForceBatch& batch = blocks.batch();
    blocks.evaluate(&blocks == &of_clumps_ ? blocks.kernels().of_spheres
                                           : blocks.kernels().of_surfaces);
    for (int k = 0; k < batch.count; ++k) add_rows(batch, k);
    blocks.clear();
  }

  /// Torques about a centre of forces that act at a point.
  static void turn_about(const Vec3& arm, ForceRow& row, TorqueRow& torques) {
    row.shear_torque = cross(arm, row.shear);
    row.damping_torque = cross(arm, row.damping);
    torques.elastic = cross(arm, row.elastic);
  }

  /// Torques of a sphere about its centre, and for a sphere of a clump about the clump's centre.
  void turn_sphere(double arm, std::uint32_t record, BodyIndex body, ForceRow& row,
                   TorqueRow& torques) const {
    turn_at(arm, row);
    if (record == body) return;
    const Vec3 from_centre = f_.bodies[record].position - f_.bodies[body].position;
    row.shear_torque += cross(from_centre, row.shear);
    row.damping_torque += cross(from_centre, row.damping);
    torques.elastic = cross(from_centre, row.elastic);
  }

  void add_rows(const ForceBatch& batch, int k) {
    const Vec3 moment = batch.has_moments ? batch.moment_on_b[k] : Vec3{};
    const bool at_point = batch.is_point[k] > 0;
    const auto [a, b] = in_order(c_, list_.pairs[batch.pair[k]]);
    TorqueRow torque_row_a{{}, -moment}, torque_row_b{{}, moment};
    ForceRow on_a = opposite(batch.on_b[k]), on_b = batch.on_b[k];
    if (at_point)
      turn_about(ways_.arm_of(a, batch.point[k]), on_a, torque_row_a);
    else
      turn_sphere(batch.arm_a[k], batch.a[k], a, on_a, torque_row_a);
    add_row(batch.row_a[k], a, {}, on_a, torque_row_a);
    if (!is_obstacle(b)) {
      if (at_point)
        turn_about(ways_.arm_of(b, batch.point[k]), on_b, torque_row_b);
      else
        turn_sphere(batch.arm_b[k], batch.b[k], b, on_b, torque_row_b);
      add_row(batch.row_b[k], b, flow_between(c_, a, b), on_b, torque_row_b);
      return;
    }
    const Twist& before = f_.twist_before[obstacle_of(b)];
    if (!moves(before) && !surface_moves(c_, obstacle_of(b))) return;
    const Twist& after = c_.state.obstacles[obstacle_of(b)].twist;
    const Vec3 along_itself = surface_velocity(c_, obstacle_of(b), lane_of(batch.normal, k));
    turn_about(ways_.arm_of(b, batch.point[k]), on_b, torque_row_b);
    auto& [power_before, power_after] = chunk_.on_obstacles[law_];
    power_before.add(on_b, torque_row_b, before.linear + along_itself, before.angular);
    power_after.add(on_b, torque_row_b, after.linear + along_itself, after.angular);
  }

  void add_row(std::uint32_t row, BodyIndex body, const Vec3& flow, const ForceRow& forces,
               const TorqueRow& torques) {
    if (books_.are_kept()) books_.keep(body, flow, forces, torques);
    f_.rows[row] += forces;
    if (f_.has_torque_rows()) f_.torque_rows[row] += torques;
  }

  StepContext& c_;
  ForceContacts& f_;
  Neighbours& list_;
  PointWays ways_;
  ForceContacts::Chunk& chunk_;
  std::uint32_t law_;
  LawBooks books_;
  ForceBlocks on_surfaces_, of_clumps_, at_points_;
};

// Prefetches a pair: pairs with obstacles are scattered in memory, and so are their bodies.
[[gnu::always_inline]] inline void prefetch_pair(const StepContext& c,
                                                 const ForceContacts::OtherPair& other) {
  __builtin_prefetch(&c.state.neighbours.pairs[other.pair]);
  __builtin_prefetch(&c.scratch.slot[other.pair], 1);
}
/// Prefetches the bodies of a pair that has been fetched.
[[gnu::always_inline]] inline void prefetch_bodies(const StepContext& c,
                                                   const ForceContacts::OtherPair& other) {
  const Neighbours& list = c.state.neighbours;
  const BodyIndex i = list.pairs[other.pair].owner;
  __builtin_prefetch(&c.state.bodies.position[i]);
  __builtin_prefetch(&c.scratch.forces.bodies[i]);
  __builtin_prefetch(&c.scratch.forces.bodies[i].rotation);
  __builtin_prefetch(&c.state.bodies.radius[i]);
  __builtin_prefetch(&c.state.bodies.velocity[i]);
  const ForceRow& row = c.scratch.forces.rows[i];
  __builtin_prefetch(&row, 1);
  __builtin_prefetch(&row.damping_torque.y, 1);  // its other cache line
  __builtin_prefetch(&list.force_memory[list.places(other.pair).begin], 1);
}

}  // namespace

void forces_of_others(StepContext& c, ForceContacts::Chunk& chunk) {
  for (ForceContacts::OtherPairs& others : chunk.others) {
    if (others.pairs.empty()) continue;
    OtherFiller filler(c, chunk, others);
    for (std::size_t k = 0; k < others.pairs.size(); ++k) {
      if (k + 2 * kForceOthersAhead < others.pairs.size())
        prefetch_pair(c, others.pairs[k + 2 * kForceOthersAhead]);
      if (k + kForceOthersAhead < others.pairs.size())
        prefetch_bodies(c, others.pairs[k + kForceOthersAhead]);
      filler.add(others.pairs[k]);
    }
    filler.finish();
  }
}

}  // namespace scree
