/// Reads and writes the table of shapes of a frame.
#include "io/shape_table.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "io/shape_json.hpp"
#include "scree/geometry/clump.hpp"
#include "scree/geometry/convex_hull.hpp"
#include "scree/io/json_text.hpp"
#include "scree/io/parsed_json.hpp"
#include "scree/sim/solid_prototype.hpp"

namespace scree {
namespace {

void require(bool good, const char* lack) {
  if (!good) throw std::invalid_argument(lack);
}

double number(const Json& json) {
  require(json.is_number() && std::isfinite(json.get<double>()), "a value is not a number");
  return json.get<double>();
}
double number(const Json& entry, const char* key) {
  require(entry.contains(key), "a number is missing");
  return number(entry[key]);
}
double positive(const Json& entry, const char* key) {
  const double value = number(entry, key);
  require(value > 0, "a length is not > 0");
  return value;
}
/// Entry `key` as a list of this length.
const Json& list(const Json& entry, const char* key, std::size_t length) {
  require(entry.contains(key) && entry[key].is_array() && entry[key].size() == length,
          "a list is missing or has the wrong length");
  return entry[key];
}
Vec3 vec3(const Json& json) {
  require(json.is_array() && json.size() == 3, "a point does not have three numbers");
  return {number(json[0]), number(json[1]), number(json[2])};
}
Vec3 lengths(const Json& entry, const char* key) {
  const Vec3 v = vec3(list(entry, key, 3));
  require(v.x > 0 && v.y > 0 && v.z > 0, "a length is not > 0");
  return v;
}

Frustum frustum_of(const Json& entry) {
  const Frustum f{number(entry, "bottom_radius"), number(entry, "top_radius"),
                  number(entry, "bottom"), number(entry, "top")};
  require(f.bottom_radius >= 0 && f.top_radius >= 0 && f.bottom_radius + f.top_radius > 0 &&
              f.bottom < f.top,
          "a frustum is invalid");
  return f;
}

Superellipsoid superellipsoid_of(const Json& entry) {
  const Json& exponents = list(entry, "exponents", 2);
  const Superellipsoid s{lengths(entry, "semi_axes"), number(exponents[0]), number(exponents[1])};
  require(s.lateral >= 2 && s.vertical >= 2, "an exponent is below 2");
  return s;
}

std::shared_ptr<const ConvexHull> hull_of(const Json& entry) {
  require(entry.contains("vertices") && entry["vertices"].is_array() && entry.contains("faces") &&
              entry["faces"].is_array(),
          "a polyhedron has no vertices or no faces");
  std::vector<Vec3> vertices;
  for (const Json& vertex : entry["vertices"]) vertices.push_back(vec3(vertex));
  std::vector<std::vector<std::uint16_t>> faces;
  for (const Json& face : entry["faces"]) {
    require(face.is_array(), "a face is not a list");
    auto& loop = faces.emplace_back();
    for (const Json& corner : face) {
      require(corner.is_number_unsigned() && corner.get<std::uint64_t>() < vertices.size(),
              "a face has a vertex that does not exist");
      loop.push_back(corner.get<std::uint16_t>());
    }
  }
  return hull_of_faces(std::move(vertices), faces);
}

Shape shape_of(const Json& entry, ShapeTable& table);

Quaternion quaternion(const Json& entry, const char* key) {
  const Json& q = list(entry, key, 4);
  return {number(q[0]), number(q[1]), number(q[2]), number(q[3])};
}

/// A polyhedron in a clump has a scale, and the clump owns its hull.
Shape part_shape_of(const Json& entry, ShapeTable& table,
                    std::vector<std::shared_ptr<const ConvexHull>>& hulls) {
  if (!entry.contains("shape") || entry["shape"] != "polyhedron") return shape_of(entry, table);
  hulls.push_back(hull_of(entry));
  return Polyhedron{hulls.back().get(), positive(entry, "scale")};
}

Shape clump_of_entry(const Json& entry, ShapeTable& table) {
  require(entry.contains("parts") && entry["parts"].is_array(), "a clump has no parts");
  std::vector<ClumpPart> parts;
  std::vector<std::shared_ptr<const ConvexHull>> hulls;
  for (const Json& part : entry["parts"]) {
    require(part.is_object(), "a part of a clump is not an object");
    const Pose pose{vec3(list(part, "position", 3)), quaternion(part, "quaternion")};
    parts.push_back({part_shape_of(part, table, hulls), pose});
  }
  table.clumps.push_back(clump_of_parts(std::move(parts), std::move(hulls),
                                        positive(entry, "volume"), lengths(entry, "inertia")));
  return Clump{table.clumps.back().get()};
}

Shape shape_of(const Json& entry, ShapeTable& table) {
  require(entry.contains("shape") && entry["shape"].is_string(), "a shape has no name");
  const auto name = entry["shape"].get<std::string>();
  if (name == "sphere") return Sphere{positive(entry, "radius")};
  if (name == "box") return Box{lengths(entry, "half_extent")};
  if (name == "cylinder")
    return Cylinder{positive(entry, "radius"), positive(entry, "half_length")};
  if (name == "capsule") {
    const Capsule c{positive(entry, "radius"), number(entry, "half_length")};
    require(c.half_length >= 0, "a length is < 0");
    return c;
  }
  if (name == "frustum") return frustum_of(entry);
  if (name == "superellipsoid") return superellipsoid_of(entry);
  if (name == "clump") return clump_of_entry(entry, table);
  require(name == "polyhedron", "a shape has an unknown name");
  table.hulls.push_back(hull_of(entry));
  return Polyhedron{table.hulls.back().get()};
}

Pose pose_of(const Json& entry) {
  if (!entry.contains("in_shape")) return {};
  const Json& pose = entry["in_shape"];
  require(pose.is_object(), "a pose is not an object");
  return {vec3(list(pose, "position", 3)), quaternion(pose, "quaternion")};
}

}  // namespace

std::string shape_table_text(std::span<const Prototype> prototypes) {
  Json table = Json::array();
  for (const Prototype& prototype : prototypes) {
    if (is_surface(prototype.shape)) throw std::invalid_argument("a body must have a volume");
    Json entry = shape_json(prototype.shape);
    const auto& [position, q] = prototype.in_shape;
    if (position != Vec3{} || q != Quaternion{})
      entry["in_shape"] = {{"position", as_json(position)}, {"quaternion", {q.w, q.x, q.y, q.z}}};
    table.push_back(std::move(entry));
  }
  return table.dump();
}

ShapeTable shape_table_of(const std::string& text) {
  const auto table = parsed_json<Json>(text);
  require(table.is_array() && !table.empty(), "it is not a list, or it is empty");
  ShapeTable result;
  for (const Json& entry : table) {
    require(entry.is_object(), "an entry is not an object");
    Prototype prototype{shape_of(entry, result)};
    const VolumeProperties solid = volume_properties(prototype.shape);
    constexpr double kRadiusRounding = 1e-9;
    require(std::abs(bounding_radius(prototype.shape) - 1) <= kRadiusRounding,
            "a shape does not have the bounding radius 1");
    prototype.inertia = solid.inertia / solid.volume;
    prototype.in_shape = pose_of(entry);
    result.prototypes.push_back(prototype);
  }
  return result;
}

}  // namespace scree
