/// Conditions that end a run or a stage, by muParser.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <muParser.h>
#include <numbers>

#include "scene/build.hpp"
#include "scree/core/spelling.hpp"

namespace scree::scene {

namespace {

using Quantities = std::array<double, kEndQuantities.size()>;

/// An expression with the numbers that it reads; copies have their own.
class Expression {
 public:
  /// Throws mu::Parser::exception_type.
  explicit Expression(std::string text) : text_(std::move(text)) { compile(); }
  Expression(const Expression& other) : Expression(other.text_) {}
  Expression& operator=(const Expression&) = delete;

  double operator()(std::span<const double, kEndQuantities.size()> now) const {
    std::ranges::copy(now, values_.begin());
    try {
      return parser_.Eval();
    } catch (const mu::Parser::exception_type&) {
      return std::numeric_limits<double>::quiet_NaN();
    }
  }
  /// How many values it has: 1 but where commas stand in it.
  int results() const { return parser_.GetNumResults(); }

 private:
  void compile() {
    for (std::size_t k = 0; k < values_.size(); ++k)
      parser_.DefineVar(std::string(kEndQuantities[k]), &values_[k]);
    parser_.DefineConst("pi", std::numbers::pi);
    parser_.SetExpr(text_);
    parser_.Eval();
  }

  std::string text_;
  mutable Quantities values_{};
  mu::Parser parser_;
};

/// What is wrong with the text of a condition; empty if nothing is.
std::string fault_of(const std::string& text) {
  bool compares = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k], before = k > 0 ? text[k - 1] : ' ',
               after = k + 1 < text.size() ? text[k + 1] : ' ';
    compares = compares || c == '<' || c == '>' || (c == '=' && after == '=') ||
               (c == '!' && after == '=');
    const bool of_two = before == '<' || before == '>' || before == '=' || before == '!';
    if (c == '=' && after != '=' && !of_two) return "sets a value by '='; compare by '=='";
  }
  if (!compares)
    return "is no condition: compare by <, >, <=, >=, == or !=, as in kinetic_energy < 1e-6";
  try {
    if (Expression(text).results() != 1) return "has several values; the comma is no decimal point";
  } catch (const mu::Parser::exception_type& e) {
    const std::vector<std::string> names(kEndQuantities.begin(), kEndQuantities.end());
    const bool unknown = e.GetCode() == mu::ecUNASSIGNABLE_TOKEN;
    return unknown
               ? fmt::format("speaks of '{}'{}", e.GetToken(), suggestion(e.GetToken(), names))
               : fmt::format("cannot be read: {} (at character {})", e.GetMsg(), e.GetPos() + 1);
  }
  return "";
}

}  // namespace

const Node* read_condition(Build& build, const Node& until) {
  const Node &when = until["when"], &at_most = until["at_most"];
  if (const std::string fault = fault_of(when.text); !fault.empty()) {
    build.problems.report(when, fmt::format("'{}' {}", when.text, fault));
    return nullptr;
  }
  const Node* cell = build.root.find("cell");  // read later than this, but for stages
  const bool strained =
      build.scene.model.strain.any() || (cell && (cell->find("rate") || cell->find("pressure")));
  if (when.text.find("strain_") != std::string::npos && !strained) {
    build.problems.report(when,
                          fmt::format("'{}' speaks of a strain, and no cell is strained (cell.rate "
                                      "or cell.pressure)",
                                      when.text));
    return nullptr;
  }
  build.scene.condition = EndCondition{when.text, until["lasting"].number, Expression(when.text)};
  return &at_most;
}

}  // namespace scree::scene
