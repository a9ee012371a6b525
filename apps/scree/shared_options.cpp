/// Options that several subcommands have.
#include <CLI/CLI.hpp>

#include "command_options.hpp"

namespace scree::cli {

void add_overrides(CLI::App& command, std::vector<std::string>& overrides) {
  command
      .add_option("--set", overrides,
                  "Another value for a key of the scene: --set step.h=5us; may be repeated")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_threads(CLI::App& command, int& threads) {
  command
      .add_option("--threads,-t", threads,
                  "Number of threads (default: all cores); results do not depend on it")
      ->check(CLI::Range(1, 4096));
}

void add_json(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "Print the result as one JSON object on standard output");
}

}  // namespace scree::cli
