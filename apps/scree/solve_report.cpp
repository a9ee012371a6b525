/// The report of scree solve on one solution.
#include "solve_report.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

namespace scree::cli {
namespace {

/// "contacts 0, 4, 7", or the first twelve and the number of the others.
std::string listed(const char* noun, const std::vector<int>& numbers) {
  constexpr std::size_t kMaxNumbers = 12;
  const std::size_t shown = std::min(numbers.size(), kMaxNumbers);
  std::string text =
      fmt::format("{} {}", noun, fmt::join(numbers.begin(), numbers.begin() + shown, ", "));
  if (shown < numbers.size()) text += fmt::format(" and {} more", numbers.size() - shown);
  return text;
}

std::string contradiction_in_words(const SolvedProblem& solved) {
  std::string text;
  if (!solved.contradictory_contacts.empty())
    text = listed("contacts", solved.contradictory_contacts);
  if (!solved.contradictory_joints.empty())
    text += (text.empty() ? "" : " and ") + listed("rows of joints", solved.contradictory_joints);
  return text +
         ", counted from 0, contradict each other: no impulses give velocities that the law "
         "allows";
}

std::string in_words(double spread) {
  return std::isfinite(spread) ? fmt::format("{:.3g} N s", spread) : "any distance";
}

}  // namespace

std::string report_of(const Problem& problem, const SolvedProblem& solved,
                      const ProblemSettings& settings) {
  const Solution& solution = solved.solution;
  std::string text;
  const auto line = [&]<class... T>(const char* label, fmt::format_string<T...> format,
                                    T&&... values) {
    fmt::format_to(std::back_inserter(text), "{:<12}{}\n", label,
                   fmt::format(format, std::forward<T>(values)...));
  };
  const std::string joints = problem.joint_rows() > 0
                                 ? fmt::format(", {} rows of joints", problem.joint_rows())
                                 : std::string();
  line("problem", "{}: {} contacts{}, law {}", problem.name, problem.contacts(), joints,
       name(settings.law));
  line("solved by", "{}: {} {}, {:.3g} s", name(solved.solver), solution.iterations,
       solution.iterations == 1 ? "iteration" : "iterations", solution.seconds);
  line("status", "{}", name(solution.status));
  if (solution.infeasibility) line("no solution", "{}", contradiction_in_words(solved));
  line("residual", "E_s = {:.2e}, tolerance {:.0e}; E = {:.2e} (FCLIB)", solution.residual,
       settings.solver.tolerance, solved.fclib_residual);
  line("contacts", "{} separating, {} sticking, {} sliding", solved.classes[0], solved.classes[1],
       solved.classes[2]);
  line("dissipated", "{:.6g} J", solved.dissipation);
  if (solved.worst >= 0)
    line("worst", "contact {}, counted from 0: residual {:.2e} m/s", solved.worst,
         solution.blocks[solved.worst].residual);
  if (solution.hyperstatic && solution.hyperstatic->dimension == 0)
    line("hyperstatic", "no: the impulses are unique for these velocities");
  else if (solution.hyperstatic)
    line("hyperstatic",
         "the impulses are free in {} {} at these velocities, a normal one over {} or more; {}",
         solution.hyperstatic->dimension,
         solution.hyperstatic->dimension == 1 ? "dimension" : "dimensions",
         in_words(solved.largest_spread),
         solution.hyperstatic->minimum_norm ? "these have the least norm"
                                            : "those of least norm were not found");
  return text;
}

}  // namespace scree::cli
