// Times of the neighbour list: order by cells, pairs, colours.
#include <benchmark/benchmark.h>

#include "scree/collision/pair_search.hpp"
#include "scree/math/random.hpp"
#include "scree/solvers/colouring.hpp"

namespace scree {
namespace {

/// Spheres of search radius 0.55 at a density of 1; every `large_one`-th is fifty times as large
/// and far from others.
struct Cloud {
  std::vector<Vec3> position;
  std::vector<double> reach;

  explicit Cloud(std::size_t count, std::size_t large_one = 0) {
    RandomStream random{1, 0};
    const double width = std::cbrt(static_cast<double>(count));
    for (std::size_t i = 0; i < count; ++i) {
      position.push_back(
          {random.uniform(0, width), random.uniform(0, width), random.uniform(0, width)});
      reach.push_back(large_one > 0 && i % large_one == 0 ? 55 * 0.1
                      : large_one > 0                     ? 0.055
                                                          : 0.55);
    }
  }
};

struct Pairs {
  AlignedVector<BodyPair> pairs;
  AlignedVector<std::uint32_t> first;
};

Pairs find(PairSearch& search, const Cloud& cloud, ThreadPool& pool) {
  Cloud sorted(0);
  for (const SortItem& item : search.order(cloud.position, cloud.reach)) {
    sorted.position.push_back(cloud.position[item.value]);
    sorted.reach.push_back(cloud.reach[item.value]);
  }
  Pairs found;
  search.find(
      sorted.position, sorted.reach, [](BodyIndex, std::vector<BodyPair>&) {}, found.pairs,
      found.first, pool);
  return found;
}

void pair_search(benchmark::State& state, std::size_t large_one) {
  const Cloud cloud(static_cast<std::size_t>(state.range(0)), large_one);
  ThreadPool pool(1);
  PairSearch search{Domain{}};
  for (auto _ : state) benchmark::DoNotOptimize(find(search, cloud, pool));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK_CAPTURE(pair_search, equal, 0)
    ->RangeMultiplier(10)
    ->Range(1000, 1'000'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pair_search, ratio_100, 10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

void colouring(benchmark::State& state) {
  const Cloud cloud(static_cast<std::size_t>(state.range(0)));
  ThreadPool pool(1);
  PairSearch search{Domain{}};
  std::vector<Colouring::Edge> edges;
  for (const auto& [a, b] : find(search, cloud, pool).pairs) edges.push_back({a, b, a, b});
  std::vector<std::uint32_t> colour(edges.size());
  for (auto _ : state)
    benchmark::DoNotOptimize(
        Colouring()([&](std::size_t e) { return edges[e]; }, cloud.position.size(), colour));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(edges.size()));
}
BENCHMARK(colouring)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace scree

BENCHMARK_MAIN();
