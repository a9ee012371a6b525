#include <gtest/gtest.h>
#include <numbers>

#include "scene/yaml/units.hpp"
#include "unit/scene/scene_text.hpp"

namespace scree::test {
namespace {

double value_of(const char* text, const char* unit) {
  const auto result = scene::convert_quantity(text, unit);
  if (const auto* problem = std::get_if<scene::UnitProblem>(&result)) {
    ADD_FAILURE() << text << " " << problem->message;
    return 0;
  }
  return std::get<double>(result);
}

std::string problem_of(const char* text, const char* unit) {
  const auto result = scene::convert_quantity(text, unit);
  const auto* problem = std::get_if<scene::UnitProblem>(&result);
  return problem ? problem->message : "";
}

TEST(Quantity, common_units_convert_to_the_nearest_double) {
  EXPECT_EQ(value_of("0.47 mm", "m"), 0.00047);
  EXPECT_EQ(value_of("0.235 mm", "m"), 0.000235);
  EXPECT_EQ(value_of("15 cm", "m"), 0.15);
  EXPECT_EQ(value_of("10 us", "s"), 10e-6);
  EXPECT_EQ(value_of("10us", "s"), 10e-6);
  EXPECT_EQ(value_of("10 \xc2\xb5s", "s"), 10e-6);  // micro sign
  EXPECT_EQ(value_of("10 \xce\xbcs", "s"), 10e-6);  // Greek mu
  EXPECT_EQ(value_of("2.65 g/cm3", "kg/m3"), 2650);
  EXPECT_EQ(value_of("2.65 g/cm^3", "kg/m3"), 2650);
  EXPECT_EQ(value_of("-9.81 m/s2", "m/s2"), -9.81);
  EXPECT_EQ(value_of("+1 km/s", "m/s"), 1000);
  EXPECT_EQ(value_of("2 g", "kg"), 0.002);
  EXPECT_EQ(value_of("1 min", "s"), 60);
  EXPECT_DOUBLE_EQ(value_of("30 deg", "rad"), std::numbers::pi / 6);
  EXPECT_DOUBLE_EQ(value_of("30 degrees", "rad"), std::numbers::pi / 6);
  EXPECT_DOUBLE_EQ(value_of("60 rpm", "rad/s"), 2 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(value_of("360 deg/s", "rad/s"), 2 * std::numbers::pi);
}

TEST(Quantity, angular_speeds_name_an_angle_and_frequencies_do_not) {
  for (const char* turning : {"30 rpm", "360 deg/s", "2 rad/s", "1 turn/s", "-9e1 rps",
                              "5 arcmin/s", "1 cycles/s", "3 \u00b0/s"}) {
    EXPECT_EQ(scene::trouble_of_angles(turning, "rad/s"), "") << turning;
    EXPECT_NE(scene::trouble_of_angles(turning, "1/s"), "") << turning;
    EXPECT_NE(scene::trouble_of_angles(turning, "Hz"), "") << turning;
  }
  for (const char* counting : {"30 1/min", "1 Hz", "5 1/s", "2 s-1", "1e-3 kHz"}) {
    EXPECT_NE(scene::trouble_of_angles(counting, "rad/s"), "") << counting;
    EXPECT_EQ(scene::trouble_of_angles(counting, "1/s"), "") << counting;
  }
  EXPECT_EQ(scene::trouble_of_angles("1 m/s", "m/s"), "");
  const std::string sphere = "bodies: [{sphere: {position: [0, 0, 1], radius: 1 cm, ";
  expect_problem(kBase + sphere + "angular_velocity: [0, 0, 1 Hz]}}]\n",
                 "bodies[0].sphere.angular_velocity[2]", "write rpm");
}

TEST(Quantity, other_dimensions_are_refused) {
  EXPECT_NE(problem_of("10 kg", "m").find("wrong dimension"), std::string::npos);
  // the reciprocal
  EXPECT_NE(problem_of("10 Hz", "s").find("wrong dimension"), std::string::npos);
  EXPECT_NE(problem_of("1 s/m", "m/s").find("wrong dimension"), std::string::npos);
  EXPECT_NE(problem_of("30 deg", "m").find("wrong dimension"), std::string::npos);
}

TEST(Quantity, a_second_number_is_refused_and_an_exponent_is_not) {
  for (const char* text : {"2 650 kg/m3", "1 500 um", "1 1/2 mm", "1'000 mm", "1,500 mm", "2 3 mm",
                           "1 mm 5", "1 m.5", "1 m*3", "1 mm from 3", "1 m @ 2", "1 10^3 m"})
    EXPECT_NE(problem_of(text, "m").find("second number"), std::string::npos) << text;
  EXPECT_EQ(value_of("5 kg m-3", "kg/m3"), 5);
  EXPECT_EQ(value_of("5 kg.m^-3", "kg/m3"), 5);
  EXPECT_EQ(value_of("5 kg*m**-3", "kg/m3"), 5);
  EXPECT_EQ(value_of("5 1/s", "1/s"), 5);
}

TEST(Quantity, what_is_no_quantity_is_refused) {
  EXPECT_NE(problem_of("abc", "m"), "");
  EXPECT_NE(problem_of("", "m"), "");
  EXPECT_NE(problem_of("5", "m").find("no unit"), std::string::npos);
  EXPECT_NE(problem_of("5 furlonk", "m").find("unknown unit 'furlonk'"), std::string::npos);
  EXPECT_NE(problem_of("1e999 m", "m"), "");
  EXPECT_NE(problem_of("inf m", "m"), "");
  EXPECT_NE(problem_of("nan m", "m"), "");
  EXPECT_NE(problem_of("1 m^99999999999", "m"), "");
  EXPECT_NE(problem_of(("1 " + std::string(10000, '(')).c_str(), "m"), "");
  EXPECT_NE(problem_of("1 m since 1970-01-01", "m"), "");
  EXPECT_NE(problem_of("1 lg(re 1 m)", "m"), "");
}

TEST(Quantity, problems_in_a_scene_tell_what_is_expected) {
  expect_problem(kBase, "step.h", "'5 mm' has the wrong dimension", {"step.h=5 mm"});
  expect_problem(kBase, "step.h", "expected a time in s, such as 1e-5 or '10 us'", {"step.h=5 mm"});
  expect_problem(kBase, "step.h", "unknown unit 'usex7'", {"step.h=5 usex7"});
  expect_problem(kBase, "gravity[2]", "expected an acceleration", {"gravity=[0, 0, -9.81 m/s]"});
}

TEST(Quantity, overrides_take_units_and_add_keys) {
  const Scene scene =
      load_text(kBase, {"step.h=5us", "step.recovery_speed=.inf", "solver={tolerance: 1e-6}",
                        "bodies[0].sphere={position: [0, 0, 1 m], radius: 1 mm}",
                        "bodies[0].sphere.radius=2mm", "name=other"});
  EXPECT_EQ(scene.model.step.h, 5e-6);
  EXPECT_EQ(scene.model.solver.tolerance, 1e-6);
  EXPECT_EQ(scene.state.bodies.radius.at(0), 0.002);
  EXPECT_EQ(scene.name, "other");
  EXPECT_TRUE(std::isinf(scene.model.step.recovery_speed.value()));
  EXPECT_FALSE(load_text(kBase).model.step.recovery_speed);
}

}  // namespace
}  // namespace scree::test
