/// The command line of scree contact.
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
                  "Problems (CSV): columns named id, W_nn, W_nt, W_no, W_tt, W_to, W_oo, q_n, q_t, "
                  "q_o, mu")
      ->required();
  contact.add_option("--law,-l", o.law, "Contact law")
      ->check(CLI::IsMember(single_contact_laws()))
      ->capture_default_str();
  contact.add_option("--facets", o.facets, "Number of facets of the cone of the law polyhedral")
      ->check(CLI::Range(Polyhedral::kFewestFacets, Polyhedral::kMaxFacets))
      ->default_str(std::to_string(PairLaw{}.facets));
  auto* all =
      contact.add_flag("--all,-a", o.all, "Write one row for each solution, not for each problem");
  contact.add_option("--policy,-p", o.policy, "Choice of coulomb among several solutions")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kChoices), std::end(kChoices))))
      ->default_str("dissipation")
      ->excludes(all);
  contact
      .add_option("--out,-o", o.out,
                  "File to write (default: standard output); replaced if it exists")
      ->check(not_empty);
  contact
      .add_option("--plot", o.pictures,
                  "Directory for a picture (PNG) of each problem, the first 20 of them")
      ->type_name("DIR")
      ->check(not_empty);
  contact
      .add_flag("--json", o.json, "Print counts as one JSON object on standard output; needs --out")
      ->needs("--out");
  contact.footer(
      "Columns may have any order; other columns are ignored. The optional columns r0_n, r0_t and\n"
      "r0_o are the warm start of --policy continuity. Units: W 1/kg, q m/s, impulses r N s,\n"
      "energies J. The output has id, kind, r, u = W r + q, energy = r.W r/2 + r.q, the residual\n"
      "of the law [m/s], the Painlevé number, the number of solutions and a status: solved,\n"
      "inexact, no_solution or ill_posed.\n\n"
      "Examples:\n"
      "  scree contact studies/academic/contacts.csv --all\n"
      "  scree contact problems.csv --law max_dissipation --out solved.csv\n"
      "  scree contact problems.csv --plot pictures\n\n"
      "Exit status:\n"
      "  0  done\n"
      "  2  bad rows, nothing solved\n"
      "  3  a problem was not solved, or inexactly\n"
      "  4  output failed\n");
}

}  // namespace scree::cli
