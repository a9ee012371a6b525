// Vessel for the bodies of a benchmark.
#pragma once

#include <limits>

#include "scree/sim/model.hpp"

namespace scree {

/// Model of stone bodies under gravity, over a floor between walls at this distance [m]; h = 1 ms.
inline Model vessel(double width) {
  Model model;
  model.materials = {{"stone", 2500}};
  model.laws = LawTable(1, {LawKind::coulomb, 0.5});
  model.gravity = {0, 0, -9.81};
  model.step.h = 1e-3;
  const auto wall = [&](const Vec3& point, const Vec3& normal) {
    model.obstacles.push_back(
        {"wall", HalfSpace{}, {point, rotation_between({0, 0, 1}, normal)}, 0, {}});
  };
  wall({}, {0, 0, 1});
  wall({}, {1, 0, 0});
  wall({width, 0, 0}, {-1, 0, 0});
  wall({}, {0, 1, 0});
  wall({0, width, 0}, {0, -1, 0});
  return model;
}

/// Exactly ten sweeps a step.
inline SolverSettings ten_sweeps(SolverSettings solver) {
  solver.tolerance = std::numeric_limits<double>::min();
  solver.max_sweeps = 10;
  return solver;
}

}  // namespace scree
