#pragma once

#include "scree/laws/contact_law.hpp"

namespace scree {

/// A joint that holds a point in all directions: u = 0, r free [Negrut18, Eq. 3 and 8].
struct Bilateral {
  static constexpr LawTraits traits{.name = "bilateral"};

  LocalStatus solve(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept;
  Vec3 project(const Vec3& r) const noexcept { return r; }
  /// u: the natural map for the whole space as cone.
  Vec3 residual(const SymMat3&, const Vec3& u, const Vec3&) const noexcept { return u; }
  Vec3 complementary_velocity(const Vec3& u) const noexcept { return u; }
  double parting_speed(const Vec3&) const noexcept {
    return std::numeric_limits<double>::infinity();
  }
  ContactClass classify(const Vec3&) const noexcept { return ContactClass::sticking; }

  bool operator==(const Bilateral&) const = default;
};
static_assert(ContactLaw<Bilateral>);

}  // namespace scree
