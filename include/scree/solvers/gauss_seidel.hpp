/// Block Gauss–Seidel over colours: it solves one contact after the other exactly by its own law,
/// with the others' impulses fixed.
///
/// Contacts of one colour share no free body: they are solved in SIMD lanes and by threads, and the
/// result has the same bits for every instruction set and number of threads. The method is the
/// non-linear Gauss–Seidel of contact dynamics [Jean99]. Joints come last in a sweep, all connected
/// ones at once: see JointElimination.
#pragma once

#include <optional>
#include <span>

#include "scree/core/exact_sum.hpp"
#include "scree/core/threads.hpp"
#include "scree/solvers/contact_problem.hpp"
#include "scree/solvers/joint_elimination.hpp"
#include "scree/solvers/momentum.hpp"
#include "scree/solvers/shared_contacts.hpp"
#include "scree/solvers/solver_settings.hpp"

namespace scree {

/// Accuracy of the present impulses and velocities, and counts of contacts.
struct Certificate {
  double residual = 0;        ///< E_s, see ResidualScale [-]
  double error = 0;           ///< sqrt(Σ e²) [m/s]
  double worst_residual = 0;  ///< max e [m/s]
  std::size_t loaded = 0;     ///< contacts with r_n > 0
  std::size_t sliding = 0;    ///< loaded ones on the surface of the cone
  std::size_t local_failures = 0;
  std::size_t several_solutions = 0;  ///< contacts whose law has several, the others being fixed
  std::size_t other_choices = 0;      ///< those with another one than their law takes
  /// Contacts and joints with e > ResidualScale::allowed(tolerance) / √(number of both): if there
  /// are none, E_s meets the tolerance.
  std::size_t over_tolerance = 0;
  double bias_work = 0;  ///< −Σ b r_n: work of gap terms and rebounds on the bodies [J]
  /// Index of the chunk with the worst contact, or of the worst joint: ContactProblem::chunks, then
  /// contact_chunks, then joints. The number of all of them if there is no contact and no joint.
  std::uint32_t worst_chunk = 0;
};

struct SolveResult {
  Certificate certificate;
  int sweeps = 0;
  bool converged = false;
  /// sqrt(Σ e²) at the end over that after half of the sweeps [-]: near 1 where more sweeps do not
  /// help; 0 if it was not measured half way.
  double convergence_ratio = 0;

  /// Combines the results of two problems that a step solves one after the other.
  void take_worse(const SolveResult& other);
};

/// Momentum between sweeps by NesterovSequence; contacts vote. Impulses and velocities take the
/// same step, so velocities stay consistent with impulses.
class Momentum {
 public:
  void start();
  /// Extrapolates after a sweep. Votes on the last extrapolation take effect in the next one: to
  /// use them now would need a second pass.
  void extrapolate(ContactProblem& problem, ThreadPool& pool, SharedContacts& shared);
  std::size_t bytes() const;  ///< held [byte]

 private:
  struct Motion {
    Vec3 velocity, spin;
  };
  /// Impulses of a block of contacts or of rolling rows: after the last sweep, and extrapolated
  struct Impulses {
    double swept[3][kBlock], extrapolated[3][kBlock];
  };
  NesterovSequence sequence_;
  std::optional<double> share_against_;  ///< none before the first extrapolation
  std::vector<Votes> votes_;             ///< one per task
  AlignedVector<Motion> bodies_;         ///< last x
  /// For sphere blocks, then contact blocks, then rolling blocks
  AlignedVector<Impulses> impulses_;
  AlignedVector<double> joint_impulses_;  ///< JointBlock::kMaxRows numbers each
};

namespace kernels {
/// Sums over contacts for the certificate.
struct CertificateSums {
  ExactSum squared, bias_work;  ///< Σ e² [m²/s²], −Σ b r_n [J]
  std::uint64_t loaded = 0, sliding = 0, over_tolerance = 0, local_failures = 0,
                several_solutions = 0, other_choices = 0;

  CertificateSums& operator+=(const CertificateSums& other) {
    squared += other.squared;
    bias_work += other.bias_work;
    loaded += other.loaded;
    sliding += other.sliding;
    over_tolerance += other.over_tolerance;
    local_failures += other.local_failures;
    several_solutions += other.several_solutions;
    other_choices += other.other_choices;
    return *this;
  }
};
}  // namespace kernels

class GaussSeidel {
 public:
  /// Adds the impulses in `problem` to the velocities, which must be the free velocities.
  void apply_warm_start(ContactProblem& problem, ThreadPool& pool);

  /// Sweeps until E_s meets `settings`, or max_sweeps; ignores `settings.method`. Velocities and
  /// impulses in `problem` are start and result. The ranks of the pool share large problems.
  SolveResult solve(ContactProblem& problem, const SolverSettings& settings, ThreadPool& pool) {
    return solve(problem, settings, pool, settings.tolerance);
  }
  /// The same, but continues to E_s ≤ `goal`. Converged tells whether E_s meets the tolerance.
  SolveResult solve(ContactProblem& problem, const SolverSettings& settings, ThreadPool& pool,
                    double goal);

  /// Sweeps once. Returns the larger of max W_t |Δr|, which vanishes with the residual, and the
  /// residual of joints before the sweep [m/s]. Joints must be those of the last call of solve().
  /// Contacts that are solved with joints get sqrt(Σ e²) ≤ `island_tolerance` [m/s], if possible.
  double sweep(ContactProblem& problem, ThreadPool& pool, double island_tolerance = 0);

  /// Residuals by every contact's own law, counts and classes.
  Certificate certify(const ContactProblem& problem, double tolerance, ThreadPool& pool);

  /// e² of the last certified state, in the lanes of ContactProblem::blocks, then of
  /// contact_blocks, then of joints [m²/s²].
  std::span<const double> squared_residuals() const { return squared_; }

  /// Elimination of the joints of the last solved problem.
  JointElimination& joints() { return joints_; }

  /// Memory held between solves, without joints [byte].
  std::size_t bytes() const;

 private:
  SolveResult sweep_to(double goal, ContactProblem& problem, const SolverSettings& settings,
                       ThreadPool& pool);
  Certificate certificate_of_ranks();

  std::vector<kernels::CertificateSums> sums_;  ///< one per task of certify()
  /// max e² [m²/s²] of chunks of sphere blocks, then of contact blocks, then of joints; or
  /// max (W_t |Δr|)² [m²/s²], with chunks of rolling blocks instead of joints.
  AlignedVector<double> largest_;
  AlignedVector<double> squared_;  ///< see squared_residuals()
  Momentum momentum_;
  JointElimination joints_;
  SharedContacts shared_;
  /// Sums of a rank, and its largest e² with the number of its chunk.
  struct RankVerdict {
    kernels::CertificateSums sums;
    double worst;
    std::uint32_t worst_chunk;
  };
  std::vector<RankVerdict> verdicts_;  ///< of all ranks
};

}  // namespace scree
