/// Friction of links and of pairs of them.
#include "scene/robots/surfaces.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace scree::robots {
namespace {

bool is_smoother(const Surface& a, const Surface& b) {
  const bool in_pair = !a.part.empty(), other_in_pair = !b.part.empty();
  return std::tie(in_pair, a.dimensions, a.friction) <
         std::tie(other_in_pair, b.dimensions, b.friction);
}

/// What the file gives the pair, else the surface with the higher priority, else the larger of each
/// number.
Surface pair_of(const Robot& robot, const Surface& a, const Surface& b) {
  for (const auto& names : {std::pair(a.part, b.part), std::pair(b.part, a.part)})
    if (const auto given = robot.frictions.find(names); given != robot.frictions.end())
      return given->second;
  if (a.priority != b.priority) return a.priority > b.priority ? a : b;
  return {std::max(a.friction, b.friction), std::max(a.spinning, b.spinning),
          std::max(a.rolling, b.rolling), std::max(a.dimensions, b.dimensions), a.priority};
}

}  // namespace

Surface surface_of(const Link& link) {
  std::optional<Surface> result;
  for (const Part& part : link.parts)
    if (part.surface)
      result = result ? std::max(*result, *part.surface, is_smoother) : *part.surface;
  return result.value_or(Surface{});
}

std::string law_of(const Robot& robot, const Surface& a, const Surface& b) {
  constexpr int kSliding = 3, kSpinning = 4, kRolling = 6;
  const Surface of = pair_of(robot, a, b);
  if (of.dimensions < kSliding) return "law: frictionless";
  std::string text = fmt::format("law: coulomb, friction: {}", of.friction);
  if (of.dimensions >= kRolling) text += fmt::format(", rolling_friction: {}", of.rolling);
  if (of.dimensions >= kSpinning) text += fmt::format(", spinning_friction: {}", of.spinning);
  return text;
}

}  // namespace scree::robots
