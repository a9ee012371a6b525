/// Reads bodies from a CSV file.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "scene/build.hpp"
#include "scene/yaml/table_limits.hpp"
#include "scree/core/csv.hpp"
#include "scree/core/spelling.hpp"

namespace scree::scene {

namespace {

/// Columns of the table; several names may mean the same column.
enum BodyColumn {
  kX,
  kY,
  kZ,
  kRadius,
  kScale,
  kQw,
  kQx,
  kQy,
  kQz,
  kVx,
  kVy,
  kVz,
  kWx,
  kWy,
  kWz,
  kMaterial,
  kColumnCount
};

const std::map<std::string, BodyColumn, std::less<>>& column_names() {
  static const std::map<std::string, BodyColumn, std::less<>> names{{"x", kX},
                                                                    {"y", kY},
                                                                    {"z", kZ},
                                                                    {"r", kRadius},
                                                                    {"radius", kRadius},
                                                                    {"scale", kScale},
                                                                    {"qw", kQw},
                                                                    {"qx", kQx},
                                                                    {"qy", kQy},
                                                                    {"qz", kQz},
                                                                    {"vx", kVx},
                                                                    {"vy", kVy},
                                                                    {"vz", kVz},
                                                                    {"wx", kWx},
                                                                    {"wy", kWy},
                                                                    {"wz", kWz},
                                                                    {"material", kMaterial}};
  return names;
}

class BodyTable {
 public:
  BodyTable(Build& build, const Node& node, std::filesystem::path file, BodyKind kind)
      : build_(build), node_(node), file_(std::move(file)), kind_(std::move(kind)) {
    column_.fill(-1);
  }

  void read() {
    const std::string fault = read_csv(file_, [&](int line, const auto& cells) {
      return header_seen_ ? read_row(line, cells) : (header_seen_ = true, read_header(line, cells));
    });
    if (!fault.empty())
      build_.problems.report(node_["file"], fmt::format("'{}' {}", file_.string(), fault));
    if (fault.empty() && !header_seen_)
      build_.problems.report(node_["file"], fmt::format("'{}' is empty", file_.string()));
    if (bad_rows_ > kMaxBadRows)
      build_.problems.report_in(file_.string(), 0, path_of(node_),
                                fmt::format("… and {} more bad rows", bad_rows_ - kMaxBadRows));
  }

 private:
  using Cells = std::vector<std::string_view>;

  void complain(int line, std::string message) {
    node_.faulty = true;
    if (++bad_rows_ <= kMaxBadRows)
      build_.problems.report_in(file_.string(), line, path_of(node_), std::move(message));
  }

  bool read_header(int line, const Cells& cells) {
    std::vector<std::string> known;
    for (const auto& [name, column] : column_names()) known.push_back(name);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto it = column_names().find(cells[i]);
      if (it == column_names().end())
        build_.problems.warn(node_, fmt::format("the column '{}' of {} is not used{}", cells[i],
                                                file_.string(), suggestion(cells[i], known)));
      else if (column_[it->second] >= 0)
        complain(line, fmt::format("the column '{}' appears twice", cells[i]));
      else
        column_[it->second] = static_cast<int>(i);
    }
    columns_ = cells.size();
    if (column_[kX] < 0 || column_[kY] < 0 || column_[kZ] < 0)
      complain(line, "the first line must name the columns, including x, y and z, such as x,y,z,r");
    else if (kind_.is_sphere() && column_[kRadius] < 0 && !node_.find("radius"))
      complain(line,
               "there is no column r; add it, or give 'radius', 'size' (boxes) or 'shape' (other "
               "shapes) in the scene");
    check_columns_of_kind(line);
    if (column_[kMaterial] < 0 && !node_.find("material"))
      complain(line, "there is no column material; add it, or give 'material' in the scene");
    return bad_rows_ == 0;
  }

  /// Reports columns that belong to other kinds of bodies.
  void check_columns_of_kind(int line) {
    if (kind_.is_sphere() && column_[kScale] >= 0)
      complain(line, "the column scale is for boxes and other shapes; spheres have r");
    if (!kind_.is_sphere() && column_[kRadius] >= 0)
      complain(line, "the column r is for spheres; boxes and other shapes have scale");
    const int quaternion_columns = static_cast<int>(std::count_if(
        column_.begin() + kQw, column_.begin() + kQz + 1, [](int c) { return c >= 0; }));
    if (quaternion_columns > 0 && kind_.is_sphere())
      complain(line,
               "the columns qw to qz are for boxes and other shapes; spheres have no orientation");
    if (quaternion_columns > 0 && node_.find("orientation"))
      complain(line, "'orientation' of the scene and the columns qw to qz exclude each other");
    if (quaternion_columns != 0 && quaternion_columns != 4)
      complain(line, "give all of the columns qw, qx, qy and qz, or none");
  }

  /// Number of a row, or `otherwise` without such a column; NaN if the cell is not a number.
  double number(const Cells& cells, BodyColumn column, double otherwise) const {
    if (column_[column] < 0) return otherwise;
    return read_number(cells[column_[column]]).value_or(std::nan(""));
  }

  std::optional<MaterialId> material(const Cells& cells, int line) {
    const std::string name(column_[kMaterial] < 0 ? node_["material"].text
                                                  : cells[column_[kMaterial]]);
    const auto& materials = build_.scene.model.materials;
    std::vector<std::string> known;
    for (std::size_t i = 0; i < materials.size(); ++i) {
      if (materials[i].name == name) return static_cast<MaterialId>(i);
      known.push_back(materials[i].name);
    }
    complain(line, fmt::format("there is no material '{}'{}", name, suggestion(name, known)));
    return {};
  }

  /// Checks the numbers of a row: each must be finite and in range, sizes above 0.
  bool check_numbers(const Cells& cells, int line) {
    for (const auto& [name, column] : column_names()) {
      if (column == kMaterial || column_[column] < 0) continue;
      const double value = number(cells, column, 0);
      const bool is_size = column == kRadius || column == kScale;
      if (std::abs(value) <= kLargestNumber && (!is_size || value > 0)) continue;
      complain(line, fmt::format("column '{}': found '{}', expected a {}number in SI units", name,
                                 cells[column_[column]], is_size ? "positive " : ""));
      return false;
    }
    return true;
  }

  /// Orientation of the user's frame; none, and reported, if the row's quaternion has zero length.
  std::optional<Quaternion> orientation_of(const Cells& cells, int line) {
    if (column_[kQw] < 0) return kind_.orientation;
    const Quaternion q{number(cells, kQw, 1), number(cells, kQx, 0), number(cells, kQy, 0),
                       number(cells, kQz, 0)};
    if (norm(q) > 1e-6) return normalised(q);
    complain(line, "the quaternion in the columns qw, qx, qy, qz has zero length");
    return {};
  }

  bool read_row(int line, const Cells& cells) {
    if (cells.size() != columns_) {
      complain(line,
               fmt::format("found {} columns, the first line has {}", cells.size(), columns_));
      return true;
    }
    if (!check_numbers(cells, line)) return true;
    // Checks the memory for the next 65536 rows.
    if (const std::size_t n = build_.scene.state.bodies.size();
        n % 65536 == 65535 && !check_memory(build_, node_, 65536))
      return false;
    const auto kind = material(cells, line);
    if (!kind) return true;
    const auto orientation = orientation_of(cells, line);
    if (!orientation) return true;
    const double radius = kind_.is_sphere() ? number(cells, kRadius, kind_.radius)
                                            : kind_.radius * number(cells, kScale, 1);
    const Vec3 v = vec3(node_["velocity"]);
    Body body{.radius = radius, .prototype = kind_.prototype};
    place(build_, body,
          {{number(cells, kX, 0), number(cells, kY, 0), number(cells, kZ, 0)}, *orientation});
    body.velocity = {number(cells, kVx, v.x), number(cells, kVy, v.y), number(cells, kVz, v.z)};
    body.angular_velocity = {number(cells, kWx, 0), number(cells, kWy, 0), number(cells, kWz, 0)};
    body.material = *kind;
    const auto own = number_if(node_, "density");
    const double density = own ? *own : build_.scene.model.materials[*kind].density;
    if (!(density > 0)) {
      build_.problems.add(node_, fmt::format("the material '{}' has no density, which free bodies "
                                             "need; add one, or give 'density' here",
                                             build_.scene.model.materials[*kind].name));
      return false;
    }
    const auto mass = mass_of(build_, node_, scaled(kind_.shape, radius), density);
    if (!mass) return false;
    body.mass = *mass;
    add_body(build_, body);
    return true;
  }

  Build& build_;
  const Node& node_;
  std::filesystem::path file_;
  BodyKind kind_;                           ///< common kind of all rows
  std::array<int, kColumnCount> column_{};  ///< index of each column in a row, −1 if missing
  std::size_t columns_ = 0;
  bool header_seen_ = false;
  int bad_rows_ = 0;
};

}  // namespace

void add_csv(Build& build, const Node& node) {
  const std::filesystem::path file = (build.directory / node["file"].text).lexically_normal();
  build.scene.inputs.push_back(file);
  // Spheres may have their radii in the file
  const bool others = node.find("size") || node.find("shape");
  std::optional<BodyKind> kind = BodyKind{};
  if (others || node.find("radius"))
    kind = read_kind(build, node);
  else if (!lock(build, node, *kind))
    return;
  if (kind) BodyTable(build, node, file, *kind).read();
}

}  // namespace scree::scene
