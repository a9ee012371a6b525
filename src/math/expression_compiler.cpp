/// Compiler from the text of an expression to its code.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "math/expression_code.hpp"
#include "scree/core/error.hpp"
#include "scree/core/spelling.hpp"

namespace scree {
namespace {

using Operation = Expression::Operation;
using Instruction = Expression::Instruction;

constexpr int kMaxNested = 100;

/// Compiler by recursive descent.
class Compiler {
 public:
  Compiler(std::string_view text, std::span<const std::string_view> variables)
      : text_(text), variables_(variables) {}

  std::vector<Instruction> compile() {
    read_choice();
    skip_spaces();
    if (at_ < text_.size()) {
      if (text_[at_] == ',')
        refuse("one value is expected; the decimal point is a dot, not a comma");
      if (text_[at_] == '=') refuse("assignments are not allowed; == compares");
      refuse("'" + std::string(text_.substr(at_, 1)) + "' is not expected here");
    }
    return std::move(code_);
  }
  std::size_t max_depth() const { return max_depth_; }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(what + " (at character " + std::to_string(at_ + 1) + ")");
  }

  // Tokens.

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  /// True if the token comes next; then skips it.
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

  /// Number of operands that an operation takes off the stack.
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
  /// Adds an instruction; folds it if all operands are constants.
  void add(const Instruction& step) {
    const std::size_t taken = taken_by(step.operation);
    depth_ = depth_ - taken + 1;
    max_depth_ = std::max(max_depth_, depth_);
    if (depth_ > kMaxStack) refuse("the expression is nested too deeply");
    code_.push_back(step);
    const auto operands = std::span(code_).last(taken + 1).first(taken);
    if (taken == 0 || !std::ranges::all_of(operands, [](const Instruction& operand) {
          return operand.operation == Operation::constant;
        }))
      return;
    const double value = constant_value(std::span(code_).last(taken + 1));
    code_.resize(code_.size() - taken - 1);
    code_.push_back({.constant = value});
  }
  void add(Operation operation) { add(Instruction{operation, 0, 0}); }

  // Grammar, from the weakest binding on.

  void read_choice() {
    if (++nested_ > kMaxNested) refuse("the expression is nested too deeply");
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
  /// Refuses chained comparisons: 1 < t < 2 would compare 2 with the result of 1 < t, which is 0 or
  /// 1.
  [[noreturn]] void refuse_chain(std::size_t begin, std::size_t middle, std::size_t end) {
    read_sum();
    const auto from_to = [&](std::size_t from, std::size_t to) {
      std::string_view part = text_.substr(from, to - from);
      while (part.ends_with(' ') || part.ends_with('\t')) part.remove_suffix(1);
      return std::string(part);
    };
    const std::string first = from_to(begin, end), second = from_to(middle, at_);
    at_ = end;
    refuse("comparisons cannot be chained; write " + first + " && " + second);
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
    if (++nested_ > kMaxNested) refuse("the expression is nested too deeply");
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
      for (const NamedFunction& function : named_functions()) known.emplace_back(function.name);
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
      const auto functions = named_functions();
      const auto function = std::ranges::find(functions, name, &NamedFunction::name);
      if (function == functions.end()) refuse_name(name, begin, "function");
      read_choice();
      add({Operation::function, static_cast<std::uint32_t>(function - functions.begin())});
    }
    need(")");
  }

  std::string_view text_;
  std::span<const std::string_view> variables_;
  std::size_t at_ = 0;
  std::vector<Instruction> code_;
  std::size_t depth_ = 0, max_depth_ = 0;
  int nested_ = 0;
};

}  // namespace

CompiledExpression compile_expression(std::string_view text,
                                      std::span<const std::string_view> variables) {
  Compiler compiler(text, variables);
  std::vector<Instruction> code = compiler.compile();
  return {std::move(code), compiler.max_depth()};
}

}  // namespace scree
