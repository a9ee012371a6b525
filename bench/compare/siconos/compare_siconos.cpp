// Time to solution of problem files, as a table for documents: compare_siconos LIMIT FILE…
//
// Compares the best solver of Siconos with scree. Entries are seconds of CPU time on one thread,
// from r = 0 to E_q ≤ 1e-8; or (E_q) if no tolerance reached it within LIMIT seconds a solve.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <unistd.h>
#include <vector>

#include "compare/measure.hpp"
#include "compare/siconos/siconos_solvers.hpp"
#include "scree/io/fclib.hpp"
#include "scree/solvers/solve_problem.hpp"

namespace {

using namespace scree;
using namespace scree::compare;

void print_row(const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) fmt::print("| {} ", cell);
  fmt::print("|\n");
  std::fflush(stdout);
}

/// scree's automatic choice. As with the others, its time excludes the layout of W; it includes the
/// certificate of each contact. The layout is reported as a fraction of the wall time, in which
/// other programs count, too.
Candidate scree_auto() {
  return {"scree", [](const FrictionContactProblem& problem) -> Solve {
            return [&problem](double tolerance, std::span<double> r) {
              const auto wall_start = std::chrono::steady_clock::now();
              const double start = cpu_time();
              const Solution solution = solve(problem, {.tolerance = tolerance});
              const double seconds = cpu_time() - start;
              const std::chrono::duration<double> wall =
                  std::chrono::steady_clock::now() - wall_start;
              std::ranges::copy(solution.r, r.begin());
              return seconds * (1 - solution.layout_seconds / wall.count());
            };
          }};
}

void print_table(int limit, const std::vector<std::string>& files) {
  const std::vector<Candidate> candidates = siconos_solvers();
  std::vector<std::string> header{"problem", "contacts"};
  for (const Candidate& candidate : candidates) header.push_back(candidate.name);
  header.insert(header.end(), {"best [s]", "by", "scree [s]", "best / scree"});
  print_row(header);
  print_row(std::vector<std::string>(header.size(), "---"));
  double sum_of_logs = 0;
  int compared = 0;
  for (const std::string& file : files) {
    const FclibFile source = read_fclib(file);
    const FrictionContactProblem problem = delassus_problem(source, LawKind::coulomb);
    std::vector<std::string> row{source.path.stem().string(), std::to_string(source.mu.size())};
    double best = INFINITY;
    std::string by = "none";
    for (const Candidate& candidate : candidates) {
      const Measurement found = measure(candidate, problem, limit);
      row.push_back(std::isfinite(found.seconds) ? fmt::format("{:.3g}", found.seconds)
                                                 : fmt::format("({:.0e})", found.residual));
      if (found.seconds < best) best = found.seconds, by = candidate.name;
    }
    const Measurement ours = measure(scree_auto(), problem, limit);
    const bool both = std::isfinite(best) && std::isfinite(ours.seconds);
    if (both) sum_of_logs += std::log(best / ours.seconds), ++compared;
    row.insert(row.end(), {std::isfinite(best) ? fmt::format("{:.3g}", best) : "–", by,
                           std::isfinite(ours.seconds) ? fmt::format("{:.3g}", ours.seconds)
                                                       : fmt::format("({:.0e})", ours.residual),
                           both ? fmt::format("{:.1f}", best / ours.seconds) : "–"});
    print_row(row);
  }
  if (compared > 0)
    fmt::print(
        "\nIn the geometric mean of {} problems scree takes 1/{:.1f} of the time of the best.\n",
        compared, std::exp(sum_of_logs / compared));
}

}  // namespace

int main(int count, char** arguments) {
  const int limit = count > 2 ? std::atoi(arguments[1]) : 0;
  if (limit <= 0) {
    fmt::print(stderr,
               "usage: compare_siconos LIMIT FILE…    LIMIT: seconds of CPU time a solve\n");
    return 2;
  }
  // OpenBLAS reads its number of threads once, when it is loaded.
  if (!std::getenv("OPENBLAS_NUM_THREADS")) {
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
    ::execv("/proc/self/exe", arguments);
  }
  try {
    print_table(limit, {arguments + 2, arguments + count});
  } catch (const std::exception& error) {
    fmt::print(stderr, "compare_siconos: {}\n", error.what());
    return 2;
  }
  return 0;
}
