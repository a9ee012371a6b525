#include "scree/sim/accuracy.hpp"

#include <algorithm>
#include <iterator>

namespace scree {
namespace {

struct Level {
  Accuracy accuracy;
  std::string_view name;
  double tolerance;
  int max_sweeps;
};
constexpr Level kLevels[] = {
    {Accuracy::draft, "draft", 1e-1, 1000},
    {Accuracy::engineering, "engineering", 3e-2, 1000},
    {Accuracy::reference, "reference", 1e-4, 2000},
};
static_assert(std::size(kLevels) == kAccuracies.size());

}  // namespace

std::string_view name(Accuracy accuracy) {
  return std::ranges::find(kLevels, accuracy, &Level::accuracy)->name;
}

std::optional<Accuracy> accuracy_named(std::string_view name) {
  const auto found = std::ranges::find(kLevels, name, &Level::name);
  return found == std::end(kLevels) ? std::nullopt : std::optional(found->accuracy);
}

SolverSettings solver_settings(Accuracy accuracy) {
  const Level& level = *std::ranges::find(kLevels, accuracy, &Level::accuracy);
  SolverSettings settings;
  settings.method = SolverKind::gauss_seidel;
  settings.tolerance = level.tolerance;
  settings.max_sweeps = level.max_sweeps;
  settings.acceleration = Acceleration::nesterov;
  return settings;
}

}  // namespace scree
