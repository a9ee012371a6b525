#include "scree/analysis/mixing.hpp"

#include <map>
#include <vector>

namespace scree {

std::optional<Mixing> mixing_of(const Bodies& bodies, const Grid& grid) {
  std::map<MaterialId, std::vector<double>> by_material;  // bodies of each cell
  std::vector<double> all(grid.size(), 0);
  Mixing mixing;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!grid.region.contains(bodies.position[i])) continue;
    const std::size_t cell = grid.cell_of(bodies.position[i]);
    auto& of_material = by_material[bodies.material[i]];
    of_material.resize(all.size(), 0);
    ++of_material[cell];
    ++all[cell];
    ++mixing.bodies;
  }
  for (const double count : all) mixing.cells += count > 0 ? 1 : 0;
  if (by_material.size() < 2 || mixing.cells == mixing.bodies) return {};

  const auto total = static_cast<double>(mixing.bodies);
  for (const auto& [material, counts] : by_material) {
    double sum = 0;
    for (const double count : counts) sum += count;
    const double share = sum / total;
    mixing.segregated += share * (1 - share);
    for (std::size_t cell = 0; cell < all.size(); ++cell)
      if (const double n = all[cell]; n > 0) {
        const double off = counts[cell] / n - share;
        mixing.variance += n / total * off * off;
      }
  }
  mixing.mixed = mixing.segregated * (static_cast<double>(mixing.cells) - 1) / (total - 1);
  return mixing;
}

}  // namespace scree
