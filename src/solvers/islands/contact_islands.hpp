/// Islands of a step, each measured by itself: docs/theory/islands.md. Our own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scree/solvers/contact_problem.hpp"
#include "solvers/body_sets.hpp"
#include "solvers/islands/fixed_point_sum.hpp"

namespace scree {

/// Free bodies that joints connect, and contacts that press or have a residual.
struct ContactIsland {
  BodyIndex first_body = 0;
  std::uint32_t contacts = 0;  ///< that press or have a residual
  std::uint32_t joints = 0, bodies = 0;
  std::uint32_t of_faces = 0;  ///< contacts that press, other than those of spheres
  bool shares_load = false;    ///< more than one point of a pair presses
  bool rolls = false;          ///< a contact has rolling friction
  bool jammed = false;         ///< a body is, see ContactProblem
  ResidualScale scale;
  double error = 0;  ///< sqrt(Σ e²) [m/s]

  /// E_s of the island [-].
  double residual() const { return scale.scaled(error); }
};

/// `squared` is GaussSeidel::squared_residuals() of the present state.
class ContactIslands {
 public:
  /// Finds the islands of the present impulses.
  void find(const ContactProblem& problem, std::span<const double> squared);
  /// Finds those of a part of the problem anew, see PartOfProblem; `chosen` has 1 for its bodies.
  /// False, with nothing found, if its contacts now press on other bodies.
  bool find_again(const ContactProblem& part, std::span<const double> squared,
                  std::span<const std::uint8_t> chosen);

  /// Islands that were found again are empty here, and come once more.
  std::span<const ContactIsland> all() const { return islands_; }
  /// The largest E_s [-].
  double worst_residual() const;
  /// Contacts and joints, of islands that miss the tolerance, with e above the share of one.
  std::size_t over_tolerance(const ContactProblem& problem, std::span<const double> squared,
                             double tolerance) const;
  /// What the islands must undo for which `chosen` is not 0, and its rounding.
  struct Scale {
    ContactProblem::Undone undone;
    double rounding;
  };
  Scale scale_of(std::span<const std::uint8_t> chosen) const;

  static constexpr std::uint32_t kNone = 0xffffffff;
  /// Number of a free body's island, or kNone.
  std::uint32_t of(BodyIndex body) const { return of_body_[body]; }

  std::size_t bytes() const;  ///< held [byte]

 private:
  struct Sums {
    FixedPointSum closing, missed, rounding, squared;
  };

  void join(BodyIndex a, BodyIndex b);
  void number(BodyIndex body);
  void measure(const ContactProblem& problem, std::span<const double> squared);
  void mark(const ContactProblem& problem, std::span<const double> squared);
  void finish(std::uint32_t island);

  BodySets sets_;
  std::vector<std::uint32_t> of_body_;
  std::vector<ContactIsland> islands_;
  std::vector<Sums> sums_;  ///< one per island
  FixedPointUnit unit_, rounding_unit_;
};

}  // namespace scree
