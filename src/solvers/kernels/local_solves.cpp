/// Scalar local solves, and the table of polygons that all instruction sets share.
#include "solvers/kernels/local_solves.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <tuple>

namespace scree::kernels {
namespace {

using PolygonTable = std::array<FrictionPolygon, Polyhedral::kMaxFacets + 1>;

PolygonTable all_polygons() {
  PolygonTable table;
  for (int facets = Polyhedral::kFewestFacets; facets <= Polyhedral::kMaxFacets; ++facets) {
    FrictionPolygon& polygon = table[facets];
    const double step = 2 * std::numbers::pi / facets;
    polygon.apothem = std::cos(0.5 * step);
    for (int i = 0; i <= facets; ++i) {
      polygon.c[i] = std::cos(i % facets * step);
      polygon.s[i] = std::sin(i % facets * step);
    }
  }
  return table;
}

}  // namespace

const LocalSolves& local_solves_of([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) return avx512_local_solves;
  if (set == InstructionSet::avx2) return avx2_local_solves;
#endif
  return scalar_local_solves;
}

template <class Law>
LocalStatus solve_alone(const Law& law, const SymMat3& W, const Vec3& q, Vec3& r) {
  return law.solve(W, q, r);
}

/// Names solve_alone of every law in the list, so that it is compiled here.
template <class List>
struct SolveAlone;
template <class... Laws>
struct SolveAlone<std::variant<Laws...>> {
  static constexpr std::tuple of_each{&solve_alone<Laws>...};
};
template struct SolveAlone<AnyLaw>;

const FrictionPolygon& friction_polygon(int facets) {
  static const PolygonTable table = all_polygons();
  return table[facets];
}

}  // namespace scree::kernels
