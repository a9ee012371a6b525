/// Random problems of many contacts: bodies, contacts between them at random points, W = H M⁻¹ Hᵀ =
/// G Gᵀ and q = H v.
#pragma once

#include <Eigen/Dense>

#include "scree/math/random.hpp"
#include "scree/solvers/friction_contact_problem.hpp"

namespace scree::test {

struct RandomShape {
  int bodies = 8;
  int contacts = 12;
  int joints = 0;  ///< of three rows
  int points = 1;  ///< of each contact: more than one makes W singular, as between faces of boxes
  std::uint64_t seed = 1;
};

/// All contacts obey Law{μ} with μ in [0.2, 0.8].
template <class Law>
FactoredProblem random_factors(const RandomShape& shape) {
  RandomStream random{shape.seed, 0};
  const auto normal = [&] {  // one after the other: compilers choose the order of arguments
    const double z = random.normal(), y = random.normal(), x = random.normal();
    return Eigen::Vector3d(x, y, z);
  };
  const int contacts = shape.contacts * shape.points, rows = 3 * (contacts + shape.joints);
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(rows, 6 * shape.bodies);
  const auto connect = [&](int row, int body, double sign, const Eigen::Matrix3d& frame,
                           const Eigen::Vector3d& arm) {
    Eigen::Matrix3d cross;
    cross << 0, -arm[2], arm[1], arm[2], 0, -arm[0], -arm[1], arm[0], 0;
    H.block<3, 3>(row, 6 * body) = sign * frame;
    H.block<3, 3>(row, 6 * body + 3) = -sign * frame * cross;
  };
  int row = 0;
  for (int k = 0; k < shape.contacts + shape.joints; ++k) {
    const bool joint = k >= shape.contacts;
    const Eigen::Matrix3d frame =
        Eigen::Matrix3d(Eigen::HouseholderQR<Eigen::Matrix3d>(
                            (Eigen::Matrix3d() << normal(), normal(), normal()).finished())
                            .householderQ())
            .transpose();
    // The first body of a contact may be the ground.
    const int a = static_cast<int>(random.uniform(-1, shape.bodies)),
              b = (a + 1 + static_cast<int>(random.uniform(0, shape.bodies - 1))) % shape.bodies;
    for (int point = 0; point < (joint ? 1 : shape.points); ++point, row += 3) {
      connect(row, b, 1, frame, normal());
      if (a >= 0 && a != b) connect(row, a, -1, frame, normal());
    }
  }
  Eigen::VectorXd velocity(6 * shape.bodies), inverse_mass(6 * shape.bodies);
  for (int i = 0; i < velocity.size(); ++i)
    velocity[i] = random.normal(), inverse_mass[i] = random.uniform(0.3, 3);
  FactoredProblem problem;
  problem.G = (H * inverse_mass.cwiseSqrt().asDiagonal()).sparseView();
  problem.q = H * velocity;
  std::vector<Law> laws;
  for (int k = 0; k < contacts; ++k) {
    const double mu = random.uniform(0.2, 0.8);
    if constexpr (std::is_same_v<Law, Frictionless>)
      laws.push_back({});
    else
      laws.push_back(Law{mu});
  }
  problem.laws.emplace_back(std::move(laws));
  if (shape.joints > 0)
    problem.laws.emplace_back(std::vector<JointRows>(shape.joints, JointRows{3}));
  return problem;
}

template <class Law>
FrictionContactProblem random_problem(const RandomShape& shape) {
  return multiplied_out(random_factors<Law>(shape));
}

}  // namespace scree::test
