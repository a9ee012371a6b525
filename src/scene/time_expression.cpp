#include "scene/time_expression.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>

namespace scree::scene {

TimeExpression::TimeExpression(std::string text) : text_(std::move(text)) { compile(); }

TimeExpression& TimeExpression::operator=(const TimeExpression& other) {
  text_ = other.text_;
  compile();
  return *this;
}

void TimeExpression::compile() {
  try {
    parser_ = mu::Parser();
    parser_.DefineVar("t", &t_);
    parser_.DefineConst("pi", std::numbers::pi);
    // "t = 3" would change the time for the other components
    if (text_.find_first_of("=\"") != std::string::npos && text_.find("==") == std::string::npos &&
        text_.find("<=") == std::string::npos && text_.find(">=") == std::string::npos &&
        text_.find("!=") == std::string::npos)
      throw InputError("assignments and strings are not allowed");
    parser_.SetExpr(text_);
    parser_.Eval();
    if (parser_.GetNumResults() != 1)
      throw InputError("one value is needed; the comma is no decimal point");
  } catch (const mu::Parser::exception_type& e) {
    throw InputError(fmt::format("{} (at character {})", e.GetMsg(), e.GetPos() + 1));
  }
}

double TimeExpression::operator()(double t) const {
  t_ = t;
  try {
    return parser_.Eval();
  } catch (const mu::Parser::exception_type&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace scree::scene
