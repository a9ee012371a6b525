/// Interface between the compiler of expressions and their evaluation.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "scree/math/expression.hpp"

namespace scree {

/// Stack sizes of an evaluation: enough for most expressions, and the maximum.
inline constexpr std::size_t kShallowStack = 4, kMaxStack = 64;

/// Function of one number, with its derivative.
struct NamedFunction {
  std::string_view name;
  double (*value)(double);
  double (*slope)(double);
};

/// Named functions, in the order of Instruction::index.
std::span<const NamedFunction> named_functions();

struct CompiledExpression {
  std::vector<Expression::Instruction> code;
  std::size_t max_depth;  ///< stack entries needed, at most kMaxStack
};

/// Compiles an expression. Throws InputError, with the fault and its position, if the text is not
/// an expression in these names.
CompiledExpression compile_expression(std::string_view text,
                                      std::span<const std::string_view> variables);

/// Value of code without variables that needs a shallow stack.
double constant_value(std::span<const Expression::Instruction> code);

}  // namespace scree
