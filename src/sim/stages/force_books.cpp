/// Where the energy of compliant contacts goes.
#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/body_motion.hpp"
#include "sim/kernels/force_power.hpp"

namespace scree {
namespace {

/// The bodies and obstacles of a step as they move, before or after it.
class Motions {
 public:
  Motions(const StepContext& c, bool after) : c_(c), after_(after) {}

  Motion of(BodyIndex i) const {
    const Bodies& bodies = c_.state.bodies;
    if (after_) return {c_.scratch.problem.bodies[i].velocity, angular_velocity(c_, i)};
    return {bodies.velocity[i], bodies.angular_velocity[i]};
  }
  const Twist& of_obstacle(std::uint32_t k) const {
    return after_ ? c_.state.obstacles[k].twist : c_.scratch.forces.twist_before[k];
  }

 private:
  const StepContext& c_;
  bool after_;
};

Vec3 lane_of(const double (&v)[3][kBlock], int lane) {
  return {v[0][lane], v[1][lane], v[2][lane]};
}

/// Of the forces of one contact with such motions.
ForcePower power_of(const StepContext& c, const Neighbours::Pair& pair, std::uint32_t block_index,
                    int lane, const Motions& motions) {
  const ForceContacts& f = c.scratch.forces;
  const ForceBlock& block = f.blocks[block_index];
  const Vec3 normal = lane_of(block.normal, lane), shear = lane_of(block.shear, lane),
             dashpot = lane_of(block.dashpot, lane);
  const BodyIndex a = block.a[lane];
  const Motion of_a = motions.of(a);
  const bool obstacle = pair.other & Neighbours::kObstacle, at_point = block.is_at_point(lane);
  const Vec3 centre = c.state.bodies.position[a];
  const Vec3 point = at_point
                         ? f.points[block_index * kBlock + static_cast<std::uint32_t>(lane)]
                         : centre + (c.state.bodies.radius[a] - block.overlap[lane] / 2) * normal;
  Motion of_b;
  if (obstacle) {
    const std::uint32_t k = pair.other & ~Neighbours::kObstacle;
    const Twist& twist = motions.of_obstacle(k);
    of_b = {twist.linear + cross(twist.angular, c.model.domain.separation(
                                                    c.state.obstacles[k].pose.position, point)),
            twist.angular};
  } else {
    of_b = motions.of(block.b[lane]);
    if (at_point)
      of_b.velocity +=
          cross(of_b.angular_velocity,
                c.model.domain.separation(c.state.bodies.position[block.b[lane]], point));
  }
  Vec3 between = of_b.velocity - of_a.velocity;
  if (at_point) between -= cross(of_a.angular_velocity, point - centre);
  const Vec3 arms = block.arm_a[lane] * of_a.angular_velocity +
                    (obstacle ? Vec3{} : block.arm_b[lane] * of_b.angular_velocity);
  Vec3 rolling;
  if (f.moments) {
    const MomentBlock& moment = f.moment_blocks[block_index];
    rolling = lane_of(moment.spring, lane) + lane_of(moment.dashpot, lane);
  }
  const auto lanes = [](const Vec3& v) { return Vec3Lanes<1>{v.x, v.y, v.z}; };
  const force::Powers<1> powers = force::powers<1>(
      {lanes(normal), lanes(shear), lanes(dashpot), lanes(rolling), block.push[lane],
       block.damping[lane], block.lever[lane], block.slides[lane]},
      {lanes(between), lanes(arms), lanes(of_b.angular_velocity - of_a.angular_velocity)});
  ForcePower power{powers.push, powers.damping, powers.shear, powers.moment, powers.held};
  if (obstacle) {
    const Vec3 on_b =
        (block.push[lane] + block.damping[lane]) * normal + block.lever[lane] * (shear + dashpot);
    power.walls = -dot(on_b, of_b.velocity) - dot(rolling, of_b.angular_velocity);
  }
  return power;
}

/// Before and after the solve.
struct BothPowers {
  ForcePower before, after;
};

/// The pair with a place in the memory of contacts.
std::uint32_t pair_at(const Neighbours& list, std::uint32_t place) {
  if (list.first_place.empty()) return place;
  const auto next = std::ranges::upper_bound(list.first_place, place);
  return static_cast<std::uint32_t>(next - list.first_place.begin()) - 1;
}

/// The motions that bodies have now, to the records that powers are computed with.
void set_new_motions(StepContext& c) {
  auto& records = c.scratch.forces.bodies;
  const double h = c.model.step.h;
  c.pool.for_each_range(c.state.bodies.size(), kBodiesPerChunk,
                        [&](std::size_t begin, std::size_t end) {
                          for (std::size_t i = begin; i < end; ++i) {
                            records[i].velocity = c.scratch.problem.bodies[i].velocity;
                            records[i].turn = h * angular_velocity(c, i);
                          }
                        });
}

BothPowers powers(StepContext& c) {
  constexpr std::size_t kBlocksPerTask = 512;
  const ForceContacts& f = c.scratch.forces;
  const Neighbours& list = c.state.neighbours;
  const Motions before(c, false), after(c, true);
  const auto add_power = kernels::force_kernels_of(c.pool.instruction_set()).add_power;
  set_new_motions(c);
  std::vector<BothPowers> sums((f.blocks.size() + kBlocksPerTask - 1) / kBlocksPerTask);
  c.pool.for_each_range(f.blocks.size(), kBlocksPerTask, [&](std::size_t begin, std::size_t end) {
    BothPowers& sum = sums[begin / kBlocksPerTask];
    PowerLanes plain;
    for (std::size_t b = begin; b < end; ++b) {
      const ForceBlock& block = f.blocks[b];
      if (block.is_plain) {
        add_power(block, f.moments ? &f.moment_blocks[b] : nullptr, f.bodies.data(), c.model.step.h,
                  plain);
        continue;
      }
      for (int lane = 0; lane < kBlock; ++lane) {
        if (block.place[lane] == ForceBlock::kNoPlace) continue;
        const auto& pair = list.pairs[pair_at(list, block.place[lane])];
        const auto index = static_cast<std::uint32_t>(b);
        sum.before += power_of(c, pair, index, lane, before);
        sum.after += power_of(c, pair, index, lane, after);
      }
    }
    sum.after += plain.sum();
  });
  BothPowers total;
  for (const BothPowers& sum : sums) {
    total.before += sum.before;
    total.after += sum.after;
  }
  for (const ForceContacts::Chunk& chunk : f.chunks) total.before += chunk.sums.before.sum();
  return total;
}

/// Which chunk has the contact that is deepest for its bodies.
const ForceSums& deepest(const ForceContacts& f) {
  const auto share = [](const ForceContacts::Chunk& chunk) { return chunk.sums.share; };
  return std::ranges::max_element(f.chunks, {}, share)->sums;
}

std::pair<BodyId, BodyId> ids_of(const StepContext& c, std::uint32_t pair) {
  const auto [owner, other] = c.state.neighbours.pairs[pair];
  const BodyId id = c.state.bodies.id[owner],
               beside = other & Neighbours::kObstacle ? obstacle_id(other & ~Neighbours::kObstacle)
                                                      : c.state.bodies.id[other];
  return std::minmax(id, beside);
}

/// What compliant contacts add to the counts of the report.
void count_contacts(StepContext& c) {
  const ForceContacts& f = c.scratch.forces;
  Report& report = c.report;
  report.contacts_touching += report.force_contacts;
  for (const ForceContacts::Chunk& chunk : f.chunks) {
    report.contacts_loaded += static_cast<std::uint32_t>(sum_of_lanes(chunk.sums.loaded));
    report.contacts_sliding += static_cast<std::uint32_t>(sum_of_lanes(chunk.sums.sliding));
    report.max_penetration = std::max(report.max_penetration, chunk.sums.depth);
  }
  const ForceSums& most = deepest(f);
  report.max_relative_penetration = std::max(report.max_relative_penetration, most.share);
  if (!(most.share > kTooSoft)) return;
  const std::uint32_t pair = pair_at(c.state.neighbours, most.deepest);
  const auto [a, b] = ids_of(c, pair);
  const auto [owner, other] = c.state.neighbours.pairs[pair];
  const double inner = other & Neighbours::kObstacle
                           ? inner_radius(c, owner)
                           : std::min(inner_radius(c, owner), inner_radius(c, other));
  report.soft_overlap = {a, b, most.share * inner, most.share};
}

BodyId fastest_body(const StepContext& c) {
  const Bodies& bodies = c.state.bodies;
  std::size_t fastest = 0;
  double most = -1;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (c.state.neighbours.has_left(i)) continue;
    const double energy = kinetic_energy(c.model, bodies, i);
    if (energy > most) {
      most = energy;
      fastest = i;
    }
  }
  return bodies.size() == 0 ? BodyId{} : bodies.id[fastest];
}

}  // namespace

void book_forces(StepContext& c) {
  SpringEnergies held;
  for (const ForceContacts::Chunk& chunk : c.scratch.forces.chunks) held += chunk.sums.held();
  const BothPowers sum = powers(c);
  const ForcePower &before = sum.before, &after = sum.after;
  count_contacts(c);
  const double whole = kick(c) * c.model.step.h, half = c.model.step.h / 2;
  const auto mean = [&](double ForcePower::*of) { return whole * (before.*of + after.*of) / 2; };
  ForceLedger& ledger = c.state.force_ledger;
  if (c.state.step == 0) ledger.at_start = held.normal;
  ledger.push += mean(&ForcePower::push);
  ledger.damping += mean(&ForcePower::damping);
  ledger.shear += mean(&ForcePower::shear);
  ledger.moment += mean(&ForcePower::moment);
  c.state.ledger.wall_work += mean(&ForcePower::walls);

  // Springs are half a step further than when they were looked at: as far as the works. Those at
  // the bound of friction hold what they held, and moments are taken as they were.
  const auto rest = [&](double ForcePower::*of) {
    return c.state.step == 0 ? mean(of) : half * (after.*of);
  };
  ForceEnergy& energy = c.report.force_energy;
  energy.elastic_normal = held.normal - rest(&ForcePower::push);
  energy.elastic_shear = held.shear - rest(&ForcePower::held);
  energy.elastic_moment = held.moment;
  energy.at_start = ledger.at_start;
  energy.damped = -ledger.damping - ledger.push - (energy.elastic_normal - ledger.at_start);
  energy.slid = -ledger.shear - energy.elastic_shear;
  energy.rolled = -ledger.moment - energy.elastic_moment;
  const double there = std::abs(held.normal) + held.shear + held.moment;
  ledger.most_held = std::max(ledger.most_held, there);
}

void look_for_energy_growth(StepContext& c) {
  // Of what springs have held and bodies have now, a part that no stable step makes.
  constexpr double kGrown = 0.05;
  const ForceEnergy& energy = c.report.force_energy;
  // A shear spring that owes energy swings over in every step.
  const double made = std::max(-energy.dissipated(), -energy.elastic_shear);
  const double there = std::max(c.report.kinetic_energy, c.state.force_ledger.most_held);
  if (made > kGrown * there && made > 0)
    c.report.energy_growth = EnergyGrowth{fastest_body(c), made};
}

}  // namespace scree
