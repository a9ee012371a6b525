/// The command line of scree batch.
#include <CLI/CLI.hpp>

#include "command_options.hpp"

namespace scree::cli {

void add_batch_options(CLI::App& batch, BatchCommandOptions& o) {
  const auto repeated = [&](const char* name, std::vector<std::string>& values, const char* help,
                            const char* type) {
    return batch.add_option(name, values, help)
        ->type_name(type)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  batch.add_option("SCENE", o.scene, "Scene file (YAML)")->required();
  repeated("--over", o.over,
           "A value of the scene and what it takes: --over default_law.friction=0.1:0.8:8; may be "
           "repeated, every combination runs",
           "PATH=VALUES")
      ->required();
  repeated("--set", o.overrides, "Set a value of the scene for all runs: --set step.h=5us",
           "PATH=VALUE");
  repeated("--column", o.columns,
           "One more column of the table, and what the plot shows: the last row of a column of a "
           "run's table, or a place in one of its JSON files",
           "[NAME=]FILE:PLACE");
  batch
      .add_option("--out,-o", o.out, "Directory to write (default: out/<name of the scene>_batch)")
      ->check(not_empty);
  batch.add_option("--jobs,-j", o.jobs, "How many run at a time (default: as many as cores)")
      ->check(CLI::Range(1, 4096));
  batch
      .add_option("--threads,-t", o.threads,
                  "Threads of each run (default: the cores, shared out); results do not depend on "
                  "it")
      ->check(CLI::Range(1, 4096));
  batch.add_flag("--dry-run,--list,-n", o.dry_run,
                 "Check every scene, list what would run and what has, and run nothing");
  batch.add_flag("--pictures", o.pictures, "Draw the pictures that the scene asks for of each run");
  batch.add_flag("!--no-plot", o.plot, "Do not draw batch.png");
  batch.add_flag("--json", o.json, "Print the result as one JSON object on standard output");
  batch.add_flag("--quiet,-q", o.quiet, "Say nothing but warnings, errors and runs that failed");
  batch.footer(
      "Values: one by one (0.1,0.2,0.5 or coulomb,max_dissipation or [0,0,-9.81],[0,1,-9.81]);\n"
      "n numbers from a to b (0.1:0.8:8, 1mm:5mm:5), at equal ratios with :log (1e3:1e6:4:log);\n"
      "whole numbers (1..5). Each scene is checked before the first run begins.\n\n"
      "Ctrl-C stops it, and the same command goes on: it runs what is missing and resumes what "
      "was\n"
      "in flight. A run that fails is named, and the others run on.\n\n"
      "Examples:\n"
      "  scree batch scenes/pile.yaml --over default_law.friction=0.1:0.8:8 --dry-run\n"
      "  scree batch scenes/pile.yaml --over default_law.friction=0.1:0.8:8 \\\n"
      "    --over 'bodies[0].random.seed=1..3' -j 4\n"
      "  scree batch scenes/pile.yaml --over default_law.law=coulomb,cone_complementarity \\\n"
      "    --column statistics.csv:kinetic_energy\n\n"
      "Writes table.csv, a row a run; batch.png; and a run directory for each, such as\n"
      "friction=0.3_seed=2. What they hold: docs/guide/batch.md.\n\n"
      "Exit status: 0 every run met its tolerance; 2 bad input; 3 a run missed its tolerance, or\n"
      "failed for its numbers; 4 a file could not be read or written; 130 interrupted.\n");
}

}  // namespace scree::cli
