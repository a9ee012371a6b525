/// The tuned numbers of a step: thresholds, caps and tolerances that are no input of users. Each
/// has its unit, and the reason for its value. Numbers of the geometry stand with their shapes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scree {

// ---- Solvers ------------------------------------------------------------------------------------

// Gauss–Seidel sweeps: coloured_sweeps.cpp.

/// Sweeps between two measurements of E_s if the change per sweep does not suggest an earlier one:
/// a measurement costs about as much as a sweep, and so adds a tenth at most.
inline constexpr int kSweepsBetweenChecks = 10;
/// Sweeps over joints alone. Islands are eliminated exactly: if a few sweeps do not converge, the
/// joints contradict each other, and more do not help.
inline constexpr int kMaxSweepsWithoutContacts = 10;
/// Residual that an island may leave, over the tolerance, if islands hold all contacts and joints:
/// half leaves a margin between the island's own measure and E_s [-].
inline constexpr double kIslandToleranceFraction = 0.5;
/// The same after repeated halving: a smaller one would approach the rounding of velocities [-].
inline constexpr double kMinIslandToleranceFraction = 1e-2;
/// Sweeps without friction of opposed walls, until the preload of a tight body is found: few, and
/// never more than a third of all, because friction needs the others.
inline constexpr int kMaxSmoothSweeps = 50;
/// Change of a sweep over that of the first, at which the frictionless preload counts as found: far
/// below any tolerance of a step [-].
inline constexpr double kSmoothChange = 1e-6;

// Work of threads, and prefetching. None of these numbers changes a result.

/// Chunks of blocks, or joints, that a thread certifies at a time: enough work to be worth waking
/// it.
inline constexpr std::size_t kCertifiedChunksPerTask = 32;
/// Bodies that a thread extrapolates at a time: enough work to be worth waking it.
inline constexpr std::size_t kMomentumBodiesPerTask = 2048;
/// Blocks of contacts that a thread extrapolates at a time: 2048 contacts.
inline constexpr std::size_t kMomentumBlocksPerTask = 256;
/// Distance, in blocks, at which impulses are prefetched for the extrapolation: as in sweeps.
inline constexpr std::size_t kMomentumBlocksAhead = 8;
/// Chunks of a group that are worth waking a thread, which costs microseconds.
inline constexpr std::uint32_t kMinChunksPerThread = 4;
/// Distance, in blocks, at which sweeps prefetch blocks of sphere contacts: half and twice as far
/// are slower, by measurement.
inline constexpr int kSphereBlocksAhead = 8;
/// Distance, in blocks, at which they prefetch bodies: later than the blocks, which name the
/// bodies.
inline constexpr int kSphereBodiesAhead = 4;
/// Bodies whose pseudo-velocities a thread sets or averages at a time, as for the extrapolation.
inline constexpr std::size_t kCorrectionBodiesPerTask = 2048;
/// Rows of a symmetric product that are computed together. More rows waste work below the diagonal;
/// fewer leave registers empty.
inline constexpr std::size_t kUpperTriangleRows = 8;
/// Columns that the dense LU eliminates together: one cache line of numbers.
inline constexpr std::size_t kColumnsPerElimination = 8;

// One contact in a SIMD lane: local_attempt.inl.

/// Violation of its law, over |q|, up to which a lane accepts its answer: rounding leaves less if W
/// is well conditioned [-].
inline constexpr double kMaxLaneViolation = 4e-13;
/// Square of the Painlevé number from which lanes leave sliding contacts to law.solve: the conic in
/// which the plane u_n = 0 cuts the cone is then nearly a parabola or unbounded [-].
inline constexpr double kMaxLaneCoupling = 0.98;
/// Added to the diagonal of a singular matrix before it is inverted, over its trace or size: far
/// above rounding, far below any ratio of masses that a solver resolves [-].
inline constexpr double kDelassusRegularisation = 1e-9;

// Position correction: position_correction.cpp.

/// Sweeps of a step, the backward one included. Overlaps decay over many steps, so that each needs
/// no exact solution.
inline constexpr int kMaxCorrectionSweeps = 4;
/// Change of a sweep over that of the first, at which the correction ends: a tenth, for the same
/// reason [-].
inline constexpr double kSmallCorrectionChange = 0.1;

// Islands of joints: joint_island.cpp, island_contacts.cpp, sparse_drives.cpp.

/// Contacts that are solved with an island: their W is dense. Sweeps take the others, so that a
/// robot in a pile costs no more than they do.
inline constexpr std::size_t kMaxIslandContacts = 64;
/// Driven rows whose matrix S is dense: its size grows with their square, its factors with the
/// cube. An island with more eliminates them with the held rows in one sparse matrix, and its
/// contacts are swept.
inline constexpr std::size_t kMaxDenseDrives = 128;
/// ε, relative increase of the diagonal of held rows, which may depend on each other: two or three
/// solves undo its effect to rounding [-].
inline constexpr double kHeldRowShift = 1e-10;
/// Mobility of a row, over the largest of its island, below which it is rounding: the bodies are
/// locked along the row. It gets a mobility of its own, so that its impulse stays finite; it moves
/// nothing [-].
inline constexpr double kLockedMobility = 1e-12;
/// Remainder of a solve, over the velocities to be undone, above which no impulses can undo them:
/// the joints contradict each other, and a second solve leaves the remainder out. A solvable
/// remainder is of the order of ε [-].
inline constexpr double kUnattainableFraction = 0.5;
/// Rounds in one solve of an island, each of drives, then contacts: enough for bounds to settle.
/// Sweeps take over where they do not.
inline constexpr int kMaxDriveRounds = 8;
/// Direct solves of an island's contacts in a step. If these were not enough, direct solves and
/// sweeps repeat the same states, and sweeps continue alone.
inline constexpr int kMaxDirectContactSolves = 40;

// Rows with bounds: bound_pivots.hpp.

/// Pivots before a descent, which cannot cycle, replaces them.
inline constexpr int kMaxBoundPivots = 200;
/// Block pivots that may fail to reduce the number of wrong rows: after more, they cycle, and half
/// of the rows, by a hash, take part.
inline constexpr int kBoundPivotPatience = 5;
/// Steps of the descent, each with another set of rows at their bounds: a bound on the time only.
inline constexpr int kMaxDescentSteps = 100;
/// Decrease of the energy that a step of the descent must reach, over that of its slope: the usual
/// value of Armijo's rule [-].
inline constexpr double kArmijoFraction = 1e-4;
/// Fraction of a step of the descent below which rounding alone decides, and it ends [-].
inline constexpr double kMinDescentFraction = 1e-9;

// Few contacts with one dense matrix: dense_contacts.cpp.

/// Sweeps of one solve, with a Newton step after each: contacts that need more are in the hands of
/// the next solve.
inline constexpr int kMaxDenseSweeps = 30;
/// Newton steps before the interior point method is tried: where gaps differ by nanometres,
/// hundreds would be needed.
inline constexpr int kMaxDenseNewtonSteps = 6;
/// Coordinates up to which an elimination costs no more than the sweeps that it replaces.
inline constexpr std::size_t kMaxEliminatedCoordinates = 128;
/// ε of the first Newton step, over a contact's own mobility: small enough for fast convergence,
/// large enough for a regular matrix [-].
inline constexpr double kFirstNewtonShift = 1e-3;
/// Smallest ε: rounding of the nearly singular matrix limits it [-].
inline constexpr double kMinNewtonShift = 1e-8;
/// Largest ε: with more, Newton steps are no better than sweeps, and end [-].
inline constexpr double kMaxNewtonShift = 0.1;
/// Factor by which ε falls after a step that succeeds, and grows after one that fails [-].
inline constexpr double kNewtonShiftFactor = 10;
/// Tolerance of the interior point method, over that of the solve: the sweep after it must not
/// exceed the latter [-].
inline constexpr double kInteriorToleranceFraction = 0.1;

// Their interior point method: dense_interior.cpp.

/// Iterations of one solve; rounding of impulses near the border of a cone grows as the gap closes.
inline constexpr int kMaxDenseInteriorSteps = 40;
/// Iterations in a row that may fail to reduce the residual: after more, rounding decides.
inline constexpr int kDenseInteriorPatience = 4;
/// Step length below which the direction is replaced by a centring one [-].
inline constexpr double kShortDenseInteriorStep = 0.1;
/// Fraction of the longest step that is taken, so that iterates stay inside the cones [-].
inline constexpr double kDenseInteriorMargin = 0.995;
/// Step length below which no progress is possible [-].
inline constexpr double kMinDenseInteriorStep = 1e-10;

// Small sets of contacts that sweeps do not solve: small_sets.cpp.

/// Iterations of the portfolio for one set, whatever max_sweeps is: cheap for so few contacts.
inline constexpr int kMaxSmallSetIterations = 2000;
/// Contacts of a set: a direct solve of so few costs about as much as the sweeps already spent.
inline constexpr std::size_t kMaxSmallSetContacts = 64;
/// Value of max_sweeps below which the user wants speed, and sets are skipped.
inline constexpr int kMinSweepsForSmallSets = 100;

// Contradictory contacts, for the report of a step: contradiction.cpp.

/// Contacts among which a proof is sought: a proof among more takes seconds.
inline constexpr std::size_t kMaxContradictionContacts = 128;
/// Work that impulses which stop all bodies could get out of the proof's rounding error, over the
/// 1 J of the proof: above it, the proof is rejected [-].
inline constexpr double kMaxProofError = 0.1;
/// Impulse of a contact in the proof, over the largest, above which the contact belongs to the
/// contradiction: smaller ones are what the interior point method leaves on others [-].
inline constexpr double kMinProofImpulse = 1e-6;

// Preload: squeeze.cpp, src/sim/stages/tight_contacts.cpp.

/// Cosine of two normals below which they oppose each other: within 2.6° of opposite [-].
inline constexpr double kOpposed = -0.999;
/// Sum of the overlaps along opposed normals, over the radius of the body, above which the body is
/// jammed: walls overlap it by more than rounding, and really press it [-].
inline constexpr double kJammed = 1e-6;
/// ε, weight of Σ r_n² next to the impulse on the body: so small that it does not change the latter
/// [-].
inline constexpr double kPreloadWeight = 1e-5;
/// Change of normal impulses, over their sum, below which a release is rounding, and is skipped
/// [-].
inline constexpr double kSamePreload = 1e-9;

// ---- Stages of the step -------------------------------------------------------------------------

}  // namespace scree
