/// Portfolio of solvers: which method an island gets, in which order, and when it gives up.
#include "solvers/portfolio.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "scree/core/threads.hpp"
#include "solvers/methods/admm.hpp"
#include "solvers/methods/gauss_seidel.hpp"
#include "solvers/methods/infeasibility.hpp"
#include "solvers/methods/interior_point.hpp"
#include "solvers/methods/nesterov_sweeps.hpp"
#include "solvers/methods/newton.hpp"
#include "solvers/methods/proximal_newton.hpp"
#include "solvers/operators/cones.hpp"
#include "solvers/operators/islands.hpp"

namespace scree {
namespace {

/// Blocks up to which a step of Newton's method costs no more than a few sweeps.
constexpr int kMaxTinyIsland = 12;
/// Blocks above which an island is tried with momentum and ADMM first.
constexpr int kMinLargeIsland = 150;
/// Blocks above which factors of W cost more than the sweeps that they save: such islands are
/// swept.
constexpr int kMaxFactoredIsland = 2000;

/// Sweeps `sweeps` times from r, and checks at the end. Half way, r is extrapolated along its last
/// change to the limit of the slowest mode: Aitken's extrapolation, whose factor is the ratio of
/// the last two changes in the direction of the earlier one.
void relax_and_extrapolate(const GaussSeidelSweep<MatrixOperator>& sweep, int sweeps, Vector& r,
                           Progress& progress) {
  sweeps = std::min(sweeps, progress.iterations_left());
  constexpr int kMinExtrapolatedSweeps = 6;  // fewer gain nothing: two of them find the factor
  constexpr double kMaxAitkenFactor = 0.95;  // closer to 1, the factor is too uncertain [-]
  const int before = sweeps < kMinExtrapolatedSweeps ? 0 : sweeps / 2;
  if (before > 0) {
    for (int k = 2; k < before; ++k) sweep(r);
    Vector change = -r;
    sweep(r);
    change += r;
    Vector last = r;
    sweep(r);
    last = r - last;
    const double factor = last.dot(change) / change.squaredNorm();
    if (factor > 0 && factor < kMaxAitkenFactor) r += factor / (1 - factor) * last;
  }
  for (int k = before; k < sweeps; ++k) sweep(r);
  progress.record(r, sweeps);
}

/// Iterations that are still needed at the rate between the last two checks; infinite if E_s does
/// not fall.
double still_needed(Progress& progress) {
  const Iterate now = progress.history().back(), last = progress.history().end()[-2];
  const double rate = std::log(last.residual / now.residual) / (now.iteration - last.iteration);
  return rate > 0 ? std::log(now.residual / progress.tolerance()) / rate
                  : std::numeric_limits<double>::infinity();
}

/// Sweeps while their rate predicts that few are needed: nothing else is as cheap.
void sweep_while_fast(const GaussSeidelSweep<MatrixOperator>& sweep, Vector& r,
                      Progress& progress) {
  constexpr double kMaxPlainSweeps = 16;
  while (!progress.finished()) {
    const double needed = still_needed(progress);
    if (needed > kMaxPlainSweeps) return;
    // The rate rises as contacts find their class, and by the extrapolation.
    relax_and_extrapolate(sweep, static_cast<int>(std::ceil(0.6 * needed)), r, progress);
  }
}

/// Sweeps with momentum while that is cheaper than a factorisation.
void accelerate_while_fast(const GaussSeidelSweep<MatrixOperator>& sweep, Vector& r,
                           Progress& progress) {
  constexpr double kMaxAcceleratedSweeps = 60;
  const auto fast = [&] { return still_needed(progress) <= kMaxAcceleratedSweeps; };
  nesterov(sweep, fast, r, progress);
}

/// Sweeps with momentum until `patience` sweeps reduce E_s by less than a tenth.
void accelerate_until_stalled(const GaussSeidelSweep<MatrixOperator>& sweep, Vector& r,
                              Progress& progress, int patience) {
  double falling_from = progress.residual();
  int since = progress.iterations();
  const auto falls = [&] {
    if (progress.residual() < 0.9 * falling_from) {
      falling_from = progress.residual();
      since = progress.iterations();
    }
    return progress.iterations() - since < patience;
  };
  nesterov(sweep, falls, r, progress);
}

void sweeps_and_newton(Vector& r, Progress& progress) {
  const MatrixOperator& island = progress.system();
  const GaussSeidelSweep sweep(island);
  NewtonSettings settings;
  settings.max_iterations = 15;
  int sweeps = island.blocks() <= kMaxTinyIsland ? 1 : 17;
  for (int round = 0; round < 4; ++round) {
    relax(sweep, sweeps, r, progress);
    if (progress.finished()) return;
    newton(settings, r, progress);
    if (progress.finished()) return;
    sweeps = 2 * sweeps + 4;
  }
}

/// True if most blocks influence most others: sparse elimination is then slower than the dense one
/// of Newton's method.
bool mostly_full(const MatrixOperator& island) {
  double columns = 0;
  for (int block = 0; block < island.blocks(); ++block)
    columns += static_cast<double>(island.columns_of(block));
  return columns > 0.3 * island.blocks() * island.rows();
}

void solve_island(Progress& progress) {
  // Rounds of ProximalNewton: enough for most problems, and for all that it was seen to solve.
  constexpr int kUsualProximalRounds = 100, kMaxProximalRounds = 3000;
  constexpr int kSweepPatience = 30000;  // sweeps in which E_s has to fall by a tenth
  const MatrixOperator& island = progress.system();
  Vector r = progress.best();
  if (island.blocks() > kMaxFactoredIsland) {
    accelerate_until_stalled(GaussSeidelSweep(island), r, progress, kSweepPatience);
    return;
  }
  const bool cones = projections_suit(island), large = island.blocks() > kMinLargeIsland;
  if (large) accelerate_while_fast(GaussSeidelSweep(island), r, progress);
  if (!progress.finished() && cones && large && !mostly_full(island))
    admm({.max_iterations = 100}, r, progress);
  if (!progress.finished()) sweeps_and_newton(r, progress);
  ProximalNewton proximal(progress);
  if (!progress.finished()) proximal.run(kUsualProximalRounds);
  if (!progress.finished() && cones)
    interior_point({.max_iterations = 60, .smoothing = 1}, r, progress);
  if (!progress.finished())
    if (const auto p = find_infeasibility(island, progress.limits()))
      progress.record_infeasibility(*p);
  if (!progress.finished()) proximal.run(kMaxProximalRounds);
  // Other values of ε lead along other paths if the first fails.
  for (const double epsilon : {0.1, 1e-3})
    if (!progress.finished()) ProximalNewton(progress, epsilon).run(kMaxProximalRounds);
  // If the remaining time is too short for a factorisation, sweeps may still improve r.
  if (!progress.finished() && !progress.has_time_for_piece()) {
    r = progress.best();
    accelerate_until_stalled(GaussSeidelSweep(island), r, progress, kSweepPatience);
  }
}

/// Result of an island.
struct IslandEnd {
  int iterations = 0;
  std::optional<Vector> infeasibility;  ///< for all blocks, zero outside the island
};

IslandEnd solve_island_of(const Progress& whole, const Limits& limits, std::span<const int> blocks,
                          Vector& r) {
  const MatrixOperator& system = whole.system();
  const MatrixOperator island(system, blocks);
  Progress own(island, whole.tolerance(), limits, gathered(system, blocks, island, r));
  if (!own.finished()) solve_island(own);
  scatter(system, blocks, island, own.best(), r);
  IslandEnd end{own.iterations(), {}};
  if (own.infeasible()) {
    end.infeasibility = Vector::Zero(system.rows());
    scatter(system, blocks, island, *own.infeasibility(), *end.infeasibility);
  }
  return end;
}

/// Solves islands, by several threads if there is a pool; each writes its own rows of r.
void solve_islands(std::vector<std::vector<int>> islands, ThreadPool* pool, Vector& r,
                   Progress& progress) {
  // The small ones first: a hard one must not keep the others from their answers.
  std::ranges::stable_sort(islands, {},
                           [](const std::vector<int>& blocks) { return blocks.size(); });
  Limits limits = progress.limits();
  limits.max_iterations = progress.iterations_left();
  std::vector<IslandEnd> ends(islands.size());
  const auto one = [&](std::size_t k) {
    ends[k] = solve_island_of(progress, limits, islands[k], r);
  };
  if (pool)
    pool->for_each_chunk(islands.size(), one);
  else
    for (std::size_t k = 0; k < islands.size(); ++k) one(k);
  progress.record(r, std::ranges::max(ends, {}, &IslandEnd::iterations).iterations);
  for (const IslandEnd& end : ends)
    if (end.infeasibility && !progress.infeasible())
      progress.record_infeasibility(*end.infeasibility);
}

}  // namespace

void solve_automatically(Progress& progress, ThreadPool* pool) {
  const MatrixOperator& system = progress.system();
  Vector r = progress.best();
  const GaussSeidelSweep sweep(system);
  for (const int sweeps : {1, 2})
    if (!progress.finished()) relax(sweep, sweeps, r, progress);
  sweep_while_fast(sweep, r, progress);
  if (progress.finished()) return;
  std::vector<std::vector<int>> islands = islands_of(system);
  if (islands.size() == 1)
    solve_island(progress);
  else
    solve_islands(std::move(islands), pool, r, progress);
}

}  // namespace scree
