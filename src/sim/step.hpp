/// One time step, and its stages. [Preclik18, §3.1] with contacts taken up at a margin.
#pragma once

#include "scree/core/threads.hpp"
#include "scree/sim/model.hpp"
#include "scree/sim/report.hpp"
#include "scree/sim/state.hpp"
#include "sim/scratch.hpp"

namespace scree {

/// What every stage works on.
struct StepContext {
  const Model& model;
  State& state;
  Scratch& scratch;
  Report& report;
  ThreadPool& pool;
};

void step(StepContext& context);

/// Inflows lay their layers; obstacles get their twists; free velocities v + h g; margins.
void predict(StepContext& context);
/// Makes the neighbour list and its groups anew where it no longer covers what a step can bring together.
void broad_phase(StepContext& context);
/// Which pairs are contacts now, and where each goes in the problem.
void narrow_phase(StepContext& context);
/// Fills the problem: frames, gap terms, restitution, percussions of the step before.
void assemble(StepContext& context);
/// Velocities with those percussions.
void warm_start(StepContext& context);
/// The problem to its tolerance.
void solve(StepContext& context);
/// What the report says of the contacts, and the energy they took.
void certify(StepContext& context);
/// Positions with the new velocities; energies.
void advance(StepContext& context);
/// Percussions back to the pairs, for the next warm start; time moves on.
void store(StepContext& context);

/// Energies and counts of the state as it stands, for the report before the first step.
void measure(StepContext& context);

// Parts of the stages with a file of their own.
void lay_inflow_layers(StepContext& context);
/// Deletes what has left; `origin` loses the same entries as the bodies.
void remove_outflow(StepContext& context, AlignedVector<std::uint32_t>& origin);
/// Kinetic energy of a body from its record [J].
double kinetic_energy(const Model& model, const Bodies& bodies, std::size_t i, const Vec3& velocity,
                      const Vec3& angular_velocity);

}  // namespace scree
