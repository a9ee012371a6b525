#include "interrupt.hpp"

#include <atomic>
#include <csignal>

namespace scree::cli {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler may set lock-free atomics only");

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};

void note(int) { interrupted = true; }

}  // namespace

void catch_interrupts() {
  if (interrupted) return;
  struct sigaction action {};
  action.sa_handler = note;
  for (const int number : kSignals) {
    // SA_RESETHAND restores the default action after the first signal.
    action.sa_flags = number == SIGUSR1 ? 0 : static_cast<int>(SA_RESETHAND);
    struct sigaction before {};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);
  }
}

void ignore_broken_pipes() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

bool is_interrupted() { return interrupted; }

void leave_interrupts_to_first_rank() {
  for (const int number : kSignals) std::signal(number, SIG_IGN);
}

}  // namespace scree::cli
