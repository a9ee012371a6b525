/// Reads the command line, calls a subcommand, and turns errors into messages and an exit status.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <functional>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <new>
#include <string_view>

#include "command_options.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "say.hpp"
#include "scree/core/error.hpp"
#include "scree/core/spelling.hpp"
#include "scree/io/json_text.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/scene/scene.hpp"

namespace scree::cli {
namespace {

/// Lets glibc return large freed arrays to the system, so that the memory of one stage does not add
/// to that of the next; by default it keeps up to 64 MB. Small arrays stay with the process: to
/// allocate them again in every step would take a tenth of its time.
void give_memory_back() {
#if defined(__GLIBC__)
  ::mallopt(M_MMAP_THRESHOLD, 1 << 22);
  ::mallopt(M_TRIM_THRESHOLD, 1 << 23);
#endif
}

constexpr const char* kExitStatuses =
    "Exit status:\n"
    "  0    done, every step within the tolerance\n"
    "  2    bad input, nothing written\n"
    "  3    some step missed the tolerance\n"
    "  4    a file could not be read or written\n"
    "  130  interrupted\n";

struct CommandLine {
  CLI::App app{
      "scree simulates rigid bodies in frictional contact, with a certificate for every contact",
      "scree"};
  RunCommandOptions run;
  BatchCommandOptions batch;
  CheckOptions check;
  ImportOptions robot;
  InfoOptions info;
  ReproduceOptions reproduce;
  AnalyseOptions analyse;
  ExportOptions exported;
  ContactOptions contact;
  PairOptions pair;
  SolveCommandOptions solve;
  StudyOptions study;
  ViewOptions view;
  MovieOptions movie;
  PictureOptions picture;
  std::function<int()> command;
  bool json() const {
    return run.json || batch.json || check.json || info.json || reproduce.json || analyse.json ||
           exported.json || contact.json || solve.json;
  }
};

void add_run(CommandLine& line) {
  RunCommandOptions& o = line.run;
  CLI::App& run = *line.app.add_subcommand(
      "run", "Simulate a scene and write its frames, statistics and verdict to a directory");
  run.add_option("SCENE", o.scene, "Scene file (YAML)")->required();
  run.add_option("--out,-o", o.out, "Run directory (default: out/<name of the scene file>)")
      ->check(not_empty);
  add_overrides(run, o.overrides);
  add_threads(run, o.threads);
  run.add_option("--ranks,-n", o.ranks,
                 "Number of processes, started by mpirun (default: this one); results do not "
                 "depend on it")
      ->check(CLI::Range(1, 1000000));
  run.add_option("--until", o.until,
                 "Simulated time of the end, with a unit: --until 20ms (default: the scene's)")
      ->type_name("TIME")
      ->check(not_empty);
  run.add_option("--wall-time", o.wall_time,
                 "Time on the clock after which the run has stopped with a checkpoint, for "
                 "--resume: --wall-time 23h")
      ->type_name("TIME")
      ->check(not_empty);
  run.add_flag("--strict-inflow", o.strict_inflow,
               "Fail the verdict if an inflow finds no space for a body: --set strict_inflow=true");
  auto* force = run.add_flag("--force,-f", o.force, "Replace the run in the directory");
  run.add_flag("--resume,-r", o.resume,
               "Continue from the last checkpoint, to the bits of an uninterrupted run")
      ->excludes(force);
  run.add_option("--dump-problems", o.dumped_steps,
                 "Steps whose contact problems are written as FCLIB files, for any solver: 1,500")
      ->type_name("STEPS")
      ->delimiter(',')
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000000000000000}));
  add_json(run, o.json);
  run.add_flag("!--no-pictures", o.pictures, "Draw none of the scene's pictures");
  run.add_flag("--quiet,-q", o.quiet, "Print warnings and errors only");
  run.footer(fmt::format(
      "Examples:\n"
      "  scree run scenes/pile.yaml\n"
      "  scree run scenes/pile.yaml --out out/smooth --set default_law.friction=0.1\n"
      "  scree run scenes/pile.yaml --until 20ms --no-pictures --force\n"
      "  scree run scenes/pile.yaml --resume\n"
      "  scree run scenes/pile.yaml --ranks 4 --wall-time 90min\n"
      "  scree run scenes/pile.yaml --dump-problems 500,1000 --out out/dumped && \\\n"
      "      scree solve out/dumped/problems\n\n"
      "Open out/pile/grains.hdf.series in ParaView and out/pile/statistics.csv in pandas.\n\n{}",
      kExitStatuses));
  run.callback([&line] { line.command = [&line] { return run_scene(line.run); }; });
}

void add_batch(CommandLine& line) {
  add_batch_options(
      *line.app.add_subcommand(
          "batch", "Run a scene for every combination of some values and collect one table"),
      line.batch);
  line.app.get_subcommand("batch")->callback(
      [&line] { line.command = [&line] { return run_batch_of(line.batch); }; });
}

void add_import(CommandLine& line) {
  add_import_options(
      *line.app.add_subcommand(
          "import",
          "Convert a robot's description (URDF, MJCF) into a scene, and repair its faults"),
      line.robot);
  line.app.get_subcommand("import")->callback(
      [&line] { line.command = [&line] { return import_robot(line.robot); }; });
}

void add_check(CommandLine& line) {
  CheckOptions& o = line.check;
  CLI::App& check = *line.app.add_subcommand(
      "check", "Report every problem of a scene, and the steps, memory and disk that a run takes");
  check.add_option("SCENE", o.scene, "Scene file (YAML)")->required();
  add_overrides(check, o.overrides);
  add_json(check, o.json);
  check.footer(
      "Examples:\n"
      "  scree check scenes/pile.yaml\n"
      "  scree check scenes/pile.yaml --set step.h=20us --json\n");
  check.callback([&line] { line.command = [&line] { return check_scene(line.check); }; });
}

void add_info(CommandLine& line) {
  InfoOptions& o = line.info;
  CLI::App& info = *line.app.add_subcommand("info", "Describe a run directory, a frame or a scene");
  info.add_option("PATH", o.path, "Run directory, frame (.hdf) or scene (.yaml)")->required();
  add_json(info, o.json);
  info.footer(
      "Examples:\n"
      "  scree info out/pile\n"
      "  scree info out/pile/frames/grains_000010.hdf\n");
  info.callback([&line] { line.command = [&line] { return show_info(line.info); }; });
}

void add_reproduce(CommandLine& line) {
  ReproduceOptions& o = line.reproduce;
  CLI::App& again = *line.app.add_subcommand(
      "reproduce", "Repeat the run of a directory and compare the results bit by bit");
  again.add_option("DIR", o.run, "Directory of a complete run")->required();
  again.add_option("--out,-o", o.out, "Directory of the new run (default: DIR.reproduced)")
      ->check(not_empty);
  add_threads(again, o.threads);
  again.add_flag("--force,-f", o.force, "Replace the run in the directory of the new run");
  add_json(again, o.json);
  again.add_flag("--quiet,-q", o.quiet, "Print warnings, errors and the result only");
  again.footer(
      "Frames are compared byte by byte, statistics without their column of seconds.\n\n"
      "Example:\n  scree reproduce out/pile\n\n"
      "Exit status:\n"
      "  0  the same\n"
      "  2  the run is not complete, or its inputs were changed\n"
      "  3  some file differs\n");
  again.callback([&line] { line.command = [&line] { return reproduce_run(line.reproduce); }; });
}

void add_analyse(CommandLine& line) {
  CLI::App& analyse = *line.app.add_subcommand(
      "analyse", "Compute tables of packing, motion and forces in a region from a run's frames");
  add_analyse_options(analyse, line.analyse);
  analyse.callback([&line] { line.command = [&line] { return cli::analyse(line.analyse); }; });
}

void add_export(CommandLine& line) {
  CLI::App& app = *line.app.add_subcommand(
      "export", "Write the frames of a run as VTK polygons (.vtp) or as tables (.csv)");
  add_export_options(app, line.exported);
  app.callback([&line] { line.command = [&line] { return export_frames(line.exported); }; });
}

void add_view(CommandLine& line) {
  ViewOptions& o = line.view;
  CLI::App& view = *line.app.add_subcommand(
      "view", "Show a run in the browser, also while it runs: bodies, forces, plots, verdict");
  view.add_option("DIR", o.run, "Run directory")->required();
  view.add_option("--port", o.port, "Port on this machine (default: any that is free)")
      ->check(CLI::Range(1, 65535));
  view.add_flag("!--no-browser", o.browser, "Print the address, but open no browser");
  view.footer(
      "The page is served to browsers of this machine alone, at the address that is printed.\n"
      "Ctrl-C ends it. The run is only read.\n\n"
      "Examples:\n"
      "  scree view out/pile\n"
      "  scree view out/pile --port 8080 --no-browser\n\n"
      "To see a run of another machine, start this there with a port, and forward it:\n"
      "  ssh -L 8080:127.0.0.1:8080 MACHINE\n");
  view.callback([&line] { line.command = [&line] { return view_run(line.view); }; });
}

void add_movie(CommandLine& line) {
  add_movie_options(*line.app.add_subcommand(
                        "movie", "Draw a movie of a run (MP4, WebM, GIF, WebP or PNG files)"),
                    line.movie);
  line.app.get_subcommand("movie")->callback(
      [&line] { line.command = [&line] { return make_movie(line.movie); }; });
  add_picture_options(
      *line.app.add_subcommand("picture", "Draw the bodies and parts of a run at one time (PNG)"),
      line.picture);
  line.app.get_subcommand("picture")->callback(
      [&line] { line.command = [&line] { return make_picture(line.picture); }; });
}

void add_contact(CommandLine& line) {
  CLI::App& contact = *line.app.add_subcommand(
      "contact", "Solve the single-contact problems u = W r + q of a CSV file by one law");
  add_contact_options(contact, line.contact);
  contact.callback([&line] { line.command = [&line] { return solve_contacts(line.contact); }; });
}

void add_pair(CommandLine& line) {
  CLI::App& pair = *line.app.add_subcommand(
      "pair",
      "Compute the forces of a compliant law on a pair that moves as a CSV file prescribes");
  add_pair_options(pair, line.pair);
  pair.callback([&line] { line.command = [&line] { return compute_pair(line.pair); }; });
}

void add_solve(CommandLine& line) {
  add_solve_options(
      *line.app.add_subcommand(
          "solve", "Solve problems of many contacts u = W r + q from FCLIB files (HDF5)"),
      line.solve);
  line.app.get_subcommand("solve")->callback(
      [&line] { line.command = [&line] { return solve_problems(line.solve); }; });
}

void add_study(CommandLine& line) {
  StudyOptions& o = line.study;
  CLI::App& study = *line.app.add_subcommand(
      "study", "Recompute a published table or figure and compare it with the printed one");
  study.add_option("NAME", o.name, "Name of the study; without a name: list all studies");
  study
      .add_option("--out,-o", o.out,
                  "Directory to write (default: out/study_NAME); studies of long runs (channel) "
                  "resume their runs there")
      ->check(not_empty);
  add_threads(study, o.threads);
  study.add_flag("--quick", o.quick, "Run a small version, to see the files that it writes");
  study.footer(
      "A study writes results.json, a table (table.md) and figures (PNG). Its README.md, in\n"
      "studies/NAME of the source, describes the computation and the time it takes.\n\n"
      "Examples:\n"
      "  scree study\n"
      "  scree study channel --quick\n\n"
      "Exit status:\n"
      "  0    done\n"
      "  2    bad input\n"
      "  3    a figure was missed\n"
      "  4    a file could not be read or written\n"
      "  130  interrupted\n");
  study.callback([&line] { line.command = [&line] { return run_study(line.study); }; });
}

void set_up(CommandLine& line) {
  line.app.set_version_flag("--version", [] { return version_text(); });
  line.app.require_subcommand(1);
  line.app.footer(
      fmt::format("Example:\n"
                  "  scree run scenes/pile.yaml\n\n"
                  "`scree SUBCOMMAND --help` shows options and examples.\n\n{}",
                  kExitStatuses));
  add_run(line);
  add_batch(line);
  add_check(line);
  add_info(line);
  add_reproduce(line);
  add_analyse(line);
  add_export(line);
  add_view(line);
  add_movie(line);
  add_contact(line);
  add_pair(line);
  add_solve(line);
  add_study(line);
  add_import(line);
  CLI::App& schema =
      *line.app.add_subcommand("schema", "Print the JSON Schema of scenes, for editors");
  schema.footer("Example:\n  scree schema > scree.schema.json\n");
  schema.callback([&line] { line.command = [] { return print_schema(); }; });
}

/// Message with a suggestion for a misspelt subcommand or option; empty if none is misspelt.
std::string guess(const CLI::App& program, int argc, char** argv) {
  const CLI::App* app = &program;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k], name = word.substr(0, word.find('='));
    if (name.starts_with("--") && name.size() > 2) {
      std::vector<std::string> names;
      for (const CLI::Option* option : app->get_options())
        for (const std::string& known : option->get_lnames()) names.push_back("--" + known);
      if (std::ranges::find(names, name) == names.end())
        return fmt::format("there is no option {}{}", name, suggestion(name, names));
    } else if (app == &program && !word.starts_with('-')) {
      std::vector<std::string> names;
      for (const CLI::App* subcommand :
           program.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(subcommand->get_name());
        if (word == names.back()) app = subcommand;
      }
      if (app == &program)
        return fmt::format("there is no subcommand {}{}", word, suggestion(word, names));
    }
  }
  return "";
}

/// Message for an option with too few or too many values; empty if there is none.
std::string wrong_count(const CLI::App& program) {
  for (const CLI::App* command : program.get_subcommands())
    for (const CLI::Option* option : command->get_options()) {
      const auto given = static_cast<int>(option->results().size());
      const int needed = option->get_expected_min();
      if (needed < 2 || needed != option->get_expected_max() || given == 0 || given == needed)
        continue;
      const std::string type = option->get_type_name();  // with checks after a colon
      return fmt::format("{} needs {} values, {}; {} {} given", option->get_name(), needed,
                         type.substr(0, type.find(':')), given, given == 1 ? "was" : "were");
    }
  return "";
}

/// Message for a command line that cannot be read.
std::string what_is_wrong(const CLI::ParseError& error, const CLI::App& program, int argc,
                          char** argv) {
  if (std::string guessed = guess(program, argc, argv); !guessed.empty()) return guessed;
  if (std::string count = wrong_count(program); !count.empty()) return count;
  return std::string(error.what()) + "; see --help";
}

/// True in ranks other than 0, whose errors rank 0 reports.
bool is_silent = false;

/// Reports one error: to people on standard error, to programs as JSON on standard output. Returns
/// the status.
int fail(bool as_json, int status, const std::string& message,
         const std::vector<SceneProblem>& problems = {}) {
  if (is_silent) return status;
  say(stderr, "scree: error: {}\n", message);
  if (as_json) {
    auto list = Json::array();
    for (const SceneProblem& p : problems) {
      list.push_back({{"file", p.file},
                      {"line", p.line},
                      {"column", p.column},
                      {"path", p.path},
                      {"message", p.message}});
    }
    if (problems.empty()) list.push_back({{"message", message}});
    const Json json{{"status", "error"}, {"exit_status", status}, {"problems", list}};
    std::fputs(as_text(json).c_str(), stdout);
  }
  return status;
}

int fail(bool as_json, const SceneError& error) {
  std::string message = fmt::format("the scene has {} problem{}:", error.problems.size(),
                                    error.problems.size() == 1 ? "" : "s");
  message += fmt::format("\n{}", error.what());
  while (message.ends_with('\n')) message.pop_back();
  return fail(as_json, kBadInput, message, error.problems);
}

std::string cannot_use(const std::filesystem::filesystem_error& error) {
  return fmt::format("cannot use {}: {}; check the path and its permissions",
                     error.path1().string(), error.code().message());
}

int dispatch(CommandLine& line) {
  try {
    const int status = line.command();
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw OutputError("cannot write to standard output; check where it is redirected to");
    return status;
  } catch (const SceneError& error) {
    return fail(line.json(), error);
  } catch (const InputError& error) {
    return fail(line.json(), kBadInput, error.what());
  } catch (const OutputError& error) {
    return fail(line.json(), kInputOutputFailure, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(line.json(), kInputOutputFailure, cannot_use(error));
  } catch (const std::bad_alloc&) {
    return fail(line.json(), kInputOutputFailure,
                "out of memory; `scree check` shows how much a scene needs");
  } catch (const std::exception& error) {
    return fail(line.json(), kInternalError,
                fmt::format("{}; this is a bug of scree, please report it", error.what()));
  }
}

}  // namespace

int run_program(int argc, char** argv, Ranks* of_mpi) {
  is_silent = of_mpi && !of_mpi->is_first();
  ignore_broken_pipes();
  give_memory_back();
  CommandLine line;
  set_up(line);
  line.run.of_mpi = of_mpi;
  line.run.command_line.assign(argv, argv + argc);
  line.reproduce.command_line = line.run.command_line;
  line.robot.command_line = line.run.command_line;
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version are "errors" with status 0.
    if (error.get_exit_code() == 0) return is_silent ? kDone : line.app.exit(error);
    const bool json = std::find(argv, argv + argc, std::string_view("--json")) != argv + argc;
    return fail(json, kBadInput, what_is_wrong(error, line.app, argc, argv));
  }
  if (of_mpi && !line.app.got_subcommand("run"))
    return fail(line.json(), kBadInput, "scree-mpi only runs scenes; use scree for all else");
  return dispatch(line);
}

}  // namespace scree::cli
