/// scree pair: computes the forces of a compliant law on a pair that moves as a file prescribes.
#include <cstdio>
#include <fmt/format.h>

#include "commands.hpp"
#include "pictures.hpp"
#include "say.hpp"
#include "scree/core/error.hpp"
#include "scree/io/files.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/run/pair_lab.hpp"

namespace scree::cli {

int compute_pair(const PairOptions& options) {
  std::error_code error;
  if (!options.out.empty() && std::filesystem::equivalent(options.input, options.out, error))
    throw InputError(fmt::format("--out would replace the motion in {}; choose another file",
                                 options.input.string()));
  if (!options.picture.empty() && options.out.empty())
    throw InputError("--plot draws the file of --out; add --out");
  std::filesystem::path picture = options.picture;
  if (picture == kBesideOut) picture = std::filesystem::path(options.out).replace_extension(".png");
  if (!picture.empty() && picture == options.out)
    throw InputError("--plot and --out would write the same file; choose two files");
  const ForcePairSettings settings = pair_settings(options.pair);
  const std::vector<PairRow> rows = read_pair_rows(options.input, settings.h);
  const std::string csv = pair_forces_csv(rows, settings, options.every);
  if (options.out.empty()) {
    std::fwrite(csv.data(), 1, csv.size(), stdout);
    return kDone;
  }
  write_file(options.out, csv);
  const auto report = [](bool is_warning, const std::string& line) {
    say(stderr, "{}{}\n", is_warning ? "warning: " : "", line);
  };
  if (!picture.empty() && !draw_pair(options.input, options.out, picture, report))
    return kInputOutputFailure;
  say(stderr, "{} steps of {} s.\n", rows.size(), settings.h);
  return kDone;
}

}  // namespace scree::cli
