/// Mean velocities and solid fraction in the cells of a grid.
#include "scree/analysis/velocity_profile.hpp"

#include <algorithm>

#include "scree/analysis/solid_fraction.hpp"
#include "scree/core/error.hpp"

namespace scree {

VelocityProfile::VelocityProfile(const Grid& grid) : grid_(grid) {
  if (!(grid.region.volume() > 0))
    throw InputError("the region of a velocity profile is empty; give one with a volume");
  if (grid.size() == 0)
    throw InputError("a velocity profile needs at least one cell along each axis");
  sums_.resize(grid.size());
}

void VelocityProfile::add(const Bodies& bodies, std::span<const Prototype> prototypes) {
  ++frames_;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3& position = bodies.position[i];
    if (!is_finite(position) || !is_finite(bodies.velocity[i]) ||
        !is_finite(bodies.angular_velocity[i]))
      continue;
    add_volume(solid_of(bodies, prototypes, i));
    if (!grid_.region.contains(position)) continue;
    Sums& sums = sums_[grid_.cell_of(position)];
    ++sums.bodies;
    sums.velocity += bodies.velocity[i];
    sums.angular_velocity += bodies.angular_velocity[i];
    sums.speed += norm(bodies.velocity[i]);
    sums.angular_speed += norm(bodies.angular_velocity[i]);
  }
}

void VelocityProfile::add_volume(const Solid& body) {
  const Region& bounds = body.bounds();
  const auto cells = [&](int axis) {
    return grid_.range(axis, bounds.min[axis], bounds.max[axis]);
  };
  const auto x = cells(0), y = cells(1), z = cells(2);
  for (std::uint32_t i = x[0]; i <= x[1]; ++i) {
    for (std::uint32_t j = y[0]; j <= y[1]; ++j) {
      for (std::uint32_t k = z[0]; k <= z[1]; ++k) {
        const std::size_t cell = grid_.index({i, j, k});
        sums_[cell].volume += body.overlap(grid_.cell(cell));
      }
    }
  }
}

std::vector<ProfileCell> VelocityProfile::cells() const {
  std::vector<ProfileCell> cells(sums_.size());
  if (frames_ == 0) return cells;
  const double cell_volume = grid_.region.volume() / static_cast<double>(grid_.size());
  const auto frames = static_cast<double>(frames_);
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const Sums& sums = sums_[k];
    cells[k].bodies = static_cast<double>(sums.bodies) / frames;
    cells[k].solid_fraction = sums.volume / cell_volume / frames;
    if (sums.bodies == 0) continue;
    cells[k].velocity = sums.velocity / static_cast<double>(sums.bodies);
    cells[k].angular_velocity = sums.angular_velocity / static_cast<double>(sums.bodies);
    cells[k].speed = sums.speed / static_cast<double>(sums.bodies);
    cells[k].angular_speed = sums.angular_speed / static_cast<double>(sums.bodies);
  }
  return cells;
}

std::vector<double> VelocityProfile::tally() const {
  std::vector<double> tally{static_cast<double>(frames_)};
  for (const Sums& s : sums_) {
    const Vec3 &v = s.velocity, &w = s.angular_velocity;
    tally.insert(tally.end(), {static_cast<double>(s.bodies), v.x, v.y, v.z, w.x, w.y, w.z, s.speed,
                               s.angular_speed, s.volume});
  }
  return tally;
}

void VelocityProfile::restore(std::span<const double> tally) {
  constexpr std::size_t kNumbers = 10;
  if (tally.size() != 1 + kNumbers * sums_.size())
    throw InputError(
        "the tally to continue is not a velocity profile with the same number of cells");
  frames_ = static_cast<std::size_t>(tally[0]);
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    const double* t = &tally[1 + kNumbers * k];
    sums_[k] = {
        static_cast<std::size_t>(t[0]), {t[1], t[2], t[3]}, {t[4], t[5], t[6]}, t[7], t[8], t[9]};
  }
}

}  // namespace scree
