/// Bodies and obstacles that spin too fast for the memories of compliant contacts.
#include <algorithm>
#include <numbers>

#include "sim/motion/motion.hpp"

namespace scree {
namespace {

const Finding kExcessiveRotation("excessive_rotation");

/// Reports the largest rotation; of equal ones that of the lowest id.
void report_rotation(Report& report, BodyId body, double rotation) {
  const Measured& reported = report[kExcessiveRotation];
  if (rotation > reported.value || (rotation == reported.value && body < reported.body()))
    report[kExcessiveRotation] = on_body(rotation, body);
}

bool has_force_contact(const StepContext& c, std::uint32_t obstacle) {
  const auto& pairs = c.state.neighbours.pairs;
  for (std::size_t p = 0; p < pairs.size(); ++p)
    if (pairs[p].other == (Neighbours::kObstacle | obstacle) &&
        Scratch::is_force(c.scratch.slot[p]))
      return true;
  return false;
}

void look_at_obstacles(StepContext& c) {
  const std::vector<Twist>& twists = c.scratch.forces.twist_before;
  for (std::uint32_t k = 0; k < twists.size(); ++k) {
    const double rotation = c.model.step.h * norm(twists[k].angular);
    if (rotation > std::numbers::pi && has_force_contact(c, k))
      report_rotation(c.report, obstacle_id(k), rotation);
  }
}

}  // namespace

void look_for_excessive_rotations(StepContext& c) {
  if (c.report.force_contacts == 0) return;
  look_at_obstacles(c);
  const Bodies& bodies = c.state.bodies;
  const double h = c.model.step.h, most = std::numbers::pi / h;
  const std::size_t n = bodies.size();
  constexpr std::size_t kNoBody = static_cast<std::size_t>(-1);
  const auto is_ahead = [&](std::size_t i, std::size_t of) {
    if (of == kNoBody) return true;
    const double spin = squared_norm(bodies.angular_velocity[i]),
                 other = squared_norm(bodies.angular_velocity[of]);
    return spin > other || (spin == other && bodies.id[i] < bodies.id[of]);
  };
  std::vector<std::size_t>& fastest = c.scratch.forces.fastest;
  fastest.assign((n + kBodiesPerChunk - 1) / kBodiesPerChunk, kNoBody);
  c.pool.for_each_range(n, kBodiesPerChunk, [&](std::size_t begin, std::size_t end) {
    std::size_t& first = fastest[begin / kBodiesPerChunk];
    for (std::size_t i = begin; i < end; ++i) {
      if (!(squared_norm(bodies.angular_velocity[i]) > most * most)) continue;
      const ForceRow& row = c.scratch.forces.rows[i];
      const TorqueRow torques = c.scratch.forces.torque_row_of(i);
      const bool touches = row.force() != Vec3{} || row.torque() != Vec3{} ||
                           torques.elastic != Vec3{} || torques.moment != Vec3{};
      if (touches && !c.state.neighbours.has_left(i) && is_ahead(i, first)) first = i;
    }
  });
  for (const std::size_t i : fastest) {
    if (i != kNoBody) report_rotation(c.report, bodies.id[i], h * norm(bodies.angular_velocity[i]));
  }
}

}  // namespace scree
