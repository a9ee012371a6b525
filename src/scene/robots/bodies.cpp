/// Converts links to bodies and obstacles.
#include "scene/robots/bodies.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scene/robots/inertia.hpp"
#include "scene/robots/writer.hpp"

namespace scree::robots {
namespace {

/// Corners of a hull in the frame of its points, as a YAML list.
std::string corners_of(const PlacedHull& hull) {
  std::string corners;
  for (const Vec3& v : hull.hull->vertices()) {
    const Vec3 at = hull.pose.position + rotate(hull.pose.orientation, hull.size * v);
    corners += (corners.empty() ? "" : ", ") + yaml_of(at);
  }
  return '[' + corners + ']';
}

std::string shape_text(const Part& part) {
  switch (part.kind) {
    case Part::Kind::sphere:
      return fmt::format("sphere: {{radius: {}}}", part.size.x);
    case Part::Kind::box:
      return fmt::format("box: {{size: {}}}", yaml_of(part.size));
    case Part::Kind::cylinder:
    case Part::Kind::capsule:
      return fmt::format("{}: {{radius: {}, length: {}}}",
                         part.kind == Part::Kind::capsule ? "capsule" : "cylinder", part.size.x,
                         part.size.z);
    case Part::Kind::ellipsoid:
      return fmt::format("ellipsoid: {{semi_axes: {}}}", yaml_of(part.size));
    case Part::Kind::mesh:
      return fmt::format("polyhedron: {{points: {}}}", corners_of(part.hull));
    case Part::Kind::plane:
      break;
  }
  return "";
}

/// One link as a body.
class LinkBody {
 public:
  LinkBody(const Link& link, const std::string& name, const Pose& pose, const Materials& materials)
      : link_(link),
        name_(name),
        pose_(pose),
        material_(materials.line_of(!link.parts.empty())),
        mass_(link.inertia->mass) {
    const PrincipalMoments principal = principal_moments(*link.inertia);
    moments_ = principal.moments;
    centre_ = {link.inertia->centre, principal.axes};
    frame_ = moved(pose, centre_);
  }

  /// Plain sphere or box if the link has its moments, else a clump.
  std::string operator()() {
    if (link_.parts.size() == 1 && add_plain(link_.parts[0])) return text_;
    begin("solid", pose_);
    text_ += fmt::format(
        "      mass: {}\n      inertia: {{centre: {}, orientation: {}, moments: "
        "{}}}\n      shape:\n        clump:\n",
        mass_, yaml_of(centre_.position), yaml_of(centre_.orientation), yaml_of(moments_));
    for (const Part& part : link_.parts)
      text_ += fmt::format(
          "          - shape: {{{}}}\n            position: {}\n            orientation: {}\n",
          shape_text(part), yaml_of(part.pose.position), yaml_of(part.pose.orientation));
    return text_;
  }

  /// Smallest sphere that can have the moments.
  std::string sphere() {
    add_sphere(min_radius());
    return text_;
  }

 private:
  void begin(const char* kind, const Pose& pose) {
    text_ +=
        fmt::format("  - {}:\n      name: {}\n{}      position: {}\n      orientation: {}\n", kind,
                    yaml_text(name_), material_, yaml_of(pose.position), yaml_of(pose.orientation));
  }

  double min_radius() const {
    constexpr double kAbove = 1 + 1e-6;
    return std::sqrt((moments_.x + moments_.y + moments_.z) / (2 * mass_)) * kAbove;
  }

  void add_sphere(double radius) {
    begin("sphere", frame_);
    text_ += fmt::format("      radius: {}\n      mass: {}\n      inertia: {}\n", radius, mass_,
                         yaml_of(moments_ / (mass_ * radius * radius)));
  }

  /// Adds a sphere about the centre of mass or a box with the moments of a solid one; false if it
  /// is neither.
  bool add_plain(const Part& part) {
    const Pose at = moved(pose_, part.pose);
    if (part.kind == Part::Kind::box) return add_box(at, part.size);
    if (part.kind != Part::Kind::sphere) return false;
    const double radius = part.size.x;
    if (norm(at.position - frame_.position) > 1e-9 * radius || radius < min_radius()) return false;
    add_sphere(radius);
    return true;
  }

  /// Adds a box if its moments are those of a solid box; false if not.
  bool add_box(const Pose& at, const Vec3& size) {
    constexpr double kAlike = 1e-3;
    const auto moment = [&](const Vec3& axis) {
      const Vec3 a = rotate_back(frame_.orientation, rotate(at.orientation, axis));
      return moments_.x * a.x * a.x + moments_.y * a.y * a.y + moments_.z * a.z * a.z;
    };
    const Vec3 full = mass_ / 12 *
                      Vec3{size.y * size.y + size.z * size.z, size.z * size.z + size.x * size.x,
                           size.x * size.x + size.y * size.y};
    const Vec3 given{moment({1, 0, 0}), moment({0, 1, 0}), moment({0, 0, 1})};
    // The sorted moments agree only if the box is along the principal axes
    const auto sorted = [](Vec3 v) {
      if (v.x > v.y) std::swap(v.x, v.y);
      if (v.y > v.z) std::swap(v.y, v.z);
      if (v.x > v.y) std::swap(v.x, v.y);
      return v;
    };
    const bool alike = norm(given - full) <= kAlike * norm(full) &&
                       norm(sorted(moments_) - sorted(full)) <= kAlike * norm(full) &&
                       norm(at.position - frame_.position) <= 1e-9 * norm(size);
    if (!alike) return false;
    begin("box", at);
    text_ += fmt::format("      size: {}\n      mass: {}\n", yaml_of(size), mass_);
    return true;
  }

  const Link& link_;
  const std::string& name_;
  const Pose& pose_;
  std::string material_;
  double mass_;
  Pose centre_;   ///< centre of mass and principal axes, in the frame of the link
  Pose frame_;    ///< the same in the world
  Vec3 moments_;  ///< [kg m²]
  std::string text_;
};

}  // namespace

std::string Materials::line_of(bool is_touched) const {
  if (is_only) return "";
  return fmt::format("      material: {}\n", is_touched ? touched : untouched);
}

std::string body_of(const Link& link, const std::string& name, const Pose& pose,
                    const Materials& materials) {
  LinkBody body(link, name, pose, materials);
  return link.parts.empty() ? body.sphere() : body();
}

std::string obstacle_of(const Part& part, const std::string& name, const Pose& pose,
                        const Materials& materials) {
  const Pose at = moved(pose, part.pose);
  const std::string of =
      fmt::format("      name: {}\n{}", yaml_text(name), materials.line_of(true));
  if (part.kind == Part::Kind::plane)
    return fmt::format("  - half_space:\n{}      point: {}\n      normal: {}\n", of,
                       yaml_of(at.position), yaml_of(rotate(at.orientation, {0, 0, 1})));
  if (part.kind == Part::Kind::sphere)
    return fmt::format("  - sphere:\n{}      position: {}\n      radius: {}\n", of,
                       yaml_of(at.position), part.size.x);
  if (part.kind == Part::Kind::box)
    return fmt::format("  - box:\n{}      position: {}\n      orientation: {}\n      size: {}\n",
                       of, yaml_of(at.position), yaml_of(at.orientation), yaml_of(part.size));
  return fmt::format(
      "  - solid:\n{}      position: {}\n      orientation: {}\n      shape: {{{}}}\n", of,
      yaml_of(at.position), yaml_of(at.orientation), shape_text(part));
}

}  // namespace scree::robots
