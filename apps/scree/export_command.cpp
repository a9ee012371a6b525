/// scree export: writes the frames of a run in the formats of other programs.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/format.h>

#include "command_options.hpp"
#include "say.hpp"
#include "scree/core/error.hpp"
#include "scree/io/json_text.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/run/export_run.hpp"

namespace scree::cli {

void add_export_options(CLI::App& app, ExportOptions& o) {
  app.add_option("DIR", o.run, "Directory of a run")->required();
  app.add_option("--as", o.format, "Format: vtp (VTK polygons with a .pvd series) or csv (tables)")
      ->check(CLI::IsMember({"vtp", "csv"}))
      ->capture_default_str();
  app.add_option("--from", o.from, "Time of the first frame [s] (default: all)")->type_name("T");
  app.add_option("--to", o.to, "Time of the last frame [s] (default: all)")->type_name("T");
  app.add_option("--every", o.every,
                 "Interval N: the first of these frames and every N-th after it")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000000));
  app.add_flag("!--no-contacts", o.contacts, "Write bodies only");
  app.add_flag("--even-so", o.even_so,
               "Export the sound frames of a failed or changed run; list those left out");
  app.add_option("--out,-o", o.out, "Directory to write (default: DIR/export)")->check(not_empty);
  add_json(app, o.json);
  app.footer(
      "Examples:\n"
      "  scree export out/pile\n"
      "  scree export out/pile --as csv --from 0.1 --every 10 --out tables\n\n"
      "The command writes one file for each frame of bodies and of contacts, with the arrays of\n"
      "the run's own frames (docs/guide/output.md). export.json has their times and units.\n");
}

int export_frames(const ExportOptions& options) {
  ExportRequest request;
  request.out = options.out;
  request.format = options.format == "csv" ? ExportFormat::csv : ExportFormat::vtp;
  request.frames.every = options.every;
  request.frames.from = options.from.value_or(request.frames.from);
  request.frames.to = options.to.value_or(request.frames.to);
  if (!(request.frames.from <= request.frames.to))
    throw InputError(fmt::format("--from, {} s, is later than --to, {} s; swap them",
                                 request.frames.from, request.frames.to));
  request.contacts = options.contacts;
  request.even_so = options.even_so;
  const RunExport done = export_run(options.run, request, warn);
  if (options.json)
    std::fputs(as_text({{"status", "done"},
                        {"exit_status", kDone},
                        {"directory", done.directory.string()},
                        {"frames", done.frames},
                        {"files", done.files}})
                   .c_str(),
               stdout);
  else
    say(stdout, "{} frame{} of {} are in {}, {} files\n", done.frames, done.frames == 1 ? "" : "s",
        options.run.string(), done.directory.string(), done.files.size());
  return kDone;
}

}  // namespace scree::cli
