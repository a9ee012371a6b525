/// Frames of bodies. Each body is a cell, and has a row in each array of cells. A sphere is a
/// vertex, a box is a hexahedron with its corners as points, and a body of another shape is one
/// strip of triangles that makes up its whole surface. A frame with such strips has a table of the
/// shapes. Where there are spheres alone, the points are the bodies, and the arrays are those of
/// points, too.
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "geometry/tessellation.hpp"
#include "io/frame_file.hpp"
#include "io/shape_table.hpp"
#include "scree/core/error.hpp"
#include "scree/io/frames.hpp"

namespace scree {
namespace {

using namespace frame_file;

/// Corners of a box with half edges of 1, in VTK's order for a hexahedron.
constexpr Vec3 kCorners[] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                             {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

/// Indices of the existing bodies, in the order of their ids.
std::vector<std::uint32_t> order_of_ids(const Bodies& bodies, const Neighbours& list = {}) {
  std::vector<std::uint32_t> order;
  order.reserve(bodies.size());
  for (std::uint32_t i = 0; i < bodies.size(); ++i)
    if (!list.has_left(i)) order.push_back(i);
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return bodies.id[i]; });
  return order;
}

bool is_box(const Prototype& prototype) { return std::holds_alternative<Box>(prototype.shape); }
bool is_other(const Prototype& prototype) { return !is_box(prototype) && !prototype.is_sphere(); }

constexpr const char* kShapeTable = "/scree/shapes";

/// The bodies of a frame, one after the other.
struct Rows {
  const Bodies& bodies;
  std::span<const Prototype> prototypes;
  const std::vector<std::uint32_t>& order;

  std::size_t count() const { return order.size(); }
  /// Half edges of a box [m]; zero for a sphere.
  Vec3 half_extent(std::size_t row) const {
    const std::uint32_t i = order[row];
    assert(bodies.prototype[i] < prototypes.size());
    const auto* box = std::get_if<Box>(&prototypes[bodies.prototype[i]].shape);
    return box ? bodies.radius[i] * box->half_extent : Vec3{};
  }
  CellType cell(std::size_t row) const {
    return half_extent(row) == Vec3{} ? CellType::vertex : CellType::hexahedron;
  }
};

/// Points of all cells, one after the other: the centre of a sphere, the corners of a box.
class CellPoints {
 public:
  explicit CellPoints(const Rows& rows) : rows_(rows) {}

  std::size_t count() const {
    std::size_t points = 0;
    for (std::size_t row = 0; row < rows_.count(); ++row)
      points += static_cast<std::size_t>(points_in(rows_.cell(row)));
    return points;
  }

  Vec3 next() {
    const std::uint32_t i = rows_.order[row_];
    const Vec3 half = rows_.half_extent(row_), corner = kCorners[corner_];
    const Vec3 arm{half.x * corner.x, half.y * corner.y, half.z * corner.z};
    if (++corner_ >= static_cast<std::size_t>(points_in(rows_.cell(row_)))) {
      corner_ = 0;
      ++row_;
    }
    return rows_.bodies.position[i] + rotate(rows_.bodies.orientation[i], arm);
  }

 private:
  const Rows& rows_;
  std::size_t row_ = 0, corner_ = 0;
};

/// The surface of a shape as one strip of triangles: each corner makes one with the two before it,
/// with alternating orientation. Triangles without area connect the faces.
struct Skin {
  std::vector<Vec3> corners;  ///< at bounding radius 1
  std::vector<std::uint32_t> strip;

  explicit Skin(const Shape& shape) {
    Tessellation surface = tessellation(shape, kCornersAround);
    corners = std::move(surface.corners);
    for (const auto& face : surface.faces) add(face);
  }

 private:
  static constexpr int kCornersAround = 16;

  /// From one corner, alternating across the face.
  void add(const std::vector<std::uint32_t>& face) {
    if (!strip.empty()) {
      strip.push_back(strip.back());
      if (strip.size() % 2 == 0) strip.push_back(face[0]);
      strip.push_back(face[0]);
    }
    std::size_t low = 0, high = face.size() - 1;
    strip.push_back(face[low++]);
    for (bool up = true; low <= high; up = !up) strip.push_back(up ? face[low++] : face[high--]);
  }
};

/// Cells and points of bodies of any shape.
class Skins {
 public:
  explicit Skins(const Rows& rows) : rows_(rows) {
    for (const Prototype& prototype : rows.prototypes) {
      skins_.emplace_back();
      if (is_other(prototype)) skins_.back().emplace(prototype.shape);
    }
  }

  CellType cell(std::size_t row) const {
    return skin(row) ? CellType::triangle_strip : rows_.cell(row);
  }
  std::int64_t points(std::size_t row) const {
    return skin(row) ? static_cast<std::int64_t>(skin(row)->corners.size())
                     : points_in(rows_.cell(row));
  }
  std::int64_t names(std::size_t row) const {
    return skin(row) ? static_cast<std::int64_t>(skin(row)->strip.size())
                     : points_in(rows_.cell(row));
  }
  GridCounts counts() const {
    GridCounts count{0, rows_.count(), 0};
    for (std::size_t row = 0; row < rows_.count(); ++row) {
      count.points += static_cast<std::size_t>(points(row));
      count.names += static_cast<std::size_t>(names(row));
    }
    return count;
  }

  /// Point k of a body, in space.
  Vec3 point(std::size_t row, std::size_t k) const {
    const std::uint32_t i = rows_.order[row];
    const Vec3 half = rows_.half_extent(row), corner = kCorners[k < 8 ? k : 0];
    const Vec3 arm = skin(row) ? rows_.bodies.radius[i] * skin(row)->corners[k]
                               : Vec3{half.x * corner.x, half.y * corner.y, half.z * corner.z};
    return rows_.bodies.position[i] + rotate(rows_.bodies.orientation[i], arm);
  }
  /// Point of the body that its cell names as the k-th.
  std::int64_t name(std::size_t row, std::size_t k) const {
    return static_cast<std::int64_t>(skin(row) ? skin(row)->strip[k] : k);
  }

 private:
  const Skin* skin(std::size_t row) const {
    const auto& skin = skins_[rows_.bodies.prototype[rows_.order[row]]];
    return skin ? &*skin : nullptr;
  }

  const Rows& rows_;
  std::vector<std::optional<Skin>> skins_;  ///< of each prototype
};

/// The arrays that bodies of all shapes have, but for their positions.
void write_fields(hdf5::Writer& file, const Rows& rows) {
  const Bodies& bodies = rows.bodies;
  const auto column = [&](const char* name, hdf5::Storage storage, const auto& field) {
    write_column(file, kCellData + name, rows.count(), storage,
                 [&](std::size_t k) { return field[rows.order[k]]; });
  };
  column("radius", kPacked, bodies.radius);
  column("mass", kPacked, bodies.mass);
  column("velocity", kPlain, bodies.velocity);
  column("angular_velocity", kPlain, bodies.angular_velocity);
  column("quaternion", kPlain, bodies.orientation);
  write_column(file, kCellData + "id", rows.count(), kPacked, [&](std::size_t k) {
    return static_cast<std::int64_t>(bodies.id[rows.order[k]].value);
  });
  write_column(file, kCellData + "material", rows.count(), kPacked,
               [&](std::size_t k) { return std::int32_t{bodies.material[rows.order[k]]}; });
}

void write_spheres(hdf5::Writer& file, const Rows& rows) {
  write_grid(file, rows.count(), rows.count(), [](std::size_t) { return CellType::vertex; });
  write_column(file, kPoints, rows.count(), kPlain,
               [&](std::size_t k) { return rows.bodies.position[rows.order[k]]; });
  file.group("/VTKHDF/CellData");
  file.link(kPoints, kCellData + "position");
  write_fields(file, rows);
  file.link_all(kCellData, kPointData);
}

/// The arrays of bodies whose positions are no points of the grid.
void write_cell_data(hdf5::Writer& file, const Rows& rows) {
  file.group("/VTKHDF/CellData");
  write_column(file, kCellData + "position", rows.count(), kPlain,
               [&](std::size_t k) { return rows.bodies.position[rows.order[k]]; });
  write_fields(file, rows);
  write_column(file, kCellData + "size", rows.count(), kPacked,
               [&](std::size_t k) { return 2 * rows.half_extent(k); });
}

void write_boxes(hdf5::Writer& file, const Rows& rows) {
  CellPoints points(rows);
  const std::size_t point_count = points.count();
  write_grid(file, point_count, rows.count(), [&](std::size_t k) { return rows.cell(k); });
  write_column(file, kPoints, point_count, kPlain, [&](std::size_t) { return points.next(); });
  write_cell_data(file, rows);
}

void write_skins(hdf5::Writer& file, const Rows& rows) {
  const Skins skins(rows);
  const GridCounts count = skins.counts();
  std::size_t row = 0, k = 0;
  std::int64_t first = 0;  // point of the body
  const auto next_name = [&] {
    while (k == static_cast<std::size_t>(skins.names(row))) {
      first += skins.points(row++);
      k = 0;
    }
    return first + skins.name(row, k++);
  };
  write_grid(
      file, count, [&](std::size_t body) { return skins.cell(body); },
      [&](std::size_t body) { return skins.names(body); }, next_name);
  row = k = 0;
  write_column(file, kPoints, count.points, kPlain, [&](std::size_t) {
    while (k == static_cast<std::size_t>(skins.points(row))) {
      ++row;
      k = 0;
    }
    return skins.point(row, k++);
  });
  write_cell_data(file, rows);
  write_column(file, kCellData + "shape", rows.count(), kPacked, [&](std::size_t body) {
    return std::int32_t{rows.bodies.prototype[rows.order[body]]};
  });
  file.text(kShapeTable, shape_table_text(rows.prototypes));
}

/// ParaView shows field data as information on the whole frame.
constexpr const char* kVelocityTime = "/VTKHDF/FieldData/velocity_time";
/// Edges, then gradient of the velocity: xx, yy, zz, xy, xz, yz of each.
constexpr const char* kCell = "/VTKHDF/FieldData/cell";
constexpr std::size_t kCellNumbers = 12;

std::array<double, kCellNumbers> numbers_of(const Domain& domain) {
  const UpperTriangle &e = domain.edges(), &g = domain.gradient();
  return {e.xx, e.yy, e.zz, e.xy, e.xz, e.yz, g.xx, g.yy, g.zz, g.xy, g.xz, g.yz};
}
Domain domain_from(const std::array<double, kCellNumbers>& n) {
  return {{n[0], n[1], n[2], n[3], n[4], n[5]}, {n[6], n[7], n[8], n[9], n[10], n[11]}};
}

std::uint64_t write_bodies(const std::filesystem::path& path, double time, std::uint64_t step,
                           std::optional<double> velocity_time, const Domain& domain,
                           const Rows& rows) {
  hdf5::Writer file(path);
  write_header(file, "grains", time, step);
  // Every frame of a run has the same layout, be there no such body in it any more.
  if (std::ranges::any_of(rows.prototypes, is_other))
    write_skins(file, rows);
  else if (std::ranges::any_of(rows.prototypes, is_box))
    write_boxes(file, rows);
  else
    write_spheres(file, rows);
  if (velocity_time || domain.repeats()) file.group("/VTKHDF/FieldData");
  if (velocity_time)
    write_column(file, kVelocityTime, 1, kPlain, [&](std::size_t) { return *velocity_time; });
  if (domain.repeats()) {
    const auto numbers = numbers_of(domain);
    write_column(file, kCell, kCellNumbers, kPlain, [&](std::size_t k) { return numbers[k]; });
  }
  return file.finish();
}

/// The prototype of boxes with these edges [m], which those of one shape share; nothing if there
/// are too many shapes.
std::optional<PrototypeId> box_prototype(const Vec3& size, std::vector<Prototype>& prototypes) {
  constexpr double kRounding = 1e-14;  // of lengths of about 1
  const Box box{size / norm(size)};
  for (std::size_t i = 0; i < prototypes.size(); ++i)
    if (const auto* other = std::get_if<Box>(&prototypes[i].shape);
        other && norm(other->half_extent - box.half_extent) <= kRounding)
      return static_cast<PrototypeId>(i);
  if (prototypes.size() > std::numeric_limits<PrototypeId>::max()) return {};
  const VolumeProperties properties = volume_properties(box);
  prototypes.push_back({box, properties.inertia / properties.volume});
  return static_cast<PrototypeId>(prototypes.size() - 1);
}

/// Gives each body the prototype of its edges [m], which are zero for a sphere; without edges all
/// are spheres. False if there are edges that no box has.
bool set_shapes(GrainsFrame& frame, const AlignedVector<Vec3>& size) {
  frame.prototypes = {Prototype{}};
  frame.bodies.prototype.assign(frame.bodies.position.size(), 0);
  for (std::size_t i = 0; i < size.size(); ++i) {
    if (size[i] == Vec3{}) continue;
    const bool sound = is_finite(size[i]) && std::min({size[i].x, size[i].y, size[i].z}) > 0;
    const auto prototype = sound ? box_prototype(size[i], frame.prototypes) : std::nullopt;
    if (!prototype) return false;
    frame.bodies.prototype[i] = *prototype;
  }
  return true;
}

void take_table(GrainsFrame& frame, const std::string& text) {
  ShapeTable table = shape_table_of(text);
  frame.prototypes = std::move(table.prototypes);
  frame.hulls = std::move(table.hulls);
  frame.clumps = std::move(table.clumps);
}

/// Shapes of a file with a table of shapes.
void read_shapes(const FrameReader& file, GrainsFrame& frame) {
  try {
    take_table(frame, file.text(kShapeTable));
  } catch (const std::invalid_argument& e) {
    file.require(false, std::string("its table of shapes is invalid: ") + e.what());
  }
  for (const std::int32_t shape :
       file.numbers<std::int32_t>(kCellData + "shape", frame.prototypes.size() - 1))
    frame.bodies.prototype.push_back(static_cast<PrototypeId>(shape));
}

}  // namespace

GrainsFrame grains_of(const State& state, std::span<const Prototype> prototypes) {
  const std::vector<std::uint32_t> order = order_of_ids(state.bodies, state.neighbours);
  AlignedVector<Vec3> size;
  const bool others = std::ranges::any_of(prototypes, is_other);
  const Rows rows{state.bodies, prototypes, order};
  if (std::ranges::any_of(prototypes, is_box))
    for (std::size_t row = 0; row < rows.count(); ++row) size.push_back(2 * rows.half_extent(row));
  GrainsFrame frame{.time = state.time,
                    .step = state.step,
                    .bodies = state.bodies,
                    .domain = scree::domain_of(state.cell)};
  frame.bodies.for_each_field([&](auto& field) {
    const auto unsorted = field;
    for (std::size_t i = 0; i < order.size(); ++i) field[i] = unsorted[order[i]];
    field.resize(order.size());
  });
  // Values as in a file, to the bit.
  if (others)
    take_table(frame, shape_table_text(prototypes));
  else if (!set_shapes(frame, size))
    throw InputError("the bodies have more than 65535 shapes");
  return frame;
}

std::uint64_t write_grains(const std::filesystem::path& path, const State& state,
                           std::span<const Prototype> prototypes,
                           std::optional<double> velocity_time) {
  const std::vector<std::uint32_t> order = order_of_ids(state.bodies, state.neighbours);
  return write_bodies(path, state.time, state.step, velocity_time, scree::domain_of(state.cell),
                      {state.bodies, prototypes, order});
}

std::uint64_t write_grains(const std::filesystem::path& path, const GrainsFrame& frame) {
  const std::vector<std::uint32_t> order = order_of_ids(frame.bodies);
  return write_bodies(path, frame.time, frame.step, frame.velocity_time, frame.domain,
                      {frame.bodies, frame.prototypes, order});
}

CellSize cell_size(const Prototype& prototype) {
  if (prototype.is_sphere()) return {1, 1};
  if (is_box(prototype)) return {8, 8};
  const Skin skin(prototype.shape);
  return {skin.corners.size(), skin.strip.size()};
}

GrainsFrame read_grains(const std::filesystem::path& path) {
  const FrameReader file(path, "grains", kCellData + "position");
  GrainsFrame frame;
  file.header(frame.time, frame.step);
  Bodies& bodies = frame.bodies;
  file.read(kCellData + "position", bodies.position);
  file.read(kCellData + "radius", bodies.radius);
  file.read(kCellData + "mass", bodies.mass);
  file.read(kCellData + "velocity", bodies.velocity);
  file.read(kCellData + "angular_velocity", bodies.angular_velocity);
  file.read(kCellData + "quaternion", bodies.orientation);
  for (const std::int64_t id : file.numbers<std::int64_t>(kCellData + "id", kFirstObstacleId - 1))
    bodies.id.push_back({static_cast<std::uint64_t>(id)});
  constexpr auto kMaxMaterial = std::numeric_limits<MaterialId>::max();
  for (const std::int32_t material :
       file.numbers<std::int32_t>(kCellData + "material", kMaxMaterial))
    bodies.material.push_back(static_cast<MaterialId>(material));
  if (file.has(kVelocityTime)) frame.velocity_time = file.number(kVelocityTime);
  if (file.has(kCell)) {
    std::array<double, kCellNumbers> numbers{};
    file.numbers(kCell, numbers);
    const bool sound = std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); }) &&
                       std::min({numbers[0], numbers[1], numbers[2]}) >= 0;
    file.require(sound, "its cell has an edge that is not a finite number ≥ 0");
    frame.domain = domain_from(numbers);
  }
  if (file.has(kShapeTable)) {
    read_shapes(file, frame);
    return frame;
  }
  AlignedVector<Vec3> size;
  if (file.has(kCellData + "size")) file.read(kCellData + "size", size);
  file.require(set_shapes(frame, size),
               "size has an edge that is not a finite number > 0, or too many shapes");
  return frame;
}

}  // namespace scree
