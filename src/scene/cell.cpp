/// Reads the periodic cell and checks that bodies and obstacles fit into it.
#include <algorithm>
#include <fmt/format.h>

#include "scene/build.hpp"
#include "scree/sim/periodic_cell.hpp"

namespace scree::scene {

namespace {

void read_rate(const Node& rate, UpperTriangle& into) {
  const std::pair<const char*, double*> entries[] = {{"xx", &into.xx}, {"yy", &into.yy},
                                                     {"zz", &into.zz}, {"xy", &into.xy},
                                                     {"xz", &into.xz}, {"yz", &into.yz}};
  for (const auto& [key, entry] : entries) *entry = number_if(rate, key).value_or(0);
}

/// Checks that the rest of the scene suits a strained cell.
void check_strain(Build& build, const Node& cell, const Model& model) {
  const CellStrain& strain = model.strain;
  const Vec3 period = model.domain.period();
  if (!(std::min({period.x, period.y, period.z}) > 0))
    build.problems.report(build.root.find("cell") ? build.root["cell"] : cell,
                          "a strained cell must be periodic along all axes; give three lengths");
  if (model.gravity != Vec3{})
    build.problems.report(build.root["gravity"], "gravity must be [0, 0, 0] in a strained cell");
  for (const char* key : {"obstacles", "joints", "inflows", "fillings", "outflows"})
    if (const Node* list = build.root.find(key); list && !entries_of(*list).empty())
      build.problems.report(*list, "a strained cell can hold only bodies; remove this key");
  if (strain.has_servo() && !(strain.viscosity > 0 && std::isfinite(strain.max_rate)))
    build.problems.report(cell,
                          "straining the cell controls its pressure; add viscosity and max_rate");
  constexpr double kMaxStrain = 0.01;
  const double rate = std::max(norm(strain.rate), strain.has_servo() ? strain.max_rate : 0);
  if (rate * model.step.h > kMaxStrain && std::isfinite(rate))
    build.problems.report(
        cell, fmt::format("in one step of {} s the cell may be strained by {:.3g}; at most {} is "
                          "allowed: take step.h = {:.2g} s or less",
                          model.step.h, rate * model.step.h, kMaxStrain, kMaxStrain / rate));
  if (model.step.impacts != ImpactLaw::newton)
    build.problems.report(build.root["step"]["impacts"],
                          "a strained cell needs step.impacts: newton");
}

}  // namespace

void read_strain(Build& build, const Node& cell, Model& model) {
  CellStrain& strain = model.strain;
  if (const Node* rate = cell.find("rate")) {
    strain.rate = {};
    read_rate(*rate, strain.rate);
  }
  if (const Node* pressure = cell.find("pressure"))
    for (std::size_t axis = 0; axis < 3; ++axis)
      strain.pressure[axis] = number_if(*pressure, std::string(1, "xyz"[axis]));
  if (const auto viscosity = number_if(cell, "viscosity")) strain.viscosity = *viscosity;
  if (const auto smoothing = number_if(cell, "smoothing")) strain.smoothing = *smoothing;
  if (const auto max_rate = number_if(cell, "max_rate")) strain.max_rate = *max_rate;
  if (strain.any()) check_strain(build, cell, model);
}

void build_cell(Build& build) {
  const Node* cell = build.root.find("cell");
  if (!cell || !sound(*cell) || !sound((*cell)["period"])) return;
  const Vec3 period = vec3((*cell)["period"]);
  if (period == Vec3{}) {
    build.problems.report(
        (*cell)["period"],
        "the cell is periodic along no axis; give a length along one, or remove the cell");
    return;
  }
  build.scene.model.domain = Domain(period);
  read_strain(build, *cell, build.scene.model);
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
    if (const std::string misfit = misfit_of_obstacle(model, k, largest); !misfit.empty())
      build.problems.report(*build.obstacles.at(model.obstacles[k].name), misfit);
  for (const Outflow& outflow : model.outflows)
    for (int axis = 0; axis < 3; ++axis)
      if (model.domain.period()[axis] > 0 &&
          !(std::isinf(outflow.min[axis]) && std::isinf(outflow.max[axis])))
        build.problems.report(*build.outflows.at(outflow.name),
                              fmt::format("the cell is periodic along {}; there the region of an "
                                          "outflow must go from -.inf to .inf",
                                          "xyz"[axis]));
}

bool spans_period(const Build& build, int axis, double low, double high) {
  constexpr double kRounding = 1e-12;
  const double period = build.scene.model.domain.period()[axis];
  return period > 0 && high - low >= period * (1 - kRounding);
}

}  // namespace scree::scene
