#include <algorithm>
#include <cmath>

#include "scree/integrators/integrators.hpp"
#include "sim/step.hpp"

namespace scree {
namespace {

/// Kinetic and potential energy, and how many bodies are not finite, summed in the order of chunks.
void sum_energies(StepContext& c) {
  c.report.kinetic_energy = c.report.potential_energy = 0;
  for (const auto& sum : c.scratch.partial) {
    c.report.kinetic_energy += sum.a;
    c.report.potential_energy += sum.b;
    c.report.bodies_not_finite += sum.count;
  }
  c.report.bodies = c.state.bodies.size();
  c.report.dissipated_energy = c.state.ledger.dissipated;
  c.report.wall_work = c.state.ledger.wall_work;
}

void add_energies(const StepContext& c, std::size_t i, Scratch::Partial& sum) {
  const Bodies& bodies = c.state.bodies;
  sum.a += kinetic_energy(c.model, bodies, i, bodies.velocity[i], bodies.angular_velocity[i]);
  sum.b -= bodies.mass[i] * dot(c.model.gravity, bodies.position[i]);
  sum.count +=
      !is_finite(bodies.position[i]) || !is_finite(bodies.velocity[i]) || !is_finite(bodies.angular_velocity[i]);
}

/// Work that moving obstacles did on bodies in this step [J].
double wall_work(const ContactProblem& problem) {
  double work = 0;
  const std::uint32_t moving = problem.at_rest() + 1;
  if (problem.bodies.size() == moving) return work;
  for (const DiagonalBlock& block : problem.blocks)
    for (int k = 0; k < kBlock; ++k)
      if (block.b[k] >= moving)
        work -= dot({block.percussion[0][k], block.percussion[1][k], block.percussion[2][k]},
                    problem.bodies[block.b[k]].velocity);
  for (const GeneralContact& g : problem.general)
    if (g.b >= moving) work -= dot(g.to_inertial(g.percussion), problem.bodies[g.b].velocity);
  return work;
}

/// What kinetic energy grew by beyond the work that is accounted for; 0 if that is rounding [J].
double energy_created(double before, double after, double wall_work, double bias_work) {
  const double created = after - before - wall_work - bias_work;
  const double rounding = kEnergyRounding * (before + after + std::abs(wall_work) + std::abs(bias_work));
  return created > rounding ? created : 0;
}

}  // namespace

void certify(StepContext& c) {
  const SolveResult& solved = c.scratch.solved;
  c.report.residual = solved.certificate.residual;
  c.report.worst_residual = solved.certificate.worst_residual;
  c.report.sweeps = solved.sweeps;
  c.report.converged = solved.converged;
  c.report.contacts_loaded = solved.certificate.loaded;
  c.report.contacts_sliding = solved.certificate.sliding;
  c.report.local_failures = solved.certificate.local_failures;
  c.report.contacts = c.scratch.problem.contacts;
  c.report.contacts_over_tolerance = solved.certificate.over_tolerance;
  c.report.bias_work = solved.certificate.bias_work;
}

void advance(StepContext& c) {
  const double h = c.model.step.h;
  Bodies& bodies = c.state.bodies;
  Scratch& s = c.scratch;
  const std::size_t n = bodies.size();
  s.partial.assign((n + kBodiesPerChunk - 1) / kBodiesPerChunk, {});
  std::vector<double>& kinetic = s.kinetic;
  kinetic.assign(s.partial.size(), 0);

  c.pool.for_each_range(n, kBodiesPerChunk, [&](std::size_t begin, std::size_t end) {
    const std::size_t chunk = begin / kBodiesPerChunk;
    for (std::size_t i = begin; i < end; ++i) {
      const BodyRecord& record = s.problem.bodies[i];
      bodies.velocity[i] = record.velocity;
      bodies.angular_velocity[i] = record.spin / bodies.radius[i];
      // Before bodies move: what contacts took is the difference to the free velocities.
      kinetic[chunk] += kinetic_energy(c.model, bodies, i, record.velocity, bodies.angular_velocity[i]);
      bodies.position[i] += h * record.velocity;
      const Prototype& prototype = c.model.prototypes[bodies.prototype[i]];
      if (prototype.isotropic())
        bodies.orientation[i] = advance_orientation(bodies.orientation[i], bodies.angular_velocity[i], h);
      else
        rotate_freely(bodies.orientation[i], bodies.angular_velocity[i], prototype.inertia, h);
      c.state.neighbours.slack[i] -= h * norm(record.velocity);
      add_energies(c, i, s.partial[chunk]);
    }
  });

  double after = 0;
  for (const double k : kinetic) after += k;
  const double work = wall_work(s.problem);
  c.state.ledger.wall_work += work;
  c.state.ledger.dissipated += work - (after - s.free_kinetic_energy);
  c.report.energy_created = energy_created(s.free_kinetic_energy, after, work, c.report.bias_work);
  for (std::size_t k = 0; k < c.state.obstacles.size(); ++k) {
    ObstacleState& obstacle = c.state.obstacles[k];
    obstacle.pose = advance_pose(obstacle.pose, obstacle.twist, h);
    c.state.neighbours.obstacle_slack[k] -=
        h *
        (norm(obstacle.twist.linear) + (norm(obstacle.twist.angular) > 0
                                            ? norm(obstacle.twist.angular) * bounding_radius(c.model.obstacles[k].shape)
                                            : 0));
  }
  sum_energies(c);
}

void store(StepContext& c) {
  Scratch& s = c.scratch;
  Neighbours& neighbours = c.state.neighbours;
  c.pool.for_each_range(s.slot.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      const std::uint32_t slot = s.slot[p];
      Vec3& r = neighbours.percussion[p];
      if (slot == Scratch::kNoContact) {
        r = {};
      } else if (slot & Scratch::kGeneral) {
        const GeneralContact& g = s.problem.general[slot & ~Scratch::kGeneral];
        r = g.to_inertial(g.percussion);
      } else {
        const DiagonalBlock& block = s.problem.blocks[slot / kBlock];
        const std::uint32_t lane = slot % kBlock;
        r = {block.percussion[0][lane], block.percussion[1][lane], block.percussion[2][lane]};
      }
    }
  });
  ++c.state.step;
  // Not a sum of steps, which would drift.
  c.state.time = static_cast<double>(c.state.step) * c.model.step.h;
  c.report.step = c.state.step;
  c.report.time = c.state.time;
}

void measure(StepContext& c) {
  c.report = Report{.time = c.state.time, .step = c.state.step};
  const std::size_t n = c.state.bodies.size();
  c.scratch.partial.assign((n + kBodiesPerChunk - 1) / kBodiesPerChunk, {});
  for (std::size_t i = 0; i < n; ++i) add_energies(c, i, c.scratch.partial[i / kBodiesPerChunk]);
  sum_energies(c);
}

}  // namespace scree
