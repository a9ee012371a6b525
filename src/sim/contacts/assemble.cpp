// Fills the problem with the contacts of spheres, and runs the assembly of all others.
#include "sim/contacts/assemble.hpp"

#include <algorithm>
#include <cmath>

#include "scree/collision/separating_plane.hpp"
#include "sim/contacts/closing_speeds.hpp"
#include "sim/contacts/contact_sums.hpp"
#include "sim/joints/joints.hpp"
#include "sim/kernels/sphere_contacts.hpp"
#include "sim/motion/body_motion.hpp"
#include "sim/neighbours/neighbours.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

const Finding kMaxRotation("max_rotation"), kPainleve("painleve");

/// Collects contacts of spheres of one chunk of pairs, eight at a time, and stores them in the
/// problem.
class SphereAssembler {
 public:
  SphereAssembler(StepContext& c, const TermSettings& settings, Scratch::ContactSums& sum)
      : c_(c),
        s_(c.scratch),
        bodies_(c.state.bodies),
        kernels_(kernels::sphere_kernels_of(c.pool.instruction_set())),
        settings_(settings),
        sum_(sum),
        eight_(SphereContacts::empty(s_.problem.at_rest())) {}

  /// `record` is the next free record of a moving obstacle.
  void add(const Neighbours::Pair& pair, std::uint32_t slot, const Vec3& remembered,
           std::uint32_t& record) {
    slots_[count_] = slot;
    set(eight_.remembered, remembered);
    if (pair.other & Neighbours::kObstacle)
      set_obstacle(pair.owner, pair.other & ~Neighbours::kObstacle, record);
    else
      set_bodies(pair.owner, pair.other);
    if (++count_ == kBlock) place();
  }

  /// Stores the last contacts, fewer than eight.
  void finish() {
    if (count_ == 0) return;
    for (int k = count_; k < kBlock; ++k) eight_.a[k] = eight_.b[k] = s_.problem.at_rest();
    place();
  }

 private:
  void set(double (&of)[3][kBlock], const Vec3& v) const {
    of[0][count_] = v.x;
    of[1][count_] = v.y;
    of[2][count_] = v.z;
  }
  void set_law(MaterialId a, MaterialId b) {
    const auto& law = s_.sphere_laws[a * c_.model.materials.size() + b];
    eight_.friction[count_] = law.friction;
    eight_.restitution[count_] = law.restitution;
    cohesion_[count_] = law.cohesion;
  }

  void set_bodies(BodyIndex a, BodyIndex b) {
    // A is the body of lower id.
    if (bodies_.id[b] < bodies_.id[a]) std::swap(a, b);
    eight_.a[count_] = a;
    eight_.b[count_] = b;
    const Vec3 &at_a = bodies_.position[a], &at_b = bodies_.position[b];
    const double radius_a = bodies_.radius[a], radius_b = bodies_.radius[b];
    set(eight_.apart, c_.scratch.domain.separation(at_a, at_b));
    eight_.touch[count_] = radius_a + radius_b;
    eight_.radius[count_] = std::min(radius_a, radius_b);
    eight_.position_size[count_] = size(at_a) + size(at_b);
    if (s_.any_restitution) set(eight_.before, bodies_.velocity[b] - bodies_.velocity[a]);
    set_law(bodies_.material[a], bodies_.material[b]);
    eight_.has_plane[count_] = 0;
  }

  void set_obstacle(BodyIndex i, std::uint32_t k, std::uint32_t& record) {
    const SeparatingPlane plane = plane_of_obstacle(c_, i, k);
    eight_.a[count_] = i;
    eight_.b[count_] = s_.problem.at_rest();
    if (surface_moves(c_, k)) {
      eight_.b[count_] = record;
      s_.problem.bodies[record++] = {plane.velocity, {}, 0, 0};
    }
    eight_.touch[count_] = eight_.radius[count_] = bodies_.radius[i];
    eight_.position_size[count_] =
        size(bodies_.position[i]) + size(c_.state.obstacles[k].pose.position);
    set(eight_.before, plane.velocity - bodies_.velocity[i]);
    set_law(bodies_.material[i], c_.model.obstacles[k].material);
    eight_.has_plane[count_] = 1;
    set(eight_.normal, -plane.normal);
    eight_.gap[count_] = plane.gap;
    eight_.remaining_gap[count_] = plane.remaining_gap;
    eight_.turn_cosine[count_] = plane.turn_cosine;
  }

  void place() {
    kernels_.complete(eight_, s_.problem.bodies.data(), settings_);
    for (int k = 0; k < count_; ++k) place(k, slots_[k]);
    count_ = 0;
  }

  void place(int k, std::uint32_t slot) {
    SphereContactBlock& block = s_.problem.blocks[slot / kBlock];
    const std::uint32_t lane = slot % kBlock;
    if (lane == 0 && slot / kBlock + 1 < s_.problem.blocks.size()) prefetch(slot / kBlock + 1);
    for (int axis = 0; axis < 3; ++axis) {
      block.normal[axis][lane] = eight_.normal[axis][k];
      block.impulse[axis][lane] = eight_.impulse[axis][k];
    }
    block.bias[lane] = eight_.bias[k];
    block.friction[lane] = eight_.friction[k];
    block.a[lane] = eight_.a[k];
    block.b[lane] = eight_.b[k];
    s_.gap[slot] = static_cast<float>(eight_.gap[k]);
    s_.correction.blocks[slot / kBlock].admissible_approach[lane] = eight_.correction_gap[k];
    if (s_.any_restitution) {
      s_.suppressed_restitution[slot] = static_cast<float>(eight_.suppressed_restitution[k]);
      sum_.rebounds += eight_.rebounds[k] != 0;
    }
    accumulate_place(sum_, eight_.gap[k], eight_.depth[k], eight_.turn_cosine[k]);
    if (s_.any_cohesion) {
      // A contact that pressed is closed; a gap there is the error of the last solve.
      const bool pressed =
          eight_.impulse[0][k] != 0 || eight_.impulse[1][k] != 0 || eight_.impulse[2][k] != 0;
      const bool touches = (pressed || eight_.gap[k] <= kPenetrationSlop * eight_.radius[k]) &&
                           eight_.rebounds[k] == 0;
      s_.problem.cohesion[slot / kBlock].impulse[lane] = touches ? settings_.h * cohesion_[k] : 0;
    }
    s_.problem.closing[slot / kBlock].set(lane, -eight_.q_n[k], eight_.rounding[k]);
  }

  void prefetch(std::uint32_t block) {
    const char* lines = reinterpret_cast<const char*>(&s_.problem.blocks[block]);
    for (std::size_t byte = 0; byte < sizeof(SphereContactBlock); byte += kCacheLine)
      __builtin_prefetch(lines + byte, 1);
    __builtin_prefetch(&s_.correction.blocks[block].admissible_approach, 1);
  }

  StepContext& c_;
  Scratch& s_;
  const Bodies& bodies_;
  const kernels::SphereKernels& kernels_;
  const TermSettings& settings_;
  Scratch::ContactSums& sum_;
  SphereContacts eight_;
  std::uint32_t slots_[kBlock];
  double cohesion_[kBlock];  ///< F_c [N]
  int count_ = 0;
};

/// Fills unused lanes: bodies at rest, no impulse.
void clear_last_block(ContactProblem& problem, PositionCorrection& correction,
                      std::uint32_t group) {
  const std::uint32_t first = problem.first_chunk[group], end = problem.first_chunk[group + 1];
  if (first == end) return;
  const std::uint32_t last = problem.chunks[end - 1].end - 1;
  correction.blocks[last] = {};
  SphereContactBlock& block = problem.blocks[last];
  block = {};
  std::ranges::fill(block.a, problem.at_rest());
  std::ranges::fill(block.b, problem.at_rest());
}

}  // namespace

SeparatingPlane plane_of_obstacle(const StepContext& c, BodyIndex i, std::uint32_t k) {
  const Shape& shape = c.model.obstacles[k].shape;
  const auto& [pose, twist] = c.state.obstacles[k];
  const Bodies& bodies = c.state.bodies;
  const Vec3 centre = c.scratch.domain.nearest(pose.position, bodies.position[i]);
  SeparatingPlane plane = plane_between(shape, pose, twist, centre, bodies.radius[i],
                                        c.scratch.problem.bodies[i].velocity, c.model.step.h);
  if (twist.angular != Vec3{})
    plane.velocity +=
        change_along(shape, pose, twist, centre, half_displacement(c, twist, i), plane.normal);
  plane.velocity += surface_velocity(c, k, plane.normal);
  return plane;
}

TermSettings term_settings(const Model& model) {
  const StepSettings& step = model.step;
  return {.h = step.h,
          .error_reduction = step.error_reduction,
          .corrects_velocities = step.overlap_correction == OverlapCorrection::velocities,
          .has_recovery_speed = step.recovery_speed.has_value(),
          .recovery_speed = step.recovery_speed.value_or(0),
          .restitution_threshold = step.restitution_threshold,
          .rebound = step.impacts == ImpactLaw::newton ? 1.0 : 0.0,
          .gravity = norm(model.gravity)};
}

void assemble(StepContext& c) {
  Scratch& s = c.scratch;
  const Neighbours& neighbours = c.state.neighbours;
  ContactProblem& problem = s.problem;
  const std::size_t pairs = rigid_pairs(c);
  const std::uint32_t row = s.plan.waves + 1;
  const TermSettings settings = term_settings(c.model);
  const bool warm = c.model.solver.warm_start;
  prepare_joints(c);
  resize_anew(s.correction.blocks, problem.blocks.size());
  for (std::uint32_t group = 0; group < s.plan.waves; ++group)
    clear_last_block(problem, s.correction, group);

  if (s.any_restitution) {
    s.suppressed_restitution.assign(s.gap.size(), 0.0F);
    s.full_suppressed_restitution.assign(s.full_points.size(), 0.0F);
  }
  if (s.any_cohesion) {
    problem.cohesion.assign(problem.blocks.size(), {});
    problem.contact_cohesion.assign(problem.contact_blocks.size(), {});
  }
  problem.body_ids = c.state.bodies.id;
  cut_into_blocks(c);
  problem.closing.assign(problem.blocks.size(), {});
  problem.contact_closing.assign(problem.contact_blocks.size(), {});
  s.contact_sums.resize(2 * kPairChunks);
  for (Scratch::ContactSums& sum : s.contact_sums) sum.clear();
  c.pool.for_each_chunk(kPairChunks, [&](std::size_t chunk) {
    const std::size_t begin = pairs * chunk / kPairChunks, end = pairs * (chunk + 1) / kPairChunks;
    if (begin == end) return;
    std::uint32_t* next = &s.chunk_count[chunk * row];
    SphereAssembler assembler(c, settings, s.contact_sums[chunk]);
    for (std::size_t p = begin; p < end; ++p) {
      if (s.slot[p] != Scratch::kUnplaced) continue;
      s.slot[p] = next[s.group_of(p)]++;
      assembler.add(neighbours.pairs[p], s.slot[p], warm ? neighbours.remembered(p) : Vec3{},
                    next[row - 1]);
    }
    assembler.finish();
  });
  assemble_full(c);
  if (s.any_cohesion) apply_cohesion(c);

  problem.contacts = 0;
  double deepest = 0, depth = 0, turn_cosine = 1;
  c.report.contacts_touching = 0;
  for (const auto& sum : s.contact_sums) {
    problem.contacts += sum.contacts;
    deepest = std::min(deepest, sum.deepest);
    c.report.contacts_touching += sum.touching;
    turn_cosine = std::min(turn_cosine, sum.turn_cosine);
    depth = std::max(depth, sum.depth);
    if (sum.painleve > c.report[kPainleve].value)
      c.report[kPainleve] = on_body(sum.painleve, c.state.bodies.id[sum.painleve_body]);
  }
  c.report[kMaxRotation].value = std::acos(std::max(-1.0, turn_cosine));
  assemble_joints(c);
  let_joints_act_first(c);
  add_up_closing(c);
  c.report.max_penetration = -deepest;
  c.report.max_relative_penetration = depth;
}

}  // namespace scree
