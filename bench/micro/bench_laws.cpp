// Single contacts with a full 3×3 block, solved one by one.
#include <benchmark/benchmark.h>
#include <vector>

#include "scree/laws/pair_law.hpp"
#include "scree/math/random.hpp"

namespace scree {
namespace {

struct Problem {
  SymMat3 W;
  Vec3 q;
};

/// W = diagonal + coupling, q_n < 0: contacts that stick, slide and are strongly coupled.
std::vector<Problem> random_problems(std::size_t count) {
  RandomStream random{1, 0};
  std::vector<Problem> problems(count);
  for (Problem& p : problems) {
    const auto couple = [&] { return random.uniform(-0.3, 0.3); };
    p.W = {1, couple(), couple(), random.uniform(1, 3.5), couple(), random.uniform(1, 3.5)};
    p.q = {-std::abs(random.normal()), random.normal(), random.normal()};
  }
  return problems;
}

template <class Law>
void solve(benchmark::State& state, const Law& law) {
  const auto problems = random_problems(4096);
  for (auto _ : state)
    for (const Problem& p : problems) {
      Vec3 r;
      benchmark::DoNotOptimize(law.solve(p.W, p.q, r));
      benchmark::DoNotOptimize(r);
    }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(problems.size()));
}

BENCHMARK_CAPTURE(solve, frictionless, Frictionless{});
BENCHMARK_CAPTURE(solve, coulomb, Coulomb{0.4});
BENCHMARK_CAPTURE(solve, max_dissipation, MaxDissipation{0.4});

}  // namespace
}  // namespace scree

BENCHMARK_MAIN();
