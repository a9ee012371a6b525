/// Height and solid fraction of a bed, column by column.
#include "scree/analysis/bed.hpp"

#include <algorithm>
#include <cmath>

#include "scree/analysis/solid_fraction.hpp"
#include "scree/core/error.hpp"

namespace scree {
namespace {

/// The two axes normal to an axis, in the order x, y, z.
std::array<int, 2> across(int axis) {
  return axis == 0 ? std::array{1, 2} : axis == 1 ? std::array{0, 2} : std::array{0, 1};
}

/// A body above the floor.
struct Standing {
  std::size_t block, column;
  double bottom, height;  ///< [m]
  bool on_wall;           ///< true if it touches an obstacle below it
};

/// Ids of the bodies that touch, or press on, an obstacle whose surface faces upward there, in
/// rising order. A contact that presses is closed, whatever gap rounding leaves.
std::vector<BodyId> bodies_on_walls(std::span<const ContactRecord> contacts, const Upward& up) {
  constexpr double kRounding = 1e-9;  // of normals of vertical walls
  std::vector<BodyId> ids;
  for (const ContactRecord& contact : contacts)
    if (is_obstacle(contact.b) && (contact.gap <= 0 || dot(contact.impulse, contact.normal) > 0) &&
        up.sign * contact.normal[up.axis] < -kRounding)
      ids.push_back(contact.a);
  std::ranges::sort(ids);
  return ids;
}

/// Highest point of the bed in each column above the floor [m].
std::vector<double> surface_of(std::vector<Standing> bodies, std::size_t blocks,
                               std::size_t columns) {
  std::sort(bodies.begin(), bodies.end(),
            [](const Standing& a, const Standing& b) { return a.bottom < b.bottom; });
  std::vector<double> pile(blocks, 0.0), height(columns, 0.0);
  for (const Standing& body : bodies) {
    if (!body.on_wall && body.bottom - pile[body.block] > body.height) continue;
    for (double* top : {&pile[body.block], &height[body.column]})
      *top = std::max(*top, body.bottom + body.height);
  }
  return height;
}

}  // namespace

std::optional<Upward> upward(const Vec3& gravity) {
  Upward up{0, 0};
  for (int k = 0; k < 3; ++k) {
    if (std::abs(gravity[k]) > std::abs(up.sign)) up = {k, -gravity[k]};
  }
  if (up.sign == 0) return {};
  return Upward{up.axis, up.sign > 0 ? 1.0 : -1.0};
}

std::array<std::uint32_t, 2> columns_of(const Region& region, const Upward& up, double diameter) {
  constexpr double kMaxBlocks = 2000;
  std::array<std::uint32_t, 2> columns{};
  for (std::size_t k = 0; k < 2; ++k) {
    // A side of a whole number of widths has as many blocks, in spite of rounding.
    const double blocks = region.extent()[across(up.axis)[k]] / (2 * diameter) * (1 + 1e-9);
    columns[k] = blocks < 1 ? 1 : 2 * static_cast<std::uint32_t>(std::min(blocks, kMaxBlocks));
  }
  return columns;
}

Bed bed_of(const Bodies& bodies, std::span<const Prototype> prototypes, const Region& region,
           const Upward& up, const std::array<std::uint32_t, 2>& columns,
           std::span<const ContactRecord> contacts) {
  const auto [u, v] = across(up.axis);
  Grid piles{region}, grid{region};
  for (const auto& [axis, count] : {std::pair{u, columns[0]}, std::pair{v, columns[1]}}) {
    piles.cells[static_cast<std::size_t>(axis)] = (count + 1) / 2;
    grid.cells[static_cast<std::size_t>(axis)] = count;
  }
  const auto pairs_up = [](std::uint32_t count) { return count == 1 || count % 2 == 0; };
  if (!(region.volume() > 0) || grid.size() == 0 || !std::ranges::all_of(columns, pairs_up))
    throw InputError(
        "a bed needs a region with a volume, and one column or an even number along each axis");
  const double floor = up.sign > 0 ? region.min[up.axis] : -region.max[up.axis];

  const std::vector<BodyId> on_walls = bodies_on_walls(contacts, up);
  std::vector<Standing> standing;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Region bounds = solid_of(bodies, prototypes, i).bounds();
    const double height = bounds.max[up.axis] - bounds.min[up.axis];
    const double bottom = (up.sign > 0 ? bounds.min[up.axis] : -bounds.max[up.axis]) - floor;
    Vec3 foot = bodies.position[i];
    foot[up.axis] = 0.5 * (region.min[up.axis] + region.max[up.axis]);
    if (region.contains(foot) && bottom + height > 0)
      standing.push_back({piles.cell_of(foot), grid.cell_of(foot), bottom, height,
                          std::ranges::binary_search(on_walls, bodies.id[i])});
  }
  const std::vector<double> height = surface_of(std::move(standing), piles.size(), grid.size());

  const auto column = [&](std::size_t k) {
    Region box = grid.cell(k);
    (up.sign > 0 ? box.max : box.min)[up.axis] = up.sign * (floor + height[k]);
    return box;
  };
  double filled = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!is_finite(bodies.position[i])) continue;
    const Solid body = solid_of(bodies, prototypes, i);
    const Region& bounds = body.bounds();
    std::array<std::array<std::uint32_t, 2>, 3> reach{};
    for (const int axis : {u, v})
      reach[static_cast<std::size_t>(axis)] = grid.range(axis, bounds.min[axis], bounds.max[axis]);
    for (std::uint32_t x = reach[0][0]; x <= reach[0][1]; ++x) {
      for (std::uint32_t y = reach[1][0]; y <= reach[1][1]; ++y) {
        for (std::uint32_t z = reach[2][0]; z <= reach[2][1]; ++z)
          filled += body.overlap(column(grid.index({x, y, z})));
      }
    }
  }

  Bed bed;
  for (std::size_t k = 0; k < height.size(); ++k) {
    bed.mean_height += height[k] / static_cast<double>(height.size());
    bed.max_height = std::max(bed.max_height, height[k]);
    bed.volume += height[k] > 0 ? column(k).volume() : 0;
  }
  bed.solid_fraction = bed.volume > 0 ? filled / bed.volume : 0;
  return bed;
}

}  // namespace scree
