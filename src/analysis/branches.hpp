/// Branches of contacts: the lines along which a packing transmits forces.
#pragma once

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "scree/analysis/region.hpp"
#include "scree/geometry/domain.hpp"
#include "scree/sim/report.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Branch from the centre of A to the nearest image of the centre of B; the contact point replaces
/// the centre of an obstacle or a missing body.
struct Branch {
  Vec3 from, to;
};

/// Finds the branches of contacts by the ids of bodies.
class Branches {
 public:
  Branches(const Bodies& bodies, const Domain& domain)
      : bodies_(bodies), domain_(domain), order_(bodies.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    const auto by_id = [&](std::size_t a, std::size_t b) { return bodies.id[a] < bodies.id[b]; };
    // Frames have them sorted already.
    if (!std::is_sorted(order_.begin(), order_.end(), by_id))
      std::sort(order_.begin(), order_.end(), by_id);
  }

  /// Calls f with the periodic images of a contact's branch that reach the region; not at all if
  /// both bodies are missing.
  template <class F>
  void for_each_image(const ContactRecord& contact, const Region& region, F&& f) const {
    const auto a = position(contact.a), b = position(contact.b);
    if (!a && !b) return;
    const Vec3 from = a.value_or(contact.point),
               branch = domain_.separation(from, b.value_or(contact.point));
    if (!domain_.repeats()) {
      f(Branch{from, b.value_or(contact.point)});
      return;
    }
    domain_.for_each_image_in(region.min, region.max, from, norm(branch),
                              [&](const Vec3& image, const Vec3&) {
                                f(Branch{image, image + branch});
                              });
  }

 private:
  std::optional<Vec3> position(BodyId id) const {
    const auto found = std::lower_bound(order_.begin(), order_.end(), id,
                                        [&](std::size_t i, BodyId x) { return bodies_.id[i] < x; });
    if (found == order_.end() || bodies_.id[*found] != id) return {};
    return bodies_.position[*found];
  }

  const Bodies& bodies_;
  const Domain& domain_;
  std::vector<std::size_t> order_;
};

inline bool is_loaded_in(const Region& region, const ContactRecord& contact, const Branch& branch) {
  return dot(contact.impulse, contact.normal) > 0 &&
         region.contains(0.5 * (branch.from + branch.to));
}

}  // namespace scree
