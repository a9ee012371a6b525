/// Mass properties of compound bodies: moments that add up, and the principal frame.
#pragma once

#include "scree/geometry/shape.hpp"

namespace scree {

/// Moments of a solid of density 1, about the origin of a given frame.
struct MassMoments {
  double volume = 0;     ///< [m³]
  Vec3 first;            ///< ∫ x dV [m⁴]
  Vec3 square, product;  ///< ∫ (x², y², z²) dV and ∫ (yz, zx, xy) dV [m⁵]

  MassMoments& operator+=(const MassMoments& other);
  MassMoments& operator*=(double factor);
};

/// Moments of the tetrahedron (0, a, b, c); negative if a, b, c run clockwise seen from outside.
MassMoments tetrahedron_moments(const Vec3& a, const Vec3& b, const Vec3& c);

/// Moments of a shape with `properties` in its own frame, seen from a frame in which its pose is
/// `pose`.
MassMoments moments_of(const VolumeProperties& properties, const Pose& pose);

/// Frame at the centre of mass, along principal axes, and the moments in it. Axes that are
/// principal already, to rounding, stay.
struct PrincipalFrame {
  Pose pose;
  double volume;  ///< [m³]
  Vec3 inertia;   ///< ∫(|x|² − x_k²) dV [m⁵]
};
PrincipalFrame principal_frame(const MassMoments& moments);

}  // namespace scree
