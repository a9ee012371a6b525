/// Solves single contacts and tabulates the answers, for `scree contact`.
#include "scree/run/solved_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>

#include "scree/laws/bilateral.hpp"

namespace scree {
namespace {

const char* name(LocalStatus status) {
  switch (status) {
    case LocalStatus::solved:
      return "solved";
    case LocalStatus::inexact:
      return "inexact";
    case LocalStatus::no_solution:
      return "no_solution";
    case LocalStatus::ill_posed:
      return "ill_posed";
  }
  return "";
}

/// Infinity instead of NaN, which comes from cancelling infinities: the value is too large.
double infinity_for_nan(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

template <class Law>
SolvedContact graded(const Law& law, const SingleContactProblem& p, const ContactSolution& s,
                     LocalStatus status) {
  SolvedContact row{s, contact_residual(law, p.W, s.u, s.r), status};
  const bool obeys = row.residual <= kInexact * std::hypot(p.q.x, p.q.y, p.q.z);
  if (status == LocalStatus::solved &&
      !(obeys && std::isfinite(row.residual) && std::isfinite(s.energy)))
    row.status = LocalStatus::inexact;
  return row;
}

template <class Law>
ContactAnswer answer_of(const Law& law, const SingleContactProblem& p, bool all) {
  ContactAnswer answer;
  if constexpr (requires { law.solve_all(p.W, p.q); }) {
    const ContactSolutions found = law.solve_all(p.W, p.q);
    answer.count = found.count;
    if (all)
      for (const ContactSolution& s : found)
        answer.solutions.push_back(graded(law, p, s, found.status));
  }
  if (!answer.solutions.empty()) return answer;
  Vec3 r = p.warm;
  const LocalStatus status = law.solve(p.W, p.q, r);
  const bool has_one = status == LocalStatus::solved || status == LocalStatus::inexact;
  // solve may find a solution missing from the list
  answer.count = has_one ? std::max(answer.count, 1) : 0;
  answer.solutions.push_back(
      graded(law, p, {law.classify(r), r, p.W * r + p.q, energy(p.W, p.q, r)}, status));
  return answer;
}

std::string row_of(const SingleContactProblem& p, const SolvedContact& solved, int count) {
  const ContactSolution& s = solved.solution;
  std::string row = fmt::format("{},{}", p.id, name(s.kind));
  for (const double value : {s.r.x, s.r.y, s.r.z, s.u.x, s.u.y, s.u.z, s.energy, solved.residual,
                             painleve_number(p.W, p.mu)})
    fmt::format_to(std::back_inserter(row), ",{}",
                   infinity_for_nan(value) + 0.0);  // no negative zeros
  return row + fmt::format(",{},{}\n", count, name(solved.status));
}

}  // namespace

LocalStatus ContactAnswer::status() const {
  const auto worst = std::ranges::find_if(
      solutions, [](const SolvedContact& s) { return s.status != LocalStatus::solved; });
  return worst == solutions.end() ? LocalStatus::solved : worst->status;
}

ContactAnswer solve_contact(const SingleContactProblem& problem, const ContactSettings& settings) {
  if (!settings.law) return answer_of(Bilateral{}, problem, settings.all);
  AnyLaw any = law_of({.kind = *settings.law, .friction = problem.mu, .facets = settings.facets});
  if (auto* coulomb = std::get_if<Coulomb>(&any)) coulomb->choice = settings.choice;
  return std::visit([&](const auto& law) { return answer_of(law, problem, settings.all); }, any);
}

void SolvedContacts::add(const SingleContactProblem& problem, const ContactAnswer& answer) {
  ++problems_;
  ++statuses_[name(answer.status())];
  for (const SolvedContact& solved : answer.solutions) {
    ++kinds_[name(solved.solution.kind)];
    csv_ += row_of(problem, solved, answer.count);
  }
}

bool SolvedContacts::all_are_solved() const {
  const auto solved = statuses_.find(name(LocalStatus::solved));
  return problems_ == (solved == statuses_.end() ? 0 : solved->second);
}

Json SolvedContacts::json() const {
  return {{"problems", problems_}, {"status", statuses_}, {"kinds", kinds_}};
}

SolvedContacts solve_contacts(std::span<const SingleContactProblem> problems,
                              const ContactSettings& settings) {
  SolvedContacts solved;
  for (const SingleContactProblem& problem : problems)
    solved.add(problem, solve_contact(problem, settings));
  return solved;
}

}  // namespace scree
