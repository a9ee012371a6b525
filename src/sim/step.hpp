/// One time step and its stages: [Preclik18, §3.1], with contacts chosen by a margin.
#pragma once

#include "scree/collision/clump_contacts.hpp"
#include "scree/core/exact_sum.hpp"
#include "scree/core/threads.hpp"
#include "scree/sim/model.hpp"
#include "scree/sim/report.hpp"
#include "scree/sim/state.hpp"
#include "sim/contact_terms.hpp"
#include "sim/scratch.hpp"

namespace scree {

/// Data of every stage.
struct StepContext {
  const Model& model;
  State& state;
  Scratch& scratch;
  Report& report;
  ThreadPool& pool;
};

void step(StepContext& context);

/// Evaluates the prescribed motions and the fields first: if one fails, sets the report's fault and
/// changes nothing. Then inflows lay layers, fillings add bodies, obstacles get their twists, and
/// bodies their free velocities v + h (g + F/m) and margins.
void predict(StepContext& context);
/// Rebuilds the neighbour list and its groups where it no longer covers the pairs that can meet in
/// the step. If only a few bodies lack pairs, it adds these.
void broad_phase(StepContext& context);
/// Finds the pairs that are contacts now, and the slot of each in the problem.
void narrow_phase(StepContext& context);
/// Adds the forces of compliant laws to the free velocities.
void forces(StepContext& context);
/// Fills the problem: frames, gap terms, restitution, impulses of the last step.
void assemble(StepContext& context);
/// Finds contacts that may press a body between obstacles at rest: ContactProblem::tight.
void find_tight_contacts(StepContext& context);
/// Starts contacts without impulses where joints leave no motion along their normals.
void forget_what_joints_hold(StepContext& context);
/// Finds the compression impulses of impacts: see ImpactLaw.
void compress(StepContext& context);
/// Adds the impulses of the problem to the velocities.
void warm_start(StepContext& context);
/// Solves the problem to its tolerance.
void solve(StepContext& context);
/// Adds the expansion impulses that follow from those of compression.
void expand(StepContext& context);
/// True if impulses close pairs that free motion does not, or push joints past limits, that the
/// problem left out. The step is then solved again with them.
bool resolve_missed_contacts(StepContext& context);
/// Counts pairs in a cell that touch in the step by other images than their nearest ones.
void count_passed_images(StepContext& context);
/// Reports the contacts and the energy that they took.
void certify(StepContext& context);
/// Finds pseudo-velocities that separate overlapping bodies: see PositionCorrection.
void correct(StepContext& context);
/// Moves bodies with the new velocities and pseudo-velocities; sums energies.
void advance(StepContext& context);
/// Stores impulses in the pairs, for the next warm start, and advances the time.
void store(StepContext& context);

/// Measures energies and counts of the present state, for the report before the first step.
void measure(StepContext& context);

// Joints, see docs/theory/joints.md.

/// Evaluates the targets of motors in this step; false, with the fault in the report, if one fails.
bool evaluate_motors(StepContext& context);
/// Finds the bodies of joints and scales the inertia of those under heavy loads, before assembly.
void prepare_joints(StepContext& context);
/// Assembles the rows of joints and of their drives; adds to the sums of q and of its rounding.
void assemble_joints(StepContext& context, ExactSum& squared_missed, ExactSum& squared_rounding);
/// Adapts the rows of joints to the paths of the bodies with the present velocities; false if they
/// fit already.
bool apply_nonlinear_correction(StepContext& context);
/// True if joints pass limits that the problem left out; these have rows for the rest of the step.
bool resolve_missed_limits(StepContext& context);
/// Adds the pseudo-velocities that close joints to those that separate bodies.
void correct_joints(StepContext& context);
/// Work that joints brought from outside in this step, by motors and by prescribed motions, and
/// energy that springs store [J].
struct JointWork {
  double from_outside = 0, stored = 0;
};
JointWork accumulate_joints(StepContext& context);
/// Finds the work of joints. Bodies with scaled inertia did not get `slowed` of it [J].
void find_joint_work(StepContext& context, double slowed);
/// Adds the loads of joints on obstacles to State::obstacle_loads.
void load_obstacles_by_joints(StepContext& context);
/// Stores impulses and coordinates of joints in the state, their errors in the report.
void keep_joints(StepContext& context);
/// Measures joints in the present state, for the report before the first step.
void measure_joints(StepContext& context);
/// True in the first leapfrog step, when velocities are those at its start, not half a step
/// earlier.
bool begins_at_whole_step(const StepContext& context);
/// True in the first step of all: no other run came before it.
bool is_first_of_all(const StepContext& context);

// Sleeping bodies, see docs/theory/sleep.md.

/// Wakes the islands of bodies that were changed since the last step.
void wake_disturbed(StepContext& context);
/// Wakes the islands of bodies with a contact; true if there were any.
bool wake_met(StepContext& context);
/// True if a pair of two sleeping bodies, or of one and an obstacle, needs nothing in this step.
bool sleeps(const StepContext& context, const Neighbours::Pair& pair);

// Parts of stages with their own file, or that two stages share.
/// Distance of a point from the surface of an obstacle, by the image nearest to the obstacle's
/// frame [m].
double distance_to_obstacle(const StepContext& context, std::uint32_t obstacle, const Vec3& point);
/// True if the gap of a pair is below its margin, by the bounding spheres of bodies; false for a
/// body that has left. Takes no square root for pairs of bodies.
bool is_within_margin(const StepContext& context, const Neighbours::Pair& pair);
/// Inscribed radius of a body, see Prototype [m].
double inscribed_radius(const StepContext& context, std::size_t body);
/// The pair as {A, B}: the body of lower id first, an obstacle second.
BodyPair in_order(const StepContext& context, const Neighbours::Pair& pair);
/// True if some pairs can touch at several points: a body is no sphere, or an obstacle is a surface
/// or a clump.
bool has_many_points(const Model& model);
/// True if a sphere may move from a curved to a flat side of an obstacle, so that contacts keep
/// their first R*.
bool has_ends(const Model& model);
/// Maximum number of points of a pair: its slots in the memory of contacts.
std::uint32_t max_manifold_points(const Model& model, const Bodies& bodies,
                                  const Neighbours::Pair& pair);
/// Largest fraction of a compliant pair's stiffness that one of its points has; 1 where a sphere
/// touches [-].
double share_of_point(const Model& model, const Bodies& bodies, const Neighbours::Pair& pair);
/// True if each point of a pair belongs to a sphere: there is one point, or a sphere on a surface.
bool has_spheres_points(const StepContext& context, const Neighbours::Pair& pair);
/// Surface of the pair's other body; null if that is none.
const Shape* surface_of(const Model& model, const Neighbours::Pair& pair);
/// Transfers memories from features that are no longer points to new points with similar normals,
/// of a pair with a surface: a body moves from one facet to the next.
void transfer_warm_start(StepContext& context, std::size_t pair, const PairPoints& points);
/// True if a pair is separated by more than its margin along a unit vector from A to B: points_of
/// then finds none.
bool separates_along(const StepContext& context, const Neighbours::Pair& pair,
                     const Vec3& direction);
/// Direction of the shortest distance of a pair, from A to B.
Vec3 shortest_way(const StepContext& context, const Neighbours::Pair& pair);
/// Points of a pair with contact blocks that are contacts, with the velocities of the records.
/// `known`: the facets that it knows, or null.
PairPoints points_of(const StepContext& context, const Neighbours::Pair& pair,
                     KnownFacets* known = nullptr);
/// True if a pair's contact belongs in a SphereContactBlock.
bool is_diagonal(const StepContext& context, const Neighbours::Pair& pair);
TermSettings term_settings(const Model& model);
/// Runs the solver of the settings on the present problem.
SolveResult solve_contacts(StepContext& context);
/// Solves friction for the given normal impulses of the problem, against the slip with all of them,
/// in a disc for each contact. Updates velocities.
SolveResult solve_friction(StepContext& context);
/// Fills ImpactPhases::bodies with the records before forces and impulses.
void set_velocities_before(StepContext& context);
/// Sums the work of both phases, and limits the expansion for ImpactLaw::energetic.
void bound_expansion(StepContext& context);
/// Adds pairs of bodies whose margin the neighbour list does not cover.
void add_pairs(StepContext& context);
/// Allocates contact blocks for the pairs that narrow_phase found.
void place_stacks(StepContext& context);
/// Fills the contact blocks; adds to the second half of Scratch::contact_sums.
void assemble_full(StepContext& context);
/// Adds cohesion to the free velocities, and sums the q that follow.
void apply_cohesion(StepContext& context);
/// Sets the free velocities of all present bodies.
void set_free_velocities(StepContext& context);
/// Index of the compliant law of a pair in ForceContacts::numbers / 2, or kRigid.
std::uint32_t compliant_law(const StepContext& context, const Neighbours::Pair& pair);
/// Points at which a pair overlaps now; neither for two spheres nor for a sphere and an obstacle.
PairPoints overlaps_of(const StepContext& context, const Neighbours::Pair& pair);
/// True if one of a pair is a clump.
bool has_clump(const Model& model, const Bodies& bodies, const Neighbours::Pair& pair);
/// Points at which the parts of such a pair overlap now, for springs.
ClumpPoints overlaps_of_parts(const StepContext& context, const Neighbours::Pair& pair);
/// Sorts the pairs with compliant laws, if the list has changed.
void list_force_pairs(StepContext& context);
/// Finds the contacts of spheres in a chunk, and their forces.
void forces_of_spheres(StepContext& context, ForceContacts::Chunk& chunk);
/// Finds all other contacts in a chunk, and their forces.
void forces_of_others(StepContext& context, ForceContacts::Chunk& chunk);
/// Calls f(block, lane) for the points of a pair with a slot.
template <class F>
void for_each_force_point(const ForceContacts& forces, const Neighbours& list, std::size_t pair,
                          std::uint32_t slot, F&& f) {
  if (list.first_place.empty()) {  // a pair has one point
    const std::uint32_t index = slot & ~Scratch::kForce;
    f(index / kBlock, static_cast<int>(index % kBlock));
    return;
  }
  const auto [begin, end] = list.places(pair);
  for (std::uint32_t k = slot & ~Scratch::kForce; k / kBlock < forces.blocks.size(); ++k) {
    const ForceBlock& block = forces.blocks[k / kBlock];
    const std::uint32_t slot_of_point = block.slot[k % kBlock];
    if (slot_of_point < begin || slot_of_point >= end) break;
    f(k / kBlock, static_cast<int>(k % kBlock));
  }
}
/// Calls f(index in problem.contact_blocks) for the points of a pair whose first is in `slot`.
template <class F>
void for_each_full_place(const Scratch& s, std::uint32_t slot, F&& f) {
  std::uint32_t index = slot & ~Scratch::kFull;
  for (std::uint32_t left = s.problem.contact_blocks[index / kBlock].stack; left > 0;
       --left, index += kBlock)
    if (holds_contact(s.problem.contact_blocks[index / kBlock], index % kBlock,
                      s.problem.at_rest()))
      f(index);
}
/// Number of pairs that may be contacts of the problem: all, or none where every law is compliant.
inline std::size_t rigid_pairs(const StepContext& c) {
  return c.scratch.forces.any_rigid ? c.state.neighbours.pairs.size() : 0;
}
/// Velocity of B's image nearest to A relative to B, where the cell flows; else zero [m/s].
inline Vec3 flow_between(const StepContext& c, BodyIndex a, BodyIndex b) {
  const Domain& domain = c.scratch.domain;
  if (!domain.flows()) return {};
  const Bodies& bodies = c.state.bodies;
  return domain.gradient() * domain.separation(bodies.position[a], bodies.position[b]);
}
/// Computes the stress of a strained cell and its work; after the solve.
void load_cell(StepContext& context);
/// True if the cell is long enough for its bodies after the step; if not, sets the fault in the
/// report.
bool cell_holds_bodies(StepContext& context);
/// Advances the cell by a step and sets its next flow; after bodies have moved.
void advance_cell(StepContext& context);
/// Sums the effects of contacts on each obstacle, and their wear; after the solve.
void load_obstacles(StepContext& context);
/// Restores the memories of compliant contacts, so that the step can be repeated.
void undo_forces(StepContext& context);
/// Gives bodies the forces of compliant contacts from their rows. Finds the power of these forces
/// with the motions before, and with the free motions after.
void give_forces(StepContext& context);
/// Sums the work of the forces, and the energies of springs; after the solve.
void accumulate_forces(StepContext& context);
/// Finds the powers of each law's contacts, ForceContacts::of_laws; after the solve. Those of the
/// main law are the difference of all and the others.
void find_powers_of_laws(StepContext& context, const ForceContacts::BothPowers& of_all);
/// True if forces have created energy because the step is too long.
void look_for_energy_growth(StepContext& context);
/// Finds bodies and obstacles with compliant contacts that rotated too far in the step before:
/// contacts mistake such a rotation for another; before the solve.
void look_for_excessive_rotations(StepContext& context);
/// Fraction of a step's gravity and forces that velocities get. It is half in the first step of a
/// run with compliant laws: velocities change from t = 0 to t + h/2.
double half_step_factor(const StepContext& context);
/// Stores impulses of the problem in their pairs.
void keep_impulses(StepContext& context);
/// Counts impacts that were stopped without the restitution of their law.
void count_missed_restitution(StepContext& context);
/// Finds the energy that rebounds of Newton's law create in sets of contacts; after the solve.
void find_energy_of_rebounds(StepContext& context);
/// Counts deep overlaps that velocities increase, whatever the position correction does.
void count_growing_penetration(StepContext& context);
/// Finds the variables that the fields of the model read.
void prepare_fields(const Model& model, Scratch::Fields& fields);
/// Evaluates the fields for each body; false, with the fault in the report, if a force is not
/// finite.
bool evaluate_fields(StepContext& context);
void lay_inflow_layers(StepContext& context);
void fill_regions(StepContext& context);
/// True if a body on a straight path between the two positions passes through an outflow.
bool leaves(const Model& model, const Vec3& from, const Vec3& to);
/// Removes bodies that have left, or were removed by hand, from all arrays; `origin` loses the same
/// entries.
void remove_outflow(StepContext& context, AlignedVector<std::uint32_t>& origin);

}  // namespace scree
