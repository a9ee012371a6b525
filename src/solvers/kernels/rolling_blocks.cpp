/// Rolling rows of single contacts.
#include "solvers/kernels/rolling_blocks.hpp"

#include <algorithm>
#include <cmath>

namespace scree::kernels {

RollingContact::RollingContact(const ContactProblem& problem, const ContactBlock& block, int lane)
    : a_(block.a[lane]),
      b_(block.b[lane]),
      rows_(problem.rolling[block.rolling].rows(lane)),
      r_n_(block.impulse[0][lane]) {}

Vec3 RollingContact::velocity(std::span<const BodyRecord> bodies) const {
  Vec3 w;
  for (int row = 0; row < 3; ++row)
    w[row] = dot(rows_.jw_a[row], bodies[a_].spin) + dot(rows_.jw_b[row], bodies[b_].spin);
  return w;
}

void RollingContact::add_impulse(std::span<BodyRecord> bodies, std::uint32_t free_bodies,
                                 const Vec3& d) const {
  const auto add = [&](BodyIndex i, const Vec3(&rows)[3]) {
    if (i >= free_bodies) return;
    bodies[i].spin += bodies[i].inverse_inertia * (d.x * rows[0] + d.y * rows[1] + d.z * rows[2]);
  };
  add(a_, rows_.jw_a);
  add(b_, rows_.jw_b);
}

Vec3 RollingContact::project(const Vec3& p) const { return allowed_rolling(rows_, r_n_, p); }

double RollingContact::residual(std::span<const BodyRecord> bodies) const {
  const double trace = rows_.W_nn + rows_.W_yy + rows_.W_zz;
  if (!(trace > 0)) return 0;  // bodies that cannot rotate allow any impulse
  const double rho = 3 / trace;
  const Vec3 w = velocity(bodies) + rows_.bias;
  const Vec3 e = rows_.impulse - project(rows_.impulse - rho * w);
  return std::hypot(tangential_weight(rows_.spinning) * e.x,
                    tangential_weight(rows_.rolling) * std::hypot(e.y, e.z)) /
         rho;
}

double RollingContact::work_of_b(std::span<const BodyRecord> bodies) const {
  double work = 0;
  for (int row = 0; row < 3; ++row)
    work -= rows_.impulse[row] * dot(rows_.jw_b[row], bodies[b_].spin);
  return work;
}

double RollingContact::violation(const Vec3& w) const {
  const Vec3& p = rows_.impulse;
  const double repelled = std::max(0.0, r_n_);
  return std::abs(rows_.spinning * repelled * std::abs(w.x) + p.x * w.x) +
         std::abs(rows_.rolling * repelled * std::hypot(w.y, w.z) + p.y * w.y + p.z * w.z);
}

Vec3 allowed_rolling(const RollingRows& rows, double r_n, const Vec3& p) {
  const double repelled = std::max(0.0, r_n);
  const double spin = rows.spinning * repelled, roll = rows.rolling * repelled;
  const double length = std::hypot(p.y, p.z), scale = length > roll ? roll / length : 1;
  return {std::clamp(p.x, -spin, spin), scale * p.y, scale * p.z};
}

Vec3 angular_impulse(const ContactProblem& problem, const ContactBlock& block, int lane) {
  if (block.rolling == ContactBlock::kNone) return {};
  const RollingRows rows = problem.rolling[block.rolling].rows(lane);
  return rows.lever * block.contact(lane).to_inertial(rows.impulse);
}

double rolling_residual(const ContactProblem& problem, const ContactBlock& block, int lane) {
  if (block.rolling == ContactBlock::kNone) return 0;
  return RollingContact(problem, block, lane).residual(problem.bodies);
}

}  // namespace scree::kernels
