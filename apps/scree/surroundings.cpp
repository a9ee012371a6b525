#include "surroundings.hpp"

#include <limits>
#include <nlohmann/json.hpp>

namespace scree::cli {
namespace {

/// The box of the centres of new bodies.
NamedBox box_of(const Inflow& inflow) {
  const Region box = bounding_region(inflow.layer);
  return {inflow.name, box.min, box.max};
}

Vec3 vec3_of(const nlohmann::json& list, double instead_of_null) {
  Vec3 v;
  for (int k = 0; k < 3; ++k) {
    const auto& entry = list.at(static_cast<std::size_t>(k));
    v[k] = entry.is_null() ? instead_of_null : entry.get<double>();
  }
  return v;
}

std::vector<Region> boxes_of(const nlohmann::json& list) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<Region> boxes;
  for (const auto& box : list) boxes.push_back({vec3_of(box.at("min"), -kInfinity), vec3_of(box.at("max"), kInfinity)});
  return boxes;
}

}  // namespace

Surroundings surroundings_of(const Model& model) {
  Surroundings s{model.gravity, {}};
  for (const Inflow& inflow : model.inflows) s.ends.entries.push_back({box_of(inflow).min, box_of(inflow).max});
  for (const Outflow& outflow : model.outflows) s.ends.exits.push_back({outflow.min, outflow.max});
  return s;
}

Surroundings surroundings_of(const nlohmann::json& manifest) {
  Surroundings s;
  if (!manifest.contains("gravity")) return s;
  s.gravity = vec3_of(manifest.at("gravity"), 0);
  s.ends = {boxes_of(manifest.at("inflows")), boxes_of(manifest.at("outflows"))};
  return s;
}

void note_surroundings(const Model& model, RunInputs& inputs) {
  inputs.gravity = model.gravity;
  for (const Inflow& inflow : model.inflows) inputs.inflows.push_back(box_of(inflow));
  for (const Outflow& outflow : model.outflows) inputs.outflows.push_back({outflow.name, outflow.min, outflow.max});
}

}  // namespace scree::cli
