/// Which pairs are joined, and are not to touch each other.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/step.hpp"

namespace scree {

class JoinedPairs {
 public:
  explicit JoinedPairs(const Model& model) {
    for (const Joint& joint : model.joints)
      if (!joint.collide && joint.a.body != kWorld && joint.b.body != kWorld)
        pairs_.push_back(std::minmax(joint.a.body, joint.b.body));
    std::ranges::sort(pairs_);
  }
  bool empty() const { return pairs_.empty(); }
  bool contains(BodyId a, BodyId b) const {
    return std::ranges::binary_search(pairs_, std::pair<BodyId, BodyId>(std::minmax(a, b)));
  }
  bool contains(const Bodies& bodies, const BodyPair& pair) const {
    return contains(bodies.id[pair.owner], pair.other & Neighbours::kObstacle
                                               ? obstacle_id(pair.other & ~Neighbours::kObstacle)
                                               : bodies.id[pair.other]);
  }

 private:
  std::vector<std::pair<BodyId, BodyId>> pairs_;
};

}  // namespace scree
