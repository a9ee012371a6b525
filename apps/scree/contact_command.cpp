/// scree contact: single-contact problems of a file, solved by one law.
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "contact_problems.hpp"
#include "exit_status.hpp"
#include "pictures.hpp"
#include "scree/io/files.hpp"
#include "scree/laws/bilateral.hpp"
#include "scree/laws/pair_law.hpp"

namespace scree::cli {
namespace {

const char* name(ContactClass kind) {
  switch (kind) {
    case ContactClass::separating:
      return "separating";
    case ContactClass::sticking:
      return "sticking";
    case ContactClass::sliding:
      return "sliding";
  }
  return "";
}

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
  AnyLaw law = law_of({.kind = law_named(options.law).value(), .friction = mu, .facets = options.facets});
  if (auto* coulomb = std::get_if<Coulomb>(&law)) {
    coulomb->choice = options.policy == "continuity"         ? Coulomb::Choice::continuity
                      : options.policy == "least_percussion" ? Coulomb::Choice::least_percussion
                                                             : Coulomb::Choice::dissipation;
  }
  std::visit(f, law);
}

/// All solutions, or the one that the law chooses; `count` says how many there are in either case.
struct Answer {
  LocalStatus status = LocalStatus::solved;
  int count = 0;
  std::vector<ContactSolution> rows;
};

template <class Law>
Answer answer_of(const Law& law, const ContactProblem& p, bool all) {
  Answer answer;
  if constexpr (requires { law.solve_all(p.W, p.q); }) {
    const ContactSolutions found = law.solve_all(p.W, p.q);
    answer.count = found.count, answer.status = found.status;
    if (all) answer.rows.assign(found.begin(), found.end());
  }
  if (!answer.rows.empty()) return answer;
  Vec3 r = p.warm;
  answer.status = law.solve(p.W, p.q, r);
  const bool has_one = answer.status == LocalStatus::solved || answer.status == LocalStatus::inexact;
  if (!requires { law.solve_all(p.W, p.q); } && has_one) answer.count = 1;
  answer.rows.push_back({law.classify(r), r, p.W * r + p.q, energy(p.W, p.q, r)});
  return answer;
}

/// The rows of the output file, and how many problems ended in which status and kind.
class Solved {
 public:
  void add(const ContactOptions& options, const ContactProblem& p) {
    with_law(options, p.mu, [&](const auto& law) {
      const Answer answer = answer_of(law, p, options.all);
      ++problems_, ++statuses_[name(answer.status)];
      for (const ContactSolution& s : answer.rows) {
        ++kinds_[name(s.kind)];
        const double residual = law.residual(p.W, s.u, s.r);
        write(p, s, std::isfinite(residual) ? residual : std::numeric_limits<double>::infinity(), answer);
      }
    });
  }
  const std::string& csv() const { return csv_; }
  bool all_are(LocalStatus status) const {
    return statuses_.empty() || (statuses_.size() == 1 && statuses_.contains(name(status)));
  }
  nlohmann::ordered_json json() const { return {{"problems", problems_}, {"status", statuses_}, {"kinds", kinds_}}; }
  std::string words() const {
    std::string text = fmt::format("{} problem{}:", problems_, problems_ == 1 ? "" : "s");
    for (const auto* counts : {&statuses_, &kinds_})
      for (const auto& [what, count] : *counts) text += fmt::format(" {} {},", count, what);
    text.back() = '.';
    return text;
  }

 private:
  void write(const ContactProblem& p, const ContactSolution& s, double residual, const Answer& answer) {
    fmt::format_to(std::back_inserter(csv_), "{},{}", p.id, name(s.kind));
    for (const double value :
         {s.r.x, s.r.y, s.r.z, s.u.x, s.u.y, s.u.z, s.energy, residual, painleve_number(p.W, p.mu)})
      fmt::format_to(std::back_inserter(csv_), ",{:.17g}", value + 0.0);  // no negative zeros
    fmt::format_to(std::back_inserter(csv_), ",{},{}\n", answer.count, name(answer.status));
  }

  std::string csv_ = "id,kind,r_n,r_t,r_o,u_n,u_t,u_o,energy,residual,painleve,n_solutions,status\n";
  std::size_t problems_ = 0;
  std::map<std::string, std::size_t> statuses_, kinds_;
};

}  // namespace

int solve_contacts(const ContactOptions& options) {
  if (!options.policy.empty() && options.law != name(LawKind::coulomb))
    throw InputError(fmt::format("--policy chooses among the solutions of coulomb; leave it out for {}", options.law));
  const std::vector<ContactProblem> problems = read_contact_problems(options.input);
  Solved solved;
  for (const ContactProblem& problem : problems) solved.add(options, problem);

  if (options.out.empty()) {
    std::fwrite(solved.csv().data(), 1, solved.csv().size(), stdout);
  } else {
    write_file(options.out, solved.csv());
  }
  const int status = solved.all_are(LocalStatus::solved) ? kDone : kToleranceMissed;
  if (options.json) {
    nlohmann::ordered_json json{{"status", "done"}, {"exit_status", status}, {"law", options.law}};
    json.update(solved.json());
    std::printf("%s\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
  } else {
    std::fprintf(stderr, "%s\n", solved.words().c_str());
  }
  if (!options.pictures.empty())
    draw_contacts(options.input, options.pictures, [](bool is_warning, const std::string& line) {
      std::fprintf(stderr, "%s%s\n", is_warning ? "warning: " : "", line.c_str());
    });
  return status;
}

}  // namespace scree::cli
