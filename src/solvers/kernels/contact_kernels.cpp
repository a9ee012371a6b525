/// Impulses and certificates of contacts, one at a time.
#include "solvers/kernels/contact_kernels.hpp"

#include <algorithm>

#include "solvers/kernels/body_impulse.hpp"
#include "solvers/kernels/rolling_blocks.hpp"

namespace scree::kernels {

void add_impulse(std::span<BodyRecord> bodies, std::uint32_t free_bodies, const ContactRows& c,
                 const Vec3& d) {
  add_rows(bodies, free_bodies, c,
           [&](const Vec3(&rows)[3]) { return d.x * rows[0] + d.y * rows[1] + d.z * rows[2]; });
}

void add_impulse(std::span<BodyRecord> bodies, std::uint32_t free_bodies,
                 const SphereContactBlock& block, int k, const Vec3& d) {
  // Spheres need no frame: the arms are ± n, and r is in the inertial frame.
  const Vec3 n{block.normal[0][k], block.normal[1][k], block.normal[2][k]};
  const auto add = [&](BodyIndex i, const Vec3& arm, const Vec3& impulse) {
    if (i >= free_bodies) return;
    bodies[i].velocity += bodies[i].inverse_mass * impulse;
    bodies[i].spin += bodies[i].inverse_inertia * cross(arm, impulse);
  };
  add(block.a[k], n, -d);
  add(block.b[k], -n, d);
}

void add_impulses(const ContactProblem& problem, double factor, std::span<BodyRecord> bodies) {
  for_each_lane(problem, problem.blocks, [&](std::size_t b, int k) {
    const SphereContactBlock& block = problem.blocks[b];
    const Vec3 n{block.normal[0][k], block.normal[1][k], block.normal[2][k]};
    const Vec3 r{block.impulse[0][k], block.impulse[1][k], block.impulse[2][k]};
    add_impulse(bodies, problem.free_bodies, block, k,
                factor * (r - cohesion_of(problem.cohesion, b, k) * n));
  });
  for_each_lane(problem, problem.contact_blocks, [&](std::size_t b, int k) {
    const ContactRows c = problem.contact_blocks[b].contact(k);
    const Vec3 cohesive{cohesion_of(problem.contact_cohesion, b, k), 0, 0};
    add_impulse(bodies, problem.free_bodies, c, factor * (c.impulse - cohesive));
    if (problem.contact_blocks[b].rolling == ContactBlock::kNone) return;
    const RollingContact rolling(problem, problem.contact_blocks[b], k);
    rolling.add_impulse(bodies, problem.free_bodies, factor * rolling.impulse());
  });
}

Vec3 relative_velocity(std::span<const BodyRecord> bodies, const ContactRows& c) {
  const BodyRecord &a = bodies[c.a], &b = bodies[c.b];
  const Vec3 v = b.velocity - a.velocity;
  Vec3 u;
  for (int row = 0; row < 3; ++row)
    u[row] = dot(c.axis[row], v) + dot(c.jw_a[row], a.spin) + dot(c.jw_b[row], b.spin);
  return u;
}

namespace {

/// Adds the residuals of the contacts of a block to the sums of the certificate.
class ContactBlockCertifier {
 public:
  ContactBlockCertifier(const Kernels& kernel, const ContactProblem& problem, double limit,
                        CertificateSums& sums)
      : kernel_(kernel), problem_(problem), limit_(limit), sums_(sums) {}

  /// Writes e² of the lanes to `squared`.
  void add(const ContactBlock& block, double* squared) {
    std::fill_n(squared, kBlock, 0.0);
    std::visit([&](const auto& law) { add(law, block, squared); }, problem_.laws[block.law]);
  }
  double largest() const { return largest_; }

 private:
  template <class Law>
  void add(const Law& law, const ContactBlock& block, double* squared) {
    ContactBlockVerdict verdict;
    kernel_.certify_contacts[problem_.laws[block.law].index()](&law, block, problem_.bodies.data(),
                                                               verdict);
    for (int lane = 0; lane < kBlock; ++lane)
      if (holds_contact(block, lane, problem_.at_rest()))
        squared[lane] = add(law, block, lane, verdict);
  }

  /// Returns e² of the contact.
  template <class Law>
  double add(const Law& law, const ContactBlock& block, int lane,
             const ContactBlockVerdict& verdict) {
    const auto vector = [lane](const double(&v)[3][kBlock]) {
      return Vec3{v[0][lane], v[1][lane], v[2][lane]};
    };
    const Vec3 r = vector(block.impulse);
    sums_.bias_work.add(-dot(vector(block.bias), r));
    if (block.rolling != ContactBlock::kNone) {
      const RollingContact rolling(problem_, block, lane);
      sums_.bias_work.add(-dot(rolling.bias(), rolling.impulse()));
    }
    double squared = verdict.squared[lane];
    bool slides = r.x > 0 && verdict.beyond[lane] >= 0, loaded = r.x > 0;
    if (!verdict.knows_law) {
      const double of_law = contact_residual(law, block.contact(lane).W, vector(verdict.u), r);
      squared = of_law * of_law;
      loaded = law.classify(r) != ContactClass::separating;
      slides = law.classify(r) == ContactClass::sliding;
    }
    const double of_rolling = rolling_residual(problem_, block, lane);
    squared += of_rolling * of_rolling;
    sums_.squared.add(squared);
    largest_ = std::max(largest_, squared);
    sums_.over_tolerance += squared > limit_;
    sums_.loaded += loaded;
    sums_.sliding += slides;
    if (verdict.solved[lane] == 0) {
      const ContactRows c = block.contact(lane);
      Vec3 other;
      sums_.local_failures +=
          law.solve(c.W, vector(verdict.u) - c.W * r, other) != LocalStatus::solved;
    }
    if (verdict.one_solution[lane] == 0)
      count_solutions(law, block.contact(lane).W, vector(verdict.u), r);
    return squared;
  }

  template <class Law>
  void count_solutions(const Law& law, const SymMat3& W, const Vec3& u, const Vec3& r) {
    if constexpr (requires { law.other_choice(W, u, r, r); }) {
      const Vec3 q = u - W * r;
      if (law.solve_all(W, q).count < 2) return;
      ++sums_.several_solutions;
      sums_.other_choices += law.other_choice(W, q, r, r).has_value();
    }
  }

  const Kernels& kernel_;
  const ContactProblem& problem_;
  double limit_;
  CertificateSums& sums_;
  double largest_ = 0;
};

}  // namespace

double certify_contacts(const Kernels& kernel, const ContactProblem& problem, const Chunk& run,
                        double limit, double* squared, CertificateSums& sums) {
  ContactBlockCertifier certifier(kernel, problem, limit, sums);
  for (std::uint32_t k = run.begin; k < run.end; ++k)
    certifier.add(problem.contact_blocks[k], squared + std::size_t{kBlock} * k);
  return certifier.largest();
}

}  // namespace scree::kernels
