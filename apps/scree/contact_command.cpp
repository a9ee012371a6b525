/// scree contact: single-contact problems of a file, solved by one law.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <map>

#include "commands.hpp"
#include "contact_problems.hpp"
#include "pictures.hpp"
#include "say.hpp"
#include "scree/io/files.hpp"
#include "scree/io/json_text.hpp"
#include "scree/laws/bilateral.hpp"
#include "scree/laws/pair_law.hpp"
#include "scree/run/exit_status.hpp"

namespace scree::cli {
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

/// Calls f(law) with the law that was asked for.
template <class F>
void with_law(const ContactOptions& options, double mu, F&& f) {
  if (options.law == kBilateral) return f(Bilateral{});
  AnyLaw law = law_of({.kind = law_named(options.law).value(),
                       .friction = mu,
                       .facets = options.facets.value_or(PairLaw{}.facets)});
  if (auto* coulomb = std::get_if<Coulomb>(&law)) {
    coulomb->choice = options.policy == "continuity"         ? Coulomb::Choice::continuity
                      : options.policy == "least_percussion" ? Coulomb::Choice::least_percussion
                                                             : Coulomb::Choice::dissipation;
  }
  std::visit(f, law);
}

/// What infinities that cancel leave is no number; it is too large to be told.
double told(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

struct Row {
  ContactSolution solution;
  double residual = 0;  ///< [m/s]
  LocalStatus status = LocalStatus::solved;
};

/// All solutions, or the one that the law chooses; `count` says how many there are in either case.
struct Answer {
  int count = 0;
  std::vector<Row> rows;

  /// Inexact if one of the rows is.
  LocalStatus status() const {
    const auto worst = std::find_if(rows.begin(), rows.end(),
                                    [](const Row& r) { return r.status != LocalStatus::solved; });
    return worst == rows.end() ? LocalStatus::solved : worst->status;
  }
};

/// A solution as it is told: graded by the residual that stands beside it.
template <class Law>
Row row_of(const Law& law, const ContactProblem& p, const ContactSolution& s, LocalStatus status) {
  Row row{s, law.residual(p.W, s.u, s.r), status};
  const bool obeys = row.residual <= kInexact * std::hypot(p.q.x, p.q.y, p.q.z);
  if (status == LocalStatus::solved &&
      !(obeys && std::isfinite(row.residual) && std::isfinite(s.energy)))
    row.status = LocalStatus::inexact;
  return row;
}

template <class Law>
Answer answer_of(const Law& law, const ContactProblem& p, bool all) {
  Answer answer;
  if constexpr (requires { law.solve_all(p.W, p.q); }) {
    const ContactSolutions found = law.solve_all(p.W, p.q);
    answer.count = found.count;
    if (all)
      for (const ContactSolution& s : found) answer.rows.push_back(row_of(law, p, s, found.status));
  }
  if (!answer.rows.empty()) return answer;
  Vec3 r = p.warm;
  const LocalStatus status = law.solve(p.W, p.q, r);
  const bool has_one = status == LocalStatus::solved || status == LocalStatus::inexact;
  // solve may find one that the list misses
  answer.count = has_one ? std::max(answer.count, 1) : 0;
  answer.rows.push_back(
      row_of(law, p, {law.classify(r), r, p.W * r + p.q, energy(p.W, p.q, r)}, status));
  return answer;
}

/// The rows of the output file, and how many problems ended in which status and kind.
class Solved {
 public:
  void add(const ContactOptions& options, const ContactProblem& p) {
    with_law(options, p.mu, [&](const auto& law) {
      const Answer answer = answer_of(law, p, options.all);
      ++problems_, ++statuses_[name(answer.status())];
      for (const Row& row : answer.rows) {
        ++kinds_[name(row.solution.kind)];
        write(p, row, answer.count);
      }
    });
  }
  const std::string& csv() const { return csv_; }
  bool all_are(LocalStatus status) const {
    return statuses_.empty() || (statuses_.size() == 1 && statuses_.contains(name(status)));
  }
  Json json() const { return {{"problems", problems_}, {"status", statuses_}, {"kinds", kinds_}}; }
  std::string words() const {
    std::string text = fmt::format("{} problem{}:", problems_, problems_ == 1 ? "" : "s");
    for (const auto* counts : {&statuses_, &kinds_})
      for (const auto& [what, count] : *counts) text += fmt::format(" {} {},", count, what);
    text.back() = '.';
    return text;
  }

 private:
  void write(const ContactProblem& p, const Row& row, int count) {
    const ContactSolution& s = row.solution;
    fmt::format_to(std::back_inserter(csv_), "{},{}", p.id, name(s.kind));
    for (const double value : {s.r.x, s.r.y, s.r.z, s.u.x, s.u.y, s.u.z, s.energy, row.residual,
                               painleve_number(p.W, p.mu)})
      fmt::format_to(std::back_inserter(csv_), ",{}", told(value) + 0.0);  // no negative zeros
    fmt::format_to(std::back_inserter(csv_), ",{},{}\n", count, name(row.status));
  }

  std::string csv_ =
      "id,kind,r_n,r_t,r_o,u_n,u_t,u_o,energy,residual,painleve,n_solutions,status\n";
  std::size_t problems_ = 0;
  std::map<std::string, std::size_t> statuses_, kinds_;
};

/// What cannot be done as it was asked for; before anything is.
void check(const ContactOptions& options) {
  if (!options.policy.empty() && options.law != name(LawKind::coulomb))
    throw InputError(fmt::format(
        "--policy chooses among the solutions of coulomb; leave it out for {}", options.law));
  if (options.facets && options.law != name(LawKind::polyhedral))
    throw InputError(fmt::format(
        "--facets says of how many facets the cone of polyhedral is; leave it out for {}",
        options.law));
  if (options.out.empty()) return;
  std::error_code error;
  if (std::filesystem::equivalent(options.input, options.out, error))
    throw InputError(
        fmt::format("--out would replace the problems in {}; give another file to write",
                    options.input.string()));
  if (const auto part = written_beside(options.out);
      !part.empty() && std::filesystem::exists(std::filesystem::symlink_status(part, error)))
    throw InputError(fmt::format(
        "{} is in the way of --out, which is written there before it gets its name; move it away, "
        "or give another file to write",
        part.string()));
}

}  // namespace

int solve_contacts(const ContactOptions& options) {
  check(options);
  const std::vector<ContactProblem> problems = read_contact_problems(options.input);
  Solved solved;
  for (const ContactProblem& problem : problems) solved.add(options, problem);

  if (options.out.empty()) {
    std::fwrite(solved.csv().data(), 1, solved.csv().size(), stdout);
  } else {
    write_file(options.out, solved.csv());
  }
  const bool drawn =
      options.pictures.empty() ||
      draw_contacts(options.input, options.pictures, [](bool is_warning, const std::string& line) {
        say(stderr, "{}{}\n", is_warning ? "warning: " : "", line);
      });
  const int status = !drawn                                ? kInputOutputFailure
                     : solved.all_are(LocalStatus::solved) ? kDone
                                                           : kToleranceMissed;
  if (options.json) {
    Json json{{"status", "done"}, {"exit_status", status}, {"law", options.law}};
    json.update(solved.json());
    std::fputs(as_text(json).c_str(), stdout);
  } else {
    say(stderr, "{}\n", solved.words());
  }
  return status;
}

}  // namespace scree::cli
