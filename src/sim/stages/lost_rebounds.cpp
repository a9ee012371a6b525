#include "sim/step.hpp"
#include "solvers/kernels/full_kernels.hpp"

namespace scree {
namespace {

/// `u_n` after the step, without the bias. Without its own percussion the pair would have met with
/// u_n − W_nn r_n.
void count(StepContext& c, double e, double w_nn, double u_n, double r_n) {
  const double impact = w_nn * r_n - u_n;
  if (!(r_n > 0) || !(impact > 0)) return;
  const bool slow = impact < c.model.step.restitution_threshold;
  (slow ? c.report.slow_rebounds : c.report.hidden_rebounds) +=
      {1, 0.5 * e * e * impact * impact / w_nn};
}

}  // namespace

void count_lost_rebounds(StepContext& c) {
  const Scratch& s = c.scratch;
  const ContactProblem& problem = s.problem;
  for (std::size_t slot = 0; slot < s.withheld.size(); ++slot) {
    if (s.withheld[slot] == 0) continue;
    const DiagonalBlock& block = problem.blocks[slot / kBlock];
    const std::size_t k = slot % kBlock;
    const BodyRecord &a = problem.bodies[block.a[k]], &b = problem.bodies[block.b[k]];
    const Vec3 n{block.normal[0][k], block.normal[1][k], block.normal[2][k]};
    const Vec3 r{block.percussion[0][k], block.percussion[1][k], block.percussion[2][k]};
    count(c, double{s.withheld[slot]}, a.inverse_mass + b.inverse_mass,
          dot(b.velocity - a.velocity, n), dot(r, n));
  }
  for (std::size_t place = 0; place < s.full_places.size(); ++place) {
    const double e = double{s.full_places[place].withheld};
    if (e == 0) continue;
    const FullContact contact =
        problem.full[place / kBlock].contact(static_cast<int>(place % kBlock));
    const double u_n =
        kernels::relative_velocity(std::span<const BodyRecord>(problem.bodies), contact).x;
    count(c, e, contact.W.xx, u_n, contact.percussion.x);
  }
}

}  // namespace scree
