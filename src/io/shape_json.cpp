/// Writes shapes as JSON.
#include "io/shape_json.hpp"

#include <nlohmann/json.hpp>
#include <variant>

#include "scree/geometry/clump.hpp"
#include "scree/geometry/convex_hull.hpp"
#include "scree/geometry/triangle_mesh.hpp"
#include "scree/io/json_text.hpp"

namespace scree {
namespace {

struct Describe {
  Json operator()(const Sphere& s) const { return {{"shape", "sphere"}, {"radius", s.radius}}; }
  Json operator()(const HalfSpace&) const { return {{"shape", "half_space"}}; }
  Json operator()(const Box& s) const {
    return {{"shape", "box"}, {"half_extent", as_json(s.half_extent)}};
  }
  Json operator()(const Cylinder& s) const { return round("cylinder", s.radius, s.half_length); }
  Json operator()(const Capsule& s) const { return round("capsule", s.radius, s.half_length); }

  Json operator()(const Frustum& s) const {
    return {{"shape", "frustum"},
            {"bottom_radius", s.bottom_radius},
            {"top_radius", s.top_radius},
            {"bottom", s.bottom},
            {"top", s.top}};
  }
  Json operator()(const Superellipsoid& s) const {
    return {{"shape", "superellipsoid"},
            {"semi_axes", as_json(s.semi_axes)},
            {"exponents", {s.lateral, s.vertical}}};
  }
  Json operator()(const Polyhedron& s) const {
    Json vertices = Json::array();
    for (const Vec3& v : s.hull->vertices()) vertices.push_back(as_json(s.scale * v));
    return {{"shape", "polyhedron"}, {"vertices", vertices}, {"faces", s.hull->face_loops()}};
  }
  Json operator()(const Mesh& s) const {
    return {{"shape", "mesh"},
            {"triangles", s.mesh->facets().size()},
            {"low", as_json(s.scale * s.mesh->low())},
            {"high", as_json(s.scale * s.mesh->high())}};
  }
  Json operator()(const Hollow& s) const {
    return {{"shape", "hollow"},
            {"bottom_radius", s.bottom_radius},
            {"top_radius", s.top_radius},
            {"bottom", s.bottom},
            {"top", s.top},
            {"closed_bottom", s.closed_bottom},
            {"closed_top", s.closed_top}};
  }

  Json operator()(const Clump& s) const {
    Json parts = Json::array();
    for (const ClumpPart& part : s.parts->parts()) {
      // The vertices of a hull are written unscaled, so that they are read to the bit.
      const auto* polyhedron = std::get_if<Polyhedron>(&part.shape);
      Json entry =
          shape_json(polyhedron ? Polyhedron{polyhedron->hull} : scaled(part.shape, s.scale));
      if (polyhedron) entry["scale"] = s.scale * polyhedron->scale;
      const Quaternion& q = part.pose.orientation;
      entry["position"] = as_json(s.scale * part.pose.position);
      entry["quaternion"] = {q.w, q.x, q.y, q.z};
      parts.push_back(std::move(entry));
    }
    const VolumeProperties properties = volume_properties(s);
    return {{"shape", "clump"},
            {"volume", properties.volume},
            {"inertia", as_json(properties.inertia)},
            {"parts", parts}};
  }

  static Json round(const char* shape, double radius, double half_length) {
    return {{"shape", shape}, {"radius", radius}, {"half_length", half_length}};
  }
};

}  // namespace

Json shape_json(const Shape& shape) { return std::visit(Describe{}, shape); }

}  // namespace scree
