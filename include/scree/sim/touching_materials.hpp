/// Pairs of materials of a scene that can touch.
#pragma once

#include <utility>
#include <vector>

#include "scree/sim/model.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Bodies touch bodies and obstacles; obstacles do not touch each other.
class TouchingMaterials {
 public:
  TouchingMaterials(const Model& model, const State& state);

  bool is_of_bodies(std::size_t material) const { return of_bodies_[material]; }
  /// True if a body of the first material can touch a body or an obstacle of the second.
  bool touch(std::size_t body, std::size_t other) const {
    return of_bodies_[body] && (of_bodies_[other] || of_obstacles_[other]);
  }
  /// True if is(law) holds for a pair of materials that can touch.
  template <class Is>
  bool any_law(const Model& model, Is&& is) const {
    for (std::size_t a = 0; a < of_bodies_.size(); ++a)
      for (std::size_t b = 0; b < of_bodies_.size(); ++b)
        if (touch(a, b) && is(model.laws(static_cast<MaterialId>(a), static_cast<MaterialId>(b))))
          return true;
    return false;
  }

 private:
  std::vector<bool> of_bodies_, of_obstacles_;
};

/// Pairs of materials that can touch under hertz_mindlin, where neither the law has a stiffness nor
/// one of them moduli.
std::vector<std::pair<MaterialId, MaterialId>> pairs_without_stiffness(const Model& model,
                                                                       const State& state);

}  // namespace scree
