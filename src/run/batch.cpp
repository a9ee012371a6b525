/// Runs the plan of a batch with several threads, and keeps batch.json and table.csv up to date.
#include "scree/run/batch.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <fmt/format.h>
#include <mutex>
#include <new>
#include <optional>
#include <string_view>
#include <thread>

#include "run/batch_table.hpp"
#include "scree/io/build_info.hpp"
#include "scree/io/files.hpp"
#include "scree/io/parsed_json.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/sim/steps.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr int kBatchVersion = 1;  // of batch.json
constexpr const char* kBatchFile = "batch.json";
constexpr const char* kTable = "table.csv";
constexpr std::chrono::milliseconds kLook{50};

/// Content of batch.json: the plan, and the program that started it.
Json as_json(const BatchPlan& plan) {
  const BuildInfo build = build_info();
  Json json{
      {"program", "scree"},     {"batch_version", kBatchVersion},    {"version", build.version},
      {"commit", build.commit}, {"scene", plan.scene_file.string()}, {"set", plan.overrides}};
  for (const BatchParameter& parameter : plan.parameters)
    json["parameters"].push_back(
        {{"path", parameter.path}, {"label", parameter.label}, {"values", parameter.values}});
  for (const BatchRun& run : plan.runs)
    json["runs"].push_back({{"name", run.name}, {"values", run.values}, {"scene", run.checksum}});
  return json;
}

std::string parameters_text(const Json& json) {
  std::string text;
  for (const Json& parameter : json) {
    text += (text.empty() ? "" : " ") + parameter.value("path", std::string()) + "=";
    std::string values;
    for (const Json& value : parameter.value("values", Json::array()))
      values += (values.empty() ? "" : ",") + (value.is_string() ? value.get<std::string>() : "?");
    text += values;
  }
  return text;
}

/// Throws if a directory holds another batch.
void require_same(const fs::path& directory, const Json& had, const Json& has) {
  const auto refuse = [&](const std::string& why) {
    throw InputError(
        fmt::format("{} already holds a batch, and {}; give the same arguments to continue it, or "
                    "choose another directory with --out",
                    directory.string(), why));
  };
  if (had.value("batch_version", 0) != kBatchVersion)
    throw InputError(fmt::format("{} has another version; use the scree that made it",
                                 (directory / kBatchFile).string()));
  if (parameters_text(had.value("parameters", Json())) != parameters_text(has["parameters"]))
    refuse(fmt::format("it varies {}, but this one varies {}",
                       parameters_text(had.value("parameters", Json())),
                       parameters_text(has["parameters"])));
  if (had.value("set", Json()) != has["set"])
    refuse(fmt::format("it was started with other --set: {}", had.value("set", Json()).dump()));
  const Json before = had.value("runs", Json::array());
  for (std::size_t k = 0; k < has["runs"].size(); ++k) {
    const Json& run = has["runs"][k];
    if (k >= before.size() || before[k] != run)
      refuse(fmt::format(
          "its scene is another one: {}, or a file that it names, was changed since, see run {}",
          has["scene"].get<std::string>(), run["name"].get<std::string>()));
  }
}

/// Batch in a directory; null if the directory is empty or missing. Throws InputError if it holds
/// something else.
Json batch_in(const fs::path& directory) {
  std::error_code ignored;
  if (!fs::exists(directory, ignored)) return {};
  const auto refuse = [&] {
    throw InputError(
        fmt::format("{} exists and does not hold a batch of scree, so it is left unchanged; choose "
                    "another directory with --out",
                    directory.string()));
  };
  if (!fs::is_directory(directory, ignored)) refuse();
  if (fs::exists(directory / kBatchFile, ignored)) {
    Json json = parsed_json(read_file(directory / kBatchFile));
    if (!json.is_object() || json.value("program", Json()) != "scree") refuse();
    return json;
  }
  for (const auto& entry : fs::directory_iterator(directory))
    // otherwise killed at its start
    if (entry.path().filename() != part_path(kBatchFile)) refuse();
  return {};
}

/// Message of a run that cannot be resumed, adapted to a batch, which has no --force.
std::string in_a_batch(std::string message, const fs::path& run) {
  constexpr std::string_view kAnew = "start again with --force";
  if (const auto at = message.find(kAnew); at != std::string::npos)
    message.replace(at, kAnew.size(),
                    fmt::format("remove the directory {} to start this run again", run.string()));
  return message;
}

/// Forwards to the observer of a run, and stores the progress of the run.
class Watched : public RunObserver {
 public:
  /// `share` is the fraction of its steps done; `before` is the sum of the fractions at the start.
  Watched(std::unique_ptr<RunObserver> other, BatchObserver& batch, std::atomic<double>& share,
          std::atomic<double>& before)
      : other_(other ? std::move(other) : std::make_unique<RunObserver>()),
        batch_(batch),
        share_(share),
        before_(before) {}

  void begin(const Scene& scene, const Simulation& simulation, bool resumed) override {
    last_step_ = steps_until(scene.until, scene.model.step.h);
    share_ = share_after(simulation.state().step);
    before_ += share_;
    other_->begin(scene, simulation, resumed);
  }
  void stage(const Scene& scene, std::size_t index, const Simulation& simulation) override {
    other_->stage(scene, index, simulation);
  }
  void rest(const RestWatch& watch) override { other_->rest(watch); }
  void step(const Simulation& simulation) override {
    share_ = share_after(simulation.report().step);
    other_->step(simulation);
  }
  void warn(const std::string& message) override { other_->warn(message); }
  bool stop_requested() override { return batch_.stop_requested() || other_->stop_requested(); }
  void end(const Scene& scene, const RunResult& result) override { other_->end(scene, result); }

 private:
  double share_after(std::uint64_t step) const {
    return static_cast<double>(step) / static_cast<double>(std::max<std::uint64_t>(last_step_, 1));
  }

  std::unique_ptr<RunObserver> other_;
  BatchObserver& batch_;
  std::atomic<double>&share_, &before_;
  std::uint64_t last_step_ = 0;
};

class Batch {
 public:
  Batch(const BatchPlan& plan, fs::path directory, const BatchOptions& options,
        BatchObserver& observer, std::vector<BatchEnd> ends)
      : plan_(plan),
        directory_(std::move(directory)),
        observer_(observer),
        ends_(std::move(ends)),
        shares_(plan.runs.size()) {
    for (std::size_t k = 0; k < plan_.runs.size(); ++k) {
      rows_.push_back(row_of(k));
      if (ends_[k].is_final())
        shares_[k] = 1;
      else
        waiting_.push_back(k);
    }
    std::ranges::reverse(waiting_);  // the first is taken from the back
    const int cores = static_cast<int>(machine_info().cores);
    const int jobs = options.jobs > 0 ? options.jobs : cores;
    jobs_ = std::min(jobs, static_cast<int>(waiting_.size()));
    threads_ = options.threads > 0 ? options.threads : std::max(1, cores / std::max(1, jobs_));
    left_ = waiting_.size();
  }

  BatchResult run() {
    share_before_ = sum_of_shares();
    write_table();
    observer_.begin(plan_, ends_);
    std::vector<std::jthread> threads;
    threads.reserve(static_cast<std::size_t>(jobs_));
    try {
      for (int k = 0; k < jobs_; ++k) threads.emplace_back([this] { work(); });
      look_until_idle();
    } catch (...) {  // no more threads, or an exception of the observer
      const std::lock_guard lock(mutex_);
      waiting_.clear();
      throw;
    }
    threads.clear();
    if (output_error_) std::rethrow_exception(output_error_);
    return {ends_, stopped_, exit_status()};
  }

 private:
  fs::path path_of(std::size_t k) const { return directory_ / plan_.runs[k].name; }
  BatchRow row_of(std::size_t k) const { return batch_row(path_of(k), ends_[k], plan_.columns); }
  void write_table() { write_file(directory_ / kTable, batch_table(plan_, rows_)); }
  double sum_of_shares() const {
    double sum = 0;
    for (const std::atomic<double>& share : shares_) sum += share;
    return sum;
  }
  BatchProgress progress_now() const {
    const auto runs = static_cast<double>(plan_.runs.size());
    return {plan_.runs.size(),      plan_.runs.size() - left_, running_,
            sum_of_shares() / runs, share_before_ / runs,      may_end_early_};
  }

  void look_until_idle() {
    std::unique_lock lock(mutex_);
    while (idle_ < jobs_) {
      const BatchProgress progress = progress_now();
      lock.unlock();
      observer_.look(progress);
      lock.lock();
      ended_.wait_for(lock, kLook, [&] { return idle_ == jobs_; });
    }
  }

  /// Runs the waiting runs, one after the other.
  void work() {
    for (std::optional<std::size_t> k = next(); k; k = next()) note(*k, run_one(*k));
    const std::lock_guard lock(mutex_);
    ++idle_;
    ended_.notify_all();
  }

  std::optional<std::size_t> next() {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty() || output_error_) return {};
    if (observer_.stop_requested()) {
      stopped_ = true;
      return {};
    }
    const std::size_t k = waiting_.back();
    waiting_.pop_back();
    ++running_;
    return k;
  }

  BatchEnd run_one(std::size_t k) {
    const BatchRun& run = plan_.runs[k];
    try {
      Watched watched(observer_.observer_of(run, path_of(k)), observer_, shares_[k], share_before_);
      const RunOptions how{.scene_file = plan_.scene_file,
                           .overrides = run.overrides,
                           .command_line = {"batch", directory_.string()},
                           .threads = threads_,
                           .old_run = OldRun::go_on};
      scree::run(read_scene(run), path_of(k), how, watched);
      return batch_end_of(path_of(k));
    } catch (const std::bad_alloc&) {
      return {BatchEnd::Status::failed, kInputOutputFailure,
              "out of memory; run fewer at a time with -j"};
    } catch (const std::exception& error) {
      return {BatchEnd::Status::failed, exit_status_of(error),
              in_a_batch(error.what(), path_of(k))};
    }
  }

  /// One at a time: the libraries used have global state.
  Scene read_scene(const BatchRun& run) {
    const std::lock_guard lock(reading_);
    Scene scene = load_scene_text(plan_.scene_text, plan_.scene_file, run.overrides);
    const auto is_early = [](const auto& end) { return end.rest || end.condition; };
    if (is_early(scene) || std::ranges::any_of(scene.stages, is_early)) may_end_early_ = true;
    return scene;
  }

  void note(std::size_t k, BatchEnd end) {
    const std::lock_guard lock(mutex_);
    --running_;
    if (end.status == BatchEnd::Status::interrupted) {
      stopped_ = true;
    } else {
      --left_;
      shares_[k] = 1;
    }
    ends_[k] = std::move(end);
    try {
      rows_[k] = row_of(k);
      write_table();
      observer_.ended(plan_.runs[k], ends_[k]);
    } catch (...) {
      output_error_ = std::current_exception();
    }
  }

  /// The worst exit status of all runs; kInterrupted for a stopped batch.
  int exit_status() const {
    if (stopped_) return kInterrupted;
    for (const int status : {kInternalError, kInputOutputFailure, kBadInput, kToleranceMissed})
      if (std::ranges::find(ends_, status, &BatchEnd::exit_status) != ends_.end()) return status;
    return kDone;
  }

  const BatchPlan& plan_;
  fs::path directory_;
  BatchObserver& observer_;
  int jobs_ = 0, threads_ = 1;

  std::mutex reading_;
  std::mutex mutex_;  ///< guards all members below
  std::condition_variable ended_;
  std::vector<std::size_t> waiting_;  ///< runs, the next one last
  std::vector<BatchEnd> ends_;
  std::vector<BatchRow> rows_;
  std::vector<std::atomic<double>> shares_;  ///< of the steps of each run
  std::size_t running_ = 0, left_ = 0;
  int idle_ = 0;  ///< threads without work
  bool stopped_ = false;
  std::atomic<double> share_before_ = 0;  ///< sum over all runs, when they were started or resumed
  std::atomic<bool> may_end_early_ = false;
  std::exception_ptr output_error_;
};

std::vector<BatchEnd> ends_in(const BatchPlan& plan, const fs::path& directory) {
  std::vector<BatchEnd> ends;
  for (const BatchRun& run : plan.runs) ends.push_back(batch_end_of(directory / run.name));
  return ends;
}

}  // namespace

bool BatchEnd::is_final() const {
  return status == Status::done || (status == Status::failed && exit_status == kToleranceMissed);
}

const char* name(BatchEnd::Status status) {
  switch (status) {
    case BatchEnd::Status::missing:
      return "missing";
    case BatchEnd::Status::interrupted:
      return "interrupted";
    case BatchEnd::Status::failed:
      return "failed";
    case BatchEnd::Status::done:
      return "done";
  }
  return "";
}

std::vector<BatchEnd> batch_ends(const BatchPlan& plan, const fs::path& directory) {
  const Json before = batch_in(directory);
  if (before.is_null()) return std::vector<BatchEnd>(plan.runs.size());
  try {
    require_same(directory, before, as_json(plan));
  } catch (const Json::exception&) {
    throw InputError(fmt::format(
        "{} is damaged; restore the file that scree wrote, or choose another directory with --out",
        (directory / kBatchFile).string()));
  }
  return ends_in(plan, directory);
}

BatchResult run_batch(const BatchPlan& plan, const fs::path& directory, const BatchOptions& options,
                      BatchObserver& observer) {
  const RunLock before_looking(directory);
  std::vector<BatchEnd> ends = batch_ends(plan, directory);
  const Json before = batch_in(directory), now = as_json(plan);
  make_directories(directory);
  const RunLock lock = before_looking ? RunLock() : RunLock(directory);
  if (before.is_null())
    write_file(directory / kBatchFile, as_text(now));
  else if (before.value("commit", Json()) != now["commit"] ||
           before.value("version", Json()) != now["version"])
    observer.warn(fmt::format("the batch was started by scree {}, commit {}; this is {}, commit {}",
                              before.value("version", ""), before.value("commit", ""),
                              now["version"].get<std::string>(), now["commit"].get<std::string>()));
  return Batch(plan, directory, options, observer, std::move(ends)).run();
}

}  // namespace scree
