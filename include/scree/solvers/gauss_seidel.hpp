/// Block Gauss–Seidel over colours: each contact in turn is solved exactly by its own law, the
/// others' impulses kept.
///
/// Contacts of one colour share no free body: they go through the lanes of a SIMD register and over
/// threads, and the result is the same bits for every instruction set and number of threads. The
/// method is the non-linear Gauss–Seidel of contact dynamics [Jean99]. Joints come last in a sweep,
/// all that hang together at once: see JointElimination.
#pragma once

#include <optional>

#include "scree/core/exact_sum.hpp"
#include "scree/core/threads.hpp"
#include "scree/solvers/contact_problem.hpp"
#include "scree/solvers/joint_elimination.hpp"
#include "scree/solvers/momentum.hpp"
#include "scree/solvers/solver_settings.hpp"

namespace scree {

/// What the certificate says of the impulses and velocities as they stand.
struct Certificate {
  double residual = 0;        ///< E_s, see ResidualScale [-]
  double error = 0;           ///< sqrt(Σ e²) [m/s]
  double worst_residual = 0;  ///< max e [m/s]
  std::size_t loaded = 0;     ///< contacts with r_n > 0
  std::size_t sliding = 0;    ///< of them, on the surface of the cone
  std::size_t local_failures = 0;
  /// Contacts and joints with e > ResidualScale::allowed(tolerance) / √(number of both), which is
  /// what each may have: if none has more, E_s meets the tolerance.
  std::size_t over_tolerance = 0;
  double bias_work = 0;  ///< −Σ b r_n: what gap terms and rebounds do to the bodies [J]
  /// Of ContactProblem::chunks, or counted on from their last, of full_chunks, then of joints: that
  /// with the worst contact. Their number if there is none.
  std::uint32_t worst_chunk = 0;
};

struct SolveResult {
  Certificate certificate;
  int sweeps = 0;
  bool converged = false;
  /// sqrt(Σ e²) at the end over that after half of the sweeps [-]: near 1 where more of them do not
  /// help; 0 where nobody looked half way.
  double convergence_ratio = 0;

  /// Of two problems that a step solves one after the other: what is told of both.
  void take_worse(const SolveResult& other);
};

/// Momentum between sweeps, as NesterovSequence has it; contacts vote. Impulses and velocities
/// take the same step, so that velocities stay those of the impulses.
class Momentum {
 public:
  void start();
  /// After a sweep. What it says of the last push counts in the next: to know it in this one would
  /// take a second pass.
  void push(ContactProblem& problem, ThreadPool& pool);
  std::size_t bytes() const;  ///< held [byte]

 private:
  struct Motion {
    Vec3 velocity, spin;
  };
  /// Of a block of contacts or of rolling rows.
  struct Impulses {
    double swept[3][kBlock], pushed[3][kBlock];
  };
  NesterovSequence sequence_;
  std::optional<double> share_against_;  ///< none before the first push
  std::vector<Votes> votes_;             ///< one a task
  AlignedVector<Motion> bodies_;         ///< last x
  /// Of sphere blocks, then of full ones, then of rolling rows.
  AlignedVector<Impulses> impulses_;
  AlignedVector<double> joint_impulses_;  ///< JointBlock::kMaxRows numbers each
};

namespace kernels {
/// What contacts add to the certificate.
struct CertificateSums {
  ExactSum squared, bias_work;  ///< Σ e² [m²/s²], −Σ b r_n [J]
  std::uint64_t loaded = 0, sliding = 0, over_tolerance = 0, local_failures = 0;
};
}  // namespace kernels

class GaussSeidel {
 public:
  /// Adds the impulses in `problem` to the velocities, which must be the free velocities.
  void apply_warm_start(ContactProblem& problem, ThreadPool& pool);

  /// Sweeps until E_s is as small as `settings` asks, or max_sweeps; `settings.method`
  /// is not looked at. Velocities and impulses in
  /// `problem` are start and result.
  SolveResult solve(ContactProblem& problem, const SolverSettings& settings, ThreadPool& pool);

  /// One sweep; returns max W_t |Δr| [m/s], which vanishes with the residual; of joints what they
  /// missed before it. Joints must be those that solve() was called with last; contacts that are
  /// solved with them are left with sqrt(Σ e²) ≤ `of_islands` [m/s], where they can.
  double sweep(ContactProblem& problem, ThreadPool& pool, double of_islands = 0);

  /// The residual of every contact's own law, counts and classes.
  Certificate certify(const ContactProblem& problem, double tolerance, ThreadPool& pool);

  /// That of the joints of the problem that was solved last.
  JointElimination& joints() { return joints_; }

  /// Held between solves, but for joints [byte].
  std::size_t bytes() const;

 private:
  std::vector<kernels::CertificateSums> sums_;  ///< one a task of certify()
  /// Of chunks of sphere blocks, of full ones, then of joints: max e² [m²/s²]; or, with chunks of
  /// rolling rows in the place of joints, (W_t |Δr|)² [m²/s²].
  AlignedVector<double> largest_;
  Momentum momentum_;
  JointElimination joints_;
};

}  // namespace scree
