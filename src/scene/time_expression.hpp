/// Expressions of the time, such as 0.1*sin(20*t), by muParser.
#pragma once

#include <muParser.h>
#include <string>

#include "scree/core/error.hpp"

namespace scree::scene {

/// One expression with a parser of its own, so that copies can be used by different threads.
class TimeExpression {
 public:
  /// Throws InputError with the position if the text is no expression.
  explicit TimeExpression(std::string text);
  TimeExpression(const TimeExpression& other) : TimeExpression(other.text_) {}
  TimeExpression& operator=(const TimeExpression& other);

  /// Value at time t [s]; may be infinite or NaN where the expression is.
  double operator()(double t) const;
  const std::string& text() const { return text_; }

 private:
  void compile();

  std::string text_;
  mutable double t_ = 0;  ///< the variable the parser reads
  mu::Parser parser_;
};

}  // namespace scree::scene
