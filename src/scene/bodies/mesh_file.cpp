/// Reads surfaces of triangles from STL, OBJ and COLLADA files.
#include <algorithm>
#include <array>
#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <stdexcept>

#include "geometry/principal_axes.hpp"
#include "scene/bodies/mesh_text.hpp"
#include "scene/build.hpp"
#include "scene/collada.hpp"
#include "scene/yaml/units.hpp"
#include "scree/geometry/mesh_repair.hpp"

namespace scree::scene {

namespace {

std::string point_in_words(const Vec3& p) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g}) m", p.x, p.y, p.z);
}

/// Finding for messages, "3 triangles have no area, the first near (…)"; `one` and `many` are its
/// nouns.
std::string counted(const MeshFindings::Finding& found, std::string_view one,
                    std::string_view many) {
  if (found.count == 1) return fmt::format("one {} near {}", one, point_in_words(found.place));
  return fmt::format("{} {}, the first near {}", found.count, many, point_in_words(found.place));
}

/// Extension in lower case.
std::string extension_of(const std::filesystem::path& file) {
  return lower(file.extension().string());
}

std::string read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Checks the bytes of a file before it is parsed.
class FileCheck {
 public:
  explicit FileCheck(const std::filesystem::path& file) : file_(file) {}

  /// True for an ASCII STL file; call after trouble() was empty.
  bool is_ascii_stl() {
    std::error_code error;
    size_ = std::filesystem::file_size(file_, error);
    std::ifstream in(file_, std::ios::binary);
    return extension_of(file_) == ".stl" && is_ascii(in);
  }

  std::string trouble() {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file_, error))
      return "is not a readable file; a path is relative to the scene";
    size_ = std::filesystem::file_size(file_, error);
    if (error) return "is not a readable file";
    if (size_ == 0) return "is empty";
    std::ifstream in(file_, std::ios::binary);
    if (!in) return "cannot be read";
    const std::string extension = extension_of(file_);
    if (extension == ".obj" || extension == ".dae") return {};
    if (extension != ".stl") return "is not an .stl, .obj or .dae file";
    return is_ascii(in) ? trouble_of_ascii(in) : trouble_of_binary(in);
  }

 private:
  static constexpr std::uintmax_t kHeader = 84, kTriangle = 50;  // bytes

  std::string read(std::ifstream& in, std::uintmax_t from, std::uintmax_t count) const {
    std::string bytes(static_cast<std::size_t>(std::min(count, size_ - std::min(from, size_))),
                      '\0');
    in.clear();
    in.seekg(static_cast<std::streamoff>(from));
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return bytes;
  }

  /// True if the text starts as an ASCII STL file. Binary files may start with "solid" but have no
  /// "facet" near the start.
  bool is_ascii(std::ifstream& in) const {
    const std::string start = lower(read(in, 0, 1024));
    const bool solid = start.find_first_not_of(" \t\r\n") == start.find("solid");
    return solid && start.find('\0') == std::string::npos &&
           (start.find("facet") != std::string::npos ||
            start.find("endsolid") != std::string::npos);
  }

  std::string trouble_of_ascii(std::ifstream& in) const {
    constexpr std::uintmax_t kTail = 1024;
    const std::string end = lower(read(in, size_ - std::min(size_, kTail), kTail));
    if (end.find("endsolid") == std::string::npos)
      return "ends without 'endsolid': the file is truncated";
    return {};
  }

  std::string trouble_of_binary(std::ifstream& in) const {
    if (size_ < kHeader) return fmt::format("has {} bytes: too short for an STL file", size_);
    const std::string header = read(in, 0, kHeader);
    std::array<unsigned char, 4> bytes;
    std::memcpy(bytes.data(), header.data() + 80, bytes.size());
    const std::uintmax_t count =
        bytes[0] | bytes[1] << 8 | bytes[2] << 16 | static_cast<std::uintmax_t>(bytes[3]) << 24;
    const std::uintmax_t wanted = kHeader + kTriangle * count;
    if (size_ < wanted)
      return fmt::format(
          "is truncated or not an STL file: its header announces {} triangles, which need {} "
          "bytes; it has {}",
          count, wanted, size_);
    return {};
  }

  std::filesystem::path file_;
  std::uintmax_t size_ = 0;
};

std::string repairs(const MeshFindings& found) {
  std::string text;
  const auto add = [&](const std::string& sentence) {
    text += (text.empty() ? "" : "; ") + sentence;
  };
  if (found.without_area.count > 0)
    add(counted(found.without_area, "triangle without area was removed,",
                "triangles without area were removed"));
  if (found.twice.count > 0)
    add(counted(found.twice, "duplicate triangle was removed,",
                "duplicate triangles were removed"));
  if (found.turned.count > 0)
    add(counted(found.turned, "triangle that faced against its neighbours was flipped,",
                "triangles that faced against their neighbours were flipped"));
  if (found.inside_out)
    add("the surface is closed and all its normals pointed inward, so they were flipped (for a "
        "vessel that holds bodies give 'sides: two')");
  if (found.branching_edges.count > 0)
    add(counted(found.branching_edges, "edge is shared by more than two triangles,",
                "edges are shared by more than two triangles"));
  return text;
}

/// Sides from the scene, or from the surface with auto; none, and reported, if it is one-sided.
std::optional<Sides> choose_sides(Build& build, const Node& node, const MeshFindings& found,
                                  const std::string& file) {
  const std::string& wanted = node["sides"].text;
  if (wanted == "two") return Sides::two;
  const bool solid = found.is_closed() && found.one_sided.count == 0;
  if (solid) return Sides::one;
  const std::string holes =
      found.one_sided.count > 0
          ? fmt::format("'{}' is one-sided like a Möbius strip, near {}", file,
                        point_in_words(found.one_sided.place))
          : fmt::format("the surface of '{}' is not closed: it has {}", file,
                        found.open_edges.count > 0
                            ? counted(found.open_edges, "open edge,", "open edges")
                            : counted(found.branching_edges, "edge of more than two triangles,",
                                      "edges of more than two triangles"));
  if (wanted == "auto") {
    build.problems.warn(
        node,
        holes +
            "; it is treated as a sheet that repels on both sides (give 'sides: two' to confirm)");
    return Sides::two;
  }
  if (found.one_sided.count > 0) {
    build.problems.report(node["sides"], holes + "; give 'sides: two'");
    return {};
  }
  build.problems.warn(node,
                      holes + "; a body that gets behind it by more than its radius falls through");
  return Sides::one;
}

/// Result of `use` on the repaired triangles of an entry's file, in metres; none, and reported, if
/// they cannot be used.
template <class Use>
auto with_triangles(Build& build, const Node& node, const Use& use)
    -> decltype(use(std::string(), RepairedMesh())) {
  const std::filesystem::path file = (build.directory / node["file"].text).lexically_normal();
  const auto scale = read_scale(build, node);
  if (!scale) return {};
  try {
    TriangleSoup soup = read_triangles(file);
    build.scene.inputs.push_back(file);
    for (Vec3& v : soup.vertices) v *= *scale;
    const RepairedMesh mesh = repair(soup);
    if (mesh.triangles.empty()) throw InputError("has no triangle with an area");
    return use(file.string(), mesh);
  } catch (const std::bad_alloc&) {
    build.problems.report(node["file"],
                          fmt::format("'{}' does not fit into memory", file.string()));
  } catch (const InputError& e) {
    build.problems.report(node["file"], fmt::format("'{}' {}", file.string(), e.what()));
  }
  return {};
}

/// Volume of a closed surface [m³].
double volume_of(const RepairedMesh& mesh) {
  MassMoments sum;
  for (const auto& [a, b, c] : mesh.triangles)
    sum += tetrahedron_moments(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]);
  return sum.volume;
}

/// Warns if the hull differs from the surface in the file.
void warn_of_hull(Build& build, const Node& node, const std::string& file, const RepairedMesh& mesh,
                  const PlacedHull& hull) {
  if (!mesh.findings.is_closed()) {
    build.problems.warn(
        node,
        fmt::format("the surface of '{}' is not closed; the hull of its points is used", file));
    return;
  }
  constexpr double kConvex = 1e-5;  // single precision in files gives errors of 1e-7
  const double volume = volume_of(mesh), of_hull = std::pow(hull.size, 3) * hull.hull->volume(),
               more = of_hull / volume - 1;
  if (more > kConvex)
    build.problems.warn(
        node, fmt::format("'{}' is not convex; its hull is used, which has {:.3g} % more volume",
                          file, 100 * more));
}

}  // namespace

TriangleSoup read_triangles(const std::filesystem::path& file) {
  if (const std::string trouble = FileCheck(file).trouble(); !trouble.empty())
    throw InputError(trouble);
  if (extension_of(file) == ".dae") return read_collada(file);
  Assimp::Importer importer;
  const auto read_plain = [&](const std::string& text, const char* kind) {
    return importer.ReadFileFromMemory(text.data(), text.size(), aiProcess_Triangulate, kind);
  };
  const aiScene* scene =
      extension_of(file) == ".obj"     ? read_plain(plain_obj(read_text(file)), "obj")
      : FileCheck(file).is_ascii_stl() ? read_plain(plain_stl(read_text(file)), "stl")
                                       : importer.ReadFile(file.string(), aiProcess_Triangulate);
  if (!scene) throw InputError(fmt::format("cannot be read: {}", importer.GetErrorString()));
  TriangleSoup soup;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const aiMesh& mesh = *scene->mMeshes[m];
    const std::size_t first = soup.vertices.size();
    if (first + mesh.mNumVertices >= TriangleMesh::kNone) throw InputError("has too many vertices");
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
      const aiVector3D& p = mesh.mVertices[v];
      if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
        throw InputError(fmt::format("has a vertex that is not finite, number {}: ({}, {}, {})",
                                     first + v + 1, p.x, p.y, p.z));
      soup.vertices.push_back({p.x, p.y, p.z});
    }
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      if (face.mNumIndices != 3) continue;  // points and lines
      const auto corner = [&](int k) {
        return static_cast<std::uint32_t>(first + face.mIndices[k]);
      };
      soup.triangles.push_back({corner(0), corner(1), corner(2)});
    }
  }
  if (soup.triangles.empty()) throw InputError("has no triangles");
  return soup;
}

std::optional<double> read_scale(Build& build, const Node& node) {
  const auto unit = convert_quantity("1 " + node["unit"].text, "m");
  if (const auto* problem = std::get_if<UnitProblem>(&unit)) {
    build.problems.report(node["unit"], fmt::format("'{}' is not a unit of length, such as mm: {}",
                                                    node["unit"].text, problem->message));
    return {};
  }
  const double scale = std::get<double>(unit) * node["scale"].number;
  if (scale > 0 && std::isfinite(scale)) return scale;
  build.problems.report(node["unit"], "unit and scale must give a length above 0");
  return {};
}

std::shared_ptr<const TriangleMesh> read_mesh(Build& build, const Node& node) {
  using Result = std::shared_ptr<const TriangleMesh>;
  return with_triangles(
      build, node, [&](const std::string& file, const RepairedMesh& mesh) -> Result {
        if (const std::string text = repairs(mesh.findings); !text.empty())
          build.problems.warn(node, fmt::format("'{}': {}", file, text));
        const auto sides = choose_sides(build, node, mesh.findings, file);
        if (!sides) return {};
        return std::make_shared<const TriangleMesh>(mesh.vertices, mesh.triangles, *sides);
      });
}

std::optional<PlacedHull> read_mesh_hull(Build& build, const Node& node) {
  using Result = std::optional<PlacedHull>;
  return with_triangles(build, node,
                        [&](const std::string& file, const RepairedMesh& mesh) -> Result {
                          try {
                            const PlacedHull hull = convex_hull(mesh.vertices);
                            warn_of_hull(build, node, file, mesh, hull);
                            return hull;
                          } catch (const std::invalid_argument& e) {
                            throw InputError(fmt::format("makes no body: {}", e.what()));
                          }
                        });
}

}  // namespace scree::scene
