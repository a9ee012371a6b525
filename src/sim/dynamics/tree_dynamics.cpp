/// Equations of motion of trees of bodies, by recursion from the bases to the tips and back
/// (recursive Newton–Euler and composite-rigid-body algorithms). All motions and forces are about
/// one point.
#include <algorithm>

#include "scree/core/error.hpp"
#include "sim/dynamics/joint_tree_internals.hpp"

namespace scree {

namespace {

/// Velocity of the world or an obstacle, and its acceleration at constant twist.
struct RootMotion {
  SpatialMotion velocity, acceleration;
};
RootMotion motion_of_root(const Pose& pose, const Twist& twist, const Vec3& origin) {
  return {{twist.angular, velocity_at(pose, twist, origin)},
          {{}, -cross(twist.angular, twist.linear)}};
}

}  // namespace

JointTree::Internals::Motions JointTree::Internals::motions_at(
    std::span<const double> rates, std::span<const double> accelerations, Ground ground) const {
  Motions all;
  for (const Link& link : links) {
    RootMotion parent;
    if (link.parent != kRoot) {
      parent = {all.velocity[link.parent], all.acceleration[link.parent]};
    } else if (!link.is_base() && ground == Ground::moves) {
      const BodyId end = link.sign > 0 ? joint_of(link).a.body : joint_of(link).b.body;
      parent = motion_of_root(pose_of_end(end), twist_of_end(end), origin);
    }
    SpatialMotion relative, change;
    for (std::size_t k = link.first; k < link.first + link.count; ++k)
      relative += rates[k] * columns[k].motion;
    // Columns move with A, which is the link itself if its parent is B.
    SpatialMotion carrier = link.sign > 0 ? parent.velocity : parent.velocity + -1.0 * relative;
    const SpatialMotion of_a = carrier;
    for (std::size_t k = link.first; k < link.first + link.count; ++k) {
      carrier = of_a;
      for (std::size_t c = 0; c < columns[k].carriers; ++c)
        carrier += rates[link.first + c] * columns[link.first + c].motion;
      change += accelerations[k] * columns[k].motion + cross(carrier, rates[k] * columns[k].motion);
    }
    all.velocity.push_back(parent.velocity + link.sign * relative);
    all.acceleration.push_back(parent.acceleration + link.sign * change);
  }
  return all;
}

SpatialInertia JointTree::Internals::inertia_of(const Link& link) const {
  const Body body = simulation.body(link.id);
  const Prototype& prototype = simulation.model().prototypes[body.prototype];
  const double square = body.mass * body.radius * body.radius;
  return inertia_about(body.mass, body.position - origin,
                       rotated_diagonal(body.orientation, square * prototype.inertia));
}

double JointTree::Internals::armature_of(std::size_t rate) const {
  for (const Link& link : links)
    if (!link.is_base() && rate >= link.first && rate < link.first + link.count &&
        rate - link.first < joint_of(link).drives.size())
      return joint_of(link).drives[rate - link.first].armature;
  return 0;
}

std::vector<double> JointTree::Internals::efforts_at(std::span<const double> rates,
                                                     std::span<const double> accelerations,
                                                     Ground ground) const {
  const Motions motions = motions_at(rates, accelerations, ground);
  const SpatialMotion weight{{}, -simulation.model().gravity};
  std::vector<SpatialForce> forces;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const SpatialInertia inertia = inertia_of(links[k]);
    forces.push_back(inertia * (motions.acceleration[k] + weight) +
                     cross(motions.velocity[k], inertia * motions.velocity[k]));
  }
  std::vector<double> efforts(columns.size());
  for (std::size_t k = links.size(); k-- > 0;) {
    const Link& link = links[k];
    for (std::size_t r = link.first; r < link.first + link.count; ++r)
      efforts[r] =
          link.sign * dot(columns[r].motion, forces[k]) + armature_of(r) * accelerations[r];
    if (link.parent != kRoot) forces[link.parent] += forces[k];
  }
  return efforts;
}

std::vector<double> JointTree::inverse_dynamics(std::span<const double> accelerations) const {
  if (accelerations.size() != size())
    throw InputError("there are " + std::to_string(size()) + " rates, and " +
                     std::to_string(accelerations.size()) + " accelerations");
  return internals_->efforts_at(rates(), accelerations, Internals::Ground::moves);
}

std::vector<double> JointTree::bias_forces() const {
  return inverse_dynamics(std::vector<double>(size()));
}

std::vector<double> JointTree::gravity_forces() const {
  const std::vector<double> none(size());
  return internals_->efforts_at(none, none, Internals::Ground::rests);
}

/// A column of the matrix is the momentum of all bodies behind a joint that moves at unit rate, as
/// seen by this joint and by those before it.
std::vector<double> JointTree::mass_matrix() const {
  const Internals& own = *internals_;
  std::vector<SpatialInertia> behind;
  for (const Internals::Link& link : own.links) behind.push_back(own.inertia_of(link));
  for (std::size_t k = own.links.size(); k-- > 0;)
    if (own.links[k].parent != Internals::kRoot) behind[own.links[k].parent] += behind[k];
  std::vector<double> matrix(size() * size());
  for (std::size_t k = 0; k < own.links.size(); ++k) {
    const Internals::Link& link = own.links[k];
    for (std::size_t r = link.first; r < link.first + link.count; ++r) {
      const SpatialForce momentum = behind[k] * (link.sign * own.columns[r].motion);
      for (std::size_t at = k; at != Internals::kRoot; at = own.links[at].parent) {
        const Internals::Link& before = own.links[at];
        for (std::size_t c = before.first; c < before.first + before.count; ++c)
          matrix[r * size() + c] = matrix[c * size() + r] =
              before.sign * dot(own.columns[c].motion, momentum);
      }
      matrix[r * size() + r] += own.armature_of(r);
    }
  }
  return matrix;
}

std::vector<double> JointTree::jacobian(BodyId body, const Vec3& point) const {
  const Internals& own = *internals_;
  const auto found = std::ranges::find(own.links, body, &Internals::Link::id);
  if (found == own.links.end())
    throw InputError("body " + std::to_string(body.value) + " has no joint");
  std::vector<double> matrix(6 * size());
  for (auto at = static_cast<std::size_t>(found - own.links.begin()); at != Internals::kRoot;
       at = own.links[at].parent) {
    const Internals::Link& link = own.links[at];
    for (std::size_t r = link.first; r < link.first + link.count; ++r) {
      const auto& [angular, linear] = own.columns[r].motion;
      const Vec3 velocity = link.sign * (linear + cross(angular, point - own.origin));
      for (int k = 0; k < 3; ++k) {
        matrix[static_cast<std::size_t>(k) * size() + r] = velocity[k];
        matrix[static_cast<std::size_t>(k + 3) * size() + r] = link.sign * angular[k];
      }
    }
  }
  return matrix;
}

}  // namespace scree
