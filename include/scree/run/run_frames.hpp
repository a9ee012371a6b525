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

/// What is wrong with a run, in words, and what is left out for it.
class Complaints {
 public:
  void add(std::string complaint);
  std::size_t count() const { return count_; }
  /// The first `most`, and how many more there are.
  std::vector<std::string> first(std::size_t most) const;

 private:
  static constexpr std::size_t kKept = 100;
  std::vector<std::string> kept_;
  std::size_t count_ = 0;
};

/// Told of what does not end what is done with a run.
using Warn = std::function<void(const std::string& message)>;

/// Throws InputError if there is anything to complain of, unless what is sound is to be taken even
/// so: then warns.
void require_sound(const Complaints& complaints, const std::filesystem::path& run, bool even_so,
                   const Warn& warn);

/// What a run wrote of one time.
struct RunFrame {
  std::filesystem::path grains_file{}, contacts_file{};  ///< in the directory of the run
  GrainsFrame grains{};
  std::optional<ContactsFrame> contacts{};  ///< the scene may do without them
};

/// What has to be known of all frames before the first is analysed.
struct FramesExtent {
  std::vector<Vec3> corners;   ///< of the boxes that hold each frame's centres
  std::vector<Vec3> surfaces;  ///< lowest and highest coordinates of each frame's spheres
  Vec3 period;                 ///< of the cell [m]; 0 along axes that do not repeat
  double mean_diameter = 0;    ///< in the first frame that has bodies [m]; 0 if none has
};

/// Which frames of a run.
struct FrameChoice {
  std::size_t count = 0;  ///< the last so many; 0: all
  std::size_t every = 1;  ///< of those between the times, the first and every so many after it
  /// From and to these times, both among them [s]
  double from = -std::numeric_limits<double>::infinity(),
         to = std::numeric_limits<double>::infinity();

  bool has(double time) const { return from <= time && time <= to; }
};

class RunFrames {
 public:
  /// Frames of a run, each of them read and checked: those that cannot be used are left out. Throws
  /// InputError if the run has none of the choice; OutputError if a file cannot be read, unless
  /// that is to be complained of, too (even_so).
  RunFrames(std::filesystem::path run, const RunManifest& manifest, const FrameChoice& choice,
            bool even_so);

  const Complaints& complaints() const { return complaints_; }
  const FramesExtent& extent() const { return extent_; }
  std::size_t size() const { return files_.size(); }
  /// What is sound in a frame.
  RunFrame read(std::size_t k) const;
  /// The rows of statistics.csv between the times of the choice, if it is as the run wrote it;
  /// those with numbers that are not finite left out.
  std::vector<Report> energies();

 private:
  /// Files of one time.
  struct Files {
    ListedFrame grains;
    std::optional<ListedFrame> contacts;
  };

  void check_end(const RunManifest& manifest);
  std::vector<Files> listed(const std::string& status);
  /// Whether a file is the one whose checksum the manifest has; complains if not.
  bool is_as_written(const std::filesystem::path& file);
  /// Whether a frame can be used; complains of it, and of rows in it.
  bool check(const Files& files);
  RunFrame read_all(const Files& files) const;
  void extend(const GrainsFrame& grains);

  std::filesystem::path run_;
  FrameChoice choice_;
  bool even_so_;
  /// SHA-256 of what the run wrote, by name; none before it ended
  std::map<std::string, std::string> checksums_;
  Complaints complaints_;
  std::vector<Files> files_;
  std::optional<double> last_time_;  ///< of the frame checked last [s]
  FramesExtent extent_;
};

}  // namespace scree
