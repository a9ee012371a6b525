#include "collection_reporter.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

#include "interrupt.hpp"
#include "pictures.hpp"
#include "say.hpp"

namespace scree::cli {
namespace {

std::string summary_of(const CollectionResult& result) {
  std::string text;
  for (const SolverSummary& solver : result.solvers) {
    text += solver.name + ":";
    for (const auto& [status, count] : solver.statuses)
      text += fmt::format(" {} {},", count, status);
    text.back() = '.';
    if (solver.mean_seconds)
      text +=
          fmt::format(" Geometric mean time of converged solves: {:.3g} s.", *solver.mean_seconds);
    text += '\n';
  }
  if (result.not_usable() > 0)
    text += fmt::format("Unusable: {} of {} files.\n", result.not_usable(), result.problems);
  return text;
}

}  // namespace

CollectionReporter::CollectionReporter(const std::vector<ProblemPlace>& problems,
                                       const SolveCommandOptions& options,
                                       std::filesystem::path out)
    : json_(options.json), pictures_(options.pictures), out_(std::move(out)) {
  std::size_t problem = 7, solver = 6;
  for (const ProblemPlace& place : problems) problem = std::max(problem, place.name.size());
  for (const std::string& name : options.solvers) solver = std::max(solver, name.size());
  width_ = {problem, 8, std::max<std::size_t>(options.law.size(), 3), solver, 10, 9, 10, 9};
}

void CollectionReporter::print(const std::string& text) const {
  if (json_) return;
  say(stdout, "{}", text);
  std::fflush(stdout);
}

std::string CollectionReporter::aligned(const ResultCells& cells) const {
  std::string line;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const bool is_number = k == 1 || k >= 5;
    line += is_number ? fmt::format("{:>{}}", cells[k], width_[k])
                      : fmt::format("{:<{}}", cells[k], width_[k]);
    line += k + 1 < cells.size() ? "  " : "\n";
  }
  return line;
}

void CollectionReporter::begin() { print(aligned(kResultHeader)); }

void CollectionReporter::warn(const std::string& message) {
  say(stderr, "scree: warning: {}\n", message);
}

void CollectionReporter::result(const Json& result) {
  if (is_solved(result)) return print(aligned(cells_of(result)));
  const std::string problem = result["problem"], status = result["status"],
                    message = result["message"];
  print(fmt::format("{:<{}}  {}: {}\n", problem, width_[0], status, message));
}

bool CollectionReporter::stop_requested() { return is_interrupted(); }

void CollectionReporter::end(const CollectionResult& result) {
  if (json_) std::fputs(as_text(result.json()).c_str(), stdout);
  print("\n" + summary_of(result));
  if (result.interrupted)
    std::fprintf(stderr, "Interrupted; the table has the solves that ended.\n");
}

void CollectionReporter::report_files(const CollectionResult& result) const {
  if (out_.empty()) return print("Not written: add --out DIR to store tables and solutions.\n");
  print(fmt::format("Written: {}\n", out_.string()));
  if (pictures_ && !result.interrupted && !result.solvers.empty())
    draw_performance_profile(out_, [](bool is_warning, const std::string& line) {
      if (is_warning) say(stderr, "warning: {}\n", line);
    });
}

}  // namespace scree::cli
