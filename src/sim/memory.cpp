// Memory of a simulation between steps, array by array.
#include <algorithm>
#include <numeric>

#include "scree/sim/simulation.hpp"
#include "sim/simulation_internals.hpp"

namespace scree {
namespace {

template <class Vector>
std::size_t bytes_of(const Vector& v) {
  return v.capacity() * sizeof(v[0]);
}
template <class... Vectors>
std::size_t bytes_of_all(const Vectors&... all) {
  return (bytes_of(all) + ...);
}

std::size_t bytes_of_bodies(const State& state) {
  std::size_t bytes = bytes_of_all(state.applied, state.neighbours.skin);
  const auto add = [&](const auto& v) { bytes += bytes_of(v); };
  state.bodies.for_each_field(add);
  const Sleep& sleep = state.sleep;
  bytes += bytes_of_all(sleep.position, sleep.orientation, sleep.calm_steps, sleep.island);
  return bytes;
}

std::size_t bytes_of_points(const std::vector<Scratch::FullChunk>& found) {
  return std::accumulate(found.begin(), found.end(), std::size_t{0},
                         [](std::size_t sum, const Scratch::FullChunk& chunk) {
                           return sum + bytes_of(chunk.pairs) + chunk.points.bytes();
                         });
}

std::size_t bytes_of_phases(const ImpactPhases& phases) {
  return bytes_of_all(phases.contacts, phases.joints, phases.joint_works, phases.bodies,
                      phases.rolling, phases.given_rolling, phases.island, phases.share,
                      phases.order, phases.buffer, phases.sums, phases.measure.closing,
                      phases.measure.contact_closing, phases.measure.missed);
}

std::size_t bytes_of_events(const ImpactEvents& events) {
  std::size_t bytes =
      events.sets.bytes() + bytes_of_all(events.contacts, events.flights, events.flight_of,
                                         events.islands, events.count, events.chosen, events.found);
  for (const auto& found : events.found) bytes += bytes_of(found);
  return bytes;
}

std::size_t bytes_of_springs(const Neighbours& list, const ForceContacts& forces) {
  return bytes_of_all(list.force_memory, list.force_moment, list.force_radius, list.force_held,
                      forces.bodies, forces.blocks, forces.moment_blocks, forces.points,
                      forces.rows, forces.torque_rows, forces.first_row, forces.increment,
                      forces.local, forces.has_rows, forces.memory_before, forces.moment_before,
                      forces.feature_before, forces.held_before);
}

/// Bytes of joints, without their elimination.
std::size_t bytes_of_joints(const State& state, const ContactProblem& problem,
                            const JointScratch& j) {
  return bytes_of_all(state.joints, state.joint_targets, problem.joints, j.ends, j.frames,
                      j.functions, j.bodies, j.poses, j.paths, j.blocks, j.rows, j.motors, j.limits,
                      j.curvature, j.first_curvature, j.missed, j.looks, j.found, j.pseudo_velocity,
                      j.pseudo_velocity_before, j.mobilities, j.mobility_of, j.pair_mobilities,
                      j.held.bodies, j.held.joints, j.stiffness, j.inertia_scaling, j.forces,
                      j.responses, j.impulses, j.compliances);
}

}  // namespace

std::vector<MemoryShare> Simulation::memory() const {
  const State& state = internals_->state;
  const Neighbours& n = state.neighbours;
  const Scratch& s = internals_->scratch;
  const ContactProblem& p = s.problem;
  return {
      {"bodies", bytes_of_bodies(state)},
      {"records of bodies",
       bytes_of_all(p.bodies, p.own_increment, s.margin, s.outrun, s.fields.wrench)},
      {"pairs", bytes_of_all(n.pairs, n.first, n.first_place, s.schedule, s.slot, s.chunk_count)},
      {"separating axes", bytes_of(s.cached_separating_axis)},
      {"known facets", bytes_of_all(s.known_facets, s.knows)},
      {"memories of pairs", bytes_of_all(n.impulse, n.angular_impulse, n.feature)},
      {"springs", bytes_of_springs(n, s.forces)},
      {"points", bytes_of_points(s.full_found)},
      {"order of pairs", bytes_of_all(s.order, s.order_buffer, s.stacks)},
      {"sphere blocks", bytes_of_all(p.blocks, p.chunks, p.cohesion, p.closing)},
      {"contact blocks", bytes_of_all(p.contact_blocks, p.contact_chunks, p.contact_cohesion,
                                      p.contact_closing, p.contact_keys)},
      {"rolling rows", bytes_of_all(p.rolling, p.rolling_chunks)},
      {"slots of contacts",
       bytes_of_all(s.gap, s.suppressed_restitution, s.full_points, s.full_suppressed_restitution)},
      {"solver", s.solver.bytes() + s.islands.islands.bytes() + s.islands.part.bytes() +
                     s.islands.direct.bytes() +
                     bytes_of_all(s.islands.chosen, s.islands.fine_residual, s.islands.motions,
                                  s.islands.bodies, s.islands.gave_up, s.islands.directly_solved)},
      {"pushes", s.correction.bytes() + bytes_of(s.workspace)},
      {"joints", bytes_of_joints(state, p, s.joints)},
      {"phases of impacts", bytes_of_phases(s.phases)},
      {"impacts in their order", bytes_of_events(s.events)},
      {"sums", bytes_of_all(s.contact_sums, s.closing_sums, s.body_sums, s.obstacle_contacts.pairs,
                            s.obstacle_contacts.task)},
      {"sleeping contacts", bytes_of(state.sleep.contacts)},
  };
}

std::size_t Simulation::memory_bytes() const {
  const std::vector<MemoryShare> shares = memory();
  return std::accumulate(
      shares.begin(), shares.end(), std::size_t{0},
      [](std::size_t sum, const MemoryShare& share) { return sum + share.bytes; });
}

}  // namespace scree
