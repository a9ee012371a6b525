/// The frames of a run, read for an analysis and checked before it counts on them.
#pragma once

#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scree/io/frames.hpp"
#include "scree/io/run_manifest.hpp"

namespace scree {

/// Complaints about a run: its faults, and what was left out because of them.
class Complaints {
 public:
  void add(std::string complaint);
  std::size_t count() const { return count_; }
  /// The first `max_count`, and a line with the number of further ones.
  std::vector<std::string> first(std::size_t max_count) const;

 private:
  static constexpr std::size_t kKept = 100;
  std::vector<std::string> kept_;
  std::size_t count_ = 0;
};

/// Receives warnings about a run.
using Warn = std::function<void(const std::string& message)>;

/// Throws InputError if there are complaints; with even_so warns instead.
void require_sound(const Complaints& complaints, const std::filesystem::path& run, bool even_so,
                   const Warn& warn);

/// Frames of one time.
struct RunFrame {
  std::filesystem::path grains_file{}, contacts_file{};  ///< in the directory of the run
  GrainsFrame grains{};
  std::optional<ContactsFrame> contacts{};  ///< absent if the scene writes none
};

/// Extent of all frames, needed before the first is analysed.
struct FramesExtent {
  std::vector<Vec3> corners;   ///< of the bounding box of each frame's centres
  std::vector<Vec3> surfaces;  ///< lowest and highest coordinates of each frame's spheres
  Vec3 period;                 ///< of the cell [m]; 0 along axes that are not periodic
  double mean_diameter = 0;    ///< in the first frame that has bodies [m]; 0 if none has
};

/// Choice of frames of a run.
struct FrameChoice {
  std::size_t count = 0;  ///< number of last frames; 0: all
  /// stride: of the frames between the times, the first and every so many after it
  std::size_t every = 1;
  /// Times from and to, both included [s]
  double from = -std::numeric_limits<double>::infinity(),
         to = std::numeric_limits<double>::infinity();

  bool has(double time) const { return from <= time && time <= to; }
};

class RunFrames {
 public:
  /// Reads and checks each frame; unusable frames are left out. Throws InputError if the run has no
  /// frame of the choice; OutputError if a file cannot be read, which is only a complaint with
  /// even_so.
  RunFrames(std::filesystem::path run, const RunManifest& manifest, const FrameChoice& choice,
            bool even_so);

  const Complaints& complaints() const { return complaints_; }
  const FramesExtent& extent() const { return extent_; }
  std::size_t size() const { return files_.size(); }
  /// The sound rows of a frame.
  RunFrame read(std::size_t k) const;
  /// Rows of statistics.csv between the times of the choice, without rows that have non-finite
  /// numbers; none if the file was changed since the run.
  std::vector<Report> energies();

 private:
  /// Files of one time.
  struct Files {
    ListedFrame grains;
    std::optional<ListedFrame> contacts;
  };

  void check_end(const RunManifest& manifest);
  std::vector<Files> listed(const std::string& status);
  /// True if a file has the checksum of the manifest; adds a complaint if not.
  bool is_as_written(const std::filesystem::path& file);
  /// True if a frame is usable; adds complaints about it and its rows.
  bool check(const Files& files);
  RunFrame read_all(const Files& files) const;
  void extend(const GrainsFrame& grains);

  std::filesystem::path run_;
  FrameChoice choice_;
  bool even_so_;
  /// SHA-256 of the output files, by name; empty before the run ended
  std::map<std::string, std::string> checksums_;
  Complaints complaints_;
  std::vector<Files> files_;
  std::optional<double> last_time_;  ///< of the frame checked last [s]
  FramesExtent extent_;
};

}  // namespace scree
