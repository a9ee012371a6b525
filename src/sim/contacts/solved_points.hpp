/// Points of the contacts of a step, after its solve.
#pragma once

#include <optional>
#include <utility>

#include "laws/force_contact.hpp"
#include "sim/compliant/forces.hpp"
#include "sim/contacts/assemble.hpp"
#include "sim/motion/body_motion.hpp"
#include "solvers/kernels/contact_kernels.hpp"
#include "solvers/kernels/rolling_blocks.hpp"

namespace scree {

/// Centres of bodies at the start of the step.
struct CentreAtStart {
  const Bodies& bodies;
  Vec3 operator()(BodyIndex i) const { return bodies.position[i]; }
};

/// Contact with a compliant law. Forces on B, (elastic + damping) n + lever (S + D), act at the
/// centres, with the torques arm × n × −(S + D) on both bodies, and ±(rolling).
struct ForceContact {
  BodyIndex a, b;      ///< records
  std::uint32_t slot;  ///< slot in the memory of contacts
  double elastic;      ///< F_e − F_c [N]
  double damping;      ///< F_d [N]
  Vec3 dashpot;        ///< D [N]
  force::Arms<1> arms;
  bool slides;

  /// True if forces act at a point of both bodies: then there are no arms.
  bool is_at_point() const { return arms.a == 0; }
};
inline ForceContact force_contact_of(const Neighbours& list, const ForceContacts& forces,
                                     const ForceBlock& block, int k) {
  ForceContact contact{.a = block.a[k],
                       .b = block.b[k],
                       .slot = block.slot[k],
                       .elastic = block.elastic[k],
                       .damping = block.damping[k],
                       .dashpot = {},
                       .arms = {},
                       .slides = (block.sliding >> k & 1) != 0};
  if (block.dashpots >> k & 1)
    contact.dashpot = {block.dashpot[0][k], block.dashpot[1][k], block.dashpot[2][k]};
  contact.arms = block.of_spheres
                     ? force::arms_of<1>(
                           forces.bodies[contact.a].radius, forces.bodies[contact.b].radius, false,
                           list.force_memory[contact.slot].overlap, block.rotations, block.branch)
                     : force::Arms<1>{block.lever[k], block.arm_a[k], block.arm_b[k]};
  return contact;
}

struct SolvedPoint {
  Vec3 point;            ///< midway between the surfaces [m]
  Vec3 normal;           ///< from A to B
  double gap;            ///< [m]
  Vec3 impulse;          ///< on B, without cohesion [N s]
  Vec3 angular_impulse;  ///< rolling friction, on B [N m s]
  Vec3 on_a, on_b;       ///< points of action on the two surfaces [m]

  // One of the three is set.
  const SphereContactBlock* diagonal = nullptr;
  const ContactBlock* full = nullptr;
  std::optional<ForceContact> force;
  /// Set for a contact of spheres whose impacts were resolved in their order
  const ImpactEvents::Contact* event = nullptr;
  int lane = 0;
  /// Index of a contact in the problem, as in ContactIndex
  std::size_t contact = 0;
};

/// Power of a compliant force by kinds, for this motion of B relative to A at the point [W].
inline ForcePower power_of(const State& state, const SolvedPoint& point, const Motion& of_b,
                           double h) {
  const ForceContact& contact = *point.force;
  const double along = dot(point.normal, of_b.velocity), lever = contact.arms.lever;
  const Vec3& shear = state.neighbours.force_memory[contact.slot].shear;
  return {contact.elastic * along,
          contact.damping * along + lever * dot(contact.dashpot, of_b.velocity),
          lever * dot(shear, of_b.velocity), dot(point.angular_impulse, of_b.angular_velocity) / h};
}

/// `centre_of(i)` is the centre of a body when the step began [m].
template <class CentreOf>
class SolvedPoints {
 public:
  SolvedPoints(const Model& model, const State& state, const Scratch& scratch, CentreOf centre_of)
      : model_(model), state_(state), scratch_(scratch), centre_of_(std::move(centre_of)) {}

  /// Calls f(SolvedPoint) for the points of a pair that was a contact.
  template <class F>
  void for_each(std::size_t pair, F&& f) const {
    const std::uint32_t slot = scratch_.slot[pair];
    if (slot & Scratch::kFull)
      for_each_full_place(scratch_, slot, [&](std::uint32_t index) { f(full_point(index)); });
    else if (Scratch::is_force(slot))
      for_each_force_point(
          scratch_.forces, state_.neighbours, pair, slot,
          [&](std::uint32_t block, int lane) { f(force_point(pair, block, lane)); });
    else
      f(sphere_point(pair, slot));
  }

 private:
  SolvedPoint full_point(std::uint32_t index) const {
    const ContactBlock& block = scratch_.problem.contact_blocks[index / kBlock];
    const int lane = static_cast<int>(index % kBlock);
    const ContactRows contact = block.contact(lane);
    const Vec3 impulse = contact.to_inertial(contact.impulse);
    const double cohesion =
        kernels::cohesion_of(scratch_.problem.contact_cohesion, index / kBlock, lane);
    const FullPoints::Point& found = scratch_.full_point(index);
    const Vec3 half_gap = found.gap / 2 * contact.axis[0];
    return {.point = found.point,
            .normal = contact.axis[0],
            .gap = found.gap,
            .impulse = cohesion > 0 ? impulse - cohesion * contact.axis[0] : impulse,
            .angular_impulse = kernels::angular_impulse(scratch_.problem, block, lane),
            .on_a = found.point - half_gap,
            .on_b = found.point + half_gap,
            .full = &block,
            .lane = lane,
            .contact = kBlock * scratch_.problem.blocks.size() + index};
  }

  /// Body, or sphere of a clump, with a record for compliant laws.
  struct Ball {
    Vec3 centre;    ///< [m]
    double radius;  ///< [m]
  };
  Ball ball_of(std::uint32_t record) const {
    if (record < scratch_.problem.free_bodies)
      return {centre_of_(record), state_.bodies.radius[record]};
    const ForceBody& sphere = scratch_.forces.bodies[record];
    return {sphere.position, sphere.radius};
  }

  /// Point of a compliant law; its impulse is h times its force.
  SolvedPoint force_point(std::size_t pair, std::uint32_t block_index, int lane) const {
    const ForceContacts& f = scratch_.forces;
    const ForceContact contact =
        force_contact_of(state_.neighbours, f, f.blocks[block_index], lane);
    const ForceMemory& memory = state_.neighbours.force_memory[contact.slot];
    const Ball a = ball_of(contact.a);
    SolvedPoint point{.point = {},
                      .normal = memory.normal,
                      .gap = -memory.overlap,
                      .impulse = {},
                      .angular_impulse = {},
                      .on_a = {},
                      .on_b = {},
                      .force = contact,
                      .lane = lane};
    point.point = contact.is_at_point()
                      ? f.points[block_index * kBlock + static_cast<std::uint32_t>(lane)]
                      : a.centre + (a.radius + point.gap / 2) * point.normal;
    // Forces act at the point where both bodies take them.
    const bool arms = !contact.is_at_point();
    const bool obstacle = state_.neighbours.pairs[pair].other & Neighbours::kObstacle;
    const double lever = contact.arms.lever;
    point.on_a = arms ? a.centre + contact.arms.a / lever * point.normal : point.point;
    point.on_b = arms && !obstacle
                     ? ball_of(contact.b).centre - contact.arms.b / lever * point.normal
                     : point.point;
    point.impulse = model_.step.h * ((contact.elastic + contact.damping) * point.normal +
                                     lever * (memory.shear + contact.dashpot));
    if (f.moments)
      point.angular_impulse = model_.step.h * (state_.neighbours.force_moment[contact.slot] +
                                               f.moment_blocks[block_index].dashpot[lane]);
    return point;
  }

  SolvedPoint sphere_point(std::size_t pair, std::uint32_t slot) const {
    const SphereContactBlock& block = scratch_.problem.blocks[slot / kBlock];
    const int lane = static_cast<int>(slot % kBlock);
    const auto [owner, other] = state_.neighbours.pairs[pair];
    const bool obstacle = other & Neighbours::kObstacle;
    const bool owner_is_a = obstacle || state_.bodies.id[owner] < state_.bodies.id[other];
    const BodyIndex a = owner_is_a ? owner : other, b = owner_is_a ? other : owner;
    SolvedPoint solved{
        .point = {},
        .normal = {block.normal[0][lane], block.normal[1][lane], block.normal[2][lane]},
        .gap = double{scratch_.gap[slot]},
        .impulse = {block.impulse[0][lane], block.impulse[1][lane], block.impulse[2][lane]},
        .angular_impulse = {},
        .on_a = {},
        .on_b = {},
        .diagonal = &block,
        .event = scratch_.events.at(slot),
        .lane = lane,
        .contact = slot};
    if (solved.event) {
      solved.impulse = solved.event->impulse;
      const Vec3& along = solved.event->normal_impulse;
      solved.normal = along / norm(along);
    }
    if (scratch_.problem.has_cohesion())
      solved.impulse -=
          kernels::cohesion_of(scratch_.problem.cohesion, slot / kBlock, lane) * solved.normal;
    const Vec3 centre = centre_of_(a);
    solved.point = centre + (state_.bodies.radius[a] + solved.gap / 2) * solved.normal;
    solved.on_a = centre + state_.bodies.radius[a] * solved.normal;
    // The gap of two spheres is stored in single precision, their radii are not.
    solved.on_b = obstacle ? solved.on_a + solved.gap * solved.normal
                           : centre_of_(b) - state_.bodies.radius[b] * solved.normal;
    return solved;
  }

  const Model& model_;
  const State& state_;
  const Scratch& scratch_;
  CentreOf centre_of_;
};

}  // namespace scree
