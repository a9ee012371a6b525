/// scree batch: runs a scene for every combination of some values, in one directory.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <mutex>
#include <unistd.h>

#include "commands.hpp"
#include "interrupt.hpp"
#include "pictures.hpp"
#include "progress.hpp"
#include "run_reporter.hpp"
#include "say.hpp"
#include "scree/io/json_text.hpp"
#include "scree/run/batch.hpp"
#include "scree/run/exit_status.hpp"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;
using Status = BatchEnd::Status;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

BatchRequest request_of(const BatchCommandOptions& options) {
  BatchRequest request;
  request.scene_file = options.scene;
  request.overrides = options.overrides;
  for (const std::string& over : options.over) request.parameters.push_back(batch_parameter(over));
  for (const std::string& column : options.columns) request.columns.push_back(batch_column(column));
  return request;
}

std::size_t count(const std::vector<BatchEnd>& ends, Status status) {
  return static_cast<std::size_t>(std::ranges::count(ends, status, &BatchEnd::status));
}

/// "met", "missed: …", "FAILED: …", or the state of a run that did not end.
std::string in_words(const BatchEnd& end) {
  switch (end.status) {
    case Status::done:
      return end.exit_status == kDone ? "met" : "missed: " + end.message;
    case Status::failed:
      return "FAILED: " + end.message;
    case Status::interrupted:
      return "interrupted";
    case Status::missing:
      return "missing";
  }
  return "";
}

/// Reports a batch on standard error: progress, as one line that updates itself on a terminal, else
/// as a line every 30 s; and a line for each run that ends.
class BatchReporter : public BatchObserver {
 public:
  explicit BatchReporter(const BatchCommandOptions& options)
      : options_(options), on_terminal_(!options.quiet && ::isatty(STDERR_FILENO) == 1) {
    catch_interrupts();
  }
  ~BatchReporter() override { clear_line(); }

  void begin(const BatchPlan& plan, const std::vector<BatchEnd>& ends) override {
    runs_ = plan.runs.size();
    ended_ = static_cast<std::size_t>(std::ranges::count_if(ends, &BatchEnd::is_final));
    if (options_.quiet) return;
    const std::size_t to_resume = count(ends, Status::interrupted);
    say(stderr, "{} runs of {}", runs_, plan.scene_file.string());
    if (ended_ + to_resume > 0)
      say(stderr, "; {} are done already, {} will resume", ended_, to_resume);
    say(stderr, "\n");
  }

  std::unique_ptr<RunObserver> observer_of(const BatchRun&, const fs::path& directory) override {
    return std::make_unique<RunReporter>(
        ReporterOptions{
            .scene = options_.scene, .console = Console::nothing, .pictures = options_.pictures},
        directory);
  }

  void ended(const BatchRun& run, const BatchEnd& end) override {
    const bool stopped = end.status == Status::interrupted;
    if (!stopped) ++ended_;
    if (options_.quiet && end.status == Status::done && end.exit_status == kDone) return;
    if (!stopped)
      print(fmt::format("[{}/{}] {}: {}\n", ended_, runs_, run.name, in_words(end)));
    else
      print(fmt::format("{} was stopped; its checkpoint is written\n", run.name));
  }

  void warn(const std::string& message) override { print("warning: " + message + "\n"); }

  void look(const BatchProgress& progress) override {
    const auto now = Clock::now();
    if (options_.quiet || now < next_) return;
    next_ = now + (on_terminal_ ? Clock::duration(200ms) : Clock::duration(30s));
    const std::string line = line_of(progress, now);
    const std::lock_guard lock(mutex_);
    if (on_terminal_) {
      std::fprintf(stderr, "\r%s\x1b[K", printable(line).c_str());
      std::fflush(stderr);
      line_is_shown_ = true;
    } else if (is_past_start_) {
      say(stderr, "{}\n", line);
    }
    is_past_start_ = true;
  }

  bool stop_requested() override { return is_interrupted(); }

 private:
  std::string line_of(const BatchProgress& progress, Clock::time_point now) const {
    const double done = progress.share - progress.share_at_start;
    const double left =
        done > 0 ? std::chrono::duration<double>(now - start_).count() * (1 - progress.share) / done
                 : 0;
    return fmt::format(
        "{}/{} runs ended, {} running | {:.0f} % | {}", progress.ended, progress.runs,
        progress.running, 100 * progress.share,
        is_interrupted() ? "stopping: each run ends its step and writes a checkpoint"
        : done > 0 ? fmt::format("ETA {}{}", progress.at_most ? "at most " : "", as_clock(left))
                   : "ETA not known yet");
  }

  void print(const std::string& text) {
    const std::lock_guard lock(mutex_);
    clear_line();
    say(stderr, "{}", text);
  }
  void clear_line() {
    if (line_is_shown_) std::fputs("\r\x1b[K", stderr);
    line_is_shown_ = false;
  }

  const BatchCommandOptions& options_;
  bool on_terminal_;
  std::size_t runs_ = 0, ended_ = 0;
  Clock::time_point start_ = Clock::now(), next_ = start_;
  std::mutex mutex_;  ///< guards the terminal
  bool line_is_shown_ = false;
  bool is_past_start_ = false;  ///< the log has no line at 0 s
};

std::string memory_of(const BatchPlan& plan) {
  return fmt::format(
      "The largest run takes about {:.3g} MB of memory; up to {:.3g} MB in a dense "
      "bed. -j sets the number of simultaneous runs.",
      plan.memory / 1e6, plan.memory_dense / 1e6);
}

Json json_of(const BatchPlan& plan, const std::vector<BatchEnd>& ends) {
  Json runs = Json::array();
  for (std::size_t k = 0; k < ends.size(); ++k) {
    Json values = Json::object();
    for (std::size_t p = 0; p < plan.parameters.size(); ++p)
      values[plan.parameters[p].label] = plan.runs[k].values[p];
    runs.push_back({{"name", plan.runs[k].name},
                    {"values", values},
                    {"status", name(ends[k].status)},
                    {"exit_status", ends[k].exit_status},
                    {"message", ends[k].message}});
  }
  return runs;
}

/// Lists the runs with their status. Returns the exit status.
int list(const BatchPlan& plan, const fs::path& out, const BatchCommandOptions& options) {
  const std::vector<BatchEnd> ends = batch_ends(plan, out);
  if (options.json) {
    const Json json{{"status", "listed"},
                    {"exit_status", kDone},
                    {"directory", out.string()},
                    {"memory_bytes", plan.memory},
                    {"memory_bytes_dense", plan.memory_dense},
                    {"runs", json_of(plan, ends)}};
    std::fputs(as_text(json).c_str(), stdout);
    return kDone;
  }
  for (const BatchParameter& parameter : plan.parameters)
    say(stdout, "{} is {}: {} values\n", parameter.label, parameter.path, parameter.values.size());
  for (std::size_t k = 0; k < ends.size(); ++k)
    say(stdout, "{:>5}  {}  {}\n", k + 1, plan.runs[k].name, in_words(ends[k]));
  say(stdout, "{} runs in {}. Every scene is valid. {}\n", ends.size(), out.string(),
      memory_of(plan));
  return kDone;
}

void draw(const fs::path& out, const BatchPlan& plan) {
  draw_batch(out, plan, [](bool warning, const std::string& line) {
    say(stderr, "{}{}\n", warning ? "warning: " : "", line);
  });
}

void print_words(const BatchResult& result, const fs::path& out) {
  const std::size_t done = count(result.ends, Status::done),
                    failed = count(result.ends, Status::failed);
  const auto missed = static_cast<std::size_t>(std::ranges::count_if(result.ends, [](auto& end) {
    return end.status == Status::done && end.exit_status != kDone;
  }));
  say(stderr, "{} of {} runs are done", done, result.ends.size());
  if (missed > 0) say(stderr, ", {} of them failed their verdict", missed);
  if (failed > 0) say(stderr, "; {} failed", failed);
  say(stderr, ".{} Table: {}\n",
      result.interrupted ? " Interrupted; the same command continues from here." : "",
      (out / "table.csv").string());
}

}  // namespace

int run_batch_of(const BatchCommandOptions& options) {
  const BatchPlan plan = plan_batch(request_of(options));
  const fs::path out = options.out.empty()
                           ? fs::path("out") / (options.scene.stem().string() + "_batch")
                           : options.out;
  if (options.dry_run) return list(plan, out, options);
  BatchResult result;
  {
    BatchReporter reporter(options);
    result = run_batch(plan, out, {.jobs = options.jobs, .threads = options.threads}, reporter);
  }
  if (options.plot && !result.interrupted) draw(out, plan);
  if (options.json) {
    const Json json{{"status", result.interrupted ? "interrupted" : "done"},
                    {"exit_status", result.exit_status},
                    {"directory", out.string()},
                    {"table", (out / "table.csv").string()},
                    {"runs", json_of(plan, result.ends)}};
    std::fputs(as_text(json).c_str(), stdout);
  }
  if (!options.quiet) print_words(result, out);
  return result.exit_status;
}

}  // namespace scree::cli
