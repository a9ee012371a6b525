/// Converts links of URDF files to bodies and obstacles.
#include <Eigen/Eigenvalues>
#include <optional>
#include <utility>

#include "scene/build.hpp"
#include "scene/urdf_file.hpp"
#include "scree/geometry/convex_hull.hpp"

namespace scree::urdf {
namespace {

using Matrix = Eigen::Matrix3d;

class LinkBody {
 public:
  LinkBody(UrdfFile& file, const Element& link, const std::string& name, const Pose& pose,
           const std::vector<Collision>& collisions)
      : file_(file), link_(link), name_(name), pose_(pose), collisions_(collisions) {}

  /// Body with exactly the inertia of its link and the shapes of its collisions: a plain sphere or
  /// box if that has the moments, else a clump. Meshes become their hulls; a link without
  /// collisions gets the smallest sphere that can have these moments. Both are reported.
  std::string body() {
    const Inertia of = inertia_of();
    if (collisions_.empty()) {
      const double radius = min_radius(of);
      file_.note_missing(link_,
                         fmt::format("contacts use a sphere of radius {:.6g} m about the centre of "
                                     "mass of the link '{}', which has no collision",
                                     radius, name_));
      add_sphere(of, radius);
      return text_;
    }
    if (collisions_.size() == 1 && add_plain(of, collisions_[0])) return text_;
    const Pose centre = moved(inverse(pose_), of.frame);
    begin_solid();
    text_ += fmt::format(
        "      mass: {}\n      inertia: {{centre: {}, orientation: {}, moments: {}}}\n", of.mass,
        yaml_of(centre.position), yaml_of(centre.orientation), yaml_of(of.moments));
    add_shape();
    return text_;
  }

  /// Obstacle with the shapes of the collisions.
  std::string obstacle() {
    begin_solid();
    add_shape();
    return text_;
  }

 private:
  struct Inertia {
    double mass;
    Pose frame;    ///< centre and principal axes, in the world
    Vec3 moments;  ///< principal moments [kg m²]
  };

  Inertia inertia_of() {
    const Element& inertial = *link_.FirstChildElement("inertial");
    const Element *mass = inertial.FirstChildElement("mass"),
                  *tensor = inertial.FirstChildElement("inertia");
    if (!mass || !tensor)
      file_.refuse(&inertial,
                   fmt::format("the inertial of the link '{}' needs mass and inertia", name_));
    Inertia result{file_.number(*mass, "value"), moved(pose_, file_.origin_of(inertial)), {}};
    if (!(result.mass > 0))
      file_.refuse(mass, fmt::format("the link '{}' has a mass of {} kg; it must be above 0", name_,
                                     result.mass));
    const double xx = file_.number(*tensor, "ixx"), yy = file_.number(*tensor, "iyy"),
                 zz = file_.number(*tensor, "izz"), xy = file_.number_or(tensor, "ixy", 0),
                 xz = file_.number_or(tensor, "ixz", 0), yz = file_.number_or(tensor, "iyz", 0);
    result.moments = {xx, yy, zz};
    if (xy != 0 || xz != 0 || yz != 0) {
      Matrix m;
      m << xx, xy, xz, xy, yy, yz, xz, yz, zz;
      Eigen::SelfAdjointEigenSolver<Matrix> solver(m);
      Matrix axes = solver.eigenvectors();
      if (axes.determinant() < 0) axes.col(0) *= -1;
      const Eigen::Quaterniond q(axes);
      result.frame.orientation =
          normalised(result.frame.orientation * Quaternion{q.w(), q.x(), q.y(), q.z()});
      const auto& moments = solver.eigenvalues();
      result.moments = {moments[0], moments[1], moments[2]};
    }
    const Vec3& I = result.moments;
    const double sum = I.x + I.y + I.z, largest = std::max({I.x, I.y, I.z}),
                 smallest = std::min({I.x, I.y, I.z});
    constexpr double kRounding = 1e-9;
    if (!(smallest > 0) || 2 * largest > sum * (1 + kRounding))
      file_.refuse(
          tensor,
          fmt::format("no body has the principal moments {:.6g}, {:.6g} and {:.6g} kg m² of the "
                      "link '{}': each must be above 0 and at most the sum of the other two",
                      I.x, I.y, I.z, name_));
    return result;
  }

  static Pose inverse(const Pose& pose) {
    const Quaternion back = conjugate(pose.orientation);
    return {rotate(back, -1.0 * pose.position), back};
  }

  void begin_solid() {
    text_ += fmt::format("  - solid:\n      name: {}\n      position: {}\n      orientation: {}\n",
                         yaml_text(name_), yaml_of(pose_.position), yaml_of(pose_.orientation));
  }
  void add_shape() {
    text_ += "      shape:\n        clump:\n";
    for (const Collision& collision : collisions_) add_clump_part(collision);
  }

  /// Radius of the smallest sphere that can have the moments of a link [m].
  static double min_radius(const Inertia& of) {
    constexpr double kAbove = 1 + 1e-6;
    const Vec3& I = of.moments;
    return std::sqrt((I.x + I.y + I.z) / (2 * of.mass)) * kAbove;
  }

  /// Pose of a collision in the frame of the body's link.
  Pose pose_in_link(const Collision& collision) const {
    return moved(collision.pose, file_.origin_of(*collision.element));
  }

  const Element& geometry_of(const Element& collision) const {
    const Element* geometry = collision.FirstChildElement("geometry");
    if (!geometry || !geometry->FirstChildElement())
      file_.refuse(&collision, fmt::format("a collision of '{}' needs a geometry", name_));
    return *geometry->FirstChildElement();
  }

  void add_sphere(const Inertia& of, double radius) {
    const double unit = of.mass * radius * radius;
    text_ += fmt::format(
        "  - sphere:\n      name: {}\n      position: {}\n      orientation: {}\n      radius: "
        "{}\n      mass: {}\n      inertia: {}\n",
        yaml_text(name_), yaml_of(of.frame.position), yaml_of(of.frame.orientation), radius,
        of.mass, yaml_of(of.moments / unit));
  }

  /// Adds a sphere about the centre of mass or a box with the moments of a solid one; false if it
  /// is neither.
  bool add_plain(const Inertia& of, const Collision& collision) {
    const Element& geometry = geometry_of(*collision.element);
    const Pose at = moved(pose_, pose_in_link(collision));
    const std::string_view kind = geometry.Name();
    if (kind == "box") return add_box(of, at, file_.vector(geometry, "size"));
    if (kind != "sphere") return false;
    const double radius = file_.number(geometry, "radius");
    if (norm(at.position - of.frame.position) > 1e-9 * radius || radius < min_radius(of))
      return false;
    add_sphere(of, radius);
    return true;
  }

  /// Adds one part of a clump, in the frame of its link.
  void add_clump_part(const Collision& collision) {
    const Element& geometry = geometry_of(*collision.element);
    const std::string_view kind = geometry.Name();
    const Pose at = pose_in_link(collision);
    std::string shape;
    if (kind == "sphere")
      shape = fmt::format("sphere: {{radius: {}}}", length(geometry, "radius"));
    else if (kind == "box")
      shape = fmt::format("box: {{size: {}}}", yaml_of(file_.vector(geometry, "size")));
    else if (kind == "cylinder" || kind == "capsule")
      shape = fmt::format("{}: {{radius: {}, length: {}}}", kind, length(geometry, "radius"),
                          length(geometry, "length"));
    else if (kind == "mesh")
      shape = fmt::format("polyhedron: {{points: {}}}", hull_of(geometry));
    else
      file_.refuse(&geometry, fmt::format("a collision of '{}' is a {}; it must be a sphere, box, "
                                          "cylinder, capsule or mesh",
                                          name_, kind));
    text_ += fmt::format(
        "          - shape: {{{}}}\n            position: {}\n            "
        "orientation: {}\n",
        shape, yaml_of(at.position), yaml_of(at.orientation));
  }

  double length(const Element& element, const char* attribute) const {
    const double value = file_.number(element, attribute);
    if (!(value > 0))
      file_.refuse(&element, fmt::format("{} has {} {}; it must be above 0", element.Name(),
                                         attribute, value));
    return value;
  }

  /// Corners of the hull of a mesh, as a YAML list.
  std::string hull_of(const Element& mesh) {
    const std::string name = file_.text_of(mesh, "filename");
    const auto file = mesh_file(name);
    if (!file)
      file_.refuse(&mesh, fmt::format("there is no file '{}'; paths are relative to the URDF file, "
                                      "and package://NAME/ is a folder NAME at or above it",
                                      name));
    const Vec3 scale = mesh.Attribute("scale") ? file_.vector(mesh, "scale") : Vec3{1, 1, 1};
    try {
      std::vector<Vec3> points = scene::read_triangles(*file).vertices;
      for (Vec3& p : points) p = {scale.x * p.x, scale.y * p.y, scale.z * p.z};
      const PlacedHull hull = convex_hull(points);
      file_.note_missing(mesh,
                         fmt::format("contacts use the convex hull of the mesh '{}' of the link "
                                     "'{}', which has {} corners",
                                     name, name_, hull.hull->vertices().size()));
      std::string corners;
      for (const Vec3& v : hull.hull->vertices()) {
        const Vec3 at = hull.pose.position + rotate(hull.pose.orientation, hull.size * v);
        corners += (corners.empty() ? "" : ", ") + yaml_of(at);
      }
      return '[' + corners + ']';
    } catch (const InputError& e) {
      file_.refuse(&mesh, fmt::format("'{}' {}", name, e.what()));
    } catch (const std::invalid_argument& e) {
      file_.refuse(&mesh, fmt::format("'{}' makes no body: {}", name, e.what()));
    }
  }

  /// Path of a mesh: relative to the URDF file, or in a package, which is a folder at or above it.
  std::optional<std::filesystem::path> mesh_file(const std::string& name) const {
    constexpr std::string_view kPackage = "package://", kFile = "file://";
    const auto folder = std::filesystem::absolute(file_.path()).parent_path();
    const auto if_there = [](std::filesystem::path file) {
      return std::filesystem::is_regular_file(file) ? std::optional(std::move(file)) : std::nullopt;
    };
    if (name.starts_with(kFile)) return if_there(name.substr(kFile.size()));
    if (!name.starts_with(kPackage)) return if_there(folder / name);
    const std::filesystem::path inside = name.substr(kPackage.size());
    for (auto above = folder;; above = above.parent_path()) {
      if (auto found = if_there(above / inside)) return found;
      if (above == above.parent_path()) return {};
    }
  }

  /// Adds a box if its moments are those of a solid box; false if not.
  bool add_box(const Inertia& of, const Pose& at, const Vec3& size) {
    constexpr double kAlike = 1e-3;
    const auto moment = [&](const Vec3& axis) {
      const Vec3 a = rotate_back(of.frame.orientation, rotate(at.orientation, axis));
      return of.moments.x * a.x * a.x + of.moments.y * a.y * a.y + of.moments.z * a.z * a.z;
    };
    const Vec3 full = of.mass / 12 *
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
                       norm(sorted(of.moments) - sorted(full)) <= kAlike * norm(full) &&
                       norm(at.position - of.frame.position) <= 1e-9 * norm(size);
    if (!alike) return false;
    text_ += fmt::format(
        "  - box:\n      name: {}\n      position: {}\n      orientation: {}\n      size: {}\n     "
        " "
        "mass: {}\n",
        yaml_text(name_), yaml_of(at.position), yaml_of(at.orientation), yaml_of(size), of.mass);
    return true;
  }

  UrdfFile& file_;
  const Element& link_;
  const std::string& name_;
  const Pose& pose_;
  const std::vector<Collision>& collisions_;
  std::string text_;
};

}  // namespace

std::string body_of_link(UrdfFile& file, const Element& link, const std::string& name,
                         const Pose& pose, const std::vector<Collision>& collisions) {
  return LinkBody(file, link, name, pose, collisions).body();
}
std::string obstacle_of_link(UrdfFile& file, const Element& link, const std::string& name,
                             const Pose& pose, const std::vector<Collision>& collisions) {
  return LinkBody(file, link, name, pose, collisions).obstacle();
}

}  // namespace scree::urdf
