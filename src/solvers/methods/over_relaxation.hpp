/// Projected successive over-relaxation [Cryer71].
#pragma once

#include <type_traits>

#include "solvers/methods/gauss_seidel.hpp"

namespace scree {

template <class Law>
constexpr bool takes_projections() {
  if constexpr (std::is_same_v<Law, JointRows>)
    return false;
  else
    return Law::traits.is_projection_on_round_cone();
}

/// Sweep that takes a projected step of length ω ρ against û of each block instead of solving it.
/// It solves blocks whose law is no projection.
template <class Operator>
class ProjectedSweep {
 public:
  ProjectedSweep(const Operator& system, double omega)
      : system_(system), exact_(system), omega_(omega) {}

  void operator()(Vector& r) const {
    auto velocities = system_.running(r);
    system_.for_each_block([&]<class Law>(const Law& law, int block) {
      if constexpr (takes_projections<Law>()) {
        const int row = system_.first_row(block);
        const Vec3 before = Operator::at(r, row),
                   u = law.complementary_velocity(velocities.contact(block));
        // The trace bounds the largest eigenvalue.
        const Vec3 after = law.project(before - (omega_ / system_.diagonal(block).trace()) * u),
                   change = after - before;
        Operator::put(r, row, after);
        velocities.moved(block, &change.x);
      } else {
        exact_.relax_block(law, block, velocities, r);
      }
    });
  }

 private:
  const Operator& system_;
  GaussSeidelSweep<Operator> exact_;
  double omega_;
};

}  // namespace scree
