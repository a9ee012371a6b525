/// Frames in memory, as the page asks for them: first the bodies, then perhaps contacts, then
/// details of one body.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scree/io/frames.hpp"
#include "scree/io/joint_frames.hpp"
#include "scree/io/obstacle_frames.hpp"
#include "view/run_files.hpp"

namespace scree::view {

/// The contacts of a frame without unsound ones, and those of each body.
struct LoadedContacts {
  std::vector<ContactRecord> contacts;
  /// Contacts of row i of the bodies: of_body[first[i]] … of_body[first[i + 1] − 1]
  std::vector<std::uint32_t> first, of_body;
  std::vector<std::string> faults;  ///< of the file, in words

  std::span<const std::uint32_t> of(std::uint32_t body) const {
    return std::span(of_body).subspan(first[body], first[body + 1] - first[body]);
  }
};

/// The rest of a frame, without unsound bodies. Row i of a message is body order[i].
struct LoadedFrame {
  GrainsFrame grains;  ///< positions are at home in the cell
  /// Of the lengths in messages [m]; the same for all frames, so that the camera can stay
  Vec3 origin;
  std::vector<std::uint32_t> order;
  std::vector<std::string> faults;  ///< of the files, in words
  std::optional<ObstaclesFrame> obstacles;
  std::optional<JointsFrame> joints;

  /// Body with this id; none if it is not in the frame.
  std::optional<std::uint32_t> find(BodyId id) const;
};

class FrameCache {
 public:
  explicit FrameCache(const RunFiles& run) : run_(run) {}

  /// A frame, read if it is not in memory. Throws InputError or OutputError if its bodies cannot be
  /// read; faults of its other files are in `faults`.
  std::shared_ptr<const LoadedFrame> bodies(std::size_t frame);
  /// Its contacts; none if the run does not write them.
  std::shared_ptr<const LoadedContacts> contacts(std::size_t frame);

 private:
  struct Entry {
    std::size_t frame;
    std::shared_ptr<const LoadedFrame> bodies;
    std::shared_ptr<const LoadedContacts> contacts = nullptr;
  };
  /// The entry of a frame, which becomes the first; makes it if there is none.
  Entry& entry_of(std::size_t frame);
  void drop_oldest();

  const RunFiles& run_;
  std::mutex mutex_;
  std::list<Entry> entries_;  ///< the last used first
  std::optional<Vec3> origin_;
};

}  // namespace scree::view
