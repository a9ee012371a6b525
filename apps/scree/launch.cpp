/// Starts scree-mpi under mpirun, and passes signals on to it.
#include "launch.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "interrupt.hpp"
#include "scree/core/error.hpp"
#include "scree/run/exit_status.hpp"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

/// scree-mpi next to this program.
fs::path mpi_program() {
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path() / "scree-mpi";
  if (!fs::exists(program, error))
    throw InputError(
        fmt::format("several ranks need the program scree-mpi, and {} is not there; install the "
                    "package scree-mpi, or build scree where libopenmpi-dev is installed",
                    program.string()));
  return program;
}

/// Path of a program in PATH; empty if there is none.
fs::path in_path(const char* name) {
  const char* value = std::getenv("PATH");
  std::string_view left = value ? value : "";
  while (!left.empty()) {
    const std::string_view folder = left.substr(0, left.find(':'));
    left.remove_prefix(std::min(left.size(), folder.size() + 1));
    fs::path path = fs::path(folder.empty() ? "." : folder) / name;
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  return {};
}

/// Arguments without --ranks N, --ranks=N, -n N and -nN.
std::vector<std::string> without_ranks(const std::vector<std::string>& arguments) {
  std::vector<std::string> left;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::string& argument = arguments[k];
    if (argument == "--ranks" || argument == "-n")
      ++k;
    else if (!argument.starts_with("--ranks=") &&
             !(argument.starts_with("-n") && !argument.starts_with("--")))
      left.push_back(argument);
  }
  return left;
}

std::vector<char*> pointers_to(std::vector<std::string>& arguments) {
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  return pointers;
}

int number_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value ? std::atoi(value) : 0;
}

/// Waits for a child for a while; true when it has ended.
bool has_ended(pid_t child, int& status) {
  constexpr timespec kPause{0, 50'000'000};
  const pid_t ended = ::waitpid(child, &status, WNOHANG);
  if (ended == child) return true;
  ::nanosleep(&kPause, nullptr);
  return false;
}

}  // namespace

int launched_ranks() {
  // Open MPI's mpirun; the others of the PMI protocol; srun, but not the script of a job.
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
    if (const int ranks = number_in(variable); ranks > 1) return ranks;
  return 0;
}

void become_rank(const std::vector<std::string>& command_line) {
  std::vector<std::string> arguments = command_line;
  arguments.front() = mpi_program().string();
  ::execv(arguments.front().c_str(), pointers_to(arguments).data());
  throw InputError(fmt::format("cannot start {}: {}", arguments.front(), std::strerror(errno)));
}

int launch(int ranks, const std::vector<std::string>& command_line) {
  const fs::path program = mpi_program(), mpirun = in_path("mpirun");
  if (mpirun.empty())
    throw InputError("--ranks needs mpirun, and PATH has none; install the package openmpi-bin");
  // Threads find their cores by themselves: see Ranks::share_of_cores().
  std::vector<std::string> arguments{mpirun.string(),       "--bind-to",     "none", "-n",
                                     std::to_string(ranks), program.string()};
  for (const std::string& argument : without_ranks({command_line.begin() + 1, command_line.end()}))
    arguments.push_back(argument);
  const std::vector<char*> pointers = pointers_to(arguments);
  catch_interrupts();
  const pid_t parent = ::getpid(), child = ::fork();
  if (child == 0) {
    // A group of its own: the terminal's signals come here first, and mpirun would kill its ranks.
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) std::signal(number, SIG_DFL);
    if (::getppid() == parent) ::execv(pointers[0], pointers.data());
    ::_exit(kInputOutputFailure);
  }
  if (child < 0)
    throw InputError(fmt::format("cannot start {}: {}", pointers[0], std::strerror(errno)));
  int status = 0, waits = 0;
  while (!has_ended(child, status)) {
    // Repeated, because mpirun passes it only to ranks that have started.
    constexpr int kWaitsBetweenSignals = 20;
    if (is_interrupted() && waits++ % kWaitsBetweenSignals == 0) ::kill(child, SIGUSR1);
  }
  if (!WIFEXITED(status) || (is_interrupted() && WEXITSTATUS(status) != kDone)) {
    return is_interrupted() ? kInterrupted : kInternalError;
  }
  return WEXITSTATUS(status);
}

}  // namespace scree::cli
