/// Sinks and formatters of a run's log: console, text file and JSON lines.
#include "log.hpp"

#include <cstdio>
#include <mutex>
#include <nlohmann/json.hpp>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>

#include "progress.hpp"
#include "say.hpp"
#include "scree/core/error.hpp"

namespace scree::cli {
namespace {

/// Standard error; clears the progress line first.
class ConsoleSink : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit ConsoleSink(Progress& progress) : progress_(progress) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t text;
    formatter_->format(message, text);
    progress_.clear_line();
    say(stderr, "{}", std::string_view(text.data(), text.size()));
  }
  void flush_() override { std::fflush(stderr); }

 private:
  Progress& progress_;
};

/// Formats a message by a pattern, without bytes that command a terminal.
class PrintableFormatter : public spdlog::formatter {
 public:
  explicit PrintableFormatter(std::string pattern)
      : pattern_(std::move(pattern)), formatter_(pattern_, spdlog::pattern_time_type::utc) {}
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& text) override {
    spdlog::memory_buf_t raw;
    formatter_.format(message, raw);
    const std::string line = printable({raw.data(), raw.size()});
    text.append(line.data(), line.data() + line.size());
  }
  std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<PrintableFormatter>(pattern_);
  }

 private:
  std::string pattern_;
  spdlog::pattern_formatter formatter_;
};

/// Formats a message as one line of JSON.
class JsonFormatter : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& text) override {
    const auto level = spdlog::level::to_string_view(message.level);
    spdlog::memory_buf_t time;
    time_.format(message, time);
    const nlohmann::ordered_json json{
        {"time", std::string(time.data(), time.size())},
        {"level", std::string(level.data(), level.size())},
        {"message", std::string(message.payload.data(), message.payload.size())}};
    const std::string line =
        json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    text.append(line.data(), line.data() + line.size());
  }
  std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<JsonFormatter>();
  }

 private:
  spdlog::pattern_formatter time_{"%Y-%m-%dT%H:%M:%S.%eZ", spdlog::pattern_time_type::utc, ""};
};

}  // namespace

namespace {

spdlog::level::level_enum level_of(Console console) {
  switch (console) {
    case Console::all:
      return spdlog::level::info;
    case Console::warnings:
      return spdlog::level::warn;
    case Console::nothing:
      break;
  }
  return spdlog::level::off;
}

}  // namespace

std::shared_ptr<spdlog::logger> make_log(Console shown, Progress& progress) {
  auto console = std::make_shared<ConsoleSink>(progress);
  console->set_pattern("%v");
  console->set_level(level_of(shown));
  auto log = std::make_shared<spdlog::logger>("scree", std::move(console));
  log->flush_on(spdlog::level::info);
  return log;
}

void log_to_files(spdlog::logger& log, const std::filesystem::path& run_directory, bool append) {
  const auto cannot_log = [run_directory](const std::string& reason) {
    throw OutputError("cannot write the log in " + run_directory.string() + ": " + reason +
                      "; check that the disk has space and that you may write there");
  };
  try {
    auto text = std::make_shared<spdlog::sinks::basic_file_sink_mt>(
        (run_directory / "log.txt").string(), !append);
    text->set_formatter(std::make_unique<PrintableFormatter>("%Y-%m-%dT%H:%M:%S.%eZ %-7l %v"));
    auto lines = std::make_shared<spdlog::sinks::basic_file_sink_mt>(
        (run_directory / "log.jsonl").string(), !append);
    lines->set_formatter(std::make_unique<JsonFormatter>());
    log.sinks().push_back(std::move(text));
    log.sinks().push_back(std::move(lines));
  } catch (const spdlog::spdlog_ex& error) {
    cannot_log(error.what());
  }
  log.set_error_handler(cannot_log);
}

}  // namespace scree::cli
