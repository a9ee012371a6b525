// Single contacts with a full 3×3 block, solved one by one, by class; the same with golden-section
// search; contacts of spheres in lanes.
#include <benchmark/benchmark.h>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "laws/max_dissipation_solvers.hpp"
#include "scree/laws/pair_law.hpp"
#include "scree/math/random.hpp"
#include "scree/solvers/gauss_seidel.hpp"
#include "solvers/kernels/kernels.hpp"

namespace scree {
namespace {

struct Problem {
  SymMat3 W;
  Vec3 q;
  double mu;
  Vec3 warm;  ///< answer to a velocity that is 1 % off
};

enum Class { separating, sticking, sliding_only, strongly_coupled, hyperbolic, mixed };

/// R diag(λ) Rᵀ with λ in [0.1, 1].
SymMat3 random_block(RandomStream& random) {
  Quaternion turn{random.normal(), random.normal(), random.normal(), random.normal()};
  const double size =
      std::sqrt(turn.w * turn.w + turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
  turn = {turn.w / size, turn.x / size, turn.y / size, turn.z / size};
  return rotated_diagonal(turn,
                          {random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)});
}

Problem random_problem(Class kind, RandomStream& random) {
  if (kind == mixed) kind = static_cast<Class>(random.next_bits() % mixed);
  while (true) {
    Problem p{random_block(random),
              {-std::abs(random.normal()), random.normal(), random.normal()},
              random.uniform(0.1, 1),
              {}};
    const double coupling = p.mu * std::hypot(p.W.xy, p.W.xz) / p.W.xx;
    if (kind == separating) p.q.x = -p.q.x;
    if (kind == strongly_coupled) p.mu *= random.uniform(0.9, 0.999) / coupling;
    if (kind == hyperbolic) p.mu *= random.uniform(1.01, 3) / coupling;
    Vec3 r;
    MaxDissipation{p.mu}.solve(p.W, p.q, r);
    const ContactClass result = classify_on_cone(r, p.mu);
    const bool wanted = kind == separating ? r.x == 0
                        : kind == sticking ? result == ContactClass::sticking
                                           : result == ContactClass::sliding;
    if (wanted) return p;
  }
}

template <class Law>
std::vector<Problem> problems(Class kind) {
  RandomStream random{1, 0};
  std::vector<Problem> all(4096);
  for (Problem& p : all) {
    p = random_problem(kind, random);
    const Vec3 near =
        p.q + 0.01 * norm(p.q) * Vec3{random.normal(), random.normal(), random.normal()};
    Law{p.mu}.solve(p.W, near, p.warm);
  }
  return all;
}

template <class Law>
void solve(benchmark::State& state, Class kind, bool warm) {
  const auto all = problems<Law>(kind);
  for (auto _ : state)
    for (const Problem& p : all) {
      Vec3 r = warm ? p.warm : Vec3{};
      benchmark::DoNotOptimize(Law{p.mu}.solve(p.W, p.q, r));
      benchmark::DoNotOptimize(r);
    }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(all.size()));
}

/// max_dissipation as in engines without a root finder: separating and sticking as here, sliding by
/// golden-section search of the energy over the angle of friction, from the side of the sticking
/// impulse, to 1e-8 rad; smaller differences are below the rounding of the energy.
struct GoldenSection {
  double mu;

  void solve(const SymMat3& W, const Vec3& q, Vec3& r) const {
    Vec3 stick;
    solve_positive_definite(W, -q, stick);
    if (q.x > 0) return void(r = {});
    if (stick.x >= 0 && tangential_norm(stick) <= mu * stick.x) return void(r = stick);
    const auto at = [&](double angle) -> Vec3 {
      const double c = std::cos(angle), s = std::sin(angle);
      const double normal = -q.x / (W.xx + mu * (W.xy * c + W.xz * s));
      return {normal, mu * normal * c, mu * normal * s};
    };
    const auto energy_at = [&](double angle) {
      const Vec3 x = at(angle);
      return x.x > 0 ? energy(W, q, x) : INFINITY;
    };
    constexpr double kGolden = 1 / std::numbers::phi;
    const double centre = std::atan2(stick.z, stick.y);
    double low = centre - std::numbers::pi / 2, high = centre + std::numbers::pi / 2;
    double a = high - kGolden * (high - low), b = low + kGolden * (high - low), at_a = energy_at(a),
           at_b = energy_at(b);
    while (high - low > 1e-8)
      if (at_a < at_b)
        high = std::exchange(b, a), at_b = at_a, a = high - kGolden * (high - low),
        at_a = energy_at(a);
      else
        low = std::exchange(a, b), at_a = at_b, b = low + kGolden * (high - low),
        at_b = energy_at(b);
    r = at(0.5 * (low + high));
  }
};

void golden_section(benchmark::State& state, Class kind) {
  const auto all = problems<MaxDissipation>(kind);
  for (auto _ : state)
    for (const Problem& p : all) {
      Vec3 r;
      GoldenSection{p.mu}.solve(p.W, p.q, r);
      benchmark::DoNotOptimize(r);
    }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(all.size()));
}

/// The two variants of max_dissipation that need no warm start, on contacts that slide.
template <class Solver>
void solve_conic(benchmark::State& state, Class kind, Solver solver) {
  const auto all = problems<MaxDissipation>(kind);
  for (auto _ : state)
    for (const Problem& p : all) {
      Vec3 stick;
      solve_positive_definite(p.W, -p.q, stick);
      benchmark::DoNotOptimize(solver(sliding::Contact{p.W, p.q, p.mu}, stick));
    }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(all.size()));
}

/// Kernel of sphere contacts of the widest instruction set, on bodies that stay in cache.
void spheres_in_lanes(benchmark::State& state) {
  constexpr std::size_t kBlocks = 64;
  RandomStream random{2, 0};
  AlignedVector<BodyRecord> bodies(2 * kBlock * kBlocks + 1);
  for (BodyRecord& b : bodies)
    b = {{random.normal(), random.normal(), random.normal()}, {}, 1, 2.5};
  AlignedVector<SphereContactBlock> blocks(kBlocks);
  for (std::size_t k = 0; k < kBlocks * kBlock; ++k) {
    SphereContactBlock& block = blocks[k / kBlock];
    const std::size_t lane = k % kBlock;
    const Vec3 axis{random.normal(), random.normal(), random.normal()}, n = axis / norm(axis);
    for (int j = 0; j < 3; ++j) block.normal[j][lane] = n[j], block.impulse[j][lane] = 0;
    block.bias[lane] = -0.1, block.friction[lane] = 0.4;
    block.a[lane] = static_cast<BodyIndex>(2 * k),
    block.b[lane] = static_cast<BodyIndex>(2 * k + 1);
  }
  const kernels::Kernels& kernel = kernels::kernels_of(widest_instruction_set());
  double change[kBlock] = {};
  const auto count = static_cast<std::uint32_t>(bodies.size() - 1);
  for (auto _ : state) {
    kernel.relax(blocks.data(), blocks.data() + kBlocks, blocks.data() + kBlocks, bodies.data(),
                 count, change);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kBlocks * kBlock);
  state.SetLabel(name(widest_instruction_set()).data());
}

void frictionless(benchmark::State& state) {
  const auto all = problems<Coulomb>(mixed);
  for (auto _ : state)
    for (const Problem& p : all) {
      Vec3 r;
      benchmark::DoNotOptimize(Frictionless{}.solve(p.W, p.q, r));
      benchmark::DoNotOptimize(r);
    }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(all.size()));
}

template <class Law>
void add(const std::string& law, Class kind, const char* name) {
  for (const bool warm : {false, true})
    benchmark::RegisterBenchmark((law + '/' + name + (warm ? "/warm" : "/cold")).c_str(),
                                 solve<Law>, kind, warm);
}

}  // namespace
}  // namespace scree

int main(int argc, char** argv) {
  using namespace scree;
  benchmark::Initialize(&argc, argv);
  const std::pair<Class, const char*> classes[] = {
      {separating, "separating"}, {sticking, "sticking"},
      {sliding_only, "sliding"},  {strongly_coupled, "strongly_coupled"},
      {hyperbolic, "hyperbolic"}, {mixed, "mixed"}};
  for (const auto& [kind, name] : classes) {
    add<Coulomb>("coulomb", kind, name);
    add<MaxDissipation>("max_dissipation", kind, name);
    add<ConeComplementarity>("cone_complementarity", kind, name);
    benchmark::RegisterBenchmark((std::string("golden_section/") + name).c_str(), golden_section,
                                 kind);
    if (kind != sliding_only && kind != strongly_coupled && kind != hyperbolic) continue;
    const auto by_quartic = [](const sliding::Contact& c, const Vec3&) {
      return max_dissipation::by_quartic(c);
    };
    const auto by_bisection = [](const sliding::Contact& c, const Vec3& s) {
      return max_dissipation::by_bisection(c, s);
    };
    benchmark::RegisterBenchmark((std::string("by_quartic/") + name).c_str(),
                                 solve_conic<decltype(by_quartic)>, kind, by_quartic);
    benchmark::RegisterBenchmark((std::string("by_bisection/") + name).c_str(),
                                 solve_conic<decltype(by_bisection)>, kind, by_bisection);
  }
  benchmark::RegisterBenchmark("frictionless/mixed", frictionless);
  benchmark::RegisterBenchmark("spheres_in_lanes", spheres_in_lanes);
  benchmark::RunSpecifiedBenchmarks();
}
