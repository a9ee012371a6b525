#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "command_options.hpp"
#include "scree/laws/pair_law.hpp"

namespace scree::cli {
namespace {

std::vector<std::string> single_contact_laws() {
  std::vector<std::string> names;
  names.reserve(kRigidLawKinds.size() + 1);
  for (const LawKind kind : kRigidLawKinds) names.emplace_back(name(kind));
  names.emplace_back(kBilateral);
  return names;
}

}  // namespace

void add_contact_options(CLI::App& contact, ContactOptions& o) {
  contact
      .add_option("IN", o.input,
                  "Problems: columns id, W_nn, W_nt, W_no, W_tt, W_to, W_oo, q_n, q_t, q_o, mu by "
                  "name (CSV)")
      ->required();
  contact.add_option("--law,-l", o.law, "Contact law")
      ->check(CLI::IsMember(single_contact_laws()))
      ->capture_default_str();
  contact.add_option("--facets", o.facets, "Facets of the friction cone, for polyhedral")
      ->check(CLI::Range(Polyhedral::kFewestFacets, Polyhedral::kMaxFacets))
      ->default_str(std::to_string(PairLaw{}.facets));
  auto* all =
      contact.add_flag("--all,-a", o.all, "One row for every solution, not for every problem");
  contact
      .add_option("--policy,-p", o.policy, "Which one coulomb takes where several impulses obey it")
      ->check(CLI::IsMember({"dissipation", "continuity", "min_impulse"}))
      ->default_str("dissipation")
      ->excludes(all);
  contact
      .add_option("--out,-o", o.out,
                  "File to write (default: standard output); replaced if it is there")
      ->check(not_empty);
  contact
      .add_option("--plot", o.pictures,
                  "Draw each problem, the first 20, into this directory (PNG)")
      ->type_name("DIR")
      ->check(not_empty);
  contact
      .add_flag("--json", o.json, "Print counts as one JSON object on standard output; needs --out")
      ->needs("--out");
  contact.footer(
      "Columns may stand in any order, others are ignored. r0_n, r0_t, r0_o, if there, are the "
      "warm start, which\n"
      "--policy continuity looks at. Units: W 1/kg, q m/s; impulses r N s, energies J.\n"
      "Output: id, kind, r, u = W r + q, energy = r.W r/2 + r.q, residual of the law [m/s], "
      "Painlevé number,\n"
      "number of solutions, status (solved, inexact, no_solution, ill_posed).\n"
      "Exit status: 0 done; 2 bad rows, nothing solved; 3 a problem was not solved, or inexactly; "
      "4 output "
      "failed.\n\n"
      "Examples:\n"
      "  scree contact studies/academic/contacts.csv --all\n"
      "  scree contact problems.csv --law max_dissipation --out solved.csv\n"
      "  scree contact problems.csv --plot pictures\n");
}

}  // namespace scree::cli
