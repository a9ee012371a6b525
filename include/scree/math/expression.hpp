/// Expressions of named variables, such as 0.1*sin(20*t): read once, then evaluated anywhere.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/math/vec3.hpp"

namespace scree {

/// `+ - * / ^`, `( )`, comparisons, `&&`, `||`, `a ? b : c`, the constants `pi` and `_e`, and
/// functions: sin cos tan asin acos atan sinh cosh tanh exp ln log2 log10 sqrt abs sign rint of one
/// number, atan2 of two, min and max of one or more. `^` binds tightest and to the right, so −x^2
/// is −(x²). What is true is 1, what is false 0, and what NaN leaves open is NaN; comparisons are
/// not chained. Both branches of `? :` are evaluated.
///
/// A compiled expression does not change: any number of threads may evaluate it.
class Expression {
 public:
  /// Is 0.
  Expression() : Expression("0", {}) {}
  /// Throws InputError, with what is wrong and where, if the text is no expression of these names.
  Expression(std::string text, std::span<const std::string_view> variables);

  /// The variables in the order in which they were named. May be infinite or NaN where the
  /// expression is.
  double operator()(std::span<const double> variables) const;

  struct WithGradient {
    double value;
    Vec3 gradient;
  };
  /// With the derivatives by three variables from `first` on: exact but for rounding. At a kink
  /// that of one of its sides, or what is not finite.
  WithGradient with_gradient(std::span<const double> variables, std::size_t first) const;

  bool uses(std::size_t variable) const;
  bool uses_any() const;  ///< else it is the same everywhere
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
  /// One step of a machine with a stack.
  struct Instruction {
    Operation operation = Operation::constant;
    std::uint32_t index = 0;  ///< of the variable or the function
    double constant = 0;
  };

 private:
  std::string text_;
  std::vector<Instruction> code_;
  bool is_deep_ = false;  ///< it has many numbers in hand at once
};

}  // namespace scree
