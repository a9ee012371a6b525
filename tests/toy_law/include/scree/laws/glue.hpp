#pragma once

#include "scree/laws/contact_law.hpp"

namespace scree {

/// A law that no method knows: surfaces in contact keep their distance and slip freely, u_n = 0,
/// r_t = 0, r_n of either sign.
struct Glue {
  static constexpr LawTraits traits{.name = "glue"};

  template <class Parameters>
  static Glue of(const Parameters&) {
    return {};
  }

  LocalStatus solve(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept {
    r = {-q.x / W.xx, 0, 0};
    const bool sound = W.xx > 0 && is_finite(r);
    return sound ? LocalStatus::solved : (r = {}, LocalStatus::ill_posed);
  }
  Vec3 project(const Vec3& r) const noexcept { return {r.x, 0, 0}; }
  Vec3 residual(const SymMat3& W, const Vec3& u, const Vec3& r) const noexcept {
    return natural_map(*this, W, u, r);
  }
  Vec3 complementary_velocity(const Vec3& u) const noexcept { return {u.x, 0, 0}; }
  double parting_speed(const Vec3&) const noexcept {
    return std::numeric_limits<double>::infinity();
  }
  ContactClass classify(const Vec3& r) const noexcept {
    return r.x == 0 ? ContactClass::separating : ContactClass::sliding;
  }

  bool operator==(const Glue&) const = default;
};
static_assert(ContactLaw<Glue>);

}  // namespace scree
