/// Forces of compliant laws, and the velocity increments of bodies.
#include "sim/compliant/forces.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "laws/small_rotations.hpp"
#include "sim/cell/cell.hpp"
#include "sim/compliant/force_filling.hpp"
#include "sim/joints/joint_mobility.hpp"
#include "sim/motion/body_motion.hpp"
#include "sim/motion/free_spheres.hpp"
#include "sim/motion/motion.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

using SpherePairs = ForceContacts::SpherePairs;

/// Finds the records of the spheres of clumps, and allocates them.
void place_records(StepContext& c) {
  const Bodies& bodies = c.state.bodies;
  ForceContacts& f = c.scratch.forces;
  std::uint32_t end = static_cast<std::uint32_t>(bodies.size()) + 1;
  if (f.clumps) {
    f.first_sphere.resize(bodies.size() + 1);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Scratch::BodyTraits& kind = c.scratch.kinds[bodies.prototype[i]];
      f.first_sphere[i] = end;
      end += kind.sphere ? 0 : kind.balls;
    }
    f.first_sphere.back() = end;
  }
  resize_tightly(f.bodies, end);
}

/// Sets the spheres of a clump, each with its motion in the step that led here.
void set_spheres(StepContext& c, std::size_t i) {
  const Bodies& bodies = c.state.bodies;
  ForceContacts& f = c.scratch.forces;
  const ForceBody& body = f.bodies[i];
  const double h = c.model.step.h, r = bodies.radius[i];
  const auto* clump = std::get_if<Clump>(&c.model.prototypes[bodies.prototype[i]].shape);
  for (std::uint32_t k = f.first_sphere[i]; k < f.first_sphere[i + 1]; ++k) {
    const ClumpPart& part = clump->parts->parts()[k - f.first_sphere[i]];
    const Vec3 arm = rotate(bodies.orientation[i], r * clump->scale * part.pose.position);
    const Vec3 turned =
        force::vec(force::turned_less<1>(force::lanes(arm), force::lanes(-body.rotation)));
    f.bodies[k] = body;
    f.bodies[k].position += arm;
    f.bodies[k].radius = r * clump->scale * std::get<Sphere>(part.shape).radius;
    f.bodies[k].velocity -= turned / h;
  }
}

/// Sets the records of bodies [begin, end) for forces. Nothing touches a body that has left.
void set_bodies(StepContext& c, std::size_t begin, std::size_t end) {
  const Bodies& bodies = c.state.bodies;
  auto& records = c.scratch.forces.bodies;
  const double h = c.model.step.h, nowhere = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = begin; i < end; ++i) {
    const double inverse_mass = 1 / bodies.mass[i], r = bodies.radius[i];
    const double moment = c.model.prototypes[bodies.prototype[i]].inertia.x;
    // A body that cannot move acts on others as an obstacle.
    const Locks& locked = c.scratch.kinds[bodies.prototype[i]].locked;
    records[i] = {
        c.state.neighbours.has_left(i) ? Vec3{nowhere, nowhere, nowhere} : bodies.position[i],
        r,
        bodies.velocity[i],
        locked.ways == kAllAxes ? 0 : inverse_mass,
        h * bodies.angular_velocity[i],
        locked.turns == kAllAxes ? 0 : inverse_mass / (moment * r * r)};
    if (c.scratch.forces.clumps) set_spheres(c, i);
  }
}

void set_bodies(StepContext& c) {
  const std::size_t n = c.state.bodies.size();
  auto& records = c.scratch.forces.bodies;
  place_records(c);
  const bool free_spheres = are_free_spheres(c);
  const auto record = kernels::free_sphere_kernels_of(c.pool.instruction_set()).record;
  const auto all = [&](std::size_t i) { record(eight_spheres(c, i), c.model.step.h, &records[i]); };
  const auto some = [&](std::size_t i) { set_bodies(c, i, i + kBlock); };
  c.pool.for_each_range(n, kBodiesPerChunk, [&](std::size_t begin, std::size_t end) {
    set_bodies(c, free_spheres ? for_eights(c, begin, end, all, some) : begin, end);
  });
  records[n] = {{}, 1, {}, 0, {}, 0};
}

/// Finds touching pairs one by one: for periodic domains, and for necks.
void find_one_by_one(const StepContext& c, SpherePairs& pairs) {
  const Bodies& bodies = c.state.bodies;
  const AlignedVector<ForceBody>& records = c.scratch.forces.bodies;
  std::ranges::fill(pairs.touching, std::uint8_t{0});
  for (std::size_t k = 0; k < pairs.count; ++k) {
    const BodyIndex a = pairs.a[k], b = pairs.b[k];
    const double radius = force::effective_radius(bodies.radius[a], 1 / bodies.radius[b]),
                 reach = bodies.radius[a] + bodies.radius[b] +
                         neck(c, pairs.law, pairs.pair[k], radius);
    const Vec3 apart = c.scratch.domain.separation(records[a].position, records[b].position);
    if (squared_norm(apart) <= reach * reach)
      pairs.touching[k / kBlock] |= static_cast<std::uint8_t>(1U << k % kBlock);
  }
}

void find_touching(const StepContext& c, const kernels::ForceKernels& kernels, SpherePairs& pairs) {
  if (pairs.count == 0) return;
  if (c.scratch.domain.repeats() || c.scratch.forces.numbers[2 * pairs.law].adhesion > 0) {
    find_one_by_one(c, pairs);
    return;
  }
  kernels.find(pairs.a.data(), pairs.b.data(), pairs.a.size(), c.scratch.forces.bodies.data(),
               pairs.touching.data());
  // Clears the padding of the arrays.
  if (pairs.count % kBlock != 0)
    pairs.touching.back() &= static_cast<std::uint8_t>((1U << pairs.count % kBlock) - 1);
}

/// Contacts of spheres with one law.
class SphereFiller {
 public:
  SphereFiller(StepContext& c, ForceContacts::Chunk& chunk, SpherePairs& pairs)
      : c_(c),
        f_(c.scratch.forces),
        list_(c.state.neighbours),
        pairs_(pairs),
        own_(c.state.bodies.size()),
        has_features_(!list_.feature.empty()),
        blocks_(c, f_.numbers[2 * pairs.law], pairs.blocks, chunk.sums[pairs.law]),
        books_(c, chunk, pairs.law) {}

  void run() {
    find_touching(c_, blocks_.kernels(), pairs_);
    for (std::size_t eight = 0; eight < pairs_.touching.size(); ++eight) {
      const unsigned now = pairs_.touching[eight], before = pairs_.touched[eight];
      prefetch(eight + kForceSpheresAhead);
      for (unsigned left = before & ~now; left != 0; left &= left - 1)
        forget(kBlock * eight + static_cast<std::size_t>(std::countr_zero(left)));
      for (unsigned left = now; left != 0; left &= left - 1) {
        next_[count_++] = kBlock * eight + static_cast<std::size_t>(std::countr_zero(left));
        if (count_ == kBlock) evaluate();
      }
    }
    if (count_ > 0) evaluate();
    blocks_.finish();
    pairs_.touched.swap(pairs_.touching);
  }

 private:
  std::size_t slot_of(std::uint32_t pair) const {
    return has_features_ ? list_.first_place[pair] : pair;
  }

  // Always inline: GCC would drop a call of a function that only prefetches.
  [[gnu::always_inline]] void prefetch(std::size_t eight) const {
    if (eight >= pairs_.touching.size()) return;
    for (unsigned left = pairs_.touching[eight]; left != 0; left &= left - 1) {
      const std::size_t k = kBlock * eight + static_cast<std::size_t>(std::countr_zero(left));
      __builtin_prefetch(&list_.force_memory[slot_of(pairs_.pair[k])], 1);
      __builtin_prefetch(&f_.bodies[pairs_.a[k]].rotation);
      __builtin_prefetch(&f_.bodies[pairs_.b[k]].rotation);
    }
  }

  /// Clears the memory of a pair that no longer touches.
  void forget(std::size_t k) {
    const std::size_t slot = slot_of(pairs_.pair[k]);
    list_.force_memory[slot] = {};
    if (f_.moments) list_.force_moment[slot] = {};
    if (has_features_) list_.feature[slot] = Neighbours::kNoFeature;
    for (const std::uint32_t row : {pairs_.row_a[k], pairs_.row_b[k]}) {
      if (row < own_) continue;
      f_.rows[row] = {};
      if (f_.has_torque_rows()) f_.torque_rows[row] = {};
    }
  }

  /// Fills the batch with the contacts of the next pairs.
  void fill(ForceBatch& batch) {
    const std::uint32_t slot = Scratch::kForce | blocks_.next_lane();
    const std::uint32_t *pair = pairs_.pair.data(), *row_a = pairs_.row_a.data(),
                        *row_b = pairs_.row_b.data();
    const BodyIndex *a = pairs_.a.data(), *b = pairs_.b.data();
    std::uint32_t* slots = c_.scratch.slot.data();
    ForceMemory* memory = list_.force_memory.data();
    const ForceRow* rows = f_.rows.data();
    const int count = count_;
    for (int lane = 0; lane < count; ++lane) {
      const std::size_t k = next_[lane], memory_slot = slot_of(pair[k]);
      batch.a[lane] = a[k];
      batch.b[lane] = b[k];
      batch.row_a[lane] = row_a[k];
      batch.row_b[lane] = row_b[k];
      batch.pair[lane] = pair[k];
      batch.slot[lane] = static_cast<std::uint32_t>(memory_slot);
      batch.before[lane] = batch.after[lane] = memory + memory_slot;
      slots[pair[k]] = slot + static_cast<std::uint32_t>(lane);
      for (const ForceRow* row : {rows + row_a[k], rows + row_b[k]}) {
        __builtin_prefetch(row, 1);
        __builtin_prefetch(reinterpret_cast<const char*>(row) + kCacheLine, 1);
      }
    }
    batch.count = count;
    count_ = 0;
    if (batch.has_moments || batch.has_displacements || batch.has_flows || batch.has_joints ||
        has_features_)
      fill_rest(batch);
  }

  void fill_rest(ForceBatch& batch) {
    for (int lane = 0; lane < batch.count; ++lane) {
      const std::uint32_t slot = batch.slot[lane];
      const BodyIndex a = batch.a[lane], b = batch.b[lane];
      if (batch.has_moments) batch.moment[lane] = list_.force_moment[slot];
      if (batch.has_displacements) set_lane(batch.displacement, lane, vector_to_image(c_, a, b));
      if (batch.has_flows) set_lane(batch.flow, lane, flow_between(c_, a, b));
      if (batch.has_joints) {
        // Arms are at the centres: a normal push rotates no sphere.
        const Bodies& bodies = c_.state.bodies;
        const Vec3 apart = c_.scratch.domain.separation(bodies.position[a], bodies.position[b]);
        const double distance = norm(apart);
        const Vec3 normal = distance > 0 ? apart / distance : Vec3{0, 0, 1};
        batch.mass_factor[lane] = effective_mass_factor(c_, a, {}, b, {}, normal);
      }
      if (has_features_) list_.feature[slot] = 0;
    }
  }

  void evaluate() {
    ForceBatch& batch = blocks_.batch();
    fill(batch);
    blocks_.evaluate(blocks_.kernels().of_spheres);
    blocks_.kernels().add_rows(batch, own_, f_.rows.data());
    if (batch.has_moments) add_moments(batch);
    if (books_.are_kept()) keep_rows(batch);
    blocks_.clear();
  }

  void add_moments(const ForceBatch& batch) {
    const auto add_to = [&](std::uint32_t row, const Vec3& moment) {
      if (row >= own_) f_.torque_rows[row] = {};
      f_.torque_rows[row].moment += moment;
    };
    for (int k = 0; k < batch.count; ++k) {
      add_to(batch.row_a[k], -batch.moment_on_b[k]);
      add_to(batch.row_b[k], batch.moment_on_b[k]);
    }
  }

  /// Records the rows for the law's energy balance.
  void keep_rows(const ForceBatch& batch) {
    for (int k = 0; k < batch.count; ++k) {
      const Vec3 moment = batch.has_moments ? batch.moment_on_b[k] : Vec3{};
      const Vec3 flow = batch.has_flows ? lane_of(batch.flow, k) : Vec3{};
      ForceRow on_a = opposite(batch.on_b[k]), on_b = batch.on_b[k];
      turn_at(batch.arm_a[k], on_a);
      turn_at(batch.arm_b[k], on_b);
      books_.keep(batch.a[k], {}, on_a, {{}, -moment});
      books_.keep(batch.b[k], flow, on_b, {{}, moment});
    }
  }

  StepContext& c_;
  ForceContacts& f_;
  Neighbours& list_;
  SpherePairs& pairs_;
  std::size_t own_;    ///< rows from this one on belong to one pair each
  bool has_features_;  ///< slots of the list have features
  ForceBlocks blocks_;
  LawBooks books_;
  std::size_t next_[kBlock];  ///< touching pairs of the next batch
  int count_ = 0;             ///< number of these pairs
};

/// Evaluates the forces of a chunk's contacts on its bodies and on others.
void forces_of(StepContext& c, ForceContacts::Chunk& chunk) {
  ForceContacts& f = c.scratch.forces;
  chunk.sums.assign(f.laws(), {});
  chunk.on_obstacles.assign(f.laws(), {});
  chunk.own.resize(f.laws());
  for (auto& rows : chunk.own) rows.clear();
  std::fill(f.rows.begin() + chunk.begin, f.rows.begin() + chunk.end, ForceRow{});
  if (f.has_torque_rows())
    std::fill(f.torque_rows.begin() + chunk.begin, f.torque_rows.begin() + chunk.end, TorqueRow{});
  for (SpherePairs& pairs : chunk.spheres) SphereFiller(c, chunk, pairs).run();
  forces_of_others(c, chunk);
}

/// Allocates memories of contacts for the whole list; and a copy, where the step may be repeated.
void make_room(StepContext& c) {
  ForceContacts& f = c.scratch.forces;
  Neighbours& list = c.state.neighbours;
  list.force_memory.resize(list.impulse.size());
  if (f.moments) list.force_moment.resize(list.impulse.size());
  if (f.radii) list.force_radius.resize(list.impulse.size());
  if (list.holds_points()) list.force_held.resize(list.impulse.size());
  if (!f.any_rigid && c.model.joints.empty()) return;
  f.memory_before = list.force_memory;
  f.moment_before = list.force_moment;
  f.feature_before = list.feature;
  f.held_before = list.force_held;
}

}  // namespace

double neck(const StepContext& c, std::uint32_t law, std::uint32_t pair, double radius) {
  const force::Numbers& numbers = c.scratch.forces.numbers[2 * law];
  const Neighbours& list = c.state.neighbours;
  if (!(numbers.adhesion > 0)) return 0;
  bool touched = false;
  for (auto [slot, end] = list.places(pair); slot < end; ++slot)
    touched = touched || list.force_memory[slot].is_contact();
  if (!touched) return 0;
  return -force::min_overlap(numbers, radius);
}

void forces(StepContext& c) {
  ForceContacts& f = c.scratch.forces;
  if (!f.any) return;
  make_room(c);
  // A repeated step has the bodies at the same positions.
  if (c.scratch.rounds == 0) find_mobilities(c);
  list_force_pairs(c);
  set_bodies(c);
  for (force::Numbers& numbers : f.numbers) numbers.scheme.at_start = is_first_of_all(c);
  c.pool.for_each_chunk(f.chunks.size(), [&](std::size_t k) { forces_of(c, f.chunks[k]); });
  forces_of(c, f.alone);
  give_forces(c);

  c.report.force_contacts = 0;
  f.for_each_chunk([&](const ForceContacts::Chunk& chunk) {
    for (const SpherePairs& pairs : chunk.spheres) c.report.force_contacts += pairs.blocks.contacts;
    for (const ForceContacts::OtherPairs& pairs : chunk.others)
      c.report.force_contacts +=
          pairs.on_surfaces.contacts + pairs.of_clumps.contacts + pairs.at_points.contacts;
  });
}

void undo_forces(StepContext& c) {
  ForceContacts& f = c.scratch.forces;
  if (!f.any) return;
  Neighbours& list = c.state.neighbours;
  list.force_memory.swap(f.memory_before);
  list.force_moment.swap(f.moment_before);
  list.force_held.swap(f.held_before);
  const auto undo = [&](ForceContacts::Chunk& chunk) {
    for (SpherePairs& pairs : chunk.spheres) pairs.touched.swap(pairs.touching);
    if (list.feature.empty()) return;
    for (const ForceContacts::OtherPairs& others : chunk.others)
      for (const ForceContacts::OtherPair& other : others.pairs)
        for (auto [slot, end] = list.places(other.pair); slot < end; ++slot)
          list.feature[slot] = f.feature_before[slot];
  };
  for (ForceContacts::Chunk& chunk : f.chunks) undo(chunk);
  undo(f.alone);
}

}  // namespace scree
