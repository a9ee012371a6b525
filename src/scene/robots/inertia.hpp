/// Inertia of links: sums, frames, principal moments and the moments that a body can have.
#pragma once

#include "scene/robots/robot.hpp"
#include "scree/geometry/clump.hpp"

namespace scree::robots {

/// Inertia of two bodies that are one.
Inertia sum(const Inertia& a, const Inertia& b);
/// Inertia in another frame, in which its own has the given pose.
Inertia seen_at(const Pose& pose, const Inertia& inertia);

struct PrincipalMoments {
  Vec3 moments;     ///< rising, or along the axes of the link if those are principal [kg m²]
  Quaternion axes;  ///< in the frame of the link
};
PrincipalMoments principal_moments(const Inertia& inertia);
Eigen::Matrix3d tensor_of(const PrincipalMoments& principal);

/// The nearest moments, by the sum of squares, that a body can have: none below 0, and none above
/// the sum of the others.
Vec3 nearest_moments(const Vec3& moments);

/// Union of the parts of a link that have a volume; none if there is none.
std::optional<PlacedClump> union_of(const Link& link);
/// Inertia of the union of its parts.
std::optional<Inertia> inertia_of_parts(const Link& link, double density);
/// Distance of the farthest point of a part from a point in the frame of its link [m].
double reach_from(const Vec3& point, const Part& part);

}  // namespace scree::robots
