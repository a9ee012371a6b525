/// Progress of a run: one line that updates itself on a terminal, else a line in the log every half
/// minute.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "scree/sim/report.hpp"

namespace scree::cli {

class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  /// on_terminal: standard error is a terminal, and the run is not quiet.
  Progress(std::uint64_t first_step, bool on_terminal);
  ~Progress() { clear_line(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Sets the end of the run: time `until` [s] and step `last_step`; `at_most` if it may end
  /// earlier.
  void ends(double until, std::uint64_t last_step, bool at_most);
  /// Shows a step if enough time has passed. `share_moving` is the moving fraction of the mass in a
  /// run until rest [-]; `write_line` adds a line to the log.
  void step(const Report& report, std::optional<double> share_moving,
            const std::function<void(const std::string&)>& write_line);
  /// Removes the line from the terminal, before other output.
  void clear_line();

 private:
  std::string line(const Report& report, std::optional<double> share_moving,
                   Clock::time_point now) const;

  double until_ = 0;
  std::uint64_t first_step_, last_step_ = 0;
  bool at_most_ = false;
  bool on_terminal_;
  bool line_is_shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;  ///< when the last line was shown
  std::uint64_t body_steps_ = 0, body_steps_at_last_ = 0;
};

/// 12345 as "12 345".
std::string with_spaces(std::uint64_t number);
/// 3.1e6 as "3.1 M".
std::string with_prefix(double number);
/// Seconds as hh:mm:ss.
std::string as_clock(double seconds);

}  // namespace scree::cli
