/// Friction of links and of pairs of them.
#include "scene/robots/surfaces.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace scree::robots {
namespace {

bool is_smoother(const Surface& a, const Surface& b) {
  return std::tie(a.dimensions, a.friction) < std::tie(b.dimensions, b.friction);
}

/// Surface with the higher priority, else the larger of each number.
Surface pair_of(const Surface& a, const Surface& b) {
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

std::string law_of(const Surface& a, const Surface& b) {
  constexpr int kSliding = 3, kSpinning = 4, kRolling = 6;
  const Surface of = pair_of(a, b);
  if (of.dimensions < kSliding) return "law: frictionless";
  std::string text = fmt::format("law: coulomb, friction: {}", of.friction);
  if (of.dimensions >= kRolling) text += fmt::format(", rolling_friction: {}", of.rolling);
  if (of.dimensions >= kSpinning) text += fmt::format(", spinning_friction: {}", of.spinning);
  return text;
}

}  // namespace scree::robots
