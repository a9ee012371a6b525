#include "scree/sim/touching_materials.hpp"

#include <cmath>

namespace scree {

TouchingMaterials::TouchingMaterials(const Model& model, const State& state)
    : of_bodies_(model.materials.size(), false), of_obstacles_(model.materials.size(), false) {
  for (const MaterialId material : state.bodies.material) of_bodies_[material] = true;
  for (const Inflow& inflow : model.inflows) of_bodies_[inflow.material] = true;
  for (const Filling& filling : model.fillings)
    for (const Filling::Kind& kind : filling.kinds) of_bodies_[kind.material] = true;
  for (const Obstacle& obstacle : model.obstacles) of_obstacles_[obstacle.material] = true;
}

std::vector<std::pair<MaterialId, MaterialId>> pairs_without_stiffness(const Model& model,
                                                                       const State& state) {
  const TouchingMaterials touching(model, state);
  const auto is_rigid = [&](MaterialId k) { return std::isinf(model.materials[k].moduli.young); };
  std::vector<std::pair<MaterialId, MaterialId>> pairs;
  for (std::size_t i = 0; i < model.materials.size(); ++i)
    for (std::size_t j = i; j < model.materials.size(); ++j) {
      const auto a = static_cast<MaterialId>(i), b = static_cast<MaterialId>(j);
      const PairLaw& law = model.laws(a, b);
      const bool none =
          law.kind == LawKind::hertz_mindlin && !(law.force.k_n > 0) && is_rigid(a) && is_rigid(b);
      if (none && (touching.touch(a, b) || touching.touch(b, a))) pairs.emplace_back(a, b);
    }
  return pairs;
}

}  // namespace scree
