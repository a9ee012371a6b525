/// Converts quantities with units, by UDUNITS-2.
#pragma once

#include <string>
#include <string_view>
#include <variant>

namespace scree::scene {

/// Error message that continues a sentence beginning with the text.
struct UnitProblem {
  std::string message;
};

/// Value of a text such as "0.47 mm" in an SI unit such as "m". Fails for an unknown unit or a
/// different dimension.
std::variant<double, UnitProblem> convert_quantity(std::string_view text,
                                                   const std::string& si_unit);

/// Error message for a quantity that confuses frequency and angular speed, as above; empty if fine.
/// UDUNITS converts 1 Hz to 1 rad/s and 30 rpm to 3.14 1/s, which is ambiguous.
std::string trouble_of_angles(std::string_view text, std::string_view si_unit);

/// Instruction for writing a quantity of an SI unit, for messages: "a length in m, such as 0.001 or
/// '1 mm'".
std::string expected_quantity(std::string_view si_unit);

}  // namespace scree::scene
