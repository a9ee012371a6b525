/// State of a solve: its best impulse, its residuals and its limits.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <stop_token>
#include <utility>

#include "scree/solvers/solve_problem.hpp"
#include "solvers/operators/matrix_operator.hpp"

namespace scree {

/// Limits that end a solve from outside.
struct Limits {
  using Clock = std::chrono::steady_clock;
  Clock::time_point deadline = Clock::time_point::max();
  std::stop_token stop;
  int max_iterations = std::numeric_limits<int>::max();
  /// Duration of the last piece of work that cannot be interrupted, such as a factorisation.
  Clock::duration piece{};

  bool stopped() const { return stop.stop_requested(); }
  bool out_of_time() const { return Clock::now() >= deadline; }
  /// True if another such piece can end in time.
  bool has_time_for_piece() const { return deadline - Clock::now() > piece; }
};

template <class Operator>
class ProgressOf {
 public:
  ProgressOf(const Operator& system, double tolerance, Limits limits, const Vector& start)
      : system_(system), tolerance_(tolerance), limits_(std::move(limits)), best_(start) {
    best_velocity_ = start.isZero(0) ? system.q() : system.velocity(start);
    residual_ = system.residual(best_velocity_, start);
    history_.push_back({0, residual_});
  }

  /// Records an impulse after some more iterations; true if it meets the tolerance.
  bool record(const Vector& r, const Vector& u, double residual, int iterations) {
    residual = std::max(residual, rounding_floor(r));
    iterations_ += iterations;
    history_.push_back({iterations_, residual});
    if (residual < residual_) {  // never NaN
      residual_ = residual;
      best_ = r;
      best_velocity_ = u;
    }
    return converged();
  }
  bool record(const Vector& r, int iterations) {
    const Vector u = system_.velocity(r);
    return record(r, u, system_.residual(u, r), iterations);
  }

  /// Records an impulse as the answer, even if the start has a smaller residual: that of a method
  /// which solves a law close to this one exactly.
  void adopt(const Vector& r, int iterations) {
    residual_ = std::numeric_limits<double>::infinity();
    record(r, iterations);
  }

  /// Records a piece of work that cannot be interrupted; check has_time_for_piece() before each.
  void record_piece(Limits::Clock::time_point begin) { record_piece(Limits::Clock::now() - begin); }
  void record_piece(Limits::Clock::duration took) { limits_.piece = took; }

  /// Counts iterations without a usable result.
  void spend(int iterations) { iterations_ += iterations; }

  /// Records a proof that there is no solution: see find_infeasibility.
  void record_infeasibility(const Vector& p) { infeasibility_ = p; }

  bool converged() const { return residual_ <= tolerance_; }
  bool infeasible() const { return infeasibility_.has_value(); }
  bool stopped() const { return limits_.stopped(); }
  bool out_of_time() const { return limits_.out_of_time(); }
  bool has_time_for_piece() const { return limits_.has_time_for_piece(); }
  bool finished() const {
    return converged() || infeasible() || stopped() || iterations_left() <= 0 || out_of_time();
  }

  const Operator& system() const { return system_; }
  const Vector& best() const { return best_; }
  const Vector& best_velocity() const { return best_velocity_; }
  double residual() const { return residual_; }
  double tolerance() const { return tolerance_; }
  const Limits& limits() const { return limits_; }
  int iterations() const { return iterations_; }
  int iterations_left() const { return limits_.max_iterations - iterations_; }
  std::vector<Iterate>& history() { return history_; }
  const std::optional<Vector>& infeasibility() const { return infeasibility_; }

 private:
  /// Smallest E_s that rounding allows to resolve at r. In problems without a solution impulses
  /// grow without bound, and W r outgrows q: rounding then makes nonzero velocities zero.
  double rounding_floor(const Vector& r) const {
    constexpr double kHalfUlp = std::numeric_limits<double>::epsilon() / 2;
    constexpr double kIgnoredFloor = 1e-12;  // below, the floor is taken as zero [-]
    if (r.size() == 0 || kHalfUlp * system_.largest_diagonal() * r.cwiseAbs().maxCoeff() <=
                             kIgnoredFloor * system_.speed())
      return 0;
    double largest = 0;
    for (int block = 0; block < system_.blocks(); ++block)
      largest = std::max(
          largest,
          system_.diagonal(block).trace() / 3 *
              r.segment(system_.first_row(block), system_.rows_of(block)).cwiseAbs().maxCoeff());
    const double floor = system_.speed() > 0 ? kHalfUlp * largest / system_.speed() : 0;
    return floor > kIgnoredFloor ? floor : 0;
  }

  const Operator& system_;
  double tolerance_;
  Limits limits_;
  Vector best_, best_velocity_;
  double residual_;
  int iterations_ = 0;
  std::vector<Iterate> history_;
  std::optional<Vector> infeasibility_;
};

using Progress = ProgressOf<MatrixOperator>;

}  // namespace scree
