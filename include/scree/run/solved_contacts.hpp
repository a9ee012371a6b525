/// Single-contact problems solved by one law, and tables of the answers.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scree/io/json_text.hpp"
#include "scree/laws/pair_law.hpp"
#include "scree/run/contact_problems.hpp"

namespace scree {

struct ContactSettings {
  std::optional<LawKind> law = LawKind::coulomb;  ///< none: the law of joints, `bilateral`
  int facets = PairLaw{}.facets;                  ///< of a polyhedral cone
  /// Choice among several solutions of Coulomb's law
  Coulomb::Choice choice = Coulomb::Choice::dissipation;
  bool all = false;  ///< list every solution, if the law can, instead of one
};

/// A reported solution, graded by its residual.
struct SolvedContact {
  ContactSolution solution;
  double residual = 0;  ///< [m/s]
  LocalStatus status = LocalStatus::solved;
};

/// All solutions, or the one chosen by the law.
struct ContactAnswer {
  int count = 0;  ///< number of all solutions in either case
  std::vector<SolvedContact> solutions;

  /// Status of the answer: inexact if one of the solutions is.
  LocalStatus status() const;
};

/// Solves one problem. If the law has no solution, the answer has one row with the reason.
ContactAnswer solve_contact(const SingleContactProblem& problem, const ContactSettings& settings);

/// Rows of all problems, and counts by status and kind.
class SolvedContacts {
 public:
  void add(const SingleContactProblem& problem, const ContactAnswer& answer);

  /// Table with the columns of docs/guide/contacts.md.
  const std::string& csv() const { return csv_; }
  std::size_t problems() const { return problems_; }
  using Counts = std::map<std::string, std::size_t>;  ///< by name
  const Counts& statuses() const { return statuses_; }
  const Counts& kinds() const { return kinds_; }
  bool all_are_solved() const;
  Json json() const;  ///< these counts

 private:
  std::string csv_ =
      "id,kind,r_n,r_t,r_o,u_n,u_t,u_o,energy,residual,painleve,n_solutions,status\n";
  std::size_t problems_ = 0;
  Counts statuses_, kinds_;
};

SolvedContacts solve_contacts(std::span<const SingleContactProblem> problems,
                              const ContactSettings& settings);

}  // namespace scree
