/// What the compiler of expressions and their evaluation share.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "scree/math/expression.hpp"

namespace scree {

/// Numbers that an evaluation has in hand at once: of most expressions, and at most.
inline constexpr std::size_t kFewInHand = 4, kMaxInHand = 64;

/// Of one number, with its derivative.
struct NamedFunction {
  std::string_view name;
  double (*value)(double);
  double (*slope)(double);
};

/// In the order of Instruction::index.
std::span<const NamedFunction> named_functions();

struct CompiledExpression {
  std::vector<Expression::Instruction> code;
  std::size_t max_in_hand;  ///< numbers at once, kMaxInHand at most
};

/// Throws InputError, with what is wrong and where, if the text is no expression of these names.
CompiledExpression compile_expression(std::string_view text,
                                      std::span<const std::string_view> variables);

/// Of code without variables, with a few numbers in hand.
double constant_value(std::span<const Expression::Instruction> code);

}  // namespace scree
