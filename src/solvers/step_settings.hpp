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
/// Sweeps with momentum in which the residual must fall to this fraction [-] of what it was; else
/// momentum pauses. Sets that converge at all fall much faster.
inline constexpr int kMomentumPatience = 200;
inline constexpr double kMomentumProgress = 0.9;
inline constexpr int kMomentumPause = 500;
/// Sweeps over joints alone. Islands are eliminated exactly: if a few sweeps do not converge, the
/// joints contradict each other, and more do not help.
inline constexpr int kMaxSweepsWithoutContacts = 10;
/// E_s that islands may leave, however loose the tolerance is [-]: few more iterations reach it. A
/// grip is many times stronger than the weight that it holds, which small errors of it would move.
inline constexpr double kIslandResidual = 1e-6;
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
/// The same in chunks, where a problem is a list of them.
inline constexpr std::size_t kMomentumChunksPerTask = 16;
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
/// Rounds in one solve of an island, each of drives, then contacts. Most bounds settle in two.
/// Where they do not, one Newton's method solves both, with the drives as rows of their own.
inline constexpr int kMaxDriveRounds = 3;
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
/// c, compliance that chooses among impulses of one motion, over the mobility of what resists most:
/// far below what unevenness of loads could show, far above rounding [-].
inline constexpr double kContactCompliance = 1e-6;
/// Mobility of a body over the largest, below which joints hold it [-].
inline constexpr double kHeldMobility = 1e-9;
/// Solves with the centre of the compliance moved to the last impulses: each takes a factor c from
/// what it adds to velocities.
inline constexpr int kMaxCentrings = 3;
/// sqrt(Σ e²) without compliance over the velocities of an island at which they end: a grip creeps
/// by no more [-].
inline constexpr double kCentredResidual = 1e-12;
/// sqrt(Σ e²) over the velocities of an island at which its impulses are polished: rounding leaves
/// less. Over c it is the error of the choice [-].
inline constexpr double kPolishedResidual = 1e-15;
/// Newton steps for that; from a near start, one or two suffice.
inline constexpr int kMaxPolishSteps = 8;
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

// Contradictory contacts, for the report of a step: contradiction.cpp.

/// Contacts among which a proof is sought: a proof among more takes seconds.
inline constexpr std::size_t kMaxContradictionContacts = 128;
/// Work that impulses which stop all bodies could get out of the proof's rounding error, over the
/// 1 J of the proof: above it, the proof is rejected [-].
inline constexpr double kMaxProofError = 0.1;
/// Impulse of a contact in the proof, over the largest, above which the contact belongs to the
/// contradiction: smaller ones are what the interior point method leaves on others [-].
inline constexpr double kMinProofImpulse = 1e-6;

// Preload: squeeze.cpp, src/sim/contacts/tight_contacts.cpp.

/// Cosine of two normals below which they oppose each other: within 2.6° of opposite [-].
inline constexpr double kOpposed = -0.999;
/// Sum of the overlaps along opposed normals, over the radius of the body, above which the body is
/// jammed: walls overlap it by more than rounding, and really press it [-].
inline constexpr double kJammed = 1e-6;
/// Sum of the gaps along opposed normals, over the radius of the body, up to which the body is
/// wedged: more than the rounding of positions, and less than any clearance that a user means [-].
inline constexpr double kWedged = 1e-6;
/// ε, weight of Σ r_n² next to the impulse on the body: so small that it does not change the latter
/// [-].
inline constexpr double kPreloadWeight = 1e-5;
/// Change of normal impulses, over their sum, below which a release is rounding, and is skipped
/// [-].
inline constexpr double kSamePreload = 1e-9;

// ---- Stages of the step -------------------------------------------------------------------------

// Margins and the neighbour list.

/// Fraction of the radii below which a pair is a contact even if nothing moves [-]. Position
/// correction moves bodies by no more, so pairs that are no contacts cannot come to overlap.
inline constexpr double kMarginOfRadius = 0.01;
/// Ratio of the distance of two bodies within each other's margins to the sum of their radii, at
/// most [-]: bounds the flow of a strained cell between them.
inline constexpr double kMaxMarginDistance = 1.5;
/// Steps for which the neighbour list should last, if bodies keep moving as they do [-]: more make
/// rebuilds rare, but add candidates to every step.
inline constexpr double kSkinSteps = 15;
/// Solid fraction that gives the smallest skin [-]: for bodies whose surroundings are not measured.
inline constexpr double kFullSolidFraction = 1;
/// Smallest skin over the radius [-]: the list of a bed at rest lasts, with few candidates.
inline constexpr double kMinSkinOfRadius = 0.05;
/// Largest skin over the radius [-], unless space around the body is sparse: candidates grow with
/// its cube.
inline constexpr double kMaxSkinOfRadius = 0.2;
/// Steps that the skin of any body covers [-]: fast bodies do not force a rebuild in every step.
inline constexpr double kMinSkinSteps = 3;
/// Candidates up to which the skin of a body may grow [-]: with so few, tests cost less than
/// rebuilds.
inline constexpr double kMaxSkinCandidates = 6;
/// Factor by which such a skin grows at a time [-].
inline constexpr double kSkinGrowth = 1.25;
/// Fraction of the mean squared velocity that a drift must have [-]: then it is most of the motion.
inline constexpr double kMinDriftFraction = 0.5;
/// Bodies of the simulation per body beyond the list, at least, if only the pairs of the latter are
/// looked up [-]: for more of them a rebuild costs less.
inline constexpr std::size_t kMinBodiesPerStale = 8;
/// Listed pairs per added pair, at least [-]: the solver colours added pairs apart.
inline constexpr std::size_t kMinListedPerAdded = 4;
/// Pairs of a list per pair within its margins, at most, besides one per body [-]: wider lists date
/// from faster bodies.
inline constexpr std::size_t kMaxListedPerNear = 2;
/// Steps between tests for a list that is too wide: a test looks at every pair.
inline constexpr std::uint64_t kStepsBetweenListChecks = 64;

// Work of threads. Sums depend on these numbers, and not on the number of threads.

/// Runs into which the list of pairs is cut: enough tasks for many threads.
inline constexpr std::size_t kPairChunks = 64;
/// Bodies per task: few enough that the data of a task stay cached.
inline constexpr std::size_t kBodiesPerChunk = 1024;
/// Contacts per task in phases of impacts.
inline constexpr std::size_t kImpactContactsPerChunk = 2048;
/// Bodies per chunk of compliant contacts: enough that few pairs cross chunks, and few enough for
/// all threads.
inline constexpr std::size_t kForceBodiesPerChunk = 2048;
/// Chunks of compliant contacts, at most: enough tasks for many threads.
inline constexpr std::size_t kMaxForceChunks = 64;
/// Contact blocks per task, at least: one costs as much as four blocks of spheres.
inline constexpr std::uint32_t kContactBlocksPerChunk = 8;
/// Pairs per task when impulses are stored: a pair costs little.
inline constexpr std::size_t kStoredPairsPerTask = 4096;
/// Stacks of contact blocks per task when impulses are stored: each has up to eight pairs.
inline constexpr std::size_t kStoredStacksPerTask = 128;
/// Pairs per task when memories move to a new neighbour list.
inline constexpr std::size_t kCarriedPairsPerTask = 4096;
/// Contacts per task in the loads of an obstacle: tasks of a large obstacle run in parallel.
inline constexpr std::uint32_t kLoadPairsPerTask = 256;

// Prefetch distances: far enough to hide the latency of memory, near enough that data stay cached.

/// Pairs that the narrow phase looks ahead.
inline constexpr std::size_t kNarrowPairsAhead = 6;
/// Pairs with contact blocks that assembly looks ahead: in their list, at contacts, at bodies.
inline constexpr std::size_t kAssembledPairsAhead = 12;
inline constexpr std::size_t kAssembledContactsAhead = 8;
inline constexpr std::size_t kAssembledBodiesAhead = 4;
/// The same when impulses are stored: in their list, at contacts, at memories. A pair costs less.
inline constexpr std::size_t kStoredPairsAhead = 24;
inline constexpr std::size_t kStoredContactsAhead = 16;
inline constexpr std::size_t kStoredMemoriesAhead = 8;
/// Pairs of spheres that the search for compliant contacts looks ahead: a multiple of kBlock.
inline constexpr std::size_t kForceSearchAhead = 64;
/// Eights of touching spheres that compliant forces look ahead.
inline constexpr std::size_t kForceSpheresAhead = 6;
/// Pairs of other shapes that compliant forces look ahead: once for bodies, twice for pairs.
inline constexpr std::size_t kForceOthersAhead = 6;
/// Rows that the powers of compliant laws look ahead.
inline constexpr std::size_t kForceRowsAhead = 8;
/// Contacts that the loads of an obstacle look ahead.
inline constexpr std::uint32_t kLoadPairsAhead = 6;

// Points of pairs.

/// Fraction of the velocity by weight in a step [-]: pairs that close more slowly are at rest in
/// the test for seams.
inline constexpr double kRestingFractionOfWeight = 0.01;
/// Rotation of a body in a step up to which its points count as moving straight [rad]: the arc goes
/// deeper by less than half its square times the arm.
inline constexpr double kMaxStraightRotation = 0.1;
/// Radius of the ball that guards the centre of a body, over the inscribed one [-]: touches at
/// the surface do not involve it.
inline constexpr double kGuardBallOfInscribed = 0.5;
/// Travel in a step, or overlap, from which on the ball is tested, over its radius [-].
inline constexpr double kGuardedTravelOfBall = 0.5;
/// Distance of a point from a corner that is rounding, over the bounding radius [-].
inline constexpr double kCornerRounding = 1e-9;
/// Fraction by which a pair must exceed its margin to count as separated [-]: the search for points
/// rounds, and would find none.
inline constexpr double kSeparationRounding = 1e-6;
/// Cosine between normals from which on a new feature continues an old one [-]: neighbouring facets
/// of a smooth surface do, both sides of an edge of 90° do not.
inline constexpr double kSimilarNormalCosine = 0.7;
/// Difference between a normal and that of the side of a cone that is rounding [-].
inline constexpr double kConeSideRounding = 1e-9;

// Terms of contacts.

/// Overlap over the smaller bounding radius that counts as touching, and is not corrected [-].
inline constexpr double kPenetrationSlop = 1e-4;
/// Gap over the smaller bounding radius that counts as closed where bodies touch at several points
/// [-]: the error that solves leave in positions at rest. Otherwise corners that lift by as much
/// fall in the next step, and a stack at rest needs several sweeps a step instead of one.
inline constexpr double kClosedGapOfRadius = 1e-8;
/// Gap over the smaller radius up to which a contact rests, and misses no rebound [-].
inline constexpr double kRestingGapOfRadius = 1e-6;
/// Recovery of overlaps by velocities over √(|g| r) [-]: small against the velocities of gravity.
inline constexpr double kRecoveryOfFall = 1e-4;
/// Recovery of overlaps by velocities over the speed of the pair [-]: small against its motion.
inline constexpr double kRecoveryOfMotion = 0.01;
/// Factor on the rounding of velocities in a solve [-]: impulses change velocities repeatedly, and
/// errors add up as a random walk, with twelve contacts a body and twenty sweeps.
inline constexpr double kRoundingOfSweeps = 16;
/// Shift of the diagonal for rebounds of a pair, relative [-]: four points of a face have only
/// three independent motions.
inline constexpr double kReboundRegularisation = 1e-8;
/// Fraction of W without locks up to which a direction counts as locked [-]: more than rounding.
inline constexpr double kLockedDelassusFraction = 1e-9;

// Preload between obstacles at rest, and contacts that joints make redundant.

/// Velocity of a wall along a normal over its speed that is rounding [-].
inline constexpr double kStillNormalRounding = 1e-12;
/// Length of a normal from which locked components are removed, up to which nothing moves [-].
inline constexpr double kLockedNormal = 1e-9;
/// Fraction of a body's mobility up to which joints leave it none [-]: kHeldRowShift leaves a
/// little.
inline constexpr double kJointHeldMobility = 1e-8;
/// Bias that opens contacts which joints make redundant [m/s]: beyond what joints correct in a
/// step.
inline constexpr double kOpeningSpeed = 1;

// Solve of a step.

/// Sweeps of all contacts before islands are solved by themselves: in fewer, islands hardly differ.
inline constexpr int kSweepsBeforeIslands = 100;
/// Solves of islands that are left, at most: each ends with at least one island less.
inline constexpr int kMaxIslandRounds = 50;
/// Contacts up to which an island is solved directly; its bodies are limited by
/// kMaxEliminatedCoordinates.
inline constexpr std::size_t kMaxDirectContacts = 128;
/// Contacts up to which impacts of an island are resolved in their order: the search for the next
/// one looks at all of them.
inline constexpr std::uint32_t kMaxEventContacts = 128;
/// Impacts of an island in a step that count as without end.
inline constexpr int kMaxImpactsOfIsland = 10'000;
/// Islands per task of their impacts.
inline constexpr std::size_t kEventIslandsPerTask = 16;
/// Contacts of a scene up to which such islands are solved before anything is swept: a larger scene
/// has others, too, and finds islands once, after its first sweeps.
inline constexpr std::size_t kMaxContactsBeforeSweeps = 512;
/// Rounds of such solves: islands that a round has merged are solved again.
inline constexpr int kMaxDirectRounds = 3;
/// Contacts of such islands for which memory is reserved: most beds have fewer.
inline constexpr std::size_t kMaxReservedDirectContacts = 4096;
/// Such islands per task: enough work to be worth waking a thread.
inline constexpr std::size_t kDirectIslandsPerTask = 16;
/// E_s to which it is solved, and up to which the last impulses stay those of an island at rest:
/// far below what a user can see, and above rounding [-].
inline constexpr double kDirectResidual = 1e-9;
/// Speed of bodies that hardly move, over the velocity by gravity in a step [-]: their residuals
/// would make stacks creep.
inline constexpr double kHardlyMovingFraction = 1e-3;
/// Contacts up to which steps of such bodies are solved finely: more would take too long.
inline constexpr std::size_t kMaxFineContacts = 2000;
/// Velocities that residuals may give to such bodies, over those that they have [-]: they then come
/// to rest, however slow the slowest of them is.
inline constexpr double kResidualOfMotion = 0.1;
/// Residual to which they are solved [-]: so far below the tolerance that stacks do not creep.
inline constexpr double kFineResidual = 1e-8;
/// Residual above which the portfolio continues such a solve [-]: below, stacks creep little.
inline constexpr double kCreepResidual = 1e-5;
/// Sweeps of such a step, unless it misses the tolerance: later steps continue.
inline constexpr int kFineSweeps = 200;
/// Sweeps allowed per contact that the portfolio may solve [-]: it then costs about as much as
/// they.
inline constexpr std::size_t kSweepsPerPortfolioContact = 3;
/// Bounds of the number of contacts up to which the portfolio solves, whatever sweeps are allowed:
/// it is cheap below the first; its cost grows fast with the number of contacts.
inline constexpr std::size_t kMinPortfolioContacts = 64;
inline constexpr std::size_t kMaxPortfolioContacts = 256;
/// Iterations of the portfolio, at least: cheap for so few contacts.
inline constexpr int kMinPortfolioIterations = 2000;
/// Value of max_sweeps below which the user wants speed: no more iterations than it says, and no
/// portfolio for the small islands of a large scene.
inline constexpr int kPatientSweeps = 100;
/// Repetitions of a step for missed contacts: an impact passes through one more body in each.
inline constexpr int kMaxStepRepetitions = 10;
/// Overlap over the sum of radii that is not worth a repetition [-]: the next step sees it.
inline constexpr double kNegligibleMissedOverlap = 1e-6;

// Position correction, and energies.

/// Overlap over the smaller radius from which on overlaps are corrected [-]: above the slop, or a
/// bed at rest would be corrected in every step.
inline constexpr double kMinCorrectedOverlap = 1.1 * kPenetrationSlop;
/// Growth of an overlap over the radius in a step that is rounding [-].
inline constexpr double kGrowthRounding = 1e-9;
/// Energy over that of the impulses up to which contacts create none [-]: errors of the solve are
/// smaller; a wrongly solved contact creates 1e-3.
inline constexpr double kCreatedEnergyOfImpulses = 1e-8;
/// Cosine of two normals of a pair above which a point that appears takes over the shear of one
/// that vanishes: within 8°, as on one patch of a surface [-].
inline constexpr double kSameNormalOfPoints = 0.99;
/// Relative difference of the energies of springs that is an error of the step, and no jump [-].
inline constexpr double kEnergyJumpTolerance = 1e-6;
/// Fraction of the energy of springs and bodies that no stable step creates [-].
inline constexpr double kUnstableEnergyFraction = 0.05;

// Joints.

/// Factor on the rate of a coordinate when a step begins to look for limits within reach [-]:
/// impulses and curvature may make it faster.
inline constexpr double kLimitRateFactor = 2;
/// Distance to a limit over the lever that is always within reach [-]: a coordinate at rest next to
/// its limit may start to move.
inline constexpr double kLimitReachOfLever = 1e-3;
/// Factor on the rate of a coordinate in the search for missed limits [-]: allows for curvature.
inline constexpr double kMissedLimitRateFactor = 2;
/// (ω h)² up to which a body may oscillate under the loads of its joints [-]: a step is unstable
/// from 4 on, and loads, which are those of the last step, may have grown.
inline constexpr double kMaxJointPhaseSquared = 3;
/// Compliance in joints over that without up to which joints prevent all motion [-]: rounding of
/// zero is below it.
inline constexpr double kHeldComplianceFraction = 1e-10;
/// Relative change of a bound of friction that is not worth another solve [-].
inline constexpr double kFrictionBoundTolerance = 1e-6;
/// Curvature that updates may leave, over the tolerance of the solve [-]: the solve dominates.
inline constexpr double kCurvatureToleranceFraction = 0.1;
/// The same over |q|, at most [-]: joints keep their energy, however loose the tolerance is.
inline constexpr double kMaxCurvatureTolerance = 1e-6;
/// Updates of curvature in a step of joints alone: until it converges.
inline constexpr int kMaxCurvatureUpdates = 50;
/// The same with contacts: the step is of first order anyway.
inline constexpr int kMaxCurvatureUpdatesWithContacts = 4;
/// Corrections of joints in a step, at most: each is a Newton step, which converges quickly.
inline constexpr int kMaxJointCorrections = 4;
/// Speed that joints leave over the speeds that they undo, up to which it is rounding [-]: their
/// elimination leaves less, unless rows depend on each other.
inline constexpr double kRoundingOfJoints = 3e-10;
/// Miss of joints over the positions and sizes of bodies that is rounding [-].
inline constexpr double kClosedJointMiss = 1e-14;
/// Work of joints over the energy that they transmit that is rounding [-].
inline constexpr double kJointWorkRounding = 1e-9;
/// Squared velocity of a joint over that of the worst from which on it is listed, too [-]: a tenth
/// of the velocity.
inline constexpr double kListedJointFraction = 0.1 * 0.1;

// Bodies that enter.

/// Positions that are tried for one body in one step: a full region costs no more.
inline constexpr int kMaxFillingTries = 200;
/// Rounding of products of rates and times, so that it does not delay a body by a step [-].
inline constexpr double kFillingRateRounding = 1e-12;

// Sleep and rest.

/// Change of position over twice the inscribed radius within which a body is calm [-].
inline constexpr double kCalmTravel = 1e-9;
/// Steps for which a body must be calm before it sleeps [-].
inline constexpr double kMinCalmSteps = 1000;
/// Time for which it must be calm over √(D/g), D the diameter of the bounding sphere [-]: the
/// distance from an unstable equilibrium grows by e^30 in this time.
inline constexpr double kMinCalmTime = 30;
/// Steps between searches for islands that may sleep: a search looks at every contact.
inline constexpr std::uint64_t kStepsBetweenSleepChecks = 64;
/// Samples while rest lasts, after the first: no rocking body among hundreds is faster at every one
/// by chance.
inline constexpr int kRestSamples = 16;
/// Velocity of the centre over that of the surface up to which a body spins in place [-].
inline constexpr double kSpinningInPlace = 0.01;
/// Cosine of the angle to the vertical up to which its axis is vertical [-].
inline constexpr double kVerticalAxisCosine = 0.99;
/// Time for which rest must last over √(D/|g|), D the diameter of the largest body [-].
inline constexpr double kRestTime = 4;

}  // namespace scree
