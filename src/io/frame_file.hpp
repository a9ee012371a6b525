/// The common layout of all frames: a VTKHDF 1.0 unstructured grid with arrays, written and read
/// row by row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "io/hdf5.hpp"
#include "scree/core/aligned.hpp"
#include "scree/math/quaternion.hpp"
#include "scree/math/vec3.hpp"

namespace scree::frame_file {

inline const std::string kPoints = "/VTKHDF/Points";
inline const std::string kPointData = "/VTKHDF/PointData/", kCellData = "/VTKHDF/CellData/";

/// Numbers of a value in sequence.
template <class T>
struct Row {
  using Number = T;
  static constexpr std::size_t columns = 0;
};
template <>
struct Row<Vec3> {
  using Number = double;
  static constexpr std::size_t columns = 3;
};
template <>
struct Row<Quaternion> {
  using Number = double;
  static constexpr std::size_t columns = 4;
};
static_assert(sizeof(Vec3) == 3 * sizeof(double) && sizeof(Quaternion) == 4 * sizeof(double));

/// An array of a frame, written piece by piece.
template <class T>
class Column {
 public:
  Column(hdf5::Writer& file, const std::string& name, std::size_t rows, hdf5::Storage storage)
      : rows_(file.begin<typename Row<T>::Number>(name, rows, Row<T>::columns, storage)) {}

  /// Adds value(0) … value(count − 1).
  template <class Value>
  void add(std::size_t count, Value&& value) {
    for (std::size_t begin = 0; begin < count; begin += hdf5::kRowsPerPiece) {
      piece_.clear();
      for (std::size_t i = begin; i < std::min(begin + hdf5::kRowsPerPiece, count); ++i)
        piece_.push_back(value(i));
      rows_.add(reinterpret_cast<const typename Row<T>::Number*>(piece_.data()), piece_.size());
    }
  }

 private:
  hdf5::RowWriter rows_;
  std::vector<T> piece_;
};

/// Writes a whole array: value(0) … value(count − 1).
template <class Value>
void write_column(hdf5::Writer& file, const std::string& name, std::size_t count,
                  hdf5::Storage storage, Value&& value) {
  Column<std::decay_t<decltype(value(std::size_t{}))>>(file, name, count, storage)
      .add(count, value);
}

inline constexpr auto kPlain = hdf5::Storage::plain, kPacked = hdf5::Storage::packed;

/// Types of cells by their number in VTK, and their numbers of points.
enum class CellType : std::uint8_t {
  vertex = 1,
  line = 3,
  triangle = 5,
  triangle_strip = 6,
  hexahedron = 12
};
/// Sizes of cells that all have the same number of points.
inline std::int64_t points_in(CellType type) {
  return type == CellType::hexahedron ? 8
         : type == CellType::triangle ? 3
         : type == CellType::line     ? 2
                                      : 1;
}

/// Numbers of cells and points in a grid. A cell names its points, some possibly several times.
struct GridCounts {
  std::size_t points, cells, names;
};

/// Writes the cells of a VTKHDF file: type_of(k) is the type of cell k and size_of(k) the number of
/// points it names; next_name() is called for each in order. The points are written later.
template <class TypeOf, class SizeOf, class NextName>
void write_grid(hdf5::Writer& file, const GridCounts& count, TypeOf&& type_of, SizeOf&& size_of,
                NextName&& next_name) {
  file.group("/VTKHDF");
  const std::int64_t version[2] = {1, 0};
  file.attribute("/VTKHDF", "Version", version, 2);
  file.attribute("/VTKHDF", "Type", "UnstructuredGrid");
  const std::pair<const char*, std::size_t> counts[] = {{"NumberOfPoints", count.points},
                                                        {"NumberOfCells", count.cells},
                                                        {"NumberOfConnectivityIds", count.names}};
  for (const auto& [name, of_it] : counts) {
    const auto number = static_cast<std::int64_t>(of_it);
    file.dataset(std::string("/VTKHDF/") + name, &number, 1);
  }
  std::int64_t next = 0;
  write_column(file, "/VTKHDF/Offsets", count.cells + 1, kPacked, [&](std::size_t k) {
    const std::int64_t offset = next;
    if (k < count.cells) next += size_of(k);
    return offset;
  });
  write_column(file, "/VTKHDF/Connectivity", count.names, kPacked,
               [&](std::size_t) { return std::int64_t{next_name()}; });
  write_column(file, "/VTKHDF/Types", count.cells, kPacked,
               [&](std::size_t k) { return static_cast<std::uint8_t>(type_of(k)); });
  file.group("/VTKHDF/PointData");
}

/// The same for cells that name each point once, in order.
template <class TypeOf>
void write_grid(hdf5::Writer& file, std::size_t points, std::size_t cells, TypeOf&& type_of) {
  std::int64_t next = 0;
  write_grid(
      file, {points, cells, points}, type_of, [&](std::size_t k) { return points_in(type_of(k)); },
      [&] { return next++; });
}

/// Writes a grid of triangles; point_of(triangle, 0 … 2) are their corners. The points are written
/// later.
template <class PointOf>
void write_triangles(hdf5::Writer& file, std::size_t points, std::size_t triangles,
                     PointOf&& point_of) {
  std::size_t next = 0;
  write_grid(
      file, {points, triangles, 3 * triangles}, [](std::size_t) { return CellType::triangle; },
      [](std::size_t) { return std::int64_t{3}; },
      [&] {
        const std::size_t k = next++;
        return point_of(k / 3, static_cast<int>(k % 3));
      });
}

/// VTK ignores data outside of /VTKHDF, so data for scree alone are there.
inline void write_header(hdf5::Writer& file, const std::string& kind, double time,
                         std::uint64_t step) {
  file.group("/scree");
  file.attribute("/scree", "kind", kind);
  file.attribute("/scree", "time", &time, 1);
  file.attribute("/scree", "step", &step, 1);
}

/// A frame to read: its header, and arrays with a row for each body, contact or end of a line.
class FrameReader {
 public:
  /// `positions` is the array that has the positions of bodies or contacts.
  FrameReader(const std::filesystem::path& path, std::string_view kind,
              const std::string& positions)
      : file_(path, "frame of scree") {
    const std::string found = file_.attribute("/scree", "kind");
    file_.require(found == kind, fmt::format("it holds {}, not {}", found, kind));
    rows_ = file_.rows(positions);
  }

  std::size_t rows() const { return rows_; }
  std::size_t rows(const std::string& name) const { return file_.rows(name); }
  bool has(const std::string& name) const { return file_.has(name); }
  void header(double& time, std::uint64_t& step) const {
    file_.attribute("/scree", "time", time);
    file_.attribute("/scree", "step", step);
  }
  /// Text of a dataset with a single text.
  std::string text(const std::string& name) const { return file_.text(name); }
  /// Single value of an array without rows.
  double number(const std::string& name) const {
    double value = 0;
    file_.dataset(name, &value, 1, 1);
    return value;
  }
  /// All values of such an array, with this length.
  template <std::size_t n>
  void numbers(const std::string& name, std::array<double, n>& into) const {
    file_.dataset(name, into.data(), n, 1);
  }
  /// Texts of a dataset with one in each row.
  std::vector<std::string> texts(const std::string& name) const { return file_.texts(name); }
  void require(bool good, std::string_view lack) const { file_.require(good, lack); }
  template <class T>
  void read(const std::string& name, AlignedVector<T>& into) const {
    read(name, rows_, into);
  }
  /// The same for an array that has not a row for each position.
  template <class T>
  void read(const std::string& name, std::size_t rows, AlignedVector<T>& into) const {
    into.resize(rows);
    if constexpr (std::is_same_v<T, Vec3>)
      file_.dataset(name, reinterpret_cast<double*>(into.data()), rows, 3);
    else if constexpr (std::is_same_v<T, Quaternion>)
      file_.dataset(name, reinterpret_cast<double*>(into.data()), rows, 4);
    else
      file_.dataset(name, into.data(), rows, 1);
  }
  /// Integers from 0 to `max`.
  template <class T>
  AlignedVector<T> numbers(const std::string& name, std::uint64_t max) const {
    AlignedVector<T> values;
    read(name, values);
    for (const T value : values)
      file_.require(value >= 0 && static_cast<std::uint64_t>(value) <= max,
                    fmt::format("{} has a {}", name, value));
    return values;
  }

 private:
  hdf5::Reader file_;
  std::size_t rows_ = 0;
};

}  // namespace scree::frame_file
