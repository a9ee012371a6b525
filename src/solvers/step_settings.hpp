/// The tuned numbers of a step: thresholds, caps and tolerances that are no input of users. Each
/// has its unit, and the reason for its value. Numbers of the geometry stand with their shapes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scree {

// ---- Solvers ------------------------------------------------------------------------------------

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

/// Overlap over the smaller bounding radius that counts as touching, and is not corrected [-]. So
/// do such gaps where bodies touch at several points. Otherwise residuals of a solve tilt a body a
/// little, a corner lifts by as much and falls in the next step, and a stack rocks more and more.
inline constexpr double kPenetrationSlop = 1e-4;
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

/// Speed of bodies that hardly move, over the velocity by gravity in a step [-]: their residuals
/// would make stacks creep.
inline constexpr double kHardlyMovingFraction = 1e-3;
/// Contacts up to which steps of such bodies are solved finely: more would take too long.
inline constexpr std::size_t kMaxFineContacts = 2000;
/// Residual to which they are solved [-]: so far below the tolerance that stacks do not creep.
inline constexpr double kFineResidual = 1e-8;
/// Residual above which the portfolio continues such a solve [-]: below, stacks creep little.
inline constexpr double kCreepResidual = 1e-5;
/// Factor on the minimum of sweeps in such a step [-].
inline constexpr int kFineSweepsFactor = 4;
/// Sweeps allowed per contact that the portfolio may solve [-]: it then costs about as much as
/// they.
inline constexpr std::size_t kSweepsPerPortfolioContact = 3;
/// Bounds of the number of contacts up to which the portfolio solves, whatever sweeps are allowed:
/// it is cheap below the first; its cost grows fast with the number of contacts.
inline constexpr std::size_t kMinPortfolioContacts = 64;
inline constexpr std::size_t kMaxPortfolioContacts = 256;
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
