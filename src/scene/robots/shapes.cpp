/// Shapes of collisions: meshes are found and read, flat and thin ones are thickened.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numbers>
#include <stdexcept>

#include "scene/build.hpp"
#include "scene/robots/inertia.hpp"
#include "scene/robots/robot.hpp"
#include "scree/core/error.hpp"
#include "scree/geometry/convex_hull.hpp"

namespace scree::robots {
namespace {

namespace fs = std::filesystem;

constexpr double kMaxSlender = 99;  // radius of a link over that of its parts; scenes allow 100

// --- files of meshes ---

std::optional<fs::path> if_there(const fs::path& file) {
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored)) return file;
  return {};
}

/// A file below a folder or one of the folders above it.
std::optional<fs::path> at_or_above(fs::path folder, const fs::path& inside) {
  for (;; folder = folder.parent_path()) {
    if (auto found = if_there(folder / inside)) return found;
    if (folder == folder.parent_path()) return {};
  }
}

class MeshFinder {
 public:
  MeshFinder(const fs::path& robot, const RobotOptions& options)
      : folder_(fs::absolute(robot).parent_path()), options_(options) {}

  /// Path of a mesh: in a package, absolute, or relative to the file of the robot.
  std::optional<fs::path> find(std::string name) const {
    std::ranges::replace(name, '\\', '/');
    for (const std::string_view scheme : {"package://", "model://"})
      if (name.starts_with(scheme)) return in_package(name.substr(scheme.size()));
    constexpr std::string_view kFind = "$(find ", kFile = "file://";
    if (const std::size_t end = name.find(')'); name.starts_with(kFind) && end != name.npos)
      return in_package(name.substr(kFind.size(), end - kFind.size()) + name.substr(end + 1));
    if (name.starts_with(kFile)) name.erase(0, kFile.size());
    const fs::path path(name);
    return path.is_absolute() ? if_there(path) : at_or_above(folder_, path);
  }

 private:
  /// File of a package, whose name comes first: in the folder given for it, below those of the
  /// package path, or at or above the robot. The folder of a package may have another name.
  std::optional<fs::path> in_package(const std::string& name) const {
    const std::size_t slash = std::min(name.find('/'), name.size());
    const std::string package = name.substr(0, slash);
    const fs::path inside = fs::path(name.substr(std::min(slash + 1, name.size())));
    if (const auto given = options_.packages.find(package); given != options_.packages.end())
      return if_there(given->second / inside);
    for (const fs::path& folder : options_.package_path) {
      if (auto found = if_there(folder / package / inside)) return found;
      if (folder.filename() != package) continue;
      if (auto found = if_there(folder / inside)) return found;
    }
    if (auto found = at_or_above(folder_, fs::path(package) / inside)) return found;
    return at_or_above(folder_, inside);
  }

  fs::path folder_;
  const RobotOptions& options_;
};

// --- hulls ---

/// Of many points, those farthest along directions that are spread evenly over the sphere.
std::vector<Vec3> outermost(const std::vector<Vec3>& points) {
  constexpr int kDirections = 1000;
  std::vector<Vec3> result;
  for (int k = 0; k < kDirections; ++k) {
    const double z = 1 - (2 * k + 1.0) / kDirections, r = std::sqrt(1 - z * z),
                 angle = k * std::numbers::pi * (3 - std::sqrt(5.0));
    const Vec3 way{r * std::cos(angle), r * std::sin(angle), z};
    result.push_back(
        *std::ranges::max_element(points, {}, [&](const Vec3& p) { return dot(p, way); }));
  }
  return result;
}

/// Points moved apart so that they span a thickness along each of their principal axes.
std::vector<Vec3> thickened(const std::vector<Vec3>& points, double thickness) {
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const Vec3& p : points) mean += Eigen::Vector3d(p.x, p.y, p.z);
  mean /= static_cast<double>(points.size());
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Vec3& p : points) {
    const Eigen::Vector3d d = Eigen::Vector3d(p.x, p.y, p.z) - mean;
    spread += d * d.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(spread);
  std::vector<Vec3> result = points;
  for (int axis = 0; axis < 3; ++axis) {
    const auto& v = solver.eigenvectors().col(axis);
    const Vec3 way{v[0], v[1], v[2]};
    const auto [low, high] =
        std::ranges::minmax(points, {}, [&](const Vec3& p) { return dot(p, way); });
    const double lacking = thickness - dot(high - low, way);
    if (!(lacking > 0)) continue;
    const std::vector<Vec3> before = result;
    for (Vec3& p : result) p += lacking / 2 * way;
    for (const Vec3& p : before) result.push_back(p - lacking / 2 * way);
  }
  return result;
}

double inner_radius(const PlacedHull& hull) { return hull.size * hull.hull->inscribed_radius(); }

/// Hull of points that is nowhere thinner than a ball of this radius; none if they coincide.
std::optional<PlacedHull> hull_around(const std::vector<Vec3>& points, double radius) {
  constexpr int kMaxTries = 12;
  for (int k = 0; k < kMaxTries; ++k) {
    try {
      const auto hull = convex_hull(thickened(points, 2 * radius * std::pow(1.3, k)));
      if (inner_radius(hull) >= radius) return hull;
    } catch (const std::invalid_argument&) {
      continue;  // still too flat
    }
  }
  return {};
}

std::vector<Vec3> hull_corners(const PlacedHull& hull) {
  std::vector<Vec3> corners;
  for (const Vec3& v : hull.hull->vertices())
    corners.push_back(hull.pose.position + rotate(hull.pose.orientation, hull.size * v));
  return corners;
}

double half_extent(const std::vector<Vec3>& points) {
  Vec3 low = points[0], high = points[0];
  for (const Vec3& p : points)
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  return 0.5 * norm(high - low);
}

std::optional<PlacedHull> hull_of(const std::vector<Vec3>& points) {
  try {
    return convex_hull(points);
  } catch (const std::invalid_argument&) {
    return {};
  }
}

/// Corners of triangles.
std::vector<Vec3> hull_corners(const TriangleSoup& soup) {
  std::vector<bool> is_corner(soup.vertices.size());
  for (const auto& corners : soup.triangles)
    for (const std::uint32_t corner : corners) is_corner[corner] = true;
  std::vector<Vec3> points;
  for (std::size_t k = 0; k < is_corner.size(); ++k)
    if (is_corner[k]) points.push_back(soup.vertices[k]);
  return points;
}

/// Reads the hull of a mesh. Returns why that cannot be done; empty if it can.
std::string read_hull(Part& part, const fs::path& file, const std::string& link,
                      Findings& findings) {
  std::vector<Vec3> points = part.points;
  try {
    if (points.empty()) points = hull_corners(scene::read_triangles(file));
  } catch (const std::runtime_error& error) {
    return fmt::format("the file '{}' {}", file.string(), error.what());
  }
  for (Vec3& p : points) p = {part.scale.x * p.x, part.scale.y * p.y, part.scale.z * p.z};
  auto hull = hull_of(points);
  if (!hull && points.size() > kMaxHullVertices) {
    points = outermost(points);
    if ((hull = hull_of(points)))
      findings.repair(part.place,
                      fmt::format("the hull of the mesh '{}' of the link '{}' has more "
                                  "than {} corners",
                                  part.file, link, kMaxHullVertices),
                      fmt::format("it is simplified to {}", hull->hull->vertices().size()));
  }
  const double extent = half_extent(points);
  if (!hull && extent > 0 && (hull = hull_around(points, 1.1 * extent / kMaxSlender)))
    findings.repair(part.place,
                    fmt::format("the mesh '{}' of the link '{}' is flat", part.file, link),
                    fmt::format("its hull is thickened to {:.3g} m", 2 * inner_radius(*hull)));
  if (!hull) return fmt::format("the points of '{}' coincide", part.file);
  part.hull = *hull;
  return "";
}

// --- thickness ---

/// Radius of a ball inside a part [m].
double inner_radius(const Part& part) {
  switch (part.kind) {
    case Part::Kind::sphere:
    case Part::Kind::capsule:
      return part.size.x;
    case Part::Kind::cylinder:
      return std::min(part.size.x, part.size.z / 2);
    case Part::Kind::box:
      return std::min({part.size.x, part.size.y, part.size.z}) / 2;
    case Part::Kind::ellipsoid:
      return std::min({part.size.x, part.size.y, part.size.z});
    case Part::Kind::mesh:
      return inner_radius(part.hull);
    case Part::Kind::plane:
      break;
  }
  return HUGE_VAL;
}

/// Makes a part so thick that a ball of this radius fits into it.
void thicken(Part& part, double radius) {
  switch (part.kind) {
    case Part::Kind::box:
      for (int k = 0; k < 3; ++k) part.size[k] = std::max(part.size[k], 2 * radius);
      return;
    case Part::Kind::ellipsoid:
      for (int k = 0; k < 3; ++k) part.size[k] = std::max(part.size[k], radius);
      return;
    case Part::Kind::cylinder:
      part.size.z = std::max(part.size.z, 2 * radius);
      [[fallthrough]];
    case Part::Kind::sphere:
    case Part::Kind::capsule:
      part.size.x = std::max(part.size.x, radius);
      return;
    case Part::Kind::mesh:
      if (const auto hull = hull_around(hull_corners(part.hull), radius)) part.hull = *hull;
      return;
    case Part::Kind::plane:
      return;
  }
}

void thicken_to(double radius, Part& part) {
  if (inner_radius(part) < radius) thicken(part, radius * (1 + 1e-9));
}

/// Thickens parts that are thin next to their own length or to their whole link.
void thicken_parts(Link& link, bool is_fixed) {
  constexpr double kOfBoxes = 5000;  // scenes allow obstacles of 10 000 times their thickness
  constexpr double kMargin = 0.9;    // because links grow with their parts
  for (Part& part : link.parts) {
    const bool is_ground = is_fixed && part.kind == Part::Kind::box;
    if (part.kind != Part::Kind::plane)
      thicken_to(bounding_radius(shape_of(part)) / (is_ground ? kOfBoxes : kMaxSlender), part);
  }
  if (is_fixed) return;
  if (const auto whole = union_of(link))
    for (Part& part : link.parts) thicken_to(whole->size / (kMargin * kMaxSlender), part);
}

}  // namespace

Shape shape_of(const Part& part) {
  switch (part.kind) {
    case Part::Kind::sphere:
      return Sphere{part.size.x};
    case Part::Kind::box:
      return Box{0.5 * part.size};
    case Part::Kind::cylinder:
      return Cylinder{part.size.x, part.size.z / 2};
    case Part::Kind::capsule:
      return Capsule{part.size.x, part.size.z / 2};
    case Part::Kind::ellipsoid:
      return Superellipsoid{part.size};
    case Part::Kind::mesh:
      return Polyhedron{part.hull.hull.get(), part.hull.size};
    case Part::Kind::plane:
      break;
  }
  return HalfSpace{};
}

Pose pose_of(const Part& part) {
  return part.kind == Part::Kind::mesh ? moved(part.pose, part.hull.pose) : part.pose;
}

void read_meshes(Robot& robot, const fs::path& file, const RobotOptions& options,
                 Findings& findings) {
  const MeshFinder finder(file, options);
  for (Link& link : robot.links)
    std::erase_if(link.parts, [&](Part& part) {
      if (part.kind != Part::Kind::mesh) return false;
      const auto mesh = part.points.empty() ? finder.find(part.file) : fs::path();
      const std::string trouble =
          mesh ? read_hull(part, *mesh, link.name, findings)
               : fmt::format(
                     "there is no file '{}' (--package NAME=DIR names the folder of a "
                     "package)",
                     part.file);
      if (!trouble.empty())
        findings.repair(
            part.place,
            fmt::format("a collision of the link '{}' cannot be used: {}", link.name, trouble),
            "the link goes without it");
      else
        findings.remark(part.place,
                        fmt::format("contacts use the convex hull of the mesh '{}' of the link "
                                    "'{}', which has {} corners",
                                    part.file, link.name, part.hull.hull->vertices().size()));
      return !trouble.empty();
    });
}

void drop_planes_that_move(Robot& robot, Findings& findings) {
  for (Link& link : robot.links)
    std::erase_if(link.parts, [&](const Part& part) {
      if (part.kind != Part::Kind::plane || robot.is_fixed(link.name)) return false;
      findings.repair(part.place, fmt::format("the link '{}' moves but is a plane", link.name),
                      "it goes without this collision");
      return true;
    });
}

void drop_parts_too_many(Robot& robot, Findings& findings) {
  for (Link& link : robot.links) {
    std::vector<Part>& parts = link.parts;
    const std::size_t before = parts.size();
    if (robot.is_fixed(link.name)) continue;
    const auto size = [](const Part& part) { return bounding_radius(shape_of(part)); };
    while (parts.size() > 1 && !union_of(link)) {
      std::ranges::stable_sort(parts, std::greater(), size);
      parts.resize(parts.size() > kMaxClumpParts ? kMaxClumpParts : parts.size() / 2);
    }
    if (parts.size() < before)
      findings.repair(link.place,
                      fmt::format("the link '{}' has {} collisions, more than one body can have",
                                  link.name, before),
                      fmt::format("the {} largest count", parts.size()));
  }
}

void thicken_thin_parts(Robot& robot, Findings& findings) {
  for (Link& link : robot.links) {
    const std::vector<Part> before = link.parts;
    thicken_parts(link, robot.is_fixed(link.name));
    for (std::size_t k = 0; k < before.size(); ++k) {
      const double was = inner_radius(before[k]), is = inner_radius(link.parts[k]);
      if (is > was)
        findings.repair(
            before[k].place,
            fmt::format("a collision of the link '{}' is only {:.3g} m thick", link.name, 2 * was),
            fmt::format("it is thickened to {:.3g} m, because thinner ones next to "
                        "large ones cannot be simulated",
                        2 * is));
    }
  }
}

}  // namespace scree::robots
