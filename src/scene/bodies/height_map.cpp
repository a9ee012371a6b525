/// Reads surfaces given by heights on a grid.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "scene/build.hpp"
#include "scene/yaml/table_limits.hpp"
#include "scree/core/csv.hpp"

namespace scree::scene {

namespace {

constexpr std::size_t kMaxHeights = 4'000'000;  // limit of a grid

/// Rows of heights, the first at the lowest y.
struct Grid {
  std::size_t columns = 0;
  std::vector<double> heights;  ///< [m]
  std::size_t rows() const { return columns > 0 ? heights.size() / columns : 0; }
};

/// Words separated by commas, blanks and tabs.
std::vector<std::string_view> words_of(const std::vector<std::string_view>& cells) {
  std::vector<std::string_view> words;
  for (std::string_view cell : cells)
    while (!cell.empty()) {
      const std::size_t begin = cell.find_first_not_of(" \t");
      if (begin == std::string_view::npos) break;
      const std::size_t end = std::min(cell.find_first_of(" \t", begin), cell.size());
      words.push_back(cell.substr(begin, end - begin));
      cell.remove_prefix(end);
    }
  return words;
}

/// Reads a grid from a file; reports bad rows by line.
std::optional<Grid> read_file(Build& build, const Node& node, double unit) {
  const Node& name = node["file"];
  const std::filesystem::path file = build.directory / name.text;
  Grid grid;
  int bad_rows = 0;
  const auto complain = [&](int line, const std::string& message) {
    if (++bad_rows <= kMaxBadRows)
      build.problems.report_in(file.string(), line, path_of(name), message);
    return true;
  };
  const std::string trouble =
      read_csv(file, [&](int line, const std::vector<std::string_view>& cells) {
        const auto words = words_of(cells);
        if (grid.columns == 0) grid.columns = words.size();
        if (words.size() != grid.columns)
          return complain(line, fmt::format("found {} heights, the first row has {}", words.size(),
                                            grid.columns));
        for (const std::string_view word : words) {
          const auto number = read_number(word);
          if (!number || !(std::abs(*number * unit) <= kLargestNumber))
            return complain(
                line, fmt::format("'{}' is not a height of at most {:g} m", word, kLargestNumber));
          grid.heights.push_back(*number * unit);
        }
        return grid.heights.size() <= kMaxHeights;
      });
  if (!trouble.empty()) {
    build.problems.report(name, fmt::format("'{}' {}", file.string(), trouble));
    return {};
  }
  if (bad_rows > kMaxBadRows)
    build.problems.report_in(file.string(), 0, path_of(name),
                             fmt::format("… and {} more bad rows", bad_rows - kMaxBadRows));
  if (bad_rows > 0) return {};
  return grid;
}

std::optional<Grid> read_values(Build& build, const Node& values, double scale) {
  Grid grid;
  grid.columns = values.children.empty() ? 0 : values.children[0].children.size();
  for (const Node& row : values.children) {
    if (row.children.size() != grid.columns) {
      build.problems.report(row, fmt::format("this row has {} heights, the first has {}",
                                             row.children.size(), grid.columns));
      return {};
    }
    for (const Node& height : row.children) grid.heights.push_back(scale * height.number);
  }
  return grid;
}

/// Upward mesh over a grid. Each cell is split along the diagonal from its corner of lowest x and
/// y.
TriangleMesh mesh_of(const Grid& grid, double width, double depth) {
  const std::size_t nx = grid.columns, ny = grid.rows();
  std::vector<Vec3> vertices;
  std::vector<TriangleMesh::Corners> triangles;
  for (std::size_t j = 0; j < ny; ++j)
    for (std::size_t i = 0; i < nx; ++i)
      vertices.push_back({width * (static_cast<double>(i) / static_cast<double>(nx - 1) - 0.5),
                          depth * (static_cast<double>(j) / static_cast<double>(ny - 1) - 0.5),
                          grid.heights[j * nx + i]});
  for (std::size_t j = 0; j + 1 < ny; ++j)
    for (std::size_t i = 0; i + 1 < nx; ++i) {
      const auto a = static_cast<std::uint32_t>(j * nx + i), b = a + 1,
                 d = static_cast<std::uint32_t>(a + nx), c = d + 1;
      triangles.push_back({a, b, c});
      triangles.push_back({a, c, d});
    }
  return {vertices, triangles, Sides::one};
}

}  // namespace

std::shared_ptr<const TriangleMesh> read_height_map(Build& build, const Node& node) {
  const Node *file = node.find("file"), *values = node.find("values");
  if ((file != nullptr) == (values != nullptr)) {
    build.problems.report(node, "give a height map either the grid of a file or values");
    return {};
  }
  const auto factor = read_scale(build, node);
  if (!factor) return {};
  const auto grid =
      file ? read_file(build, node, *factor) : read_values(build, *values, node["scale"].number);
  if (!grid) return {};
  const Node& source = file ? *file : *values;
  if (grid->columns < 2 || grid->rows() < 2) {
    build.problems.report(
        source,
        fmt::format(
            "a height map needs at least 2 rows and 2 columns; found {} rows and {} columns",
            grid->rows(), grid->columns));
    return {};
  }
  if (grid->heights.size() > kMaxHeights) {
    build.problems.report(
        source, fmt::format("the grid has more than {} heights; use a coarser one", kMaxHeights));
    return {};
  }
  const Node& size = node["size"];
  return std::make_shared<const TriangleMesh>(
      mesh_of(*grid, size.children[0].number, size.children[1].number));
}

}  // namespace scree::scene
