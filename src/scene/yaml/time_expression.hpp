/// Expressions of time, such as 0.1*sin(20*t), and of the load on an obstacle.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "scree/math/expression.hpp"
#include "scree/math/wrench.hpp"

namespace scree::scene {

class TimeExpression {
 public:
  /// Variables allowed besides time.
  enum class Sees { time, load };

  /// Throws InputError with the position if the text is not an expression.
  explicit TimeExpression(std::string text, Sees sees = Sees::time)
      : expression_(std::move(text),
                    std::span(kVariables).first(sees == Sees::time ? 1 : kVariables.size())) {}

  /// Value at time t [s] without load; may be infinite or NaN.
  double operator()(double t) const { return (*this)(t, {}); }
  /// Value at time t [s] under a load [N], [N m].
  double operator()(double t, const Wrench& load) const {
    const Vec3 &f = load.force, &m = load.torque;
    return expression_(std::array{t, f.x, f.y, f.z, m.x, m.y, m.z});
  }
  bool uses_load() const {
    bool uses = false;
    for (std::size_t k = 1; k < kVariables.size(); ++k) uses = uses || expression_.uses(k);
    return uses;
  }
  const std::string& text() const { return expression_.text(); }

 private:
  /// Variables of the load have the names of columns of obstacles.csv.
  static constexpr std::array<std::string_view, 7> kVariables{
      "t", "force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"};

  Expression expression_;
};

}  // namespace scree::scene
