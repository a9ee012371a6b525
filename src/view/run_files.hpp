/// The files of a run, as a viewer finds them while the run may still write some.
#pragma once

#include <filesystem>
#include <mutex>
#include <vector>

#include "scree/io/json_text.hpp"
#include "view/scene_facts.hpp"

namespace scree::view {

/// Files of one time, relative to the directory of the run; empty where there is none.
struct FrameFiles {
  double time = 0;  ///< [s]
  std::filesystem::path grains, contacts, obstacles, joints;
};

/// All functions may be called by several threads.
class RunFiles {
 public:
  /// Throws InputError if the directory does not hold a run.
  explicit RunFiles(const std::filesystem::path& run);

  const std::filesystem::path& directory() const { return directory_; }
  const SceneFacts& scene() const { return scene_; }

  /// Looks for new frames.
  void refresh();
  /// Files of a frame. Throws InputError if there is no such frame.
  FrameFiles frame(std::size_t k) const;
  /// Absolute path of a file of the run. Throws InputError if it lies outside of the directory, as
  /// through a link; OutputError if it does not exist.
  std::filesystem::path inside(const std::filesystem::path& file) const;

  /// Description of the run for the page, with the times of the frames from `first_frame` on.
  Json description(std::size_t first_frame) const;

 private:
  void append_unlisted();

  std::filesystem::path directory_;  ///< canonical
  SceneFacts scene_;
  mutable std::mutex mutex_;
  std::vector<FrameFiles> frames_;
};

}  // namespace scree::view
