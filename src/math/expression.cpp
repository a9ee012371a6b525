#include "scree/math/expression.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "scree/core/error.hpp"
#include "scree/core/spelling.hpp"

namespace scree {
namespace {

using Operation = Expression::Operation;
using Instruction = Expression::Instruction;

/// Numbers that an evaluation has in hand at once: of most expressions, and at most.
constexpr std::size_t kFewInHand = 4, kMostInHand = 64;
constexpr int kMostNested = 100;

double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : x == 0 ? 0 : x; }

/// Of one number, with its derivative.
struct Function {
  std::string_view name;
  double (*value)(double);
  double (*slope)(double);
};
constexpr std::array<Function, 17> kFunctions{{
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

/// A number with its derivatives by three variables.
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

double of_function(const Function& f, double a) { return f.value(a); }
Dual of_function(const Function& f, const Dual& a) {
  // What does not depend on the variables has no slope, however steep the function is.
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

/// Small whole powers, the most common, without rounding more than products do.
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

/// What is NaN is not lost.
template <class Number>
Number least(const Number& a, const Number& b) {
  return value_of(a) < value_of(b) || std::isnan(value_of(a)) ? a : b;
}
template <class Number>
Number greatest(const Number& a, const Number& b) {
  return value_of(a) > value_of(b) || std::isnan(value_of(a)) ? a : b;
}

/// 1 or 0; NaN where what is not a number leaves it open.
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
      return least(a, b);
    case Operation::max:
      return greatest(a, b);
    default:
      return answer(operation, value_of(a), value_of(b));
  }
}

/// Runs code that has no more than `most` numbers in hand; `variable` gives one by its index.
template <class Number, std::size_t most, class Variable>
Number run(std::span<const Instruction> code, Variable&& variable) {
  std::array<Number, most> hand{};
  std::size_t top = 0;  // one above the last
  for (const Instruction& step : code) switch (step.operation) {
      case Operation::constant:
        hand[top++] = step.constant;
        break;
      case Operation::variable:
        hand[top++] = variable(step.index);
        break;
      case Operation::negate:
        hand[top - 1] = negated(hand[top - 1]);
        break;
      case Operation::function:
        hand[top - 1] = of_function(kFunctions[step.index], hand[top - 1]);
        break;
      case Operation::choose:
        top -= 2;
        // A condition that is NaN is no answer.
        hand[top - 1] = std::isnan(value_of(hand[top - 1])) ? hand[top - 1]
                        : value_of(hand[top - 1]) != 0      ? hand[top]
                                                            : hand[top + 1];
        break;
      default:
        --top;
        hand[top - 1] = of_two(step.operation, hand[top - 1], hand[top]);
    }
  return hand[0];
}

/// From text to code, by recursive descent.
class Compiler {
 public:
  Compiler(std::string_view text, std::span<const std::string_view> variables)
      : text_(text), variables_(variables) {}

  std::vector<Instruction> compile() {
    read_choice();
    skip_spaces();
    if (at_ < text_.size()) {
      if (text_[at_] == ',') refuse("one value is needed; the comma is no decimal point");
      if (text_[at_] == '=') refuse("assignments are not allowed; == compares");
      refuse("'" + std::string(text_.substr(at_, 1)) + "' is not expected here");
    }
    return std::move(code_);
  }
  std::size_t most_in_hand() const { return most_in_hand_; }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(what + " (at character " + std::to_string(at_ + 1) + ")");
  }

  // Tokens.

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  /// Whether it is what comes next, which is then taken.
  bool take(std::string_view token) {
    skip_spaces();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  void need(std::string_view token) {
    if (!take(token)) refuse("'" + std::string(token) + "' is missing");
  }

  // Code.

  /// How many numbers each operation takes off the stack.
  static std::size_t taken_by(Operation operation) {
    switch (operation) {
      case Operation::constant:
      case Operation::variable:
        return 0;
      case Operation::negate:
      case Operation::function:
        return 1;
      case Operation::choose:
        return 3;
      default:
        return 2;
    }
  }
  /// Adds a step; one whose operands are constants is a constant.
  void add(const Instruction& step) {
    const std::size_t taken = taken_by(step.operation);
    in_hand_ = in_hand_ - taken + 1;
    most_in_hand_ = std::max(most_in_hand_, in_hand_);
    if (in_hand_ > kMostInHand) refuse("the expression is nested too deeply");
    code_.push_back(step);
    const auto operands = std::span(code_).last(taken + 1).first(taken);
    if (taken == 0 || !std::ranges::all_of(operands, [](const Instruction& operand) {
          return operand.operation == Operation::constant;
        }))
      return;
    const auto none = [](std::uint32_t) { return 0.0; };
    const double value = run<double, kFewInHand>(std::span(code_).last(taken + 1), none);
    code_.resize(code_.size() - taken - 1);
    code_.push_back({.constant = value});
  }
  void add(Operation operation) { add(Instruction{operation, 0, 0}); }

  // Grammar, from what binds least.

  void read_choice() {
    if (++nested_ > kMostNested) refuse("the expression is nested too deeply");
    read_either();
    if (take("?")) {
      read_choice();
      need(":");
      read_choice();
      add(Operation::choose);
    }
    --nested_;
  }
  void read_either() {
    read_both();
    while (take("||")) {
      read_both();
      add(Operation::either);
    }
  }
  void read_both() {
    read_comparison();
    while (take("&&")) {
      read_comparison();
      add(Operation::both);
    }
  }
  std::optional<Operation> take_comparison() {
    if (take("<=")) return Operation::less_equal;
    if (take(">=")) return Operation::greater_equal;
    if (take("==")) return Operation::equal;
    if (take("!=")) return Operation::not_equal;
    if (take("<")) return Operation::less;
    if (take(">")) return Operation::greater;
    return {};
  }
  void read_comparison() {
    skip_spaces();
    const std::size_t begin = at_;
    read_sum();
    const auto comparison = take_comparison();
    if (!comparison) return;
    skip_spaces();
    const std::size_t middle = at_;
    read_sum();
    add(*comparison);
    skip_spaces();
    const std::size_t end = at_;
    if (take_comparison()) refuse_chain(begin, middle, end);
  }
  /// 1 < t < 2 would compare 2 with what 1 < t is, 0 or 1.
  [[noreturn]] void refuse_chain(std::size_t begin, std::size_t middle, std::size_t end) {
    read_sum();
    const auto from_to = [&](std::size_t from, std::size_t to) {
      std::string_view part = text_.substr(from, to - from);
      while (part.ends_with(' ') || part.ends_with('\t')) part.remove_suffix(1);
      return std::string(part);
    };
    const std::string first = from_to(begin, end), second = from_to(middle, at_);
    at_ = end;
    refuse("comparisons are not chained; write " + first + " && " + second);
  }
  void read_sum() {
    read_product();
    while (true) {
      if (take("+")) {
        read_product();
        add(Operation::add);
      } else if (take("-")) {
        read_product();
        add(Operation::subtract);
      } else {
        return;
      }
    }
  }
  void read_product() {
    read_signed();
    while (true) {
      if (take("*")) {
        read_signed();
        add(Operation::multiply);
      } else if (take("/")) {
        read_signed();
        add(Operation::divide);
      } else {
        return;
      }
    }
  }
  void read_signed() {
    if (++nested_ > kMostNested) refuse("the expression is nested too deeply");
    if (take("-")) {
      read_signed();
      add(Operation::negate);
    } else if (take("+")) {
      read_signed();
    } else {
      read_operand();
      if (take("^")) {
        read_signed();
        add(Operation::power);
      }
    }
    --nested_;
  }
  void read_operand() {
    if (take("(")) {
      read_choice();
      need(")");
      return;
    }
    if (at_ == text_.size()) refuse("a number, a name or '(' is missing");
    const char c = text_[at_];
    if ((c >= '0' && c <= '9') || c == '.')
      read_number();
    else if (is_of_name(c))
      read_name();
    else
      refuse(std::string("'") + c + "' is not expected here");
  }
  void read_number() {
    double value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc()) refuse("the number cannot be read");
    at_ += static_cast<std::size_t>(end - begin);
    add({.constant = value});
  }
  static bool is_of_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
  }
  void read_name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_of_name(text_[at_])) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (take("(")) {
      read_function(name, begin);
      return;
    }
    const auto variable = std::ranges::find(variables_, name);
    if (variable != variables_.end())
      add({Operation::variable, static_cast<std::uint32_t>(variable - variables_.begin())});
    else if (name == "pi" || name == "_pi")
      add({.constant = std::numbers::pi});
    else if (name == "_e")
      add({.constant = std::numbers::e});
    else
      refuse_name(name, begin, "name");
  }
  [[noreturn]] void refuse_name(std::string_view name, std::size_t begin, const char* what) {
    std::vector<std::string> known;
    if (what == std::string_view("name")) {
      known.assign(variables_.begin(), variables_.end());
      known.insert(known.end(), {"pi", "_e"});
    } else {
      for (const Function& function : kFunctions) known.emplace_back(function.name);
      known.insert(known.end(), {"atan2", "min", "max"});
    }
    at_ = begin;
    refuse("there is no " + std::string(what) + " '" + std::string(name) + "'" +
           suggestion(std::string(name), known));
  }
  void read_function(std::string_view name, std::size_t begin) {
    if (name == "min" || name == "max") {
      read_choice();
      while (take(",")) {
        read_choice();
        add(name == "min" ? Operation::min : Operation::max);
      }
    } else if (name == "atan2") {
      read_choice();
      need(",");
      read_choice();
      add(Operation::atan2);
    } else {
      const auto function = std::ranges::find(kFunctions, name, &Function::name);
      if (function == kFunctions.end()) refuse_name(name, begin, "function");
      read_choice();
      add({Operation::function, static_cast<std::uint32_t>(function - kFunctions.begin())});
    }
    need(")");
  }

  std::string_view text_;
  std::span<const std::string_view> variables_;
  std::size_t at_ = 0;
  std::vector<Instruction> code_;
  std::size_t in_hand_ = 0, most_in_hand_ = 0;
  int nested_ = 0;
};

}  // namespace

Expression::Expression(std::string text, std::span<const std::string_view> variables)
    : text_(std::move(text)) {
  Compiler compiler(text_, variables);
  code_ = compiler.compile();
  is_deep_ = compiler.most_in_hand() > kFewInHand;
}

double Expression::operator()(std::span<const double> variables) const {
  const auto variable = [&](std::uint32_t k) { return variables[k]; };
  return is_deep_ ? run<double, kMostInHand>(code_, variable)
                  : run<double, kFewInHand>(code_, variable);
}

Expression::WithGradient Expression::with_gradient(std::span<const double> variables,
                                                   std::size_t first) const {
  const auto variable = [&](std::uint32_t k) {
    Dual number = variables[k];
    if (k >= first && k < first + 3) number.slope[static_cast<int>(k - first)] = 1;
    return number;
  };
  const Dual result =
      is_deep_ ? run<Dual, kMostInHand>(code_, variable) : run<Dual, kFewInHand>(code_, variable);
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
