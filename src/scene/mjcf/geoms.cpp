/// Reads geoms of MJCF files: shapes of collisions, and the masses that follow from them.
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <numbers>

#include "scene/build.hpp"
#include "scene/mjcf/model.hpp"
#include "scene/robots/inertia.hpp"

namespace scree::robots {
namespace {

namespace fs = std::filesystem;

/// Name of a file without its folders and its ending, as names of assets are by default.
std::string stem_of(std::string path) {
  std::ranges::replace(path, '\\', '/');
  return fs::path(path).stem().string();
}

/// Path of a mesh, in the folder of meshes, as a path that is absolute or relative to the robot.
std::string path_of_mesh(const Mjcf& mjcf, std::string file) {
  std::ranges::replace(file, '\\', '/');
  const Compiler& compiler = mjcf.values.compiler();
  const fs::path path = compiler.strips_paths ? fs::path(file).filename() : fs::path(file);
  return path.is_absolute() ? path.string() : (fs::path(compiler.mesh_folder) / path).string();
}

/// Solid that flat triangles enclose, at density 1: sums of pyramids over them. None if they
/// enclose nothing.
std::optional<Inertia> solid_of(const TriangleSoup& soup) {
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  const auto corner = [&](std::uint32_t k) {
    const Vec3& v = soup.vertices[k];
    return Eigen::Vector3d(v.x, v.y, v.z);
  };
  for (std::uint32_t k = 0; k < soup.vertices.size(); ++k) middle += corner(k);
  middle /= std::max<double>(1, static_cast<double>(soup.vertices.size()));
  double volume = 0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  for (const auto& corners : soup.triangles) {
    const Eigen::Vector3d a = corner(corners[0]) - middle, b = corner(corners[1]) - middle,
                          c = corner(corners[2]) - middle, sum = a + b + c;
    const double v = a.dot(b.cross(c)) / 6;
    volume += v;
    first += v / 4 * sum;
    second += v / 20 *
              (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  if (volume < 0) {  // the triangles face inwards
    volume = -volume;
    first = -first;
    second = -second;
  }
  if (!(volume > 0)) return {};
  const Eigen::Vector3d centre = first / volume;
  second -= volume * centre * centre.transpose();
  const Eigen::Vector3d at = middle + centre;
  return Inertia{
      volume, {at[0], at[1], at[2]}, second.trace() * Eigen::Matrix3d::Identity() - second};
}

/// Solid of a mesh at density 1, in its own frame; none if the file cannot be used.
std::optional<Inertia> solid_of_mesh(const Mjcf& mjcf, const MeshAsset& mesh) {
  const auto scale = [&](std::vector<Vec3>& points) {
    for (Vec3& p : points) p = {mesh.scale.x * p.x, mesh.scale.y * p.y, mesh.scale.z * p.z};
  };
  try {
    TriangleSoup soup{mesh.points, mesh.triangles};
    if (soup.vertices.empty())
      soup = scene::read_triangles(fs::absolute(mjcf.findings.files[0]).parent_path() / mesh.file);
    scale(soup.vertices);
    if (const auto solid = solid_of(soup)) return solid;
    Link hull{};
    Part part{};
    part.kind = Part::Kind::mesh;
    part.hull = convex_hull(soup.vertices);
    hull.parts.push_back(part);
    return inertia_of_parts(hull, 1);
  } catch (const std::exception&) {
    return {};  // reported when its hull is read
  }
}

class GeomReader {
 public:
  GeomReader(Mjcf& mjcf, const Tag& geom, const Pose& frame, Link& link)
      : mjcf_(mjcf), geom_(geom), frame_(frame), link_(link) {}

  void operator()(Inertia* mass) {
    part_.place = geom_.place;
    part_.name = geom_.text("name");
    part_.link = link_.name;
    part_.pose = moved(frame_, mjcf_.values.pose(geom_));
    const std::string reason = trouble();
    if (reason == kNoShape) return;
    if (!reason.empty()) {
      mjcf_.findings.repair(
          geom_.place,
          fmt::format("a geom of the body '{}' cannot be used: {}", link_.name, reason),
          "the body goes without it");
      return;
    }
    if (mass) add_mass(*mass);
    if (!part_.name.empty()) mjcf_.links_of_geoms[part_.name] = link_.name;
    read_contact();
    link_.parts.push_back(std::move(part_));
  }

 private:
  static constexpr const char* kNoShape = "none";

  /// Reads the shape. Returns why it cannot be used; empty if it can.
  std::string trouble() {
    std::string type = geom_.text("type");
    mesh_ = geom_.text("mesh");
    if (!mesh_.empty()) type = "mesh";
    sizes_ = mjcf_.values.numbers(geom_, "size", 3);
    for (double& size : sizes_) size = std::abs(size);
    using enum Part::Kind;
    if (type.empty() || type == "sphere") return radial(sphere, 1);
    if (type == "capsule") return radial(capsule, 2);
    if (type == "cylinder") return radial(cylinder, 2);
    if (type == "box") return by_half_sizes(box, 2);
    if (type == "ellipsoid") return by_half_sizes(ellipsoid, 1);
    if (type == "plane") {
      part_.kind = plane;
      return "";
    }
    if (type == "mesh") return by_asset();
    if (type == "hfield" || type == "sdf") {
      mjcf_.left_out.count(geom_.place, fmt::format("geoms of the type {}", type));
      return kNoShape;
    }
    return fmt::format("its type is '{}', which is unknown", type);
  }

  /// Length from end to end by the points of `fromto`, which set the pose, too; none without.
  std::optional<double> between_points() {
    if (!geom_.find("fromto")) return {};
    const std::vector<double> n = mjcf_.values.numbers(geom_, "fromto", 6);
    if (n.size() < 6) return 0;
    const Vec3 from{n[0], n[1], n[2]}, to{n[3], n[4], n[5]};
    const double length = norm(from - to);
    if (!(length > 0) || !std::isfinite(length)) return 0;
    part_.pose =
        moved(frame_, {0.5 * (from + to), rotation_between({0, 0, 1}, (from - to) / length)});
    return length;
  }

  std::string radial(Part::Kind kind, std::size_t needed) {
    part_.kind = kind;
    const auto length = kind == Part::Kind::sphere ? std::nullopt : between_points();
    if (sizes_.size() < (length ? 1 : needed) || !(sizes_[0] > 0)) return "it has no size";
    part_.size.x = sizes_[0];
    if (kind != Part::Kind::sphere) part_.size.z = length ? *length : 2 * sizes_[1];
    return kind != Part::Kind::cylinder || part_.size.z > 0 ? "" : "it has no length";
  }

  std::string by_half_sizes(Part::Kind kind, double factor) {
    part_.kind = kind;
    const auto length = between_points();
    if (length && !sizes_.empty()) sizes_ = {sizes_[0], sizes_[0], *length / 2};
    if (sizes_.size() < 3 || !(std::ranges::min(sizes_) > 0)) return "it has no size";
    part_.size = factor * Vec3{sizes_[0], sizes_[1], sizes_[2]};
    return "";
  }

  std::string by_asset() {
    part_.kind = Part::Kind::mesh;
    const auto asset = mjcf_.meshes.find(mesh_);
    if (asset == mjcf_.meshes.end()) return fmt::format("there is no mesh '{}'", mesh_);
    part_.file = asset->second.points.empty() ? asset->second.file : mesh_;
    part_.points = asset->second.points;
    part_.scale = asset->second.scale;
    part_.pose = moved(part_.pose, asset->second.pose);
    return "";
  }

  /// Solid of the geom at density 1, in the frame of the link; none if it has no volume.
  std::optional<Inertia> solid() const {
    if (part_.kind == Part::Kind::plane) return {};
    if (part_.kind == Part::Kind::mesh) {
      const auto found = solid_of_mesh(mjcf_, mjcf_.meshes.at(mesh_));
      return found ? std::optional(seen_at(part_.pose, *found)) : std::nullopt;
    }
    const VolumeProperties of = volume_properties(shape_of(part_));
    return seen_at(part_.pose,
                   {of.volume, of.centre,
                    Eigen::Vector3d(of.inertia.x, of.inertia.y, of.inertia.z).asDiagonal()});
  }

  void add_mass(Inertia& mass) const {
    const Compiler& compiler = mjcf_.values.compiler();
    const double group = mjcf_.values.number(geom_, "group", 0);
    if (group < compiler.first_group || group > compiler.last_group) return;
    auto own = solid();
    if (!own && part_.kind == Part::Kind::mesh)
      mjcf_.findings.repair(geom_.place,
                            fmt::format("the mesh '{}' of the body '{}' has no volume that could "
                                        "be computed",
                                        mesh_, link_.name),
                            "it adds no mass");
    if (!own) return;
    constexpr double kDensity = 1000;  // of the format [kg/m³]
    const double wanted = geom_.find("mass")
                              ? mjcf_.values.not_below_zero(geom_, "mass")
                              : own->mass * mjcf_.values.number(geom_, "density", kDensity);
    if (!(wanted > 0)) return;
    own->tensor *= wanted / own->mass;
    own->mass = wanted;
    mass = mass.mass > 0 ? sum(mass, *own) : *own;
  }

  void read_contact() {
    const Values& values = mjcf_.values;
    const auto bits = [&](const char* attribute) {
      const double value = values.number(geom_, attribute, 1);
      return mjcf_.has_bits ? static_cast<unsigned>(static_cast<std::int64_t>(
                                  std::clamp(value, -2147483648.0, 4294967295.0)))
                            : 0u;
    };
    part_.filter = {bits("contype"), bits("conaffinity")};
    part_.surface = surface_of(values, geom_);
  }

 public:
  static Surface surface_of(const Values& values, const Tag& tag) {
    Surface surface{1, 0.005, 0.0001};
    const std::vector<double> friction = values.numbers(tag, "friction", 5);
    const std::array<double*, 3> all{&surface.friction, &surface.spinning, &surface.rolling};
    for (std::size_t k = 0; k < std::min<std::size_t>(3, friction.size()); ++k)
      *all[k] = std::max(0.0, friction[k]);
    surface.dimensions = static_cast<int>(std::clamp(values.number(tag, "condim", 3), 1.0, 6.0));
    surface.priority = static_cast<int>(std::clamp(values.number(tag, "priority", 0), -1e6, 1e6));
    return surface;
  }

 private:
  Mjcf& mjcf_;
  const Tag& geom_;
  const Pose& frame_;
  Link& link_;
  Part part_;
  std::string mesh_;
  std::vector<double> sizes_;
};

/// Triangles that the file lists; none if some of their corners are not there.
std::vector<TriangleMesh::Corners> triangles_of(Mjcf& mjcf, const Tag& mesh, std::size_t points) {
  const std::vector<double> corners = mjcf.values.numbers(mesh, "face", 3'000'000);
  std::vector<TriangleMesh::Corners> triangles;
  const auto is_corner = [&](double k) { return 0 <= k && k < static_cast<double>(points); };
  if (!std::ranges::all_of(corners, is_corner)) return {};
  for (std::size_t k = 0; k + 2 < corners.size(); k += 3)
    triangles.push_back({static_cast<std::uint32_t>(corners[k]),
                         static_cast<std::uint32_t>(corners[k + 1]),
                         static_cast<std::uint32_t>(corners[k + 2])});
  return triangles;
}

}  // namespace

void read_meshes(Mjcf& mjcf, const Tag& asset) {
  for (const Tag& tag : asset.children) {
    if (tag.name != "mesh") continue;
    MeshAsset mesh;
    const std::string file = tag.text("file");
    if (!file.empty()) mesh.file = path_of_mesh(mjcf, file);
    const std::vector<double> points = mjcf.values.numbers(tag, "vertex", 3'000'000);
    for (std::size_t k = 0; k + 2 < points.size(); k += 3)
      mesh.points.push_back({points[k], points[k + 1], points[k + 2]});
    mesh.triangles = triangles_of(mjcf, tag, mesh.points.size());
    mesh.scale = mjcf.values.vector(tag, "scale", {1, 1, 1});
    const Vec3 at = mjcf.values.vector(tag, "refpos", {});
    const std::vector<double> q = mjcf.values.numbers(tag, "refquat", 4);
    if (norm(at) > 0 || q.size() == 4) {
      Quaternion turn;
      if (q.size() == 4 && std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3])) > 0)
        turn = conjugate(normalised(Quaternion{q[0], q[1], q[2], q[3]}));
      const Vec3 scaled{mesh.scale.x * at.x, mesh.scale.y * at.y, mesh.scale.z * at.z};
      mesh.pose = {-rotate(turn, scaled), turn};
    }
    std::string name = tag.text("name");
    if (name.empty()) name = stem_of(file);
    mjcf.meshes[name] = std::move(mesh);
  }
}

void read_geom(Mjcf& mjcf, const Tag& geom, const Pose& frame, Link& link, Inertia* mass) {
  GeomReader(mjcf, geom, frame, link)(mass);
}

}  // namespace scree::robots
