/// scree view: serves the viewer of a run, and opens it in a browser.
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <string>
#include <unistd.h>

#include "commands.hpp"
#include "interrupt.hpp"
#include "pictures.hpp"
#include "say.hpp"
#include "scree/core/error.hpp"
#include "scree/run/exit_status.hpp"
#include "view/viewer.hpp"

extern char** environ;

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

fs::path page_file() {
  fs::path page = share_directory() / "viewer.html";
  if (std::error_code error; !fs::exists(page, error))
    throw OutputError("viewer.html is not installed with the program; install scree again");
  return page;
}

bool has_screen() {
  return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
}

/// A page that leads to the address, readable for this user alone. A command line with the address
/// would show its token to everybody on this machine.
class PrivatePage {
 public:
  explicit PrivatePage(const std::string& address) {
    const int file = ::mkostemps(path_.data(), 5, O_CLOEXEC);
    if (file < 0) return;
    const std::string text =
        fmt::format("<!doctype html><meta http-equiv=refresh content=\"0;url={}\">\n", address);
    written_ = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::close(file);
  }
  ~PrivatePage() { ::unlink(path_.c_str()); }
  PrivatePage(const PrivatePage&) = delete;
  PrivatePage& operator=(const PrivatePage&) = delete;

  /// Starts the desktop's browser; false if there is none.
  bool open() {
    std::string program = "xdg-open";
    char* const arguments[] = {program.data(), path_.data(), nullptr};
    pid_t child = 0;
    return written_ &&
           ::posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ) == 0;
  }

 private:
  std::string path_ = (fs::temp_directory_path() / "scree_view_XXXXXX.html").string();
  bool written_ = false;
};

}  // namespace

int view_run(const ViewOptions& options) {
  Viewer viewer({options.run, page_file(), options.port});
  catch_interrupts();
  say(stdout, "{}\n", viewer.address());
  std::fflush(stdout);
  say(stderr, "Open this address in a browser of this machine; Ctrl-C ends the viewer.\n");
  PrivatePage page(viewer.address());
  if (options.browser && has_screen() && !page.open())
    warn("no browser could be started; open the address yourself");
  viewer.serve(is_interrupted);
  return kDone;
}

}  // namespace scree::cli
