#include "progress.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

namespace scree::cli {
namespace {

using namespace std::chrono_literals;
constexpr auto kTerminalInterval = 200ms;
constexpr auto kLogInterval = 30s;

double seconds(Progress::Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

std::string with_spaces(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (auto k = static_cast<std::ptrdiff_t>(digits.size()) - 3; k > 0; k -= 3) {
    digits.insert(static_cast<std::size_t>(k), 1, ' ');
  }
  return digits;
}

std::string with_prefix(double number) {
  // The caller appends the unit: "3.1 M body-steps/s".
  if (number >= 1e9) return fmt::format("{:.1f} G", number / 1e9);
  if (number >= 1e6) return fmt::format("{:.1f} M", number / 1e6);
  if (number >= 1e3) return fmt::format("{:.1f} k", number / 1e3);
  return fmt::format("{:.0f}", number);
}

std::string as_clock(double duration) {
  const auto total = static_cast<std::uint64_t>(std::clamp(duration + 0.5, 0.0, 3.6e8));
  return fmt::format("{:02}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60);
}

Progress::Progress(std::uint64_t first_step, bool on_terminal)
    : first_step_(first_step), on_terminal_(on_terminal) {}

void Progress::ends(double until, std::uint64_t last_step, bool at_most) {
  until_ = until;
  last_step_ = last_step;
  at_most_ = at_most;
}

std::string Progress::line(const Report& report, std::optional<double> share_moving,
                           Clock::time_point now) const {
  const double done = static_cast<double>(report.step) /
                      static_cast<double>(std::max<std::uint64_t>(last_step_, 1));
  const auto steps_done = static_cast<double>(report.step - first_step_);
  const auto steps_left = static_cast<double>(last_step_ - report.step);
  const double rate =
      static_cast<double>(body_steps_ - body_steps_at_last_) / std::max(1e-9, seconds(now - last_));
  const double left = steps_done > 0 ? seconds(now - start_) * steps_left / steps_done : 0;
  const std::string share = share_moving
                                ? fmt::format("{:.2g} % of the mass moves", 100 * *share_moving)
                                : fmt::format("{:.0f} %", std::min(100.0, 100 * done));
  return fmt::format(
      "t {:.4g}/{:.4g} s | step {} | {} | {} body-steps/s | contacts {} | residual {:.1e} "
      "({} it) | "
      "ETA {}{}",
      report.time, until_, with_spaces(report.step), share, with_prefix(rate),
      with_spaces(report.contacts), report.residual, report.sweeps, at_most_ ? "at most " : "",
      as_clock(left));
}

void Progress::step(const Report& report, std::optional<double> share_moving,
                    const std::function<void(const std::string&)>& write_line) {
  body_steps_ += report.bodies;
  const auto now = Clock::now();
  if (on_terminal_ ? now - last_ < kTerminalInterval : now - last_ < kLogInterval) return;
  const std::string text = line(report, share_moving, now);
  if (on_terminal_) {
    // \r returns to the start of the line; \x1b[K clears the rest of a longer one.
    std::fprintf(stderr, "\r%s\x1b[K", text.c_str());
    std::fflush(stderr);
    line_is_shown_ = true;
  } else {
    write_line(text);
  }
  last_ = now;
  body_steps_at_last_ = body_steps_;
}

void Progress::clear_line() {
  if (!line_is_shown_) return;
  std::fputs("\r\x1b[K", stderr);
  line_is_shown_ = false;
}

}  // namespace scree::cli
