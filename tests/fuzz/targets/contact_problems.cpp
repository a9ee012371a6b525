/// Single-contact problems of a CSV file; what could be read is solved, too.
#include "reader_target.hpp"
#include "scree/run/solved_contacts.hpp"

void scree::test::read_input(const std::filesystem::path& file) {
  const auto problems = read_contact_problems(file);
  solve_contacts(problems, {.all = true});
  solve_contacts(problems, {.law = LawKind::max_dissipation});
}
