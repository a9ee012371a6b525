/// Set of all solutions of one contact, for laws that may have several.
#pragma once

#include <algorithm>
#include <array>

#include "scree/laws/contact_law.hpp"

namespace scree {

struct ContactSolution {
  ContactClass kind = ContactClass::separating;
  Vec3 r;             ///< [N s]
  Vec3 u;             ///< velocity after the impulse [m/s]
  double energy = 0;  ///< ½ rᵀWr + rᵀq [J]
};

/// Solutions in order: separating, sticking, then sliding by increasing energy.
struct ContactSolutions {
  LocalStatus status = LocalStatus::solved;  ///< no_solution and ill_posed: the list is empty
  int count = 0;
  std::array<ContactSolution, 6> at{};

  /// Appends a solution; ignores it if the array is full.
  void add(ContactClass kind, const SymMat3& W, const Vec3& q, const Vec3& r) {
    if (count < static_cast<int>(at.size())) at[count++] = {kind, r, W * r + q, energy(W, q, r)};
  }
  /// The solution nearest to r; end() if there is none.
  const ContactSolution* nearest(const Vec3& r) const {
    return std::min_element(begin(), end(), [&](const auto& a, const auto& b) {
      return squared_norm(a.r - r) < squared_norm(b.r - r);
    });
  }
  const ContactSolution* begin() const { return at.data(); }
  const ContactSolution* end() const { return at.data() + count; }
};

}  // namespace scree
