/// The power of a contact's forces, one text in lanes.
#pragma once

#include "scree/math/vec3_lanes.hpp"

namespace scree::force {

/// Forces of a contact as in ForceBlock, and M.
template <int N>
struct ContactForces {
  Vec3Lanes<N> normal, shear, dashpot, moment;
  Lanes<N> push, damping, lever, slides;
};

/// How the bodies of a contact move against each other.
template <int N>
struct RelativeMotion {
  Vec3Lanes<N> between;  ///< velocity of B less that of A, where forces act [m/s]
  Vec3Lanes<N> arms;     ///< R_A ω_A + R_B ω_B, zero where forces act at a point [m/s]
  Vec3Lanes<N> rolling;  ///< ω_B − ω_A [rad/s]
};

template <int N>
struct Powers {
  Lanes<N> push, damping, shear, moment;  ///< [W]
  Lanes<N> held;  ///< that of shear where it does not slide: what its spring holds [W]
};

template <int N>
Powers<N> powers(const ContactForces<N>& f, const RelativeMotion<N>& m) {
  const Lanes<N> closing = dot<N>(f.normal, m.between);
  const Vec3Lanes<N> slip = scaled<N>(m.between, f.lever) - cross(m.arms, f.normal);
  const Lanes<N> shear = dot<N>(f.shear, slip), zero{};
  return {f.push * closing, f.damping * closing + dot<N>(f.dashpot, slip), shear,
          dot<N>(f.moment, m.rolling), f.slides > 0 ? zero : shear};
}

}  // namespace scree::force
