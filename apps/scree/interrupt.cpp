#include "interrupt.hpp"

#include <atomic>
#include <csignal>
#include <initializer_list>

namespace scree::cli {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler may set lock-free atomics only");

void note(int) { interrupted = true; }

}  // namespace

void catch_interrupts() {
  if (interrupted) return;
  struct sigaction action {};
  action.sa_handler = note;
  // SA_RESETHAND restores the default action after the first signal.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
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

}  // namespace scree::cli
