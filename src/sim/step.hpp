/// One time step, and its stages. [Preclik18, §3.1] with contacts taken up at a margin.
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

/// What every stage works on.
struct StepContext {
  const Model& model;
  State& state;
  Scratch& scratch;
  Report& report;
  ThreadPool& pool;
};

void step(StepContext& context);

/// First of all asks the prescribed motions and the fields: if one fails, says so in the report and
/// changes nothing. Then inflows lay their layers and fillings let bodies in; obstacles get their
/// twists; free velocities v + h (g + F/m); margins.
void predict(StepContext& context);
/// Makes the neighbour list and its groups anew where it no longer covers what a step can bring
/// together; adds to it what it misses where that is of a few bodies.
void broad_phase(StepContext& context);
/// Which pairs are contacts now, and where each goes in the problem.
void narrow_phase(StepContext& context);
/// Forces of compliant laws, added to the free velocities.
void forces(StepContext& context);
/// Fills the problem: frames, gap terms, restitution, impulses of the step before.
void assemble(StepContext& context);
/// Which contacts with obstacles at rest may squeeze a body between them: ContactProblem::tight.
void find_tight_contacts(StepContext& context);
/// Contacts along whose normals joints leave nothing to move begin without impulses.
void forget_what_joints_hold(StepContext& context);
/// Impulses of the impacts alone, without rebound: see ImpactLaw.
void compress(StepContext& context);
/// Velocities with those impulses.
void warm_start(StepContext& context);
/// The problem to its tolerance.
void solve(StepContext& context);
/// What impacts give back of their compression.
void expand(StepContext& context);
/// Whether impulses bring pairs together that free paths do not, or joints beyond limits, that
/// were left out: then the step is solved again, with them.
bool resolve_missed_contacts(StepContext& context);
/// What the report says of the contacts, and the energy they took.
void certify(StepContext& context);
/// Motions that push overlapping bodies apart: see PositionCorrection.
void correct(StepContext& context);
/// Positions with the new velocities and these motions; energies.
void advance(StepContext& context);
/// Impulses back to the pairs, for the next warm start; time moves on.
void store(StepContext& context);

/// Energies and counts of the state as it stands, for the report before the first step.
void measure(StepContext& context);

// Joints, see docs/theory/joints.md.

/// What motors are to reach in this step; false, and told in the report, if one does not say.
bool ask_motors(StepContext& context);
/// Which bodies joints hold, before anything is assembled, and how they turn under heavy loads.
void prepare_joints(StepContext& context);
/// Rows of the joints and of what drives them; adds to the sums of q and of its rounding.
void assemble_joints(StepContext& context, ExactSum& squared_q, ExactSum& squared_rounding);
/// Fits the rows of joints to the way that bodies go with the velocities as they are; false if they
/// fit it already.
bool apply_nonlinear_correction(StepContext& context);
/// Whether joints pass limits that were left out; these have rows from now on in the step.
bool resolve_missed_limits(StepContext& context);
/// Motions that close joints, on top of those that push overlapping bodies apart.
void correct_joints(StepContext& context);
/// What joints brought from outside in this step, by motors and by what moves as prescribed, and
/// what springs have stored [J].
struct JointWork {
  double from_outside = 0, stored = 0;
};
JointWork accumulate_joints(StepContext& context);
/// Report::joint_work, of which bodies that were slowed down did not get `slowed` [J].
void find_joint_work(StepContext& context, double slowed);
/// What joints do to obstacles, in State::obstacle_loads.
void load_obstacles_by_joints(StepContext& context);
/// Impulses and coordinates to the state, errors to the report.
void keep_joints(StepContext& context);
/// The same of the state as it stands, for the report before the first step.
void measure_joints(StepContext& context);
/// Whether velocities are those of the start of the step, not of half a step before it.
bool begins_at_whole_step(const StepContext& context);
/// Whether this is the first step that bodies ever make: nothing was there before it.
bool is_first_of_all(const StepContext& context);

// Bodies that sleep, see docs/theory/sleep.md.

/// Wakes the islands of bodies that something was done to since the last step.
void wake_disturbed(StepContext& context);
/// Wakes the islands of bodies with a contact; whether there were any.
bool wake_met(StepContext& context);
/// Whether a pair of bodies that sleep, or of one and an obstacle, has nothing to do in this step.
bool sleeps(const StepContext& context, const Neighbours::Pair& pair);

// Parts of the stages with a file of their own, or that two of them share.
/// Of a point from the surface of an obstacle, by the image nearest to the obstacle's frame [m].
double distance_to_obstacle(const StepContext& context, std::uint32_t obstacle, const Vec3& point);
/// Whether the gap of a pair is below its margin, by the bounding spheres of bodies; never of a
/// body that has left. No square root for pairs of bodies.
bool is_within_margin(const StepContext& context, const Neighbours::Pair& pair);
/// See Prototype [m].
double inscribed_radius(const StepContext& context, std::size_t body);
/// A pair as {A, B}: the body of lower id, an obstacle second.
BodyPair in_order(const StepContext& context, const Neighbours::Pair& pair);
/// Whether some pairs can touch in several points: a body is no sphere, or an obstacle a surface or
/// a clump.
bool has_many_points(const Model& model);
/// Whether a sphere may go from where an obstacle is curved to where it is flat, so that contacts
/// keep the R* of where they began.
bool has_ends(const Model& model);
/// In how many points a pair can touch: its places in the memory of contacts.
std::uint32_t max_manifold_points(const Model& model, const Bodies& bodies,
                                  const Neighbours::Pair& pair);
/// Of a compliant pair's stiffness, the most that one of its points has: where a sphere touches, it
/// is all [-].
double share_of_point(const Model& model, const Bodies& bodies, const Neighbours::Pair& pair);
/// Whether each point of a pair is that of a sphere: it is one point, or a sphere on a surface.
bool has_spheres_points(const StepContext& context, const Neighbours::Pair& pair);
/// The surface that a pair's other body is; null if it is none.
const Shape* surface_of(const Model& model, const Neighbours::Pair& pair);
/// Gives points of a surface that a pair does not remember what it remembers of features that are
/// no points any more, where their normals are alike: a body goes from one facet to the next.
void transfer_warm_start(StepContext& context, std::size_t pair, const PairPoints& points);
/// Whether a pair is apart by more than its margin along a unit vector from A to B: then points_of
/// finds none.
bool separates_along(const StepContext& context, const Neighbours::Pair& pair,
                     const Vec3& direction);
/// The direction of the shortest way between a pair, from A to B.
Vec3 shortest_way(const StepContext& context, const Neighbours::Pair& pair);
/// Where a pair with contact blocks is a contact, with the velocities of the records. `known`: the
/// facets that it knows, or null.
PairPoints points_of(const StepContext& context, const Neighbours::Pair& pair,
                     KnownFacets* known = nullptr);
/// Whether a pair's contact is one of a SphereContactBlock.
bool is_diagonal(const StepContext& context, const Neighbours::Pair& pair);
TermSettings term_settings(const Model& model);
/// Sweeps, or what else the settings ask for, until the problem is solved as it stands.
SolveResult solve_contacts(StepContext& context);
/// Friction against given normal impulses, those that the problem holds: against slip as it is
/// with all of them, in a disc of each contact's own. Velocities follow.
SolveResult solve_friction(StepContext& context);
/// In ImpactPhases::bodies, the records with the velocities of bodies before forces and
/// impulses.
void set_velocities_before(StepContext& context);
/// Works of both phases, and what ImpactLaw::energetic holds back of expansion.
void bound_expansion(StepContext& context);
/// To the neighbour list, the pairs of those bodies whose margin it does not cover.
void add_pairs(StepContext& context);
/// Full blocks for the pairs that narrow_phase found.
void place_stacks(StepContext& context);
/// Fills them; adds to the second half of Scratch::contact_sums.
void assemble_full(StepContext& context);
/// Adds cohesion to the free velocities, and books the q that they then have.
void apply_cohesion(StepContext& context);
/// Of all bodies that are there.
void set_free_velocities(StepContext& context);
/// The index of the compliant law of a pair in ForceContacts::numbers / 2, or kRigid.
std::uint32_t compliant_law(const StepContext& context, const Neighbours::Pair& pair);
/// Where a pair overlaps as it stands; neither of two spheres nor of a sphere and an obstacle.
PairPoints overlaps_of(const StepContext& context, const Neighbours::Pair& pair);
/// Whether one of a pair is a clump; and where its obstacles overlap, for springs.
bool has_clump(const Model& model, const Bodies& bodies, const Neighbours::Pair& pair);
ClumpPoints overlaps_of_parts(const StepContext& context, const Neighbours::Pair& pair);
/// Puts the pairs with compliant laws in order, if the list has changed.
void list_force_pairs(StepContext& context);
/// Finds the contacts of spheres in a chunk, and what forces they give; likewise all others.
void forces_of_spheres(StepContext& context, ForceContacts::Chunk& chunk);
void forces_of_others(StepContext& context, ForceContacts::Chunk& chunk);
/// Calls f(block, lane) for the points of a pair whose first has a slot.
template <class F>
void for_each_force_point(const ForceContacts& forces, const Neighbours& list, std::size_t pair,
                          std::uint32_t slot, F&& f) {
  if (list.first_place.empty()) {  // a pair has one point
    const std::uint32_t place = slot & ~Scratch::kForce;
    f(place / kBlock, static_cast<int>(place % kBlock));
    return;
  }
  const auto [begin, end] = list.places(pair);
  for (std::uint32_t k = slot & ~Scratch::kForce; k / kBlock < forces.blocks.size(); ++k) {
    const ForceBlock& block = forces.blocks[k / kBlock];
    const std::uint32_t place = block.place[k % kBlock];
    if (place < begin || place >= end) break;
    f(k / kBlock, static_cast<int>(k % kBlock));
  }
}
/// Calls f(place in problem.full) for the points of a pair whose first stands at `slot`.
template <class F>
void for_each_full_place(const Scratch& s, std::uint32_t slot, F&& f) {
  std::uint32_t place = slot & ~Scratch::kFull;
  for (std::uint32_t left = s.problem.full[place / kBlock].stack; left > 0; --left, place += kBlock)
    if (holds_contact(s.problem.full[place / kBlock], place % kBlock, s.problem.at_rest()))
      f(place);
}
/// How many pairs may be contacts of the problem: all, or none where every law is compliant.
inline std::size_t rigid_pairs(const StepContext& c) {
  return c.scratch.forces.any_rigid ? c.state.neighbours.pairs.size() : 0;
}
/// What flows between two bodies: by how much faster the image of B that is nearest to A moves than
/// B itself, where the cell flows; else zero [m/s].
inline Vec3 flow_between(const StepContext& c, BodyIndex a, BodyIndex b) {
  const Domain& domain = c.scratch.domain;
  if (!domain.flows()) return {};
  const Bodies& bodies = c.state.bodies;
  return domain.gradient() * domain.separation(bodies.position[a], bodies.position[b]);
}
/// Stress of the cell and its work, where it is strained; after the solve.
void load_cell(StepContext& context);
/// Whether the cell is long enough for its bodies after the step; false, and told in the report, if
/// not.
bool cell_holds_bodies(StepContext& context);
/// The cell a step on, and how it is to flow in the next; after bodies have moved.
void advance_cell(StepContext& context);
/// Sums up what contacts did to each obstacle, and what that took of the obstacles; after the
/// solve.
void load_obstacles(StepContext& context);
/// Takes what the step has given compliant contacts to remember back, so that it can be made once
/// more.
void undo_forces(StepContext& context);
/// From the rows of contacts with compliant laws to what bodies get, and the power of the forces
/// with the motions that bodies had, and with those that they have if nothing is solved.
void give_forces(StepContext& context);
/// Works of the forces, and the energies that they leave in springs; after the solve.
void accumulate_forces(StepContext& context);
/// In ForceContacts::of_laws, the powers of the contacts of each law; after the solve. Of the main
/// law they are what the others leave of the powers of all.
void find_powers_of_laws(StepContext& context, const ForceContacts::BothPowers& of_all);
/// Whether forces have made energy, which a step does that is too long.
void look_for_energy_growth(StepContext& context);
/// Bodies and obstacles with compliant contacts that have turned so far in the step that led here
/// that the contacts took the turn for another; before the solve.
void look_for_excessive_rotations(StepContext& context);
/// Part of a step's gravity and forces that velocities get: in the first step of a run with
/// compliant laws half, since velocities are then those of t = 0 and become those of t + h/2.
double half_step_factor(const StepContext& context);
/// Impulses of the problem to the pairs that carry them.
void keep_impulses(StepContext& context);
/// Impacts that were stopped without the rebound that their law gives.
void count_missed_restitution(StepContext& context);
/// What sets of contacts make where Newton's law gives them rebounds; after the solve.
void find_energy_of_rebounds(StepContext& context);
/// Deep overlaps that velocities make grow, whatever pushes do against it.
void count_growing_penetration(StepContext& context);
/// Which variables the fields of the model read.
void prepare_fields(const Model& model, Scratch::Fields& fields);
/// What fields give each body in this step; false, and told in the report, if that is not finite.
bool ask_fields(StepContext& context);
void lay_inflow_layers(StepContext& context);
void fill_regions(StepContext& context);
/// Whether a body that moves straight from one place to the other passes through an outflow.
bool leaves(const Model& model, const Vec3& from, const Vec3& to);
/// Takes those that have left, or were removed by hand, out of all arrays; `origin` loses the same
/// entries as the bodies.
void remove_outflow(StepContext& context, AlignedVector<std::uint32_t>& origin);

/// Part of the radii below which a pair is a contact even if nothing moves [-].
inline constexpr double kMarginOfRadius = 0.01;

}  // namespace scree
