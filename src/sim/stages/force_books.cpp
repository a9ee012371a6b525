/// Where the energy of compliant contacts goes.
#include <algorithm>
#include <utility>

#include "sim/body_motion.hpp"

namespace scree {
namespace {

/// Of forces on bodies [W].
struct Power {
  double push = 0, damping = 0, shear = 0, moment = 0;
  double walls = 0;  ///< that obstacles give to the bodies

  Power& operator+=(const Power& other) {
    push += other.push;
    damping += other.damping;
    shear += other.shear;
    moment += other.moment;
    walls += other.walls;
    return *this;
  }
};

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
Power power_of(const StepContext& c, const Neighbours::Pair& pair, std::uint32_t block_index,
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
  const Vec3 slip = block.lever[lane] * between - (at_point ? Vec3{} : cross(arms, normal));

  Power power;
  const double closing = dot(normal, between);
  power.push = block.push[lane] * closing;
  power.damping = block.damping[lane] * closing + dot(dashpot, slip);
  power.shear = dot(shear, slip);
  Vec3 rolling;
  if (f.moments) {
    const MomentBlock& moment = f.moment_blocks[block_index];
    rolling = lane_of(moment.spring, lane) + lane_of(moment.dashpot, lane);
    power.moment = dot(rolling, of_b.angular_velocity - of_a.angular_velocity);
  }
  if (obstacle) {
    const Vec3 on_b =
        (block.push[lane] + block.damping[lane]) * normal + block.lever[lane] * (shear + dashpot);
    power.walls = -dot(on_b, of_b.velocity) - dot(rolling, of_b.angular_velocity);
  }
  return power;
}

struct BothPowers {
  Power before, after;
  std::uint32_t loaded = 0, sliding = 0, deepest_pair = 0;
  double depth = 0, share = 0;  ///< of the pair that is deepest for its bodies [m], [-]

  BothPowers& operator+=(const BothPowers& other) {
    before += other.before;
    after += other.after;
    loaded += other.loaded;
    sliding += other.sliding;
    depth = std::max(depth, other.depth);
    if (other.share > share) {
      share = other.share;
      deepest_pair = other.deepest_pair;
    }
    return *this;
  }
};

/// Counts a contact, and looks how deep it is.
void look_at(const StepContext& c, std::uint32_t pair, const ForceBlock& block, int lane,
             BothPowers& sum) {
  const bool pressed = block.push[lane] + block.damping[lane] > 0;
  sum.loaded += pressed;
  sum.sliding += pressed && block.slides[lane] > 0;
  const auto& [owner, other] = c.state.neighbours.pairs[pair];
  const double inner = other & Neighbours::kObstacle
                           ? inner_radius(c, owner)
                           : std::min(inner_radius(c, owner), inner_radius(c, other));
  sum.depth = std::max(sum.depth, block.overlap[lane]);
  if (!(block.overlap[lane] > sum.share * inner)) return;
  sum.share = block.overlap[lane] / inner;
  sum.deepest_pair = pair;
}

BothPowers powers(const StepContext& c) {
  const ForceContacts& f = c.scratch.forces;
  const Neighbours& list = c.state.neighbours;
  const Motions before(c, false), after(c, true);
  std::vector<BothPowers> of_chunk(kPairChunks);
  c.pool.for_each_chunk(kPairChunks, [&](std::size_t k) {
    for (const ForceContacts::Found& found : f.chunks[k].pairs)
      for_each_force_point(f, list, found.pair, c.scratch.slot[found.pair],
                           [&](std::uint32_t block, int lane) {
                             const auto& pair = list.pairs[found.pair];
                             of_chunk[k].before += power_of(c, pair, block, lane, before);
                             of_chunk[k].after += power_of(c, pair, block, lane, after);
                             look_at(c, found.pair, f.blocks[block], lane, of_chunk[k]);
                           });
  });
  BothPowers sum;
  for (const BothPowers& chunk : of_chunk) sum += chunk;
  return sum;
}

std::pair<BodyId, BodyId> ids_of(const StepContext& c, std::uint32_t pair) {
  const auto [owner, other] = c.state.neighbours.pairs[pair];
  const BodyId id = c.state.bodies.id[owner],
               beside = other & Neighbours::kObstacle ? obstacle_id(other & ~Neighbours::kObstacle)
                                                      : c.state.bodies.id[other];
  return std::minmax(id, beside);
}

/// What compliant contacts add to the counts of the report.
void count_contacts(StepContext& c, const BothPowers& sum) {
  Report& report = c.report;
  report.contacts_touching += report.force_contacts;
  report.contacts_loaded += sum.loaded;
  report.contacts_sliding += sum.sliding;
  report.max_penetration = std::max(report.max_penetration, sum.depth);
  report.max_relative_penetration = std::max(report.max_relative_penetration, sum.share);
  if (!(sum.share > kTooSoft)) return;
  const auto [a, b] = ids_of(c, sum.deepest_pair);
  report.soft_overlap = {a, b, sum.depth, sum.share};
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
  const SpringEnergies& held = c.scratch.forces.held;
  const BothPowers sum = powers(c);
  const Power &before = sum.before, &after = sum.after;
  count_contacts(c, sum);
  const double whole = kick(c) * c.model.step.h, half = c.model.step.h / 2;
  const auto mean = [&](double Power::*of) { return whole * (before.*of + after.*of) / 2; };
  ForceLedger& ledger = c.state.force_ledger;
  if (c.state.step == 0) ledger.at_start = held.normal;
  ledger.push += mean(&Power::push);
  ledger.damping += mean(&Power::damping);
  ledger.shear += mean(&Power::shear);
  ledger.moment += mean(&Power::moment);
  c.state.ledger.wall_work += mean(&Power::walls);

  // Springs are half a step further than when they were looked at: as far as the works.
  const auto rest = [&](double Power::*of) {
    return c.state.step == 0 ? mean(of) : half * (after.*of);
  };
  ForceEnergy& energy = c.report.force_energy;
  energy.elastic_normal = held.normal - rest(&Power::push);
  energy.elastic_shear = held.shear - rest(&Power::shear);
  energy.elastic_moment = held.moment - rest(&Power::moment);
  energy.damped = -ledger.damping - ledger.push - (energy.elastic_normal - ledger.at_start);
  energy.slid = -ledger.shear - energy.elastic_shear;
  energy.rolled = -ledger.moment - energy.elastic_moment;
  c.state.force_ledger.most_held = std::max(ledger.most_held, energy.elastic());
}

void look_for_energy_growth(StepContext& c) {
  // Of what springs have held and bodies have now, a part that no stable step makes.
  constexpr double kGrown = 0.05;
  const double made = -c.report.force_energy.dissipated();
  const double there = std::max(c.report.kinetic_energy, c.state.force_ledger.most_held);
  if (made > kGrown * there && made > 0)
    c.report.energy_growth = EnergyGrowth{fastest_body(c), made};
}

}  // namespace scree
