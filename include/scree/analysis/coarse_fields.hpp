/// Fields of a packing, at rest or in motion: density, velocity, stress and granular temperature,
/// spread from bodies and contacts over the cells of a grid.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "scree/analysis/contact_stress.hpp"
#include "scree/analysis/region.hpp"
#include "scree/geometry/domain.hpp"
#include "scree/sim/report.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Means over a cell, and over the frames added.
struct FieldCell {
  double density = 0;       ///< ρ, mass of bodies by volume of space [kg/m³]
  Vec3 velocity;            ///< V, momentum by mass [m/s]; zero where there is no mass
  Tensor contact_stress{};  ///< that contacts carry [Pa]
  Tensor kinetic_stress{};  ///< that velocities about V carry, ρ ⟨δv ⊗ δv⟩ [Pa]
  double temperature = 0;   ///< granular: a third of ⟨|δv|²⟩ [m²/s²]

  /// A third of the trace of both stresses [Pa]; positive where forces repel.
  double pressure() const;
};

/// Each body is spread about its centre r, and each contact along its branch l, by the kernel φ, a
/// Gaussian of standard deviation `width` along each axis that ends at kKernelReach of them:
///
///     ρ = Σ m φ(x − r),      ρ V = Σ m v φ(x − r),
///     σ = Σ l ⊗ f ∫₀¹ φ(x − r − s l) ds + Σ m v ⊗ v φ(x − r) − ρ V ⊗ V
///
/// With f the force of A on B, l from A to B, as in ContactStress. docs/theory/fields.md derives
/// that mass and momentum are balanced. A cell has the mean of these over its volume, in closed
/// form, whatever its size; along the branch Gauss's rule stands for the integral. So over all of
/// space cells add up to the exact totals, but for rounding. What the kernel spreads beyond the
/// grid is cut off.
class CoarseFields {
 public:
  /// Standard deviations; beyond lie 6e-7 of a Gaussian, along an axis.
  static constexpr double kKernelReach = 5;

  /// `width` in metres. Throws InputError if the region is empty, an axis has no cells, or the
  /// width is not positive.
  CoarseFields(const Grid& grid, double width);

  /// Takes the bodies of a frame into account; `domain` is that of the model, in a cell that flows
  /// velocities are those against it. Those that are not finite are left out.
  void add(const Bodies& bodies, const Domain& domain = {});
  /// And the contacts of a frame; `h` is the time step [s] > 0, see contact_stress().
  void add_contacts(const Bodies& bodies, std::span<const ContactRecord> contacts, double h,
                    const Domain& domain = {});

  const Grid& grid() const { return grid_; }
  double width() const { return width_; }  ///< [m]
  /// In the order of the grid's cells.
  std::vector<FieldCell> cells() const;

  /// Means over frames of what there is in the grid.
  struct Totals {
    double mass = 0;          ///< that the fields have there [kg]
    double mass_centred = 0;  ///< of the bodies with their centre there [kg]
  };
  Totals totals() const;

  /// All that was added, in numbers, for fields on the same grid to go on with.
  std::vector<double> tally() const;
  /// Goes on with a tally. Throws InputError if it is of another grid.
  void restore(std::span<const double> tally);

 private:
  /// Of a cell, not yet divided by anything.
  struct Sums {
    double mass = 0;
    Vec3 momentum;
    Tensor flux{};    ///< m v ⊗ v
    Tensor virial{};  ///< l ⊗ f
  };
  /// The parts of the kernel that cells along an axis get, from the cell `first` on.
  struct Weights {
    std::uint32_t first = 0;
    std::vector<double> fraction;
  };
  void weigh(int axis, double centre, Weights& weights) const;
  /// Calls f(cell, part) for each cell that gets a part of the kernel about a point.
  template <class F>
  void for_each_fraction(const Vec3& centre, F&& f);
  bool reaches(const Vec3& low, const Vec3& high) const;
  void spread(const Vec3& from, const Vec3& way, const Vec3& force);

  Grid grid_;
  double width_;
  Region reach_;  ///< of centres that come into the grid
  double frames_ = 0, contact_frames_ = 0, mass_centred_ = 0;
  std::vector<Sums> sums_;
  std::array<Weights, 3> weights_;  ///< of the point at hand
  std::vector<double> line_;        ///< of the branch at hand
};

}  // namespace scree
