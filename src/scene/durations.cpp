#include "scree/scene/durations.hpp"

#include <fmt/format.h>
#include <variant>

#include "scene/yaml/units.hpp"
#include "scree/core/error.hpp"

namespace scree {

double seconds_of(const std::string& text, const std::string& option) {
  const auto value = scene::convert_quantity(text, "s");
  if (const auto* problem = std::get_if<scene::UnitProblem>(&value))
    throw InputError(
        fmt::format("{}: '{}' {}; write a duration with its unit, such as 23h or "
                    "90min",
                    option, text, problem->message));
  const double seconds = std::get<double>(value);
  if (!(seconds > 0)) throw InputError(fmt::format("{}: '{}' is not above 0", option, text));
  return seconds;
}

}  // namespace scree
