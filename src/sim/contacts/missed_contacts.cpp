// Missed contacts: pairs that the new velocities close although the problem left them out.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/cell/cell.hpp"
#include "sim/compliant/forces.hpp"
#include "sim/contacts/narrow_phase.hpp"
#include "sim/contacts/solve.hpp"
#include "sim/contacts/store.hpp"
#include "sim/joints/joints.hpp"
#include "sim/motion/body_motion.hpp"
#include "sim/motion/motion.hpp"
#include "sim/neighbours/neighbours.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

const Finding kNotSearched("contacts_left_out"), kContactsBeyondMargin("contacts_beyond_margin"),
    kBodiesBeyondMargin("bodies_beyond_margin");

/// Length of the path of a body in the step [m].
double path_of(const StepContext& c, std::size_t i) {
  const ImpactEvents::Flight* flight = c.scratch.events.flight(i);
  return flight ? flight->path : travel(c, i);
}

/// Gives bodies that move beyond their margin one of that size. Counts them and those that the list
/// does not cover.
Scratch::MarginCounts widen_margins(StepContext& c) {
  Scratch& s = c.scratch;
  const std::size_t n = c.state.bodies.size();
  s.outrun.assign(n, 0);
  s.margin_counts.assign((n + kBodiesPerChunk - 1) / kBodiesPerChunk, {});
  c.pool.for_each_range(n, kBodiesPerChunk, [&](std::size_t begin, std::size_t end) {
    Scratch::MarginCounts& count = s.margin_counts[begin / kBodiesPerChunk];
    for (std::size_t i = begin; i < end; ++i) {
      if (c.state.sleep.sleeps(i)) continue;  // its supports are in no problem
      const float distance = static_cast<float>(path_of(c, i));
      if (!(distance > s.margin[i]) || !std::isfinite(distance)) continue;
      s.margin[i] = std::nextafter(distance, std::numeric_limits<float>::max());
      s.outrun[i] = 1;
      ++count.outrun;
      count.stale += !(double{s.margin[i]} <= c.state.neighbours.skin[i]);
    }
  });
  Scratch::MarginCounts total;
  for (const auto& count : s.margin_counts) {
    total.outrun += count.outrun;
    total.stale += count.stale;
  }
  return total;
}

/// Velocity of a body where it touches another, with the velocities of the records [m/s].
Vec3 velocity_of_surface(const StepContext& c, BodyIndex i, const PairPoint& point) {
  const Vec3& velocity = c.scratch.problem.bodies[i].velocity;
  if (c.scratch.kinds[c.state.bodies.prototype[i]].sphere)
    return velocity;  // its spin moves no surface along the normal
  return velocity + cross(angular_velocity(c, i),
                          c.scratch.domain.separation(c.state.bodies.position[i], point.point));
}

bool has_events(const StepContext& c, const Neighbours::Pair& pair) {
  const ImpactEvents& events = c.scratch.events;
  return events.flight(pair.owner) ||
         (!(pair.other & Neighbours::kObstacle) && events.flight(pair.other));
}

/// True if a pair that is no contact comes to touch within the step with the present velocities.
bool meets(const StepContext& c, const Neighbours::Pair& pair) {
  // Their paths have corners.
  if (has_events(c, pair)) return is_within_margin(c, pair);
  const Bodies& bodies = c.state.bodies;
  const bool obstacle = pair.other & Neighbours::kObstacle;
  const double size = bodies.radius[pair.owner] + (obstacle ? 0 : bodies.radius[pair.other]);
  const PairPoints points = points_of(c, pair);
  for (const PairPoint& point : points) {
    const auto velocity = [&](BodyIndex i) { return velocity_of_surface(c, i, point); };
    const auto [a, b] = in_order(c, pair);
    const Vec3 of_b = obstacle ? point.wall : velocity(b) + flow_between(c, a, b);
    const double u_n = dot(of_b - velocity(a), point.normal);
    if (point.remaining_gap + c.model.step.h * u_n < -kNegligibleMissedOverlap * size) return true;
  }
  return false;
}

std::size_t count_missed_pairs(const StepContext& c) {
  const auto& pairs = c.state.neighbours.pairs;
  const auto has_outrun = [&](const Neighbours::Pair& pair) {
    return c.scratch.outrun[pair.owner] ||
           (!(pair.other & Neighbours::kObstacle) && c.scratch.outrun[pair.other]);
  };
  std::array<std::size_t, kPairChunks> count{};
  c.pool.for_each_chunk(kPairChunks, [&](std::size_t chunk) {
    for (std::size_t p = pairs.size() * chunk / kPairChunks;
         p < pairs.size() * (chunk + 1) / kPairChunks; ++p)
      count[chunk] += c.scratch.slot[p] == Scratch::kNoContact && has_outrun(pairs[p]) &&
                      compliant_law(c, pairs[p]) == ForceContacts::kRigid && meets(c, pairs[p]);
  });
  return std::reduce(count.begin(), count.end());
}

/// True if missed pairs come to touch, or bodies move beyond the list.
bool finds_missed_pairs(StepContext& c) {
  if (!c.scratch.forces.any_rigid) return false;
  const Scratch::MarginCounts widened = widen_margins(c);
  if (widened.outrun == 0) return false;
  const std::size_t left_out = count_missed_pairs(c);
  // A user's margin defines the possible contacts.
  if (c.model.step.margin) {
    c.report[kContactsBeyondMargin].value = static_cast<double>(left_out);
    c.report[kBodiesBeyondMargin].value = static_cast<double>(widened.outrun);
    return false;
  }
  c.scratch.stale = widened.stale;
  if (left_out == 0 && widened.stale == 0) return false;
  if (c.scratch.rounds >= kMaxStepRepetitions)
    c.report[kNotSearched].value = static_cast<double>(std::max<std::size_t>(left_out, 1));
  return true;
}

}  // namespace

bool resolve_missed_contacts(StepContext& c) {
  // Limits that are passed all the same are corrected by correct_joints(), or in the next step.
  const bool pairs = finds_missed_pairs(c),
             limits = c.scratch.solved.converged && resolve_missed_limits(c);
  if ((!pairs && !limits) || ++c.scratch.rounds > kMaxStepRepetitions) return false;
  if (c.scratch.forces.any_rigid) keep_impulses(c);
  undo_forces(c);
  // moving obstacles get new records
  c.scratch.problem.bodies.resize(c.scratch.problem.free_bodies + 1);
  set_free_velocities(c);
  return true;
}

}  // namespace scree
