/// Single-contact problems solved by one law, and how the answers are told.
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
  std::optional<LawKind> law = LawKind::coulomb;  ///< none: that of joints, `bilateral`
  int facets = PairLaw{}.facets;                  ///< of a polyhedral cone
  /// Which of several solutions Coulomb's law takes
  Coulomb::Choice choice = Coulomb::Choice::dissipation;
  bool all = false;  ///< every solution, where the law can list them, not the one that it takes
};

/// A solution as it is told: graded by the residual that stands beside it.
struct SolvedContact {
  ContactSolution solution;
  double residual = 0;  ///< [m/s]
  LocalStatus status = LocalStatus::solved;
};

/// All solutions, or the one that the law takes.
struct ContactAnswer {
  int count = 0;  ///< how many solutions there are in either case
  std::vector<SolvedContact> solutions;

  /// Inexact if one of the solutions is.
  LocalStatus status() const;
};

/// Where the law takes none, the one row says why.
ContactAnswer solve_contact(const SingleContactProblem& problem, const ContactSettings& settings);

/// The rows of all problems, and how many ended in which status and kind.
class SolvedContacts {
 public:
  void add(const SingleContactProblem& problem, const ContactAnswer& answer);

  /// Columns: docs/guide/contacts.md.
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
