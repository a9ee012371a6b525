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
           "Key of the scene and its values: --over default_law.friction=0.1:0.8:8; may be "
           "repeated, every combination runs",
           "PATH=VALUES")
      ->required();
  repeated("--set", o.overrides, "Another value for a key in all runs: --set step.h=5us",
           "PATH=VALUE");
  repeated("--column", o.columns,
           "Additional column of the table and curve of the plot: the last row of a column of a "
           "run's CSV file, or an entry of one of its JSON files",
           "[NAME=]FILE:PLACE");
  batch
      .add_option("--out,-o", o.out, "Directory to write (default: out/<name of the scene>_batch)")
      ->check(not_empty);
  batch.add_option("--jobs,-j", o.jobs, "Number of simultaneous runs (default: number of cores)")
      ->check(CLI::Range(1, 4096));
  batch
      .add_option("--threads,-t", o.threads,
                  "Number of threads of each run (default: cores / jobs); results do not depend on "
                  "it")
      ->check(CLI::Range(1, 4096));
  batch.add_flag("--dry-run,--list,-n", o.dry_run,
                 "Check every scene and list the runs with their status; run nothing");
  batch.add_flag("--pictures", o.pictures, "Draw the scene's pictures of each run");
  batch.add_flag("!--no-plot", o.plot, "Draw no batch.png");
  add_json(batch, o.json);
  batch.add_flag("--quiet,-q", o.quiet, "Print warnings, errors and failed runs only");
  batch.footer(
      "Values:\n"
      "  0.1,0.2,0.5      a list; also coulomb,max_dissipation or [0,0,-9.81],[0,1,-9.81]\n"
      "  0.1:0.8:8        8 numbers from 0.1 to 0.8; also with units, 1mm:5mm:5\n"
      "  1e3:1e6:4:log    4 numbers at equal ratios\n"
      "  1..5             whole numbers\n\n"
      "The command checks each scene before the first run begins. Ctrl-C stops a batch. The same\n"
      "command continues it: it starts missing runs and resumes interrupted ones. If a run\n"
      "fails, the command reports it and the other runs continue.\n\n"
      "Examples:\n"
      "  scree batch scenes/pile.yaml --over default_law.friction=0.1:0.8:8 --dry-run\n"
      "  scree batch scenes/pile.yaml --over default_law.friction=0.1:0.8:8 \\\n"
      "    --over 'bodies[0].random.seed=1..3' -j 4\n"
      "  scree batch scenes/pile.yaml --over default_law.law=coulomb,cone_complementarity \\\n"
      "    --column statistics.csv:kinetic_energy\n\n"
      "A batch writes table.csv with a row for each run, batch.png, and a directory for each run,\n"
      "such as friction=0.3_seed=2. docs/guide/batch.md describes them.\n\n"
      "Exit status:\n"
      "  0    every run met its tolerance\n"
      "  2    bad input\n"
      "  3    a run missed its tolerance, or its numbers failed\n"
      "  4    a file could not be read or written\n"
      "  130  interrupted\n");
}

}  // namespace scree::cli
