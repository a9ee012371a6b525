/// What a solve has seen so far: its best percussion, its residuals, its time.
#pragma once

#include <chrono>

#include "scree/solvers/solve_problem.hpp"
#include "solvers/explicit/system.hpp"

namespace scree {

class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  Progress(const System& system, double tolerance, Clock::time_point deadline, const Vector& start)
      : system_(system), tolerance_(tolerance), deadline_(deadline), best_(start) {
    residual_ = system.residual(system.velocity(start), start);
    history_.push_back({0, residual_});
  }

  /// Books a percussion after some more iterations; true if it meets the tolerance.
  bool book(const Vector& r, double residual, int iterations) {
    iterations_ += iterations;
    history_.push_back({iterations_, residual});
    if (residual < residual_) residual_ = residual, best_ = r;  // never NaN
    return converged();
  }
  bool book(const Vector& r, int iterations) { return book(r, system_.residual(system_.velocity(r), r), iterations); }

  bool converged() const { return residual_ <= tolerance_; }
  bool out_of_time() const { return Clock::now() >= deadline_; }
  bool finished() const { return converged() || out_of_time(); }

  const System& system() const { return system_; }
  const Vector& best() const { return best_; }
  double residual() const { return residual_; }
  double tolerance() const { return tolerance_; }
  Clock::time_point deadline() const { return deadline_; }
  int iterations() const { return iterations_; }
  std::vector<Iterate>& history() { return history_; }

 private:
  const System& system_;
  double tolerance_;
  Clock::time_point deadline_;
  Vector best_;
  double residual_;
  int iterations_ = 0;
  std::vector<Iterate> history_;
};

}  // namespace scree
