/// Mean velocities and the solid fraction of a packing in the cells of a grid.
#pragma once

#include <span>
#include <vector>

#include "scree/analysis/region.hpp"
#include "scree/analysis/solid_fraction.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// One cell, over all frames.
struct ProfileCell {
  /// Mean number of bodies with their centre in the cell, per frame [-]
  double bodies = 0;
  /// Mean over these bodies and frames [m/s]; zero without bodies
  Vec3 velocity;
  Vec3 angular_velocity;  ///< the same [rad/s]
  double speed = 0;       ///< mean of the magnitudes of their velocities [m/s]
  /// The same [rad/s]; random rotations cancel in the mean of vectors, not here
  double angular_speed = 0;
  /// Mean over frames [-]; bodies count with their volume in the cell
  double solid_fraction = 0;
};

/// Cells of a line, a plane or of space: with one cell along an axis the profile is a mean over
/// that axis.
class VelocityProfile {
 public:
  /// Throws InputError if the region is empty or an axis has no cells.
  explicit VelocityProfile(const Grid& grid);

  /// Adds a frame. Bodies with a non-finite position or velocity are left out.
  void add(const Bodies& bodies, std::span<const Prototype> prototypes);

  const Grid& grid() const { return grid_; }
  std::size_t frames() const { return frames_; }
  /// Values in the order of the grid's cells.
  std::vector<ProfileCell> cells() const;

  /// Sums so far as numbers, for restore() of a profile on the same grid.
  std::vector<double> tally() const;
  /// Continues a tally. Throws InputError if it belongs to another grid.
  void restore(std::span<const double> tally);

 private:
  void add_volume(const Solid& body);

  struct Sums {
    std::size_t bodies = 0;
    Vec3 velocity, angular_velocity;
    double speed = 0, angular_speed = 0;
    double volume = 0;  ///< filled [m³]
  };
  Grid grid_;
  std::size_t frames_ = 0;
  std::vector<Sums> sums_;
};

}  // namespace scree
