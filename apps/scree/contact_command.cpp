/// scree contact: solves the single-contact problems of a file by one law.
#include <cstdio>
#include <fmt/format.h>

#include "commands.hpp"
#include "pictures.hpp"
#include "say.hpp"
#include "scree/io/files.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/run/solved_contacts.hpp"

namespace scree::cli {
namespace {

/// Settings from options that check() has accepted.
ContactSettings settings_of(const ContactOptions& options) {
  ContactSettings settings;
  settings.law = options.law == kBilateral ? std::nullopt : law_named(options.law);
  settings.facets = options.facets.value_or(settings.facets);
  settings.choice = choice_named(options.policy).value_or(settings.choice);
  settings.all = options.all;
  return settings;
}

std::string in_words(const SolvedContacts& solved) {
  std::string text =
      fmt::format("{} problem{}:", solved.problems(), solved.problems() == 1 ? "" : "s");
  for (const auto* counts : {&solved.statuses(), &solved.kinds()})
    for (const auto& [name, count] : *counts) text += fmt::format(" {} {},", count, name);
  text.back() = '.';
  return text;
}

/// Throws InputError for options that contradict each other, and for files in the way. Writes
/// nothing.
void check(const ContactOptions& options) {
  if (!options.policy.empty() && options.law != name(LawKind::coulomb))
    throw InputError(fmt::format(
        "--policy chooses among the solutions of coulomb; leave it out for {}", options.law));
  if (options.facets && options.law != name(LawKind::polyhedral))
    throw InputError(
        fmt::format("--facets is the number of facets of the law polyhedral; leave it out for {}",
                    options.law));
  if (options.out.empty()) return;
  std::error_code error;
  if (std::filesystem::equivalent(options.input, options.out, error))
    throw InputError(fmt::format("--out would replace the problems in {}; choose another file",
                                 options.input.string()));
  if (const auto temporary = written_beside(options.out);
      !temporary.empty() &&
      std::filesystem::exists(std::filesystem::symlink_status(temporary, error)))
    throw InputError(fmt::format(
        "{} exists, but scree needs this name for a temporary file of --out; move it away, or "
        "choose another --out",
        temporary.string()));
}

}  // namespace

int solve_contacts(const ContactOptions& options) {
  check(options);
  const SolvedContacts solved =
      scree::solve_contacts(read_contact_problems(options.input), settings_of(options));

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
  const int status = !drawn                    ? kInputOutputFailure
                     : solved.all_are_solved() ? kDone
                                               : kToleranceMissed;
  if (options.json) {
    Json json{{"status", "done"}, {"exit_status", status}, {"law", options.law}};
    json.update(solved.json());
    std::fputs(as_text(json).c_str(), stdout);
  } else {
    say(stderr, "{}\n", in_words(solved));
  }
  return status;
}

}  // namespace scree::cli
