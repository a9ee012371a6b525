/// Gravity, inflows and outflows of a run, from its model or its manifest.
#include "scree/run/surroundings.hpp"

#include <fmt/format.h>
#include <limits>
#include <optional>

#include "scree/core/infinity.hpp"

namespace scree {
namespace {

/// Box of the centres of new bodies.
NamedBox box_of(const Inflow& inflow) {
  const Region box = bounding_region(inflow.layer);
  return {inflow.name, box.min, box.max};
}

NamedBox box_of(const Filling& filling) { return {filling.name, filling.min, filling.max}; }

/// Three numbers; an infinite one is null in JSON, without its sign.
Vec3 vec3_of(const RunManifest& manifest, const std::string& pointer,
             std::optional<double> instead_of_null = {}) {
  Vec3 v;
  const Json& list = manifest.list(pointer);
  for (std::size_t k = 0; k < 3; ++k) {
    const bool infinite = instead_of_null && k < list.size() && list[k].is_null();
    v[static_cast<int>(k)] =
        infinite ? *instead_of_null : manifest.number(fmt::format("{}/{}", pointer, k));
  }
  return v;
}

std::vector<Region> boxes_of(const RunManifest& manifest, const std::string& pointer) {
  std::vector<Region> boxes;
  for (std::size_t k = 0; k < manifest.list(pointer).size(); ++k) {
    const std::string box = fmt::format("{}/{}", pointer, k);
    boxes.push_back(
        {vec3_of(manifest, box + "/min", -kInfinity), vec3_of(manifest, box + "/max", kInfinity)});
  }
  return boxes;
}

}  // namespace

Surroundings surroundings_of(const Model& model) {
  Surroundings s{model.gravity, {}};
  for (const Inflow& inflow : model.inflows)
    s.ends.entries.push_back({box_of(inflow).min, box_of(inflow).max});
  for (const Filling& filling : model.fillings)
    s.ends.entries.push_back({filling.min, filling.max});
  for (const Outflow& outflow : model.outflows) s.ends.exits.push_back({outflow.min, outflow.max});
  return s;
}

Surroundings surroundings_of(const RunManifest& manifest) {
  if (!manifest.has("/gravity")) return {};
  return {vec3_of(manifest, "/gravity"),
          {boxes_of(manifest, "/inflows"), boxes_of(manifest, "/outflows")}};
}

void note_surroundings(const Model& model, RunInputs& inputs) {
  inputs.gravity = model.gravity;
  for (const Inflow& inflow : model.inflows) inputs.inflows.push_back(box_of(inflow));
  for (const Filling& filling : model.fillings) inputs.inflows.push_back(box_of(filling));
  for (const Outflow& outflow : model.outflows)
    inputs.outflows.push_back({outflow.name, outflow.min, outflow.max});
}

}  // namespace scree
