#include "solvers/explicit/cones.hpp"

#include <cmath>
#include <type_traits>

namespace scree {

bool projections_suit(const Blocks& system) {
  bool suits = true;
  system.for_each_run([&]<class Law>(const std::vector<Law>&, int) {
    suits &= !std::is_same_v<Law, MaxDissipation> && !std::is_same_v<Law, Polyhedral>;
  });
  return suits;
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
    if constexpr (std::is_same_v<Law, Coulomb>) {
      const int row = system.first_row(block);
      s[row] = law.mu * std::hypot(u[row + 1], u[row + 2]);
    }
  });
  return s;
}

}  // namespace scree
