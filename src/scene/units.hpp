/// Quantities with units, by UDUNITS-2.
#pragma once

#include <string>
#include <string_view>
#include <variant>

namespace scree::scene {

/// What went wrong, as the rest of a sentence that starts with the text.
struct UnitProblem {
  std::string message;
};

/// The value of a text such as "0.47 mm" in an SI unit such as "m". Fails on an unknown unit or
/// another dimension.
std::variant<double, UnitProblem> convert_quantity(std::string_view text,
                                                   const std::string& si_unit);

/// UDUNITS takes 1 Hz for 1 rad/s and 30 rpm for 3.14 1/s, and whoever writes so may mean a turn,
/// or how often: what is wrong with a text as a quantity of an SI unit, as above; empty if nothing
/// is.
std::string trouble_of_angles(std::string_view text, std::string_view si_unit);

/// How to write a quantity of an SI unit, for messages: "a length in m, such as 0.001 or '1 mm'".
std::string expected_quantity(std::string_view si_unit);

}  // namespace scree::scene
