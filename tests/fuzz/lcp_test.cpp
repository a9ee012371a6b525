/// Complementarity problems full of ties, of any scale, and with numbers that are none, by
/// RapidCheck.
#include "scree/math/lcp.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <rapidcheck/gtest.h>

namespace scree {
namespace {

/// M and q of up to six unknowns, with numbers from a generator.
Lcp problem(const rc::Gen<double>& number) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 7);
  return {*rc::gen::container<std::vector<double>>(n * n, number),
          *rc::gen::container<std::vector<double>>(n, number)};
}

/// −2 … 2: singular blocks, ties and degenerate solutions are the rule.
rc::Gen<double> small_integer() { return rc::gen::cast<double>(rc::gen::inRange(-2, 3)); }

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

/// Largest violation of w = M z + q ≥ 0, z ≥ 0, wᵀz = 0, over the size of the numbers in it.
double violation(const Lcp& lcp, const LcpPoint& point) {
  const std::size_t n = lcp.size();
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double w = lcp.q[i], size = 1 + std::abs(lcp.q[i]) + point.z[i];
    for (std::size_t j = 0; j < n; ++j) {
      w += lcp.M[i * n + j] * point.z[j];
      size += std::abs(lcp.M[i * n + j] * point.z[j]);
    }
    worst = std::max({worst, -w / size, -point.z[i] / size, std::min(w, point.z[i]) / size,
                      std::abs(w - point.w[i]) / size});
  }
  return worst;
}

RC_GTEST_PROP(Lemke, EndsAndAnswersRightlyOnProblemsFullOfTies, ()) {
  const Lcp lcp = problem(small_integer());
  const LemkeResult result = solve_lemke(lcp);
  RC_ASSERT(result.status == LcpStatus::solved || result.status == LcpStatus::ray);
  if (result.status == LcpStatus::solved) RC_ASSERT(violation(lcp, result.point) <= 1e-10);
}

RC_GTEST_PROP(AllLcpSolutions, AreSolutionsAndKnowWhatLemkeFinds, ()) {
  const Lcp lcp = problem(small_integer());
  const LcpSolutions all = all_lcp_solutions(lcp);
  RC_ASSERT(all.status == LcpStatus::solved);
  for (const LcpPoint& point : all.isolated) RC_ASSERT(violation(lcp, point) <= 1e-10);
  if (solve_lemke(lcp).status == LcpStatus::solved)
    RC_ASSERT(!all.isolated.empty() || !all.continua.empty() || !all.unclear.empty());
}

RC_GTEST_PROP(Lemke, GivesNoNumberThatIsNoneWhateverTheScale, ()) {
  const Lcp lcp = problem(rc::gen::map(
      rc::gen::pair(rc::gen::inRange(-1000, 1001), rc::gen::inRange(-300, 301)),
      [](const std::pair<int, int>& n) { return std::scalbn(n.first / 1000.0, n.second); }));
  const LemkeResult result = solve_lemke(lcp);
  if (result.status == LcpStatus::solved)
    RC_ASSERT(all_finite(result.point.z) && all_finite(result.point.w));
}

RC_GTEST_PROP(Lcp, IsRefusedWithANumberThatIsNone, ()) {
  Lcp lcp = problem(small_integer());
  std::vector<double>& part = *rc::gen::arbitrary<bool>() ? lcp.M : lcp.q;
  part[*rc::gen::inRange<std::size_t>(0, part.size())] = std::numeric_limits<double>::quiet_NaN();
  RC_ASSERT(solve_lemke(lcp).status == LcpStatus::bad_input);
  RC_ASSERT(all_lcp_solutions(lcp).status == LcpStatus::bad_input);
}

}  // namespace
}  // namespace scree
