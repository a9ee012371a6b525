#include "solvers/operators/cones.hpp"

#include <cmath>
#include <type_traits>

namespace scree {

bool projections_suit(const Blocks& system) {
  bool suits = true;
  system.for_each_run([&]<class Law>(const std::vector<Law>&, int) {
    if constexpr (!std::is_same_v<Law, JointRows>)
      suits &= Law::traits.is_projection_on_round_cone();
  });
  return suits;
}

bool are_unilateral(const Blocks& system) {
  bool all = true;
  system.for_each_run([&]<class Law>(const std::vector<Law>&, int) {
    if constexpr (!std::is_same_v<Law, JointRows>) all &= Law::traits.unilateral;
  });
  return all;
}

void project_on_cones(const Blocks& system, Vector& r) {
  system.for_each_block([&]<class Law>(const Law& law, int block) {
    if constexpr (!std::is_same_v<Law, JointRows>) {
      const int row = system.first_row(block);
      Blocks::put(r, row, law.project(Blocks::at(r, row)));
    }
  });
}

Vector de_saxce_shift(const Blocks& system, const Vector& u) {
  Vector s = Vector::Zero(system.rows());
  system.for_each_block([&]<class Law>(const Law& law, int block) {
    if constexpr (is_shifted_cone<Law>()) {
      const int row = system.first_row(block);
      s[row] = law.mu * std::hypot(u[row + 1], u[row + 2]);
    }
  });
  return s;
}

}  // namespace scree
