#include "scree/laws/impact_dissipation.hpp"

#include "scree/laws/coulomb.hpp"
#include "scree/laws/max_dissipation.hpp"

namespace scree {

LocalStatus ImpactDissipation::solve(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept {
  return maximises(W, q) ? MaxDissipation{mu}.solve(W, q, r) : Coulomb{mu}.solve(W, q, r);
}

Vec3 ImpactDissipation::residual(const SymMat3& W, const Vec3& u, const Vec3& r) const noexcept {
  return maximises(W, u - W * r) ? MaxDissipation{mu}.residual(W, u, r)
                                 : Coulomb{mu}.residual(W, u, r);
}

bool ImpactDissipation::maximises(const SymMat3& W, const Vec3& q) const noexcept {
  return collides || W.xx * tangential_norm(q) < mu * (W.xy * q.y + W.xz * q.z);
}

}  // namespace scree
