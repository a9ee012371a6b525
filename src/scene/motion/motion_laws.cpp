/// Laws of motions as functions of time.
#include "scene/motion/motion_laws.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "scree/core/error.hpp"

namespace scree::scene {

namespace {

double finite_value(const TimeExpression& expression, double t, const std::string& key) {
  const double value = expression(t);
  if (std::isfinite(value)) return value;
  throw InputError(fmt::format("{}, '{}', is {}", key, expression.text(),
                               std::isnan(value) ? "nan" : fmt::format("{}", value)));
}

/// Integral of a speed: see integral_of().
class Integral {
 public:
  Integral(const TimeExpression& speed, double cell, std::string key)
      : speed_(speed), cell_(cell), key_(std::move(key)) {}

  double operator()(double t) {
    const double cells = std::floor(t / cell_);
    if (cells < done_) {
      done_ = 0;
      sum_ = lost_ = 0;
    }
    for (; done_ < cells; ++done_) add(over(done_ * cell_, (done_ + 1) * cell_));
    return sum_ + (lost_ + over(cells * cell_, t));
  }

 private:
  double over(double begin, double end) const {
    constexpr double kPoint = 0.7745966692414834;  // √(3/5)
    const double half = (end - begin) / 2, middle = (begin + end) / 2;
    if (half == 0) return 0;
    const auto at = [&](double x) { return finite_value(speed_, middle + half * x, key_); };
    return half * (5 * (at(-kPoint) + at(kPoint)) + 8 * at(0)) / 9;
  }
  /// Adds by Neumaier's compensated summation, so that a million cells lose no digit.
  void add(double value) {
    const double sum = sum_ + value;
    lost_ += std::abs(sum_) >= std::abs(value) ? (sum_ - sum) + value : (value - sum) + sum_;
    sum_ = sum;
  }

  TimeExpression speed_;
  double cell_;
  std::string key_;
  double done_ = 0;  ///< number of summed cells
  double sum_ = 0, lost_ = 0;
};

/// Orientation at a fraction of the shortest rotation from a to b.
Quaternion between(const Quaternion& a, const Quaternion& b, double fraction) {
  const Vec3 rotation_ab = rotation_vector(b * conjugate(a));
  return rotate_exactly(a, rotation_ab, fraction);
}

}  // namespace

TimeLaw steady(double speed) {
  return [speed](double t) { return speed * t; };
}

TimeLaw given_by(const TimeExpression& expression, std::string key) {
  return [expression, key = std::move(key)](double t) { return finite_value(expression, t, key); };
}

TimeLaw integral_of(const TimeExpression& speed, double cell, std::string key) {
  return Integral(speed, cell, std::move(key));
}

TimeLaw oscillation(double amplitude, double frequency, double phase) {
  return [=](double t) {
    // Removes whole periods before they cost digits
    const double periods = std::fmod(frequency * t, 1.0);
    return amplitude * std::sin(2 * std::numbers::pi * periods + phase);
  };
}

Pose PoseTable::operator()(double t) const {
  const auto after = std::ranges::upper_bound(rows_, t, {}, &Row::t);
  const auto pose_of = [this](const Row& row) { return Pose{row.position, orientation(row)}; };
  if (after == rows_.begin()) return pose_of(rows_.front());
  const Row& a = *(after - 1);
  if (after == rows_.end() || a.t == t) return pose_of(a);
  const Row& b = *after;
  const double fraction = (t - a.t) / (b.t - a.t);
  return {a.position + fraction * (b.position - a.position),
          axis_ ? rotation(*axis_, a.angle + fraction * (b.angle - a.angle))
                : between(a.orientation, b.orientation, fraction)};
}

double Motion::own_time(double t) const { return std::clamp(t, from, until) - from; }

Pose Motion::operator()(double t) const {
  const Pose at = pose(own_time(t));
  return {at.position - rotate(at.orientation, pivot), at.orientation};
}

Pose displacement(const Motions& motions, double t) {
  Pose sum;
  for (const Motion& motion : motions) sum = moved(motion(t), sum);
  return sum;
}

}  // namespace scree::scene
