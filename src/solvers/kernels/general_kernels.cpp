#include "solvers/kernels/general_kernels.hpp"

#include <span>

namespace scree::kernels {
namespace {

/// Contacts of one group, as runs of equal law: f(law, contacts).
template <class Problem, class F>
void for_each_law(Problem& problem, std::uint32_t group, F&& f) {
  const auto all = std::span(problem.general);
  const std::uint32_t end = problem.first_general[group + 1];
  for (std::uint32_t begin = problem.first_general[group]; begin < end;) {
    std::uint32_t stop = begin + 1;
    while (stop < end && all[stop].law == all[begin].law) ++stop;
    std::visit([&](const auto& law) { f(law, all.subspan(begin, stop - begin)); }, problem.laws[all[begin].law]);
    begin = stop;
  }
}

SymMat3 inverse_inertia(const ContactProblem& problem, BodyIndex body) {
  const double isotropic = problem.bodies[body].inverse_inertia;
  if (body >= problem.free_bodies || isotropic > 0) return diagonal(isotropic, isotropic, isotropic);
  return problem.inverse_inertia[body];
}

/// Adds percussion d (inertial frame) on B, −d on A.
void add_percussion(ContactProblem& problem, const GeneralContact& c, const Vec3& d) {
  BodyRecord &a = problem.bodies[c.a], &b = problem.bodies[c.b];
  if (c.a < problem.free_bodies) {
    a.velocity -= a.inverse_mass * d;
    a.spin -= inverse_inertia(problem, c.a) * cross(c.arm_a, d);
  }
  if (c.b < problem.free_bodies) {
    b.velocity += b.inverse_mass * d;
    b.spin += inverse_inertia(problem, c.b) * cross(c.arm_b, d);
  }
}

}  // namespace

Vec3 relative_velocity(const ContactProblem& problem, const GeneralContact& c) {
  const BodyRecord &a = problem.bodies[c.a], &b = problem.bodies[c.b];
  Vec3 u = c.to_frame(b.velocity + cross(b.spin, c.arm_b) - a.velocity - cross(a.spin, c.arm_a));
  u.x += c.bias;
  return u;
}

void apply_general(ContactProblem& problem, std::uint32_t group) {
  for (std::uint32_t k = problem.first_general[group]; k < problem.first_general[group + 1]; ++k)
    add_percussion(problem, problem.general[k], problem.general[k].to_inertial(problem.general[k].percussion));
}

double relax_general(ContactProblem& problem, std::uint32_t group) {
  double change = 0;
  for_each_law(problem, group, [&](const auto& law, std::span<GeneralContact> contacts) {
    for (GeneralContact& c : contacts) {
      const Vec3 u = relative_velocity(problem, c);
      Vec3 r = c.percussion;
      law.solve(c.W, u - c.W * r, r);
      const Vec3 d = r - c.percussion;
      add_percussion(problem, c, c.to_inertial(d));
      c.percussion = r;
      change += c.W.trace() * c.W.trace() * squared_norm(d);
    }
  });
  return change;
}

void certify_general(const ContactProblem& problem, Certificate& certificate, double& sum, double& largest) {
  for (std::uint32_t group = 0; group < problem.groups(); ++group)
    for_each_law(problem, group, [&](const auto& law, std::span<const GeneralContact> contacts) {
      for (const GeneralContact& c : contacts) {
        const Vec3 u = relative_velocity(problem, c);
        const double e = law.residual(c.W, u, c.percussion);
        sum += e * e;
        largest = std::max(largest, e * e);
        const ContactClass kind = law.classify(c.percussion);
        certificate.loaded += kind != ContactClass::separating;
        certificate.sliding += kind == ContactClass::sliding;
        Vec3 r;
        certificate.local_failures += law.solve(c.W, u - c.W * c.percussion, r) != LocalStatus::solved;
      }
    });
}

}  // namespace scree::kernels

namespace scree {

ContactVerdict verdict_of(const ContactProblem& problem, const GeneralContact& c) {
  const Vec3 u = kernels::relative_velocity(problem, c);
  return std::visit(
      [&](const auto& law) {
        return ContactVerdict{law.residual(c.W, u, c.percussion), law.classify(c.percussion)};
      },
      problem.laws[c.law]);
}

ContactVerdict verdict_of(const ContactProblem& problem, const DiagonalBlock& block, int lane) {
  const BodyRecord &a = problem.bodies[block.a[lane]], &b = problem.bodies[block.b[lane]];
  const Vec3 n{block.normal[0][lane], block.normal[1][lane], block.normal[2][lane]};
  const Vec3 r{block.percussion[0][lane], block.percussion[1][lane], block.percussion[2][lane]};
  const Vec3 u = b.velocity - a.velocity - cross(a.spin + b.spin, n);
  // Lengths are all that the law asks of the tangential parts' frame: u_t along t1, r_t in the plane by its angle to u_t.
  const double u_n = dot(u, n), r_n = dot(r, n);
  const Vec3 u_t = u - u_n * n, r_t = r - r_n * n;
  const double slip = norm(u_t), friction = norm(r_t);
  const Vec3 t1 = slip > 0 ? u_t / slip : (friction > 0 ? r_t / friction : Vec3{});
  const Vec3 t2 = cross(n, t1);
  const double w_n = a.inverse_mass + b.inverse_mass, w_t = w_n + a.inverse_inertia + b.inverse_inertia;
  const Coulomb law{block.friction[lane]};
  const Vec3 r_local{r_n, dot(r_t, t1), dot(r_t, t2)};
  return {law.residual(diagonal(w_n, w_t, w_t), {u_n + block.bias[lane], slip, 0}, r_local), law.classify(r_local)};
}

}  // namespace scree
