/// A viewer of a run: a small web server on this machine alone, for the page
/// share/scree/viewer.html. docs/guide/viewer.md
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace scree {

struct ViewerSettings {
  std::filesystem::path run;   ///< directory of a run, which may still be in progress
  std::filesystem::path page;  ///< the page as a file
  int port = 0;                ///< 0: any free port
};

/// Serves a run to browsers of this machine. It binds the loopback address alone, and answers only
/// requests with the token of its address. It reads the run, and writes and locks nothing in it.
class Viewer {
 public:
  /// Throws InputError if the directory does not hold a run, or the port cannot be bound.
  explicit Viewer(const ViewerSettings& settings);
  ~Viewer();

  /// http://127.0.0.1:PORT/TOKEN/
  const std::string& address() const;
  int port() const;

  /// Answers requests until stop_requested() is true, which it asks several times a second.
  void serve(const std::function<bool()>& stop_requested);

 private:
  struct Server;
  std::unique_ptr<Server> server_;
};

}  // namespace scree
