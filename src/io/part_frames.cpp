#include "scree/io/part_frames.hpp"

#include "io/frame_file.hpp"

namespace scree {
namespace {

using namespace frame_file;

/// A triangle of a part.
struct Place {
  std::uint32_t part, triangle;
};

}  // namespace

std::uint64_t write_parts(const std::filesystem::path& path, const Model& model, const State& state,
                          std::span<const PartSurface> surfaces, std::span<const MeanLoad> loads) {
  std::vector<Place> cells;
  std::vector<std::int64_t> first_point;
  std::vector<Vec3> points;
  bool wear = false;
  for (std::uint32_t part = 0; part < surfaces.size(); ++part) {
    first_point.push_back(static_cast<std::int64_t>(points.size()));
    const Pose& pose = state.obstacles[part].pose;
    for (const Vec3& point : surfaces[part].points)
      points.push_back(pose.position + rotate(pose.orientation, point));
    if (!model.obstacles[part].is_absent)
      for (std::uint32_t k = 0; k < surfaces[part].triangles.size(); ++k)
        cells.push_back({part, k});
    wear = wear || model.obstacles[part].records_wear;
  }

  hdf5::Writer file(path);
  write_header(file, "parts", state.time, state.step);
  write_triangles(file, points.size(), cells.size(), [&](std::size_t cell, int corner) {
    const auto [part, triangle] = cells[cell];
    return first_point[part] + surfaces[part].triangles[triangle][static_cast<std::size_t>(corner)];
  });
  write_column(file, "/VTKHDF/Points", points.size(), kPlain,
               [&](std::size_t k) { return points[k]; });

  file.group("/VTKHDF/CellData");
  const auto column = [&](const char* name, auto value) {
    write_column(file, kCellData + name, cells.size(), kPacked,
                 [&](std::size_t k) { return value(cells[k].part); });
  };
  column("part", [](std::uint32_t part) { return static_cast<std::int32_t>(part); });
  column("force", [&](std::uint32_t part) { return loads[part].force; });
  column("torque", [&](std::uint32_t part) { return loads[part].torque; });
  column("power", [&](std::uint32_t part) { return loads[part].power; });
  if (wear) {
    std::vector<std::size_t> first(surfaces.size());
    for (std::size_t part = 0; part < first.size(); ++part)
      first[part] = first_worn_facet(model, part);
    const auto of_facet = [&](const char* name, double Wear::*member) {
      write_column(file, kCellData + name, cells.size(), kPacked, [&](std::size_t k) {
        const auto [part, triangle] = cells[k];
        return model.obstacles[part].records_wear ? state.facet_wear[first[part] + triangle].*member
                                                  : 0.0;
      });
    };
    of_facet("impact_wear", &Wear::impact);
    of_facet("sliding_wear", &Wear::sliding);
  }

  // One row a part.
  file.group("/VTKHDF/FieldData");
  const auto row = [&](const char* name, auto value) {
    write_column(file, std::string("/VTKHDF/FieldData/") + name, surfaces.size(), kPlain,
                 [&](std::size_t part) { return value(part); });
  };
  std::vector<std::string> names;
  for (const Obstacle& obstacle : model.obstacles) names.push_back(obstacle.name);
  file.texts("/VTKHDF/FieldData/part_name", names);
  row("part_position", [&](std::size_t part) { return state.obstacles[part].pose.position; });
  row("part_quaternion", [&](std::size_t part) { return state.obstacles[part].pose.orientation; });
  row("part_force", [&](std::size_t part) { return loads[part].force; });
  row("part_torque", [&](std::size_t part) { return loads[part].torque; });
  row("part_power", [&](std::size_t part) { return loads[part].power; });
  return file.finish();
}

}  // namespace scree
