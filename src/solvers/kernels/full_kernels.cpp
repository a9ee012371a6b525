#include "solvers/kernels/full_kernels.hpp"

#include <algorithm>

#include "solvers/kernels/body_percussion.hpp"
#include "solvers/kernels/turning_blocks.hpp"

namespace scree::kernels {

void add_percussion(std::span<BodyRecord> bodies, std::uint32_t free_bodies, const FullContact& c,
                    const Vec3& d) {
  add_rows(bodies, free_bodies, c,
           [&](const Vec3(&rows)[3]) { return d.x * rows[0] + d.y * rows[1] + d.z * rows[2]; });
}

void add_percussion(std::span<BodyRecord> bodies, std::uint32_t free_bodies,
                    const DiagonalBlock& block, int k, const Vec3& d) {
  // Spheres need no frame: the arms are ± n, and r is kept in the inertial frame.
  const Vec3 n{block.normal[0][k], block.normal[1][k], block.normal[2][k]};
  const auto push = [&](BodyIndex i, const Vec3& arm, const Vec3& impulse) {
    if (i >= free_bodies) return;
    bodies[i].velocity += bodies[i].inverse_mass * impulse;
    bodies[i].spin += bodies[i].inverse_inertia * cross(arm, impulse);
  };
  push(block.a[k], n, -d);
  push(block.b[k], -n, d);
}

void add_percussions(const ContactProblem& problem, double factor, std::span<BodyRecord> bodies) {
  for_each_lane(problem, problem.blocks, [&](std::size_t b, int k) {
    const DiagonalBlock& block = problem.blocks[b];
    const Vec3 n{block.normal[0][k], block.normal[1][k], block.normal[2][k]};
    const Vec3 r{block.percussion[0][k], block.percussion[1][k], block.percussion[2][k]};
    add_percussion(bodies, problem.free_bodies, block, k,
                   factor * (r - attraction_of(problem.attraction, b, k) * n));
  });
  for_each_lane(problem, problem.full, [&](std::size_t b, int k) {
    const FullContact c = problem.full[b].contact(k);
    const Vec3 attracted{attraction_of(problem.full_attraction, b, k), 0, 0};
    add_percussion(bodies, problem.free_bodies, c, factor * (c.percussion - attracted));
    if (problem.full[b].turning == FullBlock::kNone) return;
    const TurningContact turning(problem, problem.full[b], k);
    turning.add_percussion(bodies, problem.free_bodies, factor * turning.percussion());
  });
}

Vec3 relative_velocity(std::span<const BodyRecord> bodies, const FullContact& c) {
  const BodyRecord &a = bodies[c.a], &b = bodies[c.b];
  const Vec3 v = b.velocity - a.velocity;
  Vec3 u;
  for (int row = 0; row < 3; ++row)
    u[row] = dot(c.axis[row], v) + dot(c.turn_a[row], a.spin) + dot(c.turn_b[row], b.spin);
  return u;
}

double certify_full(const ContactProblem& problem, const Chunk& run, double limit,
                    CertificateSums& sums) {
  double largest = 0;
  const auto add = [&](const auto& law, const FullBlock& block, int lane) {
    const FullContact c = block.contact(lane);
    const Vec3 u = relative_velocity(problem, c);
    const double of_law = law.residual(c.W, u, c.percussion);
    const double of_turning = turning_residual(problem, block, lane);
    const double squared = of_law * of_law + of_turning * of_turning;
    sums.squared.add(squared);
    largest = std::max(largest, squared);
    sums.over_tolerance += squared > limit;
    sums.bias_work.add(-dot(c.bias, c.percussion));
    if (block.turning != FullBlock::kNone) {
      const TurningContact turning(problem, block, lane);
      sums.bias_work.add(-dot(turning.bias(), turning.percussion()));
    }
    const ContactClass kind = law.classify(c.percussion);
    sums.loaded += kind != ContactClass::separating;
    sums.sliding += kind == ContactClass::sliding;
    Vec3 r;
    sums.local_failures += law.solve(c.W, u - c.W * c.percussion, r) != LocalStatus::solved;
  };
  for (std::uint32_t k = run.begin; k < run.end; ++k) {
    const FullBlock& block = problem.full[k];
    std::visit(
        [&](const auto& law) {
          for (int lane = 0; lane < kBlock; ++lane)
            if (holds_contact(block, lane, problem.at_rest())) add(law, block, lane);
        },
        problem.laws[block.law]);
  }
  return largest;
}

}  // namespace scree::kernels
