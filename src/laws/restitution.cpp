/// Impact of one contact under the hypotheses of Newton, Poisson and Stronge.
#include "scree/laws/restitution.hpp"

#include "laws/tresca.hpp"

namespace scree {
namespace {

/// Phase of restitution: impulses parametrised by their normal component, with friction in its own
/// disc μ r_n.
struct Phase {
  const SymMat3& W;
  const Vec3& u;  ///< velocity at the end of compression
  double mu;

  Vec3 impulse(double normal, bool& held_back) const {
    return tresca_impulse(W, u, normal, mu * normal, held_back);
  }
  /// Twice the work of the normal impulse, with velocity linear in impulse [J].
  double twice_work(double normal) const {
    bool ignored = false;
    return normal * (2 * u.x + (W * impulse(normal, ignored)).x);
  }
};

/// Normal impulse that returns e² of the work of compression, at most the impulse of compression.
double stronge_impulse(const Phase& phase, double compression, double twice_work_target,
                       bool& limited) {
  if (!(twice_work_target > 0)) return 0;
  double low = 0, high = compression;
  if (phase.twice_work(high) < twice_work_target) {
    limited = true;
    return high;
  }
  for (int iteration = 0; iteration < 60; ++iteration) {
    const double middle = 0.5 * (low + high);
    (phase.twice_work(middle) < twice_work_target ? low : high) = middle;
  }
  return high;
}

}  // namespace

Vec3 newton_velocity(const SymMat3& W, const Vec3& u_minus, double e) {
  if (!(u_minus.x < 0)) return u_minus;
  const double rebound = e * u_minus.x;
  return u_minus + Vec3{rebound, rebound * W.xy / W.xx, rebound * W.xz / W.xx};
}

Impact impact(const PairLaw& pair, RestitutionHypothesis hypothesis, const SymMat3& W,
              const Vec3& u_minus) noexcept {
  const AnyLaw law = law_of(pair);
  const bool phases = hypothesis != RestitutionHypothesis::newton;
  const double e = pair.restitution, mu = friction_of(pair);
  const Vec3 q = phases ? u_minus : newton_velocity(W, u_minus, e);

  Impact result;
  result.status = std::visit([&](const auto& l) { return l.solve(W, q, result.r); }, law);
  if (phases && u_minus.x < 0 && result.r.x > 0) {
    result.compression = result.r;
    const double normal = result.r.x;
    const Vec3 u = u_minus + W * result.r;
    const Phase phase{W, u, mu};
    const double restituted =
        hypothesis == RestitutionHypothesis::poisson
            ? e * normal
            : stronge_impulse(phase, normal, std::max(0.0, -e * e * normal * (u_minus.x + u.x)),
                              result.limited);
    result.r += phase.impulse(restituted, result.limited);
  }
  result.u_plus = u_minus + W * result.r;
  result.energy = energy(W, u_minus, result.r);
  return result;
}

}  // namespace scree
