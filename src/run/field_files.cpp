/// Writes coarse-grained fields as a CSV table and as VTK image data.
#include "run/field_files.hpp"

#include <fmt/format.h>

#include "run/table_cells.hpp"
#include "scree/io/vtk_file.hpp"

namespace scree {
namespace {

std::string comma_separated(const Tensor& t) {
  return fmt::format("{},{},{}", comma_separated(t[0]), comma_separated(t[1]),
                     comma_separated(t[2]));
}

/// The cells in VTK's order, in which the first coordinate runs fastest.
std::vector<FieldCell> in_order_of_vtk(const CoarseFields& fields) {
  const std::vector<FieldCell> cells = fields.cells();
  const Grid& grid = fields.grid();
  std::vector<FieldCell> ordered;
  ordered.reserve(cells.size());
  for (std::uint32_t k = 0; k < grid.cells[2]; ++k)
    for (std::uint32_t j = 0; j < grid.cells[1]; ++j)
      for (std::uint32_t i = 0; i < grid.cells[0]; ++i)
        ordered.push_back(cells[grid.index({i, j, k})]);
  return ordered;
}

std::string field_columns() {
  std::string columns = "x,y,z,density,velocity_x,velocity_y,velocity_z,speed,temperature,pressure";
  for (const char* part : {"contact", "kinetic"})
    for (const char* entry : {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"})
      columns += fmt::format(",{}_{}", part, entry);
  return columns;
}

}  // namespace

std::string field_table(const CoarseFields& fields) {
  std::string text = field_columns() + "\n";
  const std::vector<FieldCell> cells = fields.cells();
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const FieldCell& cell = cells[k];
    text += fmt::format("{},{},{},{},{},{},{},{}\n", comma_separated(fields.grid().centre(k)),
                        cell.density, comma_separated(cell.velocity), norm(cell.velocity),
                        cell.temperature, cell.pressure(), comma_separated(cell.contact_stress),
                        comma_separated(cell.kinetic_stress));
  }
  return text;
}

std::string field_image(const CoarseFields& fields) {
  const Grid& grid = fields.grid();
  const Vec3 &origin = grid.region.min, extent = grid.region.extent();
  const auto& n = grid.cells;
  const std::string whole = fmt::format("0 {} 0 {} 0 {}", n[0], n[1], n[2]);
  VtkFile file(
      "ImageData",
      fmt::format("WholeExtent=\"{}\" Origin=\"{} {} {}\" Spacing=\"{} {} {}\"", whole, origin.x,
                  origin.y, origin.z, extent.x / n[0], extent.y / n[1], extent.z / n[2]));
  file.open("Piece", fmt::format("Extent=\"{}\"", whole));
  file.open("CellData");
  const std::vector<FieldCell> cells = in_order_of_vtk(fields);
  const auto put = [&](const char* name, const char* unit, std::size_t components,
                       auto&& numbers_of) {
    std::vector<double> numbers;
    numbers.reserve(components * cells.size());
    for (const FieldCell& cell : cells) numbers_of(cell, numbers);
    file.array(name, unit, components, std::span<const double>(numbers));
  };
  const auto append = [](std::vector<double>& numbers, const Vec3& v) {
    numbers.insert(numbers.end(), {v.x, v.y, v.z});
  };
  put("density", "kg/m3", 1,
      [](const FieldCell& c, auto& numbers) { numbers.push_back(c.density); });
  put("velocity", "m/s", 3,
      [&](const FieldCell& c, auto& numbers) { append(numbers, c.velocity); });
  put("temperature", "m2/s2", 1,
      [](const FieldCell& c, auto& numbers) { numbers.push_back(c.temperature); });
  put("pressure", "Pa", 1,
      [](const FieldCell& c, auto& numbers) { numbers.push_back(c.pressure()); });
  put("contact_stress", "Pa", 9, [&](const FieldCell& c, auto& numbers) {
    for (const Vec3& row : c.contact_stress) append(numbers, row);
  });
  put("kinetic_stress", "Pa", 9, [&](const FieldCell& c, auto& numbers) {
    for (const Vec3& row : c.kinetic_stress) append(numbers, row);
  });
  return file.text();
}

}  // namespace scree
