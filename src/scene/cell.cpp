/// The cell that repeats, and whether what stands in it fits.
#include <algorithm>
#include <fmt/format.h>

#include "scene/build.hpp"
#include "scree/sim/periodic_cell.hpp"

namespace scree::scene {

void build_cell(Build& build) {
  const Node* cell = build.root.find("cell");
  if (!cell || !sound(*cell) || !sound((*cell)["period"])) return;
  const Vec3 period = vec3((*cell)["period"]);
  if (period == Vec3{}) {
    build.problems.report((*cell)["period"],
                          "the cell repeats along no axis; give a length along one, or leave the "
                          "cell out");
    return;
  }
  build.scene.model.domain = Domain(period);
}

void check_cell(Build& build) {
  const Model& model = build.scene.model;
  if (!model.domain.repeats()) return;
  const Bodies& bodies = build.scene.state.bodies;
  double largest = 0;
  for (const BodyGroup& group : build.groups) {
    double radius = 0;
    for (std::size_t i = group.first; i < group.first + group.count; ++i)
      radius = std::max(radius, bodies.radius[i]);
    largest = std::max(largest, radius);
    if (const std::string misfit = misfit_of_body(model.domain, radius); !misfit.empty())
      build.problems.report(*group.node, misfit);
  }
  for (const Inflow& inflow : model.inflows) largest = std::max(largest, inflow.radius);
  for (const Filling& filling : model.fillings)
    for (const Filling::Kind& kind : filling.kinds) {
      largest = std::max(largest, kind.high);
      if (const std::string misfit = misfit_of_body(model.domain, kind.high); !misfit.empty())
        build.problems.report(*build.fillings.at(filling.name), misfit);
    }
  for (std::size_t k = 0; k < model.obstacles.size(); ++k)
    if (const std::string misfit = misfit_of_part(model, k, largest); !misfit.empty())
      build.problems.report(*build.parts.at(model.obstacles[k].name), misfit);
  for (const Outflow& outflow : model.outflows)
    for (int axis = 0; axis < 3; ++axis)
      if (model.domain.period()[axis] > 0 &&
          !(std::isinf(outflow.min[axis]) && std::isinf(outflow.max[axis])))
        build.problems.report(
            *build.outflows.at(outflow.name),
            fmt::format("along {}, along which the cell repeats, an outflow has no ends: its "
                        "region goes from -.inf to .inf there",
                        "xyz"[axis]));
}

bool spans_period(const Build& build, int axis, double low, double high) {
  constexpr double kRounding = 1e-12;
  const double period = build.scene.model.domain.period()[axis];
  return period > 0 && high - low >= period * (1 - kRounding);
}

}  // namespace scree::scene
