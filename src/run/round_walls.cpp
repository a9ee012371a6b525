/// Finds the corners of a region that lie outside of round vessels.
#include "scree/run/round_walls.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "scree/core/error.hpp"
#include "scree/io/files.hpp"

namespace scree {
namespace {

/// Distance outside of the cone that continues the inner wall, in its own frame [m]; ≤ 0 inside.
double outside(const Hollow& shape, const Vec3& p) {
  const double share = (p.z - shape.bottom) / (shape.top - shape.bottom);
  return std::hypot(p.x, p.y) -
         (shape.bottom_radius + share * (shape.top_radius - shape.bottom_radius));
}

/// True if an edge lies outside between the ends of the wall. Along a line outside() is convex, so
/// its maximum is at an end of the part between them.
bool edge_is_outside(const Hollow& shape, const Vec3& from, const Vec3& to) {
  double first = 0, last = 1;
  const double rise = to.z - from.z;
  if (rise == 0) {
    if (from.z < shape.bottom || from.z > shape.top) return false;
  } else {
    const double a = (shape.bottom - from.z) / rise, b = (shape.top - from.z) / rise;
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
  }
  const auto beyond = [&](double share) { return outside(shape, from + share * (to - from)) > 0; };
  return first <= last && (beyond(first) || beyond(last));
}

Vec3 vector_from(const nlohmann::json& json) { return {json.at(0), json.at(1), json.at(2)}; }

}  // namespace

std::vector<RoundWall> round_walls_of(const Model& model) {
  std::vector<RoundWall> walls;
  for (const Obstacle& obstacle : model.obstacles)
    if (const auto* hollow = std::get_if<Hollow>(&obstacle.shape))
      walls.push_back({obstacle.name, *hollow, obstacle.pose});
  return walls;
}

std::vector<RoundWall> round_walls_of(const std::filesystem::path& run) try {
  std::vector<RoundWall> walls;
  const auto json = nlohmann::json::parse(read_file(run / "obstacles.json"));
  for (const nlohmann::json& entry : json.at("obstacles")) {
    if (entry.at("shape") != "hollow") continue;
    const nlohmann::json& q = entry.at("quaternion");
    walls.push_back({entry.at("name"),
                     {.bottom_radius = entry.at("bottom_radius"),
                      .top_radius = entry.at("top_radius"),
                      .bottom = entry.at("bottom"),
                      .top = entry.at("top")},
                     {vector_from(entry.at("position")), {q.at(0), q.at(1), q.at(2), q.at(3)}}});
  }
  return walls;
} catch (const OutputError&) {
  return {};
} catch (const InputError&) {
  return {};
} catch (const nlohmann::json::exception&) {
  return {};
}

bool reaches_beyond(const Region& region, const RoundWall& wall) {
  const auto corner = [&](unsigned index) {
    Vec3 p;
    for (int axis = 0; axis < 3; ++axis)
      p[axis] = (index >> axis & 1U) ? region.max[axis] : region.min[axis];
    return rotate_back(wall.pose.orientation, p - wall.pose.position);
  };
  for (unsigned index = 0; index < 8; ++index)
    for (unsigned axis = 0; axis < 3; ++axis)
      if (!(index >> axis & 1U) &&
          edge_is_outside(wall.shape, corner(index), corner(index | 1U << axis)))
        return true;
  return false;
}

std::vector<std::string> corners_beyond(const Region& region, std::span<const RoundWall> walls) {
  std::vector<std::string> names;
  for (const RoundWall& wall : walls)
    if (reaches_beyond(region, wall)) names.push_back(wall.name);
  return names;
}

std::string describe_corners(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  return fmt::format(
      "the region is a box, and its corners reach beyond the round wall of '{}', where they are "
      "empty: they lower the solid fraction, stress, profiles and fields; choose a region inside "
      "the vessel",
      fmt::join(names, "' and '"));
}

}  // namespace scree
