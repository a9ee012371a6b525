/// Pairs that must not touch: joints hold them, or the model ignores them.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/step_context.hpp"

namespace scree {

/// Calls f(a, b) for the pairs of bodies or obstacles whose contacts a joint excludes.
template <class F>
void for_each_joined_pair(const Model& model, const Joint& joint, F&& f) {
  if (joint.collide) return;
  const auto add = [&](BodyId a, BodyId b) {
    if (a != b && a != kWorld && b != kWorld) f(a, b);
  };
  if (!is_gear(joint.kind)) return add(joint.a.body, joint.b.body);
  const Joint &first = model.joints[joint.geared[0].joint],
              &second = model.joints[joint.geared[1].joint];
  for (const BodyId a : {first.a.body, first.b.body})
    for (const BodyId b : {second.a.body, second.b.body}) add(a, b);
}

class IgnoredPairs {
 public:
  explicit IgnoredPairs(const Model& model) : model_(model), materials_(model.materials.size()) {
    for (const Joint& joint : model.joints)
      for_each_joined_pair(model, joint, [&](BodyId a, BodyId b) {
        pairs_.push_back(std::minmax({a, b}));
      });
    for (const Ignored& ignored : model.ignored) {
      const auto &a = ignored.a, &b = ignored.b;
      if (a.one && b.one) {
        pairs_.push_back(std::minmax(*a.one, *b.one));
      } else if (a.one || b.one) {
        of_one_.emplace_back(a.one ? *a.one : *b.one, a.one ? b.material : a.material);
      } else {
        of_materials_.resize(materials_ * materials_);
        of_materials_[a.material * materials_ + b.material] = true;
        of_materials_[b.material * materials_ + a.material] = true;
      }
    }
    std::ranges::sort(pairs_);
    std::ranges::sort(of_one_);
  }
  bool empty() const { return pairs_.empty() && of_one_.empty() && of_materials_.empty(); }

  /// Body or obstacle.
  struct Member {
    BodyId id;
    MaterialId material;
  };
  bool contains(const Member& a, const Member& b) const {
    if (!of_materials_.empty() && of_materials_[a.material * materials_ + b.material]) return true;
    if (!of_one_.empty() && (std::ranges::binary_search(of_one_, std::pair(a.id, b.material)) ||
                             std::ranges::binary_search(of_one_, std::pair(b.id, a.material))))
      return true;
    return std::ranges::binary_search(pairs_, std::pair<BodyId, BodyId>(std::minmax(a.id, b.id)));
  }
  bool contains(const Bodies& bodies, const BodyPair& pair) const {
    return contains(member(bodies, pair.owner), member(bodies, pair.other));
  }
  Member member(const Bodies& bodies, BodyIndex i) const {
    if (!(i & Neighbours::kObstacle)) return {bodies.id[i], bodies.material[i]};
    const std::uint32_t k = i & ~Neighbours::kObstacle;
    return {obstacle_id(k), model_.obstacles[k].material};
  }

 private:
  const Model& model_;
  std::size_t materials_;
  std::vector<std::pair<BodyId, BodyId>> pairs_;
  std::vector<std::pair<BodyId, MaterialId>> of_one_;  ///< one member, and all of a material
  std::vector<bool> of_materials_;                     ///< one per pair of materials; empty: none
};

}  // namespace scree
