/// Cones and laws on numbers of any size, by RapidCheck: what fails is cut down to a simple case,
/// and printed with its seed.
#include <cstdlib>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "scree/laws/bilateral.hpp"
#include "scree/laws/pair_law.hpp"

namespace scree {
namespace {

/// Cases per property, unless RC_PARAMS says otherwise.
const int kCases = setenv("RC_PARAMS", "max_success=10000", 0);

/// ± m 2^k, |k| ≤ range, now and then zero; shrinks to zero and small exponents.
rc::Gen<double> number(int range) {
  return rc::gen::map(
      rc::gen::tuple(rc::gen::inRange(-1000, 1001), rc::gen::inRange(-range, range + 1)),
      [](const std::tuple<int, int>& n) {
        return std::scalbn(std::get<0>(n) / 1000.0, std::get<1>(n));
      });
}
rc::Gen<Vec3> vector(int range) {
  return rc::gen::map(rc::gen::tuple(number(range), number(range), number(range)),
                      [](const std::tuple<double, double, double>& v) {
                        return Vec3{std::get<0>(v), std::get<1>(v), std::get<2>(v)};
                      });
}
rc::Gen<double> friction() {
  return rc::gen::map(number(6), [](double x) { return std::abs(x); });
}

/// B Bᵀ + a little: positive definite, of any coupling.
rc::Gen<SymMat3> block() {
  return rc::gen::map(rc::gen::tuple(vector(2), vector(2), vector(2)),
                      [](const std::tuple<Vec3, Vec3, Vec3>& rows) {
                        const auto& [a, b, c] = rows;
                        const double little =
                            1e-6 * (squared_norm(a) + squared_norm(b) + squared_norm(c)) + 1e-9;
                        return SymMat3{dot(a, a) + little, dot(a, b), dot(a, c),
                                       dot(b, b) + little, dot(b, c), dot(c, c) + little};
                      });
}

RC_GTEST_PROP(ProjectOnCone, SplitsAVectorIntoPerpendicularPartsOfTheConeAndItsPolar, ()) {
  const double mu = *friction();
  const Vec3 r = *vector(300);
  const Vec3 p = project_on_cone(r, mu), rest = r - p;
  const double size = norm(r), rounding = 1e-13 * size;
  RC_ASSERT(is_finite(p));
  RC_ASSERT(tangential_norm(p) <= mu * p.x + rounding);
  RC_ASSERT(std::abs(dot(p, rest)) <= rounding * size);
  RC_ASSERT(-rest.x >= mu * tangential_norm(rest) - (1 + mu) * rounding);  // −rest ∈ K*
}

RC_GTEST_PROP(ProjectOnCone, BringsNoTwoVectorsFurtherApart, ()) {
  const double mu = *friction();
  const Vec3 a = *vector(20), b = *vector(20);
  RC_ASSERT(norm(project_on_cone(a, mu) - project_on_cone(b, mu)) <=
            norm(a - b) + 1e-13 * (norm(a) + norm(b)));
}

/// Every law with friction μ as f(law).
template <class F>
void for_every_law(double mu, F&& f) {
  f(Coulomb{mu});
  f(MaxDissipation{mu});
  f(ConeComplementarity{mu});
}

RC_GTEST_PROP(EveryLaw, ObeysItselfAndTakesEnergy, ()) {
  const SymMat3 W = *block();
  const double mu = *friction();
  const Vec3 q = *vector(8), warm = *vector(8);
  for_every_law(mu, [&](const auto& law) {
    Vec3 r = warm;
    const LocalStatus status = law.solve(W, q, r);
    RC_ASSERT(is_finite(r));
    RC_ASSERT(status == LocalStatus::solved || status == LocalStatus::inexact);
    const Vec3 u = W * r + q;
    const double rounding = 1e-9 * W.trace() * norm(r);
    RC_ASSERT(norm(r - law.project(r)) <= 1e-12 * norm(r));
    RC_ASSERT(dissipation(W, u, r) >= -rounding * norm(r));
    if (status == LocalStatus::solved &&
        !std::is_same_v<std::decay_t<decltype(law)>, MaxDissipation>)
      RC_ASSERT(norm(law.residual(W, u, r)) <= 2 * kInexact * (1 + mu) * norm(q) + rounding);
  });
}

RC_GTEST_PROP(EveryLaw, KnowsNoDirectionAmongTheTangents, ()) {
  const SymMat3 W = *block();
  const double mu = *friction(), half = *number(2), scale = 1 / (1 + half * half);
  const double c = (1 - half * half) * scale, s = 2 * half * scale;
  const Vec3 q = *vector(4);
  const auto turned = [&](const Vec3& v) {
    return Vec3{v.x, c * v.y - s * v.z, s * v.y + c * v.z};
  };
  const Vec3 columns[3] = {turned(W * turned({1, 0, 0})), turned(W * Vec3{0, c, -s}),
                           turned(W * Vec3{0, s, c})};
  const SymMat3 W2{columns[0].x, columns[0].y, columns[0].z,
                   columns[1].y, columns[1].z, columns[2].z};
  const double condition = 1e9;  // at most, by the way blocks are made
  for_every_law(mu, [&](const auto& law) {
    Vec3 a, b;
    law.solve(W, q, a);
    law.solve(W2, turned(q), b);
    // Velocities do not feel the condition of W as impulses do.
    RC_ASSERT(is_finite(a) && is_finite(b));
    const double apart = std::abs(energy(W, q, a) - energy(W2, turned(q), b));
    RC_ASSERT(apart <=
              1e-15 * condition * (std::abs(energy(W, q, a)) + norm(q) * norm(a) + 1e-300));
  });
}

}  // namespace
}  // namespace scree
