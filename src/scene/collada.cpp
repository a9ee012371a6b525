/// Reads COLLADA files: geometries, and the nodes of a scene that place them.
#include "scene/collada.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <numbers>
#include <string_view>

#include "scene/xml_file.hpp"
#include "scree/core/error.hpp"

namespace scree::scene {
namespace {

using XmlElement = tinyxml2::XMLElement;
using Affine = Eigen::Affine3d;

constexpr std::size_t kMaxTriangles = 20'000'000;
constexpr int kMaxDepth = 100;  // of nodes within nodes
constexpr int kMaxNodes = 1'000'000;

bool is(const XmlElement& element, std::string_view name) { return element.Name() == name; }

std::string attribute_of(const XmlElement& element, const char* name) {
  const char* text = element.Attribute(name);
  return text ? text : "";
}

std::vector<double> numbers_of(const XmlElement* element) {
  const char* text = element ? element->GetText() : nullptr;
  return text ? numbers_in(text).values : std::vector<double>{};
}

template <class F>
void for_each_child(const XmlElement& element, F&& f) {
  for (const auto* e = element.FirstChildElement(); e; e = e->NextSiblingElement()) f(*e);
}

/// Whole number from 0 on; none if it is none.
std::optional<std::size_t> index_of(double value) {
  if (!(value >= 0 && value < 1e15) || value != std::floor(value)) return {};
  return static_cast<std::size_t>(value);
}

/// Motion, or scaling, that a child of a node stands for.
Affine transformation_of(const XmlElement& element) {
  const std::vector<double> v = numbers_of(&element);
  Affine result = Affine::Identity();
  if (is(element, "translate") && v.size() >= 3)
    result.translate(Eigen::Vector3d(v[0], v[1], v[2]));
  if (is(element, "scale") && v.size() >= 3) result.scale(Eigen::Vector3d(v[0], v[1], v[2]));
  if (is(element, "rotate") && v.size() >= 4 && std::hypot(v[0], v[1], v[2]) > 0)
    result.rotate(Eigen::AngleAxisd(v[3] * std::numbers::pi / 180,
                                    Eigen::Vector3d(v[0], v[1], v[2]).normalized()));
  if (is(element, "matrix") && v.size() >= 16)
    for (int k = 0; k < 12; ++k)
      result.matrix()(k / 4, k % 4) = v[static_cast<std::size_t>(k)];  // the last row is 0 0 0 1
  return result;
}

class ColladaReader {
 public:
  explicit ColladaReader(const std::filesystem::path& file) {
    const auto fault = parse(document_, read_as_utf8(file));
    root_ = fault ? nullptr : document_.FirstChildElement("COLLADA");
    if (fault)
      throw InputError(fmt::format("is not valid XML: {} on line {}", fault->name, fault->line));
    if (!root_) throw InputError("has no element COLLADA");
    collect(*root_, 0);
  }

  TriangleSoup operator()() {
    const Affine upright = frame();
    for (const XmlElement* scene : scenes()) add_node(*scene, upright, 0);
    if (soup_.triangles.empty())
      for (const auto& [id, element] : by_id_)
        if (is(*element, "geometry")) add_geometry(*element, upright);
    return std::move(soup_);
  }

 private:
  using Corners = TriangleMesh::Corners;

  void collect(const XmlElement& element, int depth) {
    if (depth > kMaxDepth) throw InputError("has elements nested too deep");
    if (const std::string id = attribute_of(element, "id"); !id.empty())
      by_id_.emplace(id, &element);
    for_each_child(element, [&](const XmlElement& e) { collect(e, depth + 1); });
  }

  /// Element that a reference such as "#name" names; null if there is none.
  const XmlElement* referred(const XmlElement& from, const char* attribute) const {
    std::string id = attribute_of(from, attribute);
    id.erase(0, id.find('#') == std::string::npos ? 0 : id.find('#') + 1);
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : found->second;
  }

  /// Takes the file's coordinates to metres with z up.
  Affine frame() const {
    const XmlElement* asset = root_->FirstChildElement("asset");
    const XmlElement* unit = asset ? asset->FirstChildElement("unit") : nullptr;
    const XmlElement* up = asset ? asset->FirstChildElement("up_axis") : nullptr;
    const char* metres = unit ? unit->Attribute("meter") : nullptr;
    const std::vector<double> scale = numbers_in(metres ? metres : "1").values;
    Affine result = Affine::Identity();
    if (!scale.empty() && scale[0] > 0 && std::isfinite(scale[0])) result.scale(scale[0]);
    const std::string_view axis = up && up->GetText() ? up->GetText() : "Y_UP";
    // Right, up and towards the viewer: -y, x and z, or x, y and z; with z up they are x, z and -y
    Eigen::Matrix3d upright;
    if (axis.find("X_UP") != axis.npos)
      upright << 0, -1, 0, 0, 0, -1, 1, 0, 0;
    else
      upright << 1, 0, 0, 0, 0, -1, 0, 1, 0;
    if (axis.find("Z_UP") == axis.npos) result.rotate(upright);
    return result;
  }

  /// The scene that the file shows, else all.
  std::vector<const XmlElement*> scenes() const {
    const XmlElement* scene = root_->FirstChildElement("scene");
    const XmlElement* shown = scene ? scene->FirstChildElement("instance_visual_scene") : nullptr;
    if (const XmlElement* of = shown ? referred(*shown, "url") : nullptr) return {of};
    std::vector<const XmlElement*> all;
    for (const auto& [id, element] : by_id_)
      if (is(*element, "visual_scene")) all.push_back(element);
    return all;
  }

  // --- nodes ---

  void add_node(const XmlElement& node, Affine at, int depth) {
    if (depth > kMaxDepth || ++nodes_ > kMaxNodes)
      throw InputError("has too many nodes, or nodes nested too deep");
    for_each_child(node, [&](const XmlElement& e) { at = at * transformation_of(e); });
    for_each_child(node, [&](const XmlElement& e) {
      if (is(e, "node")) add_node(e, at, depth + 1);
      const XmlElement* instance = is_instance(e) ? referred(e, "url") : nullptr;
      if (!instance) return;
      if (is(e, "instance_node")) add_node(*instance, at, depth + 1);
      if (is(e, "instance_geometry")) add_geometry(*instance, at);
      if (is(e, "instance_controller")) add_skin(*instance, at);
    });
  }
  static bool is_instance(const XmlElement& e) {
    return is(e, "instance_node") || is(e, "instance_geometry") || is(e, "instance_controller");
  }

  /// Adds the geometry that a controller deforms, as it is without deformation.
  void add_skin(const XmlElement& controller, const Affine& at) {
    const XmlElement* skin = controller.FirstChildElement("skin");
    if (const XmlElement* geometry = skin ? referred(*skin, "source") : nullptr)
      add_geometry(*geometry, at);
  }

  // --- geometries ---

  void add_geometry(const XmlElement& geometry, const Affine& at) {
    for_each_child(geometry, [&](const XmlElement& mesh) {
      if (is(mesh, "mesh") || is(mesh, "convex_mesh")) add_mesh(mesh, at);
    });
  }

  void add_mesh(const XmlElement& mesh, const Affine& at) {
    const XmlElement* vertices = mesh.FirstChildElement("vertices");
    if (!vertices) return;
    const std::size_t first = soup_.vertices.size();
    for (const auto* input = vertices->FirstChildElement("input"); input;
         input = input->NextSiblingElement("input"))
      if (attribute_of(*input, "semantic") == "POSITION")
        if (const XmlElement* source = referred(*input, "source")) add_vertices(*source, at);
    if (soup_.vertices.size() >= TriangleMesh::kNone) throw InputError("has too many vertices");
    for_each_child(mesh, [&](const XmlElement& primitive) { add_primitive(primitive, first); });
  }

  void add_vertices(const XmlElement& source, const Affine& at) {
    const std::vector<double> values = numbers_of(source.FirstChildElement("float_array"));
    const XmlElement* common = source.FirstChildElement("technique_common");
    const XmlElement* accessor = common ? common->FirstChildElement("accessor") : nullptr;
    const auto given = [&](const char* name, std::size_t otherwise) {
      const auto list = numbers_in(accessor ? attribute_of(*accessor, name).c_str() : "").values;
      return list.empty() ? otherwise : index_of(list[0]).value_or(otherwise);
    };
    const std::size_t stride = std::max<std::size_t>(3, given("stride", 3));
    for (std::size_t k = given("offset", 0); k < values.size() && values.size() - k >= 3;
         k += stride) {
      const Eigen::Vector3d p = at * Eigen::Vector3d(values[k], values[k + 1], values[k + 2]);
      if (!p.allFinite())
        throw InputError(fmt::format("has a vertex that is not finite, number {}", k / stride + 1));
      soup_.vertices.push_back({p[0], p[1], p[2]});
    }
  }

  /// Faces of one primitive; its vertices begin at `first`.
  struct Faces {
    std::size_t first, offset = 0, stride = 1;  ///< of the vertex among the indices of a corner
  };

  void add_primitive(const XmlElement& primitive, std::size_t first) {
    Faces faces{first};
    bool has_vertices = false;
    for (const auto* input = primitive.FirstChildElement("input"); input;
         input = input->NextSiblingElement("input")) {
      const auto list = numbers_in(attribute_of(*input, "offset").c_str()).values;
      const std::size_t offset = list.empty() ? 0 : index_of(std::min(list[0], 100.0)).value_or(0);
      faces.stride = std::max(faces.stride, offset + 1);
      if (attribute_of(*input, "semantic") != "VERTEX") continue;
      faces.offset = offset;
      has_vertices = true;
    }
    if (!has_vertices) return;
    const bool strip = is(primitive, "tristrips");
    if (is(primitive, "triangles") || is(primitive, "polylist")) {
      add_polygons(corners_of(primitive.FirstChildElement("p"), faces),
                   numbers_of(primitive.FirstChildElement("vcount")));
    } else if (strip || is(primitive, "trifans") || is(primitive, "polygons")) {
      for (const auto* p = primitive.FirstChildElement("p"); p; p = p->NextSiblingElement("p"))
        add_run(corners_of(p, faces), strip);
      for (const auto* ph = primitive.FirstChildElement("ph"); ph;
           ph = ph->NextSiblingElement("ph"))
        add_run(corners_of(ph->FirstChildElement("p"), faces), false);
    }
  }

  std::vector<std::uint32_t> corners_of(const XmlElement* p, const Faces& faces) const {
    const std::vector<double> indices = numbers_of(p);
    std::vector<std::uint32_t> corners;
    for (std::size_t k = faces.offset; k < indices.size(); k += faces.stride) {
      const auto index = index_of(indices[k]);
      if (!index || *index >= soup_.vertices.size() - faces.first)
        throw InputError(fmt::format("has a face with the vertex {}, of {} vertices", indices[k],
                                     soup_.vertices.size() - faces.first));
      corners.push_back(static_cast<std::uint32_t>(faces.first + *index));
    }
    return corners;
  }

  /// Adds polygons of the given numbers of corners; triangles without numbers.
  void add_polygons(const std::vector<std::uint32_t>& corners, const std::vector<double>& counts) {
    std::size_t first = 0;
    for (std::size_t k = 0; counts.empty() ? first + 3 <= corners.size() : k < counts.size(); ++k) {
      const std::size_t count = counts.empty() ? 3 : index_of(counts[k]).value_or(0);
      if (count > corners.size() - first) throw InputError("has polygons that lack corners");
      add_run({corners.begin() + static_cast<std::ptrdiff_t>(first),
               corners.begin() + static_cast<std::ptrdiff_t>(first + count)},
              false);
      first += count;
    }
  }

  /// Adds a strip of triangles, or a fan, such as a convex polygon.
  void add_run(const std::vector<std::uint32_t>& corners, bool strip) {
    for (std::size_t k = 2; k < corners.size(); ++k) {
      if (soup_.triangles.size() >= kMaxTriangles) throw InputError("has too many triangles");
      if (!strip)
        soup_.triangles.push_back({corners[0], corners[k - 1], corners[k]});
      else if (k % 2 == 0)
        soup_.triangles.push_back({corners[k - 2], corners[k - 1], corners[k]});
      else
        soup_.triangles.push_back({corners[k - 1], corners[k - 2], corners[k]});
    }
  }

  tinyxml2::XMLDocument document_;
  const XmlElement* root_ = nullptr;
  std::map<std::string, const XmlElement*> by_id_;
  int nodes_ = 0;  ///< that have been added
  TriangleSoup soup_;
};

}  // namespace

TriangleSoup read_collada(const std::filesystem::path& file) {
  TriangleSoup soup = ColladaReader(file)();
  if (soup.triangles.empty()) throw InputError("has no triangles");
  return soup;
}

}  // namespace scree::scene
