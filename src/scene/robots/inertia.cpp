/// Masses and moments of links, and their repairs.
#include "scene/robots/inertia.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <stdexcept>

namespace scree::robots {
namespace {

using Matrix = Eigen::Matrix3d;

Matrix turn_of(const Quaternion& q) {
  return Eigen::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
}

/// Tensor of a point mass about the origin.
Matrix point_tensor(double mass, const Vec3& at) {
  const Eigen::Vector3d r(at.x, at.y, at.z);
  return mass * (r.squaredNorm() * Matrix::Identity() - r * r.transpose());
}

bool is_diagonal(const Matrix& m) { return m(0, 1) == 0 && m(0, 2) == 0 && m(1, 2) == 0; }

std::string in_words(const Vec3& v) {
  return fmt::format("{:.6g}, {:.6g} and {:.6g}", v.x, v.y, v.z);
}

double reach_of(const Link& link) {
  double reach = 0;
  for (const Part& part : link.parts)
    if (part.kind != Part::Kind::plane)
      reach = std::max(reach, reach_from(link.inertia->centre, part));
  return reach;
}

/// Inertia of a solid ball.
Inertia ball_of(double mass, const Vec3& centre, double density) {
  const double radius = std::cbrt(3 * mass / (4 * std::numbers::pi * density));
  return {mass, centre, 0.4 * mass * radius * radius * Matrix::Identity()};
}

/// Fills in moments that are missing, and moves others to the nearest ones that a body can have.
void correct(Link& link, double density, Findings& findings) {
  Inertia& inertia = *link.inertia;
  if (!inertia.tensor.allFinite() || inertia.tensor.isZero(0)) {
    auto filled = inertia_of_parts(link, density);
    if (filled) filled->tensor *= inertia.mass / filled->mass;
    inertia.tensor = (filled ? *filled : ball_of(inertia.mass, inertia.centre, density)).tensor;
    findings.repair(link.inertia_place,
                    fmt::format("the link '{}' has no moments of inertia", link.name),
                    fmt::format("it gets those of {}, {} kg m²",
                                filled ? "its collision" : "a ball of its mass",
                                in_words(principal_moments(inertia).moments)));
    return;
  }
  const PrincipalMoments found = principal_moments(inertia);
  const Vec3 nearest = nearest_moments(found.moments);
  constexpr double kRounding = 1e-9;
  if (norm(nearest - found.moments) <= kRounding * norm(nearest)) return;
  inertia.tensor = tensor_of({nearest, found.axes});
  findings.repair(link.inertia_place,
                  fmt::format("no body has the principal moments {} kg m² of the link '{}'",
                              in_words(found.moments), link.name),
                  fmt::format("it gets the nearest ones, {}", in_words(nearest)));
}

/// Raises moments that a step cannot bear: tiny next to the largest, or to those of the collision.
void raise(Link& link, Findings& findings) {
  constexpr double kOfLargest = 1e-6, kOfReach = 1e-8;
  Inertia& inertia = *link.inertia;
  const PrincipalMoments found = principal_moments(inertia);
  const double largest = std::max({found.moments.x, found.moments.y, found.moments.z}),
               least = std::max(kOfLargest * largest,
                                kOfReach * inertia.mass * std::pow(reach_of(link), 2));
  Vec3 raised = found.moments;
  for (int k = 0; k < 3; ++k) raised[k] = std::max(raised[k], least);
  if (raised == found.moments) return;
  raised = nearest_moments(raised);
  inertia.tensor = tensor_of({raised, found.axes});
  findings.repair(link.inertia_place,
                  fmt::format("the principal moments {} kg m² of the link '{}' are too small for a "
                              "step",
                              in_words(found.moments), link.name),
                  fmt::format("they are raised to {}", in_words(raised)));
}

}  // namespace

Inertia sum(const Inertia& a, const Inertia& b) {
  Inertia result;
  result.mass = a.mass + b.mass;
  result.centre =
      result.mass > 0 ? (a.mass * a.centre + b.mass * b.centre) / result.mass : a.centre;
  result.tensor = a.tensor + b.tensor + point_tensor(a.mass, a.centre - result.centre) +
                  point_tensor(b.mass, b.centre - result.centre);
  return result;
}

Inertia seen_at(const Pose& pose, const Inertia& inertia) {
  const Matrix turn = turn_of(pose.orientation);
  return {inertia.mass, pose.position + rotate(pose.orientation, inertia.centre),
          turn * inertia.tensor * turn.transpose()};
}

PrincipalMoments principal_moments(const Inertia& inertia) {
  const Matrix& m = inertia.tensor;
  if (is_diagonal(m) || !m.allFinite()) return {{m(0, 0), m(1, 1), m(2, 2)}, {}};
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(m);
  Matrix axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(0) *= -1;
  const Eigen::Quaterniond q(axes);
  const auto& moments = solver.eigenvalues();
  return {{moments[0], moments[1], moments[2]}, {q.w(), q.x(), q.y(), q.z()}};
}

Matrix tensor_of(const PrincipalMoments& principal) {
  const Matrix turn = turn_of(principal.axes);
  const Vec3& m = principal.moments;
  return turn * Eigen::Vector3d(m.x, m.y, m.z).asDiagonal() * turn.transpose();
}

Vec3 nearest_moments(const Vec3& moments) {
  std::array<int, 3> order{0, 1, 2};
  std::ranges::sort(order, {}, [&](int k) { return moments[k]; });
  Vec3 result = moments;
  double &low = result[order[0]], &middle = result[order[1]], &high = result[order[2]];
  const double beyond = (high - low - middle) / 3;
  if (beyond <= 0) return result;
  // Onto the plane high = low + middle, where the body is flat
  low += beyond;
  middle += beyond;
  high -= beyond;
  if (low >= 0) return result;
  // Onto its edge, where the body is a rod
  const double rod = std::max(0.0, (moments[order[1]] + moments[order[2]]) / 2);
  low = 0;
  middle = high = rod;
  return result;
}

std::optional<PlacedClump> union_of(const Link& link) {
  std::vector<ClumpPart> parts;
  std::vector<std::shared_ptr<const ConvexHull>> hulls;
  for (const Part& part : link.parts) {
    if (part.kind == Part::Kind::plane) continue;
    parts.push_back({shape_of(part), pose_of(part)});
    if (part.hull.hull) hulls.push_back(part.hull.hull);
  }
  try {
    return clump_of(std::move(parts), std::move(hulls));
  } catch (const std::invalid_argument&) {
    return {};
  }
}

std::optional<Inertia> inertia_of_parts(const Link& link, double density) {
  const auto placed = union_of(link);
  if (!placed) return {};
  const double size = placed->size, mass = density * placed->clump->volume() * size * size * size;
  const double unit = density * std::pow(size, 5);
  return Inertia{mass, placed->pose.position,
                 tensor_of({unit * placed->clump->inertia(), placed->pose.orientation})};
}

double reach_from(const Vec3& point, const Part& part) {
  const Pose pose = pose_of(part);
  return norm(pose.position - point) + bounding_radius(shape_of(part));
}

void fill_masses(Robot& robot, double density, Findings& findings) {
  for (Link& link : robot.links) {
    if (link.has_mass() || robot.is_fixed(link.name)) continue;
    const auto filled = inertia_of_parts(link, density);
    if (!filled) continue;
    const bool was_given = link.inertia.has_value();
    findings.repair(
        was_given ? link.inertia_place : link.place,
        fmt::format("the link '{}' moves but has no mass", link.name),
        fmt::format("it gets {:.6g} kg, that of its collision at {} kg/m³", filled->mass, density));
    link.inertia = filled;
    link.inertia_place = link.place;
  }
}

void correct_moments(Robot& robot, double density, Findings& findings) {
  for (Link& link : robot.links)
    if (link.has_mass() && !robot.is_fixed(link.name)) correct(link, density, findings);
}

void raise_tiny_moments(Robot& robot, Findings& findings) {
  for (Link& link : robot.links)
    if (link.has_mass() && !robot.is_fixed(link.name)) raise(link, findings);
}

}  // namespace scree::robots
