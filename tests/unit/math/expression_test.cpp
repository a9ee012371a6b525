#include "scree/math/expression.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "scree/core/error.hpp"

namespace scree {
namespace {

constexpr std::array<std::string_view, 4> kNames{"x", "y", "z", "t"};

double value(const std::string& text, double x = 0, double y = 0, double z = 0, double t = 0) {
  return Expression(text, kNames)(std::array{x, y, z, t});
}

TEST(Expression, BindsAsWrittenMathematicsDoes) {
  EXPECT_EQ(value("1+2*3^2"), 19);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^-2"), 0.25);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("8-3-2"), 3);
  EXPECT_EQ(value("8/4/2"), 1);
  EXPECT_EQ(value("-x*y", 2, 3), -6);
  EXPECT_EQ(value("x - -y", 2, 3), 5);
  EXPECT_EQ(value("+3e-1 + .5 + 2."), 2.8);
  EXPECT_EQ(value("((((t))))", 0, 0, 0, 7), 7);
  EXPECT_EQ(value("1 < 2 && 3 >= 3 || 0"), 1);
  EXPECT_EQ(value("1 + 1 == 2"), 1);
  EXPECT_EQ(value("2 != 2"), 0);
  EXPECT_EQ(value("x < 0 ? -1 : x == 0 ? 0 : 1", 5), 1);
  EXPECT_EQ(value("x < 0 ? -1 : x == 0 ? 0 : 1", 0), 0);
  EXPECT_EQ(value("min(t, 1, max(2, t))", 0, 0, 0, 3), 1);
}

TEST(Expression, HasTheFunctionsOfTheMathematicsLibrary) {
  const double x = 0.37;
  const std::pair<const char*, double> all[] = {{"sin(x)", std::sin(x)},
                                                {"cos(x)", std::cos(x)},
                                                {"tan(x)", std::tan(x)},
                                                {"asin(x)", std::asin(x)},
                                                {"acos(x)", std::acos(x)},
                                                {"atan(x)", std::atan(x)},
                                                {"sinh(x)", std::sinh(x)},
                                                {"cosh(x)", std::cosh(x)},
                                                {"tanh(x)", std::tanh(x)},
                                                {"exp(x)", std::exp(x)},
                                                {"ln(x)", std::log(x)},
                                                {"log2(x)", std::log2(x)},
                                                {"sqrt(x)", std::sqrt(x)},
                                                {"log10(x)", std::log10(x)},
                                                {"abs(-x)", x},
                                                {"sign(-x)", -1},
                                                {"rint(3*x)", 1},
                                                {"x^1.7", std::pow(x, 1.7)},
                                                {"pi", std::numbers::pi},
                                                {"_e", std::numbers::e},
                                                {"atan2(x, -1)", std::atan2(x, -1)}};
  for (const auto& [text, expected] : all) EXPECT_EQ(value(text, x), expected) << text;
}

TEST(Expression, DerivativesAreThoseOfDifferences) {
  const std::array<double, 4> at{0.4, 0.7, 1.3, 2};
  for (const char* text :
       {"x*y - z/x + t", "sin(x)*cos(y)+tan(z)", "asin(x)+acos(y)+atan(z)", "sqrt(x^2+y^2+z^2)*x",
        "exp(-x)*ln(y)*log10(z)*log2(z)", "x^y", "y^3 + z^2.5 + x^4", "sinh(x)+cosh(y)*tanh(z)",
        "atan2(y, x)", "min(x, y)*max(y, z)", "x < y ? x*z : y*z", "abs(x-y)*z", "t*x^2"}) {
    const Expression expression(text, kNames);
    const auto [result, gradient] = expression.with_gradient(at, 0);
    EXPECT_EQ(result, expression(at)) << text;
    for (int k = 0; k < 3; ++k) {
      const double step = 1e-5;
      std::array<double, 4> low = at, high = at;
      low[static_cast<std::size_t>(k)] -= step;
      high[static_cast<std::size_t>(k)] += step;
      // Differences miss by their step squared, times a third derivative of up to 2000.
      EXPECT_NEAR(gradient[k], (expression(high) - expression(low)) / (2 * step), 1e-7)
          << text << " by " << kNames[static_cast<std::size_t>(k)];
    }
  }
}

TEST(Expression, WhatDoesNotDependOnTheVariablesHasNoSlopeHoweverSteepItIs) {
  const Expression drag("-sqrt(x^2+y^2+z^2)*x", kNames);
  const auto [result, gradient] = drag.with_gradient(std::array{0., 0., 0., 0.}, 0);
  EXPECT_EQ(result, 0);
  EXPECT_EQ(gradient, Vec3{});
}

TEST(Expression, WhatIsNotANumberIsNotLost) {
  for (const char* text :
       {"min(x, 1)", "min(1, x)", "max(x, 1)", "max(1, x)", "x ? 1 : 2", "sign(x)", "0*x", "x > 1",
        "1 <= x", "x == x", "x != 1", "x && 1", "0 || x", "x > 1 ? 2 : 3"})
    EXPECT_TRUE(std::isnan(value(text, std::nan("")))) << text;
  EXPECT_EQ(value("x > 1 && 0", std::nan("")), 0) << "whatever x is";
  EXPECT_EQ(value("1 || x > 1", std::nan("")), 1) << "whatever x is";
  EXPECT_EQ(value("1 > 0 ? 3 : sqrt(-1)"), 3) << "the other branch does not count";
}

TEST(Expression, ThatIsNestedDeeplyIsTheSame) {
  std::string text = "x";
  for (int k = 0; k < 20; ++k) text = "1+(" + text + ")";
  EXPECT_EQ(value(text, 5), 25);
}

void expect_refusal(const std::string& text, const std::string& words) {
  try {
    value(text);
    ADD_FAILURE() << text << " was taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(Expression, ThatIsNoneIsRefusedWithItsPlace) {
  expect_refusal("", "is missing (at character 1)");
  expect_refusal("2 m/s", "'m' is not expected here (at character 3)");
  expect_refusal("t=3", "assignments are not allowed; == compares (at character 2)");
  expect_refusal("1 < x < 2",
                 "comparisons cannot be chained; write 1 < x && x < 2 (at character 7)");
  expect_refusal("sin(0 <= 2*x +1<t) ", "write 0 <= 2*x +1 && 2*x +1<t");
  expect_refusal("x == 1 == 1", "write x == 1 && 1 == 1");
  EXPECT_EQ(value("(1 < x) < 2", 3), 1);
  expect_refusal("3,5", "a dot, not a comma (at character 2)");
  expect_refusal("(1+2", "')' is missing (at character 5)");
  expect_refusal("x ? 1", "':' is missing");
  expect_refusal("1+*2", "(at character 3)");
  expect_refusal("vy+1", "there is no name 'vy'; did you mean");
  expect_refusal("sine(x)", "there is no function 'sine'; did you mean 'sin'");
  expect_refusal("sum()", "there is no function 'sum'");
  expect_refusal("sin()", "is not expected here (at character 5)");
  expect_refusal("atan2(1)", "',' is missing");
  expect_refusal("sin(1, 2)", "')' is missing");
  expect_refusal("\"t\"", "is not expected here (at character 1)");
  expect_refusal(std::string(1000, '('), "nested too deeply");
  expect_refusal(std::string(1000, '-').append("1"), "nested too deeply");
}

}  // namespace
}  // namespace scree
