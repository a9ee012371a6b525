/// Coarse-grained fields of a packing, at rest or in motion: density, velocity, stress and granular
/// temperature in the cells of a grid.
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
  Vec3 velocity;            ///< V, momentum by mass [m/s]; zero without mass
  Tensor contact_stress{};  ///< carried by contacts [Pa]
  Tensor kinetic_stress{};  ///< carried by velocities about V, ρ ⟨δv ⊗ δv⟩ [Pa]
  double temperature = 0;   ///< granular: a third of ⟨|δv|²⟩ [m²/s²]

  /// Third of the trace of both stresses [Pa]; positive if forces repel.
  double pressure() const;
};

/// Each body is spread about its centre r, and each contact along its branch l, by the kernel φ, a
/// Gaussian of standard deviation `width` along each axis that ends at kKernelReach of them:
///
///     ρ = Σ m φ(x − r),      ρ V = Σ m v φ(x − r),
///     σ = Σ l ⊗ f ∫₀¹ φ(x − r − s l) ds + Σ m v ⊗ v φ(x − r) − ρ V ⊗ V
///
/// Here f is the force of A on B, l points from A to B, as in ContactStress. docs/theory/fields.md
/// derives that mass and momentum are balanced. A cell has the mean of these over its volume, in
/// closed form, whatever its size; the integral along the branch uses Gauss's rule. So over all of
/// space cells add up to the exact totals, except for rounding. Contributions beyond the grid are
/// cut off.
class CoarseFields {
 public:
  /// Reach in standard deviations; 6e-7 of a Gaussian lies beyond, along an axis.
  static constexpr double kKernelReach = 5;

  /// `width` in metres. Throws InputError if the region is empty, an axis has no cells, or the
  /// width is not positive.
  CoarseFields(const Grid& grid, double width);

  /// Adds the bodies of a frame; `domain` is the domain of the model, and in a flowing cell
  /// velocities are relative to it. Non-finite values are left out.
  void add(const Bodies& bodies, const Domain& domain = {});
  /// Adds the contacts of a frame; `h` is the time step [s] > 0, see contact_stress().
  void add_contacts(const Bodies& bodies, std::span<const ContactRecord> contacts, double h,
                    const Domain& domain = {});

  const Grid& grid() const { return grid_; }
  double width() const { return width_; }  ///< [m]
  /// Values in the order of the grid's cells.
  std::vector<FieldCell> cells() const;

  /// Totals in the grid, mean over frames.
  struct Totals {
    double mass = 0;          ///< of the fields [kg]
    double mass_centred = 0;  ///< of the bodies with their centre in the grid [kg]
  };
  Totals totals() const;

  /// Sums so far as numbers, for restore() of fields on the same grid.
  std::vector<double> tally() const;
  /// Continues a tally. Throws InputError if it belongs to another grid.
  void restore(std::span<const double> tally);

 private:
  /// Sums of a cell, not yet divided.
  struct Sums {
    double mass = 0;
    Vec3 momentum;
    Tensor flux{};    ///< m v ⊗ v
    Tensor virial{};  ///< l ⊗ f
  };
  /// Fractions of the kernel in the cells along an axis, from the cell `first`.
  struct Weights {
    std::uint32_t first = 0;
    std::vector<double> fraction;
  };
  void weigh(int axis, double centre, Weights& weights) const;
  /// Calls f(cell, fraction) for each cell that the kernel about a point reaches.
  template <class F>
  void for_each_fraction(const Vec3& centre, F&& f);
  bool reaches(const Vec3& low, const Vec3& high) const;
  void spread(const Vec3& from, const Vec3& way, const Vec3& force);

  Grid grid_;
  double width_;
  Region reach_;  ///< of centres whose kernel reaches the grid
  double frames_ = 0, contact_frames_ = 0, mass_centred_ = 0;
  std::vector<Sums> sums_;
  std::array<Weights, 3> weights_;  ///< of the current point
  std::vector<double> line_;        ///< of the current branch
};

}  // namespace scree
