/// scree reproduce: repeats the run of a directory and compares the results bit by bit.
#include <cstdio>
#include <fmt/format.h>

#include "commands.hpp"
#include "say.hpp"
#include "scree/core/error.hpp"
#include "scree/io/build_info.hpp"
#include "scree/io/json_text.hpp"
#include "scree/io/run_manifest.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/run/reproduction.hpp"

namespace scree::cli {

namespace fs = std::filesystem;

int reproduce_run(const ReproduceOptions& options) {
  const RunManifest manifest(options.run);
  require_reproducible(options.run, manifest);
  const BuildInfo build = build_info();
  const std::string version = manifest.text("/version"), commit = manifest.text("/commit");
  if (version != build.version || commit != build.commit)
    say(stderr, "note: the run was made by scree {}, commit {}; this is {}, commit {}\n", version,
        commit, build.version, build.commit);

  RunCommandOptions again;
  again.scene = options.run / "resolved.yaml";
  const fs::path run = fs::weakly_canonical(options.run);
  again.out = options.out.empty() ? run.parent_path() / (run.filename().string() + ".reproduced")
                                  : options.out;
  if (fs::weakly_canonical(again.out) == run)
    throw InputError("--out is the run itself; choose another directory for the new run");
  again.threads = options.threads;
  again.force = options.force;
  again.pictures = false;
  again.quiet = options.quiet || options.json;
  again.command_line = options.command_line;
  if (const int status = run_scene(again); status != kDone && status != kToleranceMissed)
    return status;

  const RunComparison found = compare_runs(options.run, again.out, manifest);
  if (options.json) {
    const Json json{{"status", found.different.empty() ? "same" : "different"},
                    {"directory", again.out.string()},
                    {"compared", found.compared},
                    {"different", found.different}};
    std::fputs(as_text(json).c_str(), stdout);
  } else if (found.different.empty()) {
    say(stdout,
        "Reproduced: {} files are the same bit by bit (statistics without seconds; pictures not "
        "compared).\n",
        found.compared);
  } else {
    say(stdout, "NOT reproduced: {} of {} files differ, first {}\n", found.different.size(),
        found.compared, found.different.front());
  }
  return found.different.empty() ? kDone : kToleranceMissed;
}

}  // namespace scree::cli
