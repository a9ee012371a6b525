/// Evaluates compiled expressions, with or without derivatives, on a small stack.
#include "scree/math/expression.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "math/expression_code.hpp"

namespace scree {
namespace {

using Operation = Expression::Operation;
using Instruction = Expression::Instruction;

double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : x == 0 ? 0 : x; }

constexpr std::array<NamedFunction, 17> kFunctions{{
    {"sin", [](double x) { return std::sin(x); }, [](double x) { return std::cos(x); }},
    {"cos", [](double x) { return std::cos(x); }, [](double x) { return -std::sin(x); }},
    {"tan", [](double x) { return std::tan(x); },
     [](double x) { return 1 + std::tan(x) * std::tan(x); }},
    {"asin", [](double x) { return std::asin(x); },
     [](double x) { return 1 / std::sqrt(1 - x * x); }},
    {"acos", [](double x) { return std::acos(x); },
     [](double x) { return -1 / std::sqrt(1 - x * x); }},
    {"atan", [](double x) { return std::atan(x); }, [](double x) { return 1 / (1 + x * x); }},
    {"sinh", [](double x) { return std::sinh(x); }, [](double x) { return std::cosh(x); }},
    {"cosh", [](double x) { return std::cosh(x); }, [](double x) { return std::sinh(x); }},
    {"tanh", [](double x) { return std::tanh(x); },
     [](double x) { return 1 - std::tanh(x) * std::tanh(x); }},
    {"exp", [](double x) { return std::exp(x); }, [](double x) { return std::exp(x); }},
    {"ln", [](double x) { return std::log(x); }, [](double x) { return 1 / x; }},
    {"log2", [](double x) { return std::log2(x); },
     [](double x) { return 1 / (x * std::numbers::ln2); }},
    {"log10", [](double x) { return std::log10(x); },
     [](double x) { return 1 / (x * std::numbers::ln10); }},
    {"sqrt", [](double x) { return std::sqrt(x); }, [](double x) { return 0.5 / std::sqrt(x); }},
    {"abs", [](double x) { return std::abs(x); }, &sign_of},
    {"sign", &sign_of, [](double) { return 0.0; }},
    {"rint", [](double x) { return std::rint(x); }, [](double) { return 0.0; }},
}};

/// Number with its derivatives with respect to three variables.
struct Dual {
  double value = 0;
  Vec3 slope{};

  Dual() = default;
  Dual(double number) : value(number) {}
  Dual(double number, const Vec3& derivatives) : value(number), slope(derivatives) {}
};

double value_of(double a) { return a; }
double value_of(const Dual& a) { return a.value; }

double negated(double a) { return -a; }
Dual negated(const Dual& a) { return {-a.value, -a.slope}; }

double of_function(const NamedFunction& f, double a) { return f.value(a); }
Dual of_function(const NamedFunction& f, const Dual& a) {
  // A constant argument has zero slope, however steep the function is.
  if (a.slope == Vec3{}) return f.value(a.value);
  return {f.value(a.value), f.slope(a.value) * a.slope};
}

double sum(double a, double b) { return a + b; }
Dual sum(const Dual& a, const Dual& b) { return {a.value + b.value, a.slope + b.slope}; }

double difference(double a, double b) { return a - b; }
Dual difference(const Dual& a, const Dual& b) { return {a.value - b.value, a.slope - b.slope}; }

double product(double a, double b) { return a * b; }
Dual product(const Dual& a, const Dual& b) {
  return {a.value * b.value, a.value * b.slope + b.value * a.slope};
}

double quotient(double a, double b) { return a / b; }
Dual quotient(const Dual& a, const Dual& b) {
  const double value = a.value / b.value;
  return {value, (a.slope - value * b.slope) / b.value};
}

/// Power; small whole exponents, the most common, round no more than products do.
double power(double a, double b) {
  if (b == 2) return a * a;
  if (b == 3) return a * a * a;
  if (b == 4) return a * a * a * a;
  return std::pow(a, b);
}
Dual power(const Dual& a, const Dual& b) {
  const double value = power(a.value, b.value);
  Vec3 slope;
  if (a.slope != Vec3{}) slope += b.value * power(a.value, b.value - 1) * a.slope;
  if (b.slope != Vec3{}) slope += value * std::log(a.value) * b.slope;
  return {value, slope};
}

double arc(double a, double b) { return std::atan2(a, b); }
Dual arc(const Dual& a, const Dual& b) {
  const double squared = a.value * a.value + b.value * b.value;
  return {std::atan2(a.value, b.value), (b.value * a.slope - a.value * b.slope) / squared};
}

/// Minimum that propagates NaN.
template <class Number>
Number minimum(const Number& a, const Number& b) {
  return value_of(a) < value_of(b) || std::isnan(value_of(a)) ? a : b;
}
template <class Number>
Number maximum(const Number& a, const Number& b) {
  return value_of(a) > value_of(b) || std::isnan(value_of(a)) ? a : b;
}

/// Truth value 1 or 0; NaN if a NaN operand leaves it undecided.
double answer(Operation question, double a, double b) {
  const bool unknown = std::isnan(a) || std::isnan(b);
  if (question == Operation::both) {
    if (a == 0 || b == 0) return 0;
    return unknown ? std::nan("") : 1;
  }
  if (question == Operation::either) {
    const bool either = (a != 0 && !std::isnan(a)) || (b != 0 && !std::isnan(b));
    if (either) return 1;
    return unknown ? std::nan("") : 0;
  }
  if (unknown) return std::nan("");
  switch (question) {
    case Operation::less:
      return a < b;
    case Operation::less_equal:
      return a <= b;
    case Operation::greater:
      return a > b;
    case Operation::greater_equal:
      return a >= b;
    case Operation::equal:
      return a == b;
    default:
      return a != b;
  }
}

template <class Number>
Number of_two(Operation operation, const Number& a, const Number& b) {
  switch (operation) {
    case Operation::add:
      return sum(a, b);
    case Operation::subtract:
      return difference(a, b);
    case Operation::multiply:
      return product(a, b);
    case Operation::divide:
      return quotient(a, b);
    case Operation::power:
      return power(a, b);
    case Operation::atan2:
      return arc(a, b);
    case Operation::min:
      return minimum(a, b);
    case Operation::max:
      return maximum(a, b);
    default:
      return answer(operation, value_of(a), value_of(b));
  }
}

/// Evaluates code that needs at most `depth` numbers on the stack; `variable` returns one by its
/// index.
template <class Number, std::size_t depth, class Variable>
Number run(std::span<const Instruction> code, Variable&& variable) {
  std::array<Number, depth> stack{};
  std::size_t top = 0;  // one above the top entry
  for (const Instruction& step : code) switch (step.operation) {
      case Operation::constant:
        stack[top++] = step.constant;
        break;
      case Operation::variable:
        stack[top++] = variable(step.index);
        break;
      case Operation::negate:
        stack[top - 1] = negated(stack[top - 1]);
        break;
      case Operation::function:
        stack[top - 1] = of_function(kFunctions[step.index], stack[top - 1]);
        break;
      case Operation::choose:
        top -= 2;
        // A NaN condition makes the result NaN.
        stack[top - 1] = std::isnan(value_of(stack[top - 1])) ? stack[top - 1]
                         : value_of(stack[top - 1]) != 0      ? stack[top]
                                                              : stack[top + 1];
        break;
      default:
        --top;
        stack[top - 1] = of_two(step.operation, stack[top - 1], stack[top]);
    }
  return stack[0];
}

}  // namespace

std::span<const NamedFunction> named_functions() { return kFunctions; }

double constant_value(std::span<const Instruction> code) {
  return run<double, kShallowStack>(code, [](std::uint32_t) { return 0.0; });
}

Expression::Expression(std::string text, std::span<const std::string_view> variables)
    : text_(std::move(text)) {
  CompiledExpression compiled = compile_expression(text_, variables);
  code_ = std::move(compiled.code);
  is_deep_ = compiled.max_depth > kShallowStack;
}

double Expression::operator()(std::span<const double> variables) const {
  const auto variable = [&](std::uint32_t k) { return variables[k]; };
  return is_deep_ ? run<double, kMaxStack>(code_, variable)
                  : run<double, kShallowStack>(code_, variable);
}

Expression::WithGradient Expression::with_gradient(std::span<const double> variables,
                                                   std::size_t first) const {
  const auto variable = [&](std::uint32_t k) {
    Dual number = variables[k];
    if (k >= first && k < first + 3) number.slope[static_cast<int>(k - first)] = 1;
    return number;
  };
  const Dual result =
      is_deep_ ? run<Dual, kMaxStack>(code_, variable) : run<Dual, kShallowStack>(code_, variable);
  return {result.value, result.slope};
}

bool Expression::uses(std::size_t variable) const {
  return std::ranges::any_of(code_, [&](const Instruction& step) {
    return step.operation == Operation::variable && step.index == variable;
  });
}

bool Expression::uses_any() const {
  return std::ranges::find(code_, Operation::variable, &Instruction::operation) != code_.end();
}

}  // namespace scree
