/// Expressions of named variables, such as 0.1*sin(20*t): read once, then evaluated anywhere.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/math/vec3.hpp"

namespace scree {

/// Operators: `+ - * / ^`, `( )`, comparisons, `&&`, `||`, `a ? b : c`. Constants: `pi` and `_e`.
/// Functions of one number: sin cos tan asin acos atan sinh cosh tanh exp ln log2 log10 sqrt abs
/// sign rint; of two: atan2; of one or more: min and max. `^` binds tightest and to the right, so
/// −x^2 is −(x²). True is 1 and false is 0; a condition that NaN leaves undecided is NaN.
/// Comparisons cannot be chained. Both branches of `? :` are evaluated.
///
/// Immutable after construction: any number of threads may evaluate it.
class Expression {
 public:
  /// The constant 0.
  Expression() : Expression("0", {}) {}
  /// Throws InputError if the text is not an expression in these names; the message has the fault
  /// and its position.
  Expression(std::string text, std::span<const std::string_view> variables);

  /// Value for the variables in the order in which they were named. It may be infinite or NaN where
  /// the expression is.
  double operator()(std::span<const double> variables) const;

  struct WithGradient {
    double value;
    Vec3 gradient;
  };
  /// Value and derivatives with respect to three variables, starting at `first`; exact up to
  /// rounding. At a kink the gradient is that of one side, or not finite.
  WithGradient with_gradient(std::span<const double> variables, std::size_t first) const;

  bool uses(std::size_t variable) const;
  bool uses_any() const;  ///< false: the value is constant
  const std::string& text() const { return text_; }

  enum class Operation : std::uint8_t {
    constant,
    variable,
    negate,
    function,  ///< of one number
    add,
    subtract,
    multiply,
    divide,
    power,
    atan2,
    min,
    max,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    both,
    either,
    choose,
  };
  /// One instruction of a stack machine.
  struct Instruction {
    Operation operation = Operation::constant;
    std::uint32_t index = 0;  ///< of the variable or the function
    double constant = 0;
  };

 private:
  std::string text_;
  std::vector<Instruction> code_;
  bool is_deep_ = false;  ///< evaluation needs a deep stack
};

}  // namespace scree
