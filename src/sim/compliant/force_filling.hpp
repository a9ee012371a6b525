/// Code that contacts of spheres and of other shapes share for their forces.
#pragma once

#include <cstddef>

#include "sim/step_context.hpp"

namespace scree {

inline void set_lane(double (&of)[3][kBlock], int lane, const Vec3& v) {
  of[0][lane] = v.x;
  of[1][lane] = v.y;
  of[2][lane] = v.z;
}

inline Vec3 lane_of(const double (&of)[3][kBlock], int lane) {
  return {of[0][lane], of[1][lane], of[2][lane]};
}

/// Forces on the other body; torques are still to be converted.
inline ForceRow opposite(const ForceRow& row) {
  ForceRow result = row;
  result.elastic = -row.elastic;
  result.damping = -row.damping;
  result.shear = -row.shear;
  return result;
}
/// Converts torques of the kernels to those about the centre of a sphere.
inline void turn_at(double arm, ForceRow& row) {
  row.damping_torque *= -arm;
  row.shear_torque *= -arm;
}

/// Records what contacts of a law give bodies, for its energy balance; the main law needs none.
class LawBooks {
 public:
  LawBooks(const StepContext& c, ForceContacts::Chunk& chunk, std::uint32_t law)
      : rows_(law == c.scratch.forces.main_law ? nullptr : &chunk.own[law]),
        has_torque_rows_(c.scratch.forces.has_torque_rows()),
        has_flows_(c.scratch.domain.flows()) {}

  bool are_kept() const { return rows_ != nullptr; }
  void keep(BodyIndex body, const Vec3& flow, const ForceRow& forces, const TorqueRow& torques) {
    rows_->body.push_back(body);
    rows_->forces.push_back(forces);
    if (has_torque_rows_) rows_->torques.push_back(torques);
    if (has_flows_) rows_->flow.push_back(flow);
  }

 private:
  ForceContacts::OwnRows* rows_;
  bool has_torque_rows_, has_flows_;
};

// True for the flag of an obstacle.
inline bool is_obstacle(BodyIndex i) { return i & Neighbours::kObstacle; }
inline std::uint32_t obstacle_of(BodyIndex i) { return i & ~Neighbours::kObstacle; }
inline bool is_sphere(const StepContext& c, BodyIndex i) {
  return !is_obstacle(i) && c.scratch.kinds[c.state.bodies.prototype[i]].sphere;
}

/// Displacement from a body to its image nearest to another [m].
inline Vec3 vector_to_image(const StepContext& c, BodyIndex a, BodyIndex b) {
  const Vec3 &at_a = c.state.bodies.position[a], &at_b = c.state.bodies.position[b];
  return c.scratch.domain.separation(at_a, at_b) - (at_b - at_a);
}

/// Kind of contact of a pair with a compliant law.
enum class ForceTouch : std::uint8_t {
  spheres,     ///< two spheres
  on_surface,  ///< spheres on an obstacle; the body may have several
  of_clumps,   ///< spheres of two bodies, one of which has several
  at_points,   ///< all others
};
inline ForceTouch force_touch(const StepContext& c, const BodyPair& in_order) {
  const auto [a, b] = in_order;
  const auto kind_of = [&](BodyIndex i) -> const Scratch::BodyTraits& {
    return c.scratch.kinds[c.state.bodies.prototype[i]];
  };
  if (kind_of(a).balls == 0) return ForceTouch::at_points;
  if (b & Neighbours::kObstacle) return ForceTouch::on_surface;
  if (kind_of(b).balls == 0) return ForceTouch::at_points;
  return kind_of(a).sphere && kind_of(b).sphere ? ForceTouch::spheres : ForceTouch::of_clumps;
}

/// Largest gap at which two surfaces stay in touch: the length of a neck, if there was one [m].
/// `radius` is R*.
double neck(const StepContext& context, std::uint32_t law, std::uint32_t pair, double radius);

/// Batch of contacts that is filled and evaluated repeatedly, and the blocks of one kind of contact
/// that receive it.
class ForceBlocks {
 public:
  ForceBlocks(StepContext& c, const force::Numbers& numbers, ForceContacts::Blocks& blocks,
              ForceSums& sums)
      : c_(c),
        numbers_(numbers),
        blocks_(blocks),
        sums_(sums),
        kernels_(kernels::force_kernels_of(c.pool.instruction_set())) {
    blocks_.contacts = 0;
    batch_.has_displacements = c.scratch.domain.repeats();
    batch_.has_flows = c.scratch.domain.flows();
    batch_.has_moments = numbers.has_moment();
    batch_.has_joints = numbers.damping > 0 && !c.scratch.joints.mobilities.empty();
  }

  ForceBatch& batch() { return batch_; }
  const kernels::ForceKernels& kernels() const { return kernels_; }
  /// 8 · block + lane of the next contact.
  std::uint32_t next_lane() const {
    return kBlock * blocks_.first + blocks_.contacts + static_cast<std::uint32_t>(batch_.count);
  }

  /// Evaluates the forces of the batch by one of ForceKernels.
  template <class Kernel>
  void evaluate(Kernel kernel) {
    ForceContacts& f = c_.scratch.forces;
    for (int lane = batch_.count; lane < kBlock; ++lane) empty(lane);
    const std::uint32_t block = blocks_.first + blocks_.contacts / kBlock;
    prefetch(block + 1);
    kernel(batch_, f.bodies.data(), numbers_, f.blocks[block],
           batch_.has_moments ? &f.moment_blocks[block] : nullptr, sums_);
    for (int k = 0; k < batch_.count && batch_.has_moments; ++k)
      c_.state.neighbours.force_moment[batch_.slot[k]] = batch_.moment[k];
    blocks_.contacts += static_cast<std::uint32_t>(batch_.count);
  }
  /// Empties the batch, once its rows are stored.
  void clear() { batch_.count = 0; }

  /// Clears lanes of earlier steps in the last block.
  void finish() {
    const std::uint32_t used = (blocks_.contacts + kBlock - 1) / kBlock;
    if (kBlock * used < blocks_.max_contacts)
      c_.scratch.forces.blocks[blocks_.first + used].slot[0] = ForceBlock::kNoSlot;
  }

 private:
  /// Fills a lane with the body at rest against itself: forces are finite, and affect nothing.
  void empty(int lane) {
    const std::uint32_t at_rest = c_.scratch.problem.free_bodies;
    batch_.a[lane] = batch_.b[lane] = at_rest;
    batch_.before[lane] = &kNoMemory;
    batch_.after[lane] = nullptr;
    batch_.moment[lane] = {};
    batch_.mass_factor[lane] = batch_.share[lane] = batch_.radius[lane] = batch_.inner[lane] = 1;
    batch_.softness[lane] = batch_.together[lane] = 1;
    batch_.overlap[lane] = batch_.is_point[lane] = batch_.turned[lane] = 0;
    set_lane(batch_.displacement, lane, {});
    set_lane(batch_.flow, lane, {});
    set_lane(batch_.rotation_b, lane, {});
    set_lane(batch_.normal, lane, {0, 0, 1});
  }

  [[gnu::always_inline]] void prefetch(std::size_t block) const {
    const auto* lines = reinterpret_cast<const char*>(c_.scratch.forces.blocks.data() + block);
    for (std::size_t byte = 0; byte < offsetof(ForceBlock, dashpot); byte += kCacheLine)
      __builtin_prefetch(lines + byte, 1);
  }

  static constexpr ForceMemory kNoMemory{};
  StepContext& c_;
  const force::Numbers& numbers_;
  ForceContacts::Blocks& blocks_;
  ForceSums& sums_;
  const kernels::ForceKernels& kernels_;
  ForceBatch batch_;
};

}  // namespace scree
