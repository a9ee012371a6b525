/// Expressions of the time, such as 0.1*sin(20*t).
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "scree/math/expression.hpp"

namespace scree::scene {

class TimeExpression {
 public:
  /// Throws InputError with the position if the text is no expression.
  explicit TimeExpression(std::string text) : expression_(std::move(text), kVariables) {}

  /// Value at time t [s]; may be infinite or NaN where the expression is.
  double operator()(double t) const { return expression_(std::array{t}); }
  const std::string& text() const { return expression_.text(); }

 private:
  static constexpr std::array<std::string_view, 1> kVariables{"t"};

  Expression expression_;
};

}  // namespace scree::scene
