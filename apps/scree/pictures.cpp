/// Starts the Python scripts that draw pictures, and passes on their lines.
#include "pictures.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "app_config.hpp"

extern char** environ;

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

/// Runs a program; passes each line that it writes to `line`. Returns its exit status, or −1 if it
/// could not be started.
template <class Line>
int run_program(std::vector<std::string> arguments, Line&& line) {
  std::array<int, 2> pipe_ends{};
  if (::pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return -1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawn(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(pipe_ends[1]);

  std::string text;
  std::array<char, 4096> block{};
  for (ssize_t count = 0;
       !failed && (count = ::read(pipe_ends[0], block.data(), block.size())) != 0;) {
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    text.append(block.data(), static_cast<std::size_t>(count));
    for (std::size_t end = 0; (end = text.find('\n')) != std::string::npos;
         text.erase(0, end + 1)) {
      line(text.substr(0, end));
    }
  }
  ::close(pipe_ends[0]);
  if (failed) return -1;
  if (!text.empty()) line(text);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

}  // namespace

fs::path share_directory() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (const fs::path& candidate :
       {program.parent_path() / SCREE_SHARE_FROM_BIN, fs::path(SCREE_SOURCE_SHARE)}) {
    if (fs::exists(candidate / "pictures.py", error)) return fs::canonical(candidate, error);
  }
  return {};
}

namespace {

/// Runs a script of share/scree. True if it drew all pictures.
bool run_script(const char* name, const std::vector<std::string>& arguments,
                const ReportLine& report) {
  const fs::path share = share_directory();
  if (share.empty()) {
    report(true,
           fmt::format(
               "No pictures: {} is not installed with the program and not in its source. Install "
               "scree again.",
               name));
    return false;
  }
  std::vector<std::string> words{kPython, (share / name).string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const int status = run_program(words, [&](const std::string& line) {
    // The scripts print "warning: …" if they cannot draw a picture.
    const bool warning = line.starts_with("warning: ");
    report(warning, warning ? line.substr(9) : line);
  });
  if (status == -1) {
    report(true, fmt::format("No pictures: {} cannot be started; run apt install python3 "
                             "python3-matplotlib python3-h5py "
                             "python3-vtk9 xvfb",
                             kPython));
  } else if (status != 0) {
    report(true, fmt::format("Some pictures could not be drawn. To draw them again: {}",
                             fmt::join(words, " ")));
  }
  return status == 0;
}

}  // namespace

void draw_pictures(const fs::path& run_directory, const ReportLine& report) {
  run_script("pictures.py", {run_directory.string()}, report);
}

bool draw_in_space(const fs::path& run_directory, const char* kind, const fs::path& out,
                   const Json& options, const ReportLine& report) {
  return run_script("movie.py", {run_directory.string(), kind, out.string(), options.dump()},
                    report);
}

void draw_analysis(const fs::path& directory, const ReportLine& report) {
  run_script("analysis_pictures.py", {directory.string()}, report);
}

void draw_batch(const fs::path& directory, const BatchPlan& plan, const ReportLine& report) {
  std::vector<std::string> words{directory.string()};
  for (const BatchColumn& column : plan.columns)
    words.insert(words.end(), {"--figure", column.name});
  run_script("batch_pictures.py", words, report);
}

void draw_performance_profile(const fs::path& directory, const ReportLine& report) {
  run_script("performance_profile.py", {directory.string()}, report);
}

bool draw_contacts(const fs::path& problems, const fs::path& directory, const ReportLine& report) {
  return run_script(
      "contact_pictures.py",
      {problems.string(), directory.string(), fs::read_symlink("/proc/self/exe").string()}, report);
}

bool draw_pair(const fs::path& motion, const fs::path& forces, const fs::path& picture,
               const ReportLine& report) {
  return run_script("pair_pictures.py", {motion.string(), forces.string(), picture.string()},
                    report);
}

}  // namespace scree::cli
