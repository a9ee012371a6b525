#include "scree/laws/bilateral.hpp"

#include "laws/single_contact.hpp"

namespace scree {

LocalStatus Bilateral::solve(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept {
  return solve_scaled(W, q, r, [](const SymMat3& w, const Vec3& v, Vec3& x) {
    Vec3 inverse_q;
    if (!solve_positive_definite(w, v, inverse_q)) {
      x = {};
      return LocalStatus::ill_posed;
    }
    x = -inverse_q;
    return graded(norm(w * x + v), v);
  });
}

}  // namespace scree
