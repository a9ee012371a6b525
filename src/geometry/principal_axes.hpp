/// Mass properties of bodies put together: moments that add up, and the frame in which they are
/// simplest.
#pragma once

#include "scree/geometry/shape.hpp"

namespace scree {

/// Of a solid of density 1, about the origin of one frame.
struct MassMoments {
  double volume = 0;     ///< [m³]
  Vec3 first;            ///< ∫ x dV [m⁴]
  Vec3 square, product;  ///< ∫ (x², y², z²) dV and ∫ (yz, zx, xy) dV [m⁵]

  MassMoments& operator+=(const MassMoments& other);
  MassMoments& operator*=(double factor);
};

/// Of the tetrahedron (0, a, b, c), less than nothing where a, b, c run clockwise seen from
/// outside.
MassMoments tetrahedron_moments(const Vec3& a, const Vec3& b, const Vec3& c);

/// Of a shape with `properties` in its own frame, seen from a frame in which it stands at `pose`.
MassMoments moments_of(const VolumeProperties& properties, const Pose& pose);

/// The frame about the centre of mass, along principal axes, and the moments in it. Moments about
/// axes that are principal ones already, to rounding, keep their axes.
struct PrincipalFrame {
  Pose pose;
  double volume;  ///< [m³]
  Vec3 inertia;   ///< ∫(|x|² − x_k²) dV [m⁵]
};
PrincipalFrame principal_frame(const MassMoments& moments);

}  // namespace scree
