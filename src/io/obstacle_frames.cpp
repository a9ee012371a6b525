/// Writes frames of obstacles: triangles with loads.
#include "scree/io/obstacle_frames.hpp"

#include <algorithm>

#include "io/frame_file.hpp"

namespace scree {
namespace {

using namespace frame_file;

/// A triangle of an obstacle.
struct ObstacleTriangle {
  std::uint32_t obstacle, triangle;
};

}  // namespace

std::uint64_t write_obstacles(const std::filesystem::path& path, const Model& model,
                              const State& state, std::span<const ObstacleSurface> surfaces,
                              std::span<const MeanLoad> loads) {
  std::vector<ObstacleTriangle> cells;
  std::vector<std::int64_t> first_point;
  std::vector<Vec3> points;
  bool wear = false;
  for (std::uint32_t obstacle = 0; obstacle < surfaces.size(); ++obstacle) {
    first_point.push_back(static_cast<std::int64_t>(points.size()));
    const Pose& pose = state.obstacles[obstacle].pose;
    for (const Vec3& point : surfaces[obstacle].points)
      points.push_back(pose.position + rotate(pose.orientation, point));
    if (!model.obstacles[obstacle].is_absent)
      for (std::uint32_t k = 0; k < surfaces[obstacle].triangles.size(); ++k)
        cells.push_back({obstacle, k});
    wear = wear || model.obstacles[obstacle].records_wear;
  }

  hdf5::Writer file(path);
  write_header(file, "obstacles", state.time, state.step);
  write_triangles(file, points.size(), cells.size(), [&](std::size_t cell, int corner) {
    const auto [obstacle, triangle] = cells[cell];
    return first_point[obstacle] +
           surfaces[obstacle].triangles[triangle][static_cast<std::size_t>(corner)];
  });
  write_column(file, kPoints, points.size(), kPlain, [&](std::size_t k) { return points[k]; });

  file.group("/VTKHDF/CellData");
  const auto column = [&](const char* name, auto value) {
    write_column(file, kCellData + name, cells.size(), kPacked,
                 [&](std::size_t k) { return value(cells[k].obstacle); });
  };
  column("obstacle", [](std::uint32_t obstacle) { return static_cast<std::int32_t>(obstacle); });
  column("force", [&](std::uint32_t obstacle) { return loads[obstacle].force; });
  column("torque", [&](std::uint32_t obstacle) { return loads[obstacle].torque; });
  column("power", [&](std::uint32_t obstacle) { return loads[obstacle].power; });
  if (wear) {
    std::vector<std::size_t> first(surfaces.size());
    for (std::size_t obstacle = 0; obstacle < first.size(); ++obstacle)
      first[obstacle] = first_worn_facet(model, obstacle);
    const auto of_facet = [&](const char* name, double Wear::*member) {
      write_column(file, kCellData + name, cells.size(), kPacked, [&](std::size_t k) {
        const auto [obstacle, triangle] = cells[k];
        return model.obstacles[obstacle].records_wear
                   ? state.facet_wear[first[obstacle] + triangle].*member
                   : 0.0;
      });
    };
    of_facet("impact_wear", &Wear::impact);
    of_facet("sliding_wear", &Wear::sliding);
  }

  // One row for each obstacle.
  file.group("/VTKHDF/FieldData");
  const auto row = [&](const char* name, auto value) {
    write_column(file, std::string("/VTKHDF/FieldData/") + name, surfaces.size(), kPlain,
                 [&](std::size_t obstacle) { return value(obstacle); });
  };
  std::vector<std::string> names;
  for (const Obstacle& obstacle : model.obstacles) names.push_back(obstacle.name);
  file.texts("/VTKHDF/FieldData/obstacle_name", names);
  row("obstacle_position",
      [&](std::size_t obstacle) { return state.obstacles[obstacle].pose.position; });
  row("obstacle_quaternion",
      [&](std::size_t obstacle) { return state.obstacles[obstacle].pose.orientation; });
  row("obstacle_force", [&](std::size_t obstacle) { return loads[obstacle].force; });
  row("obstacle_torque", [&](std::size_t obstacle) { return loads[obstacle].torque; });
  row("obstacle_power", [&](std::size_t obstacle) { return loads[obstacle].power; });
  return file.finish();
}

ObstaclesFrame read_obstacles(const std::filesystem::path& path) {
  const FrameReader file(path, "obstacles", kPoints);
  ObstaclesFrame frame;
  file.header(frame.time, frame.step);
  AlignedVector<Vec3> points;
  file.read(kPoints, points);
  frame.points.assign(points.begin(), points.end());
  frame.names = file.texts("/VTKHDF/FieldData/obstacle_name");

  const std::size_t cells = file.rows(kCellData + "obstacle");
  AlignedVector<std::int64_t> corners;
  AlignedVector<std::int32_t> obstacle;
  file.read("/VTKHDF/Connectivity", 3 * cells, corners);
  file.read(kCellData + "obstacle", cells, obstacle);
  const auto below = [](std::size_t limit) {
    return [limit](auto value) { return value >= 0 && static_cast<std::size_t>(value) < limit; };
  };
  file.require(std::ranges::all_of(corners, below(points.size())),
               "a triangle has a corner that does not exist");
  file.require(std::ranges::all_of(obstacle, below(frame.names.size())),
               "a triangle belongs to an obstacle that does not exist");
  for (std::size_t k = 0; k < cells; ++k) {
    const auto corner = [&](std::size_t i) {
      return static_cast<std::uint32_t>(corners[3 * k + i]);
    };
    frame.triangles.push_back({corner(0), corner(1), corner(2)});
    frame.obstacle.push_back(static_cast<std::uint32_t>(obstacle[k]));
  }

  AlignedVector<Vec3> force, torque;
  AlignedVector<double> power;
  file.read("/VTKHDF/FieldData/obstacle_force", frame.names.size(), force);
  file.read("/VTKHDF/FieldData/obstacle_torque", frame.names.size(), torque);
  file.read("/VTKHDF/FieldData/obstacle_power", frame.names.size(), power);
  for (std::size_t k = 0; k < frame.names.size(); ++k)
    frame.loads.push_back({force[k], torque[k], power[k]});
  return frame;
}

}  // namespace scree
