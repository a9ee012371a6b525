/// Problems of many contacts that tests of the solvers share.
#pragma once

#include "scree/math/random.hpp"
#include "scree/solvers/contact_problem.hpp"

namespace scree::test {

inline Vec3 random_vector(RandomStream& random) {
  return {random.normal(), random.normal(), random.normal()};
}

/// Free bodies of random masses that move at random, and one at rest.
inline ContactProblem random_bodies(std::uint32_t bodies, RandomStream& random) {
  ContactProblem problem;
  problem.free_bodies = bodies;
  for (std::uint32_t i = 0; i < bodies; ++i) {
    const double inverse_mass = random.uniform(0.5, 2);
    problem.bodies.push_back(
        {random_vector(random), random_vector(random), inverse_mass, 2.5 * inverse_mass});
  }
  problem.bodies.push_back({});
  return problem;
}

/// Bodies in a row, each in contact with the next: two colours, and the last body on a body at
/// rest.
inline ContactProblem random_chain(std::uint32_t bodies, std::uint64_t seed) {
  RandomStream random{seed, 0};
  ContactProblem problem = random_bodies(bodies, random);
  problem.first_chunk = {0};
  for (std::uint32_t colour = 0; colour < 2; ++colour) {
    const auto first_block = static_cast<std::uint32_t>(problem.blocks.size());
    int lane = kBlock;
    for (std::uint32_t i = colour; i < bodies; i += 2, ++lane) {
      if (lane == kBlock) {
        SphereContactBlock empty{};
        for (int k = 0; k < kBlock; ++k) empty.a[k] = empty.b[k] = problem.at_rest();
        problem.blocks.push_back(empty);
        lane = 0;
      }
      SphereContactBlock& block = problem.blocks.back();
      const Vec3 direction = random_vector(random), n = direction / norm(direction);
      for (int k = 0; k < 3; ++k) block.normal[k][lane] = n[k];
      block.bias[lane] = random.uniform(-1, 1);
      block.friction[lane] = random.uniform(0, 1);
      block.a[lane] = i, block.b[lane] = i + 1;
      const Vec3 u = problem.bodies[i + 1].velocity - problem.bodies[i].velocity;
      problem.undone.closing += squared_norm(u) + 1;
      ++problem.contacts;
    }
    problem.chunks.push_back({first_block, static_cast<std::uint32_t>(problem.blocks.size())});
    problem.first_chunk.push_back(colour + 1);
  }
  return problem;
}

}  // namespace scree::test
