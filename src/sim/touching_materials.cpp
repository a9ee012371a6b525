#include "scree/sim/touching_materials.hpp"

namespace scree {

TouchingMaterials::TouchingMaterials(const Model& model, const State& state)
    : of_bodies_(model.materials.size(), false), of_obstacles_(model.materials.size(), false) {
  for (const MaterialId material : state.bodies.material) of_bodies_[material] = true;
  for (const Inflow& inflow : model.inflows) of_bodies_[inflow.material] = true;
  for (const Obstacle& obstacle : model.obstacles) of_obstacles_[obstacle.material] = true;
}

}  // namespace scree
