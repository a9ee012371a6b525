/// Reads frames, removes their unsound rows, and keeps the last ones.
#include "view/frame_cache.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "scree/io/frame_checks.hpp"
#include "view/curve_order.hpp"
#include "view/library_lock.hpp"

namespace scree::view {
namespace {

Vec3 middle_of(std::span<const Vec3> points) {
  Vec3 sum;
  for (const Vec3& point : points) sum += point;
  return points.empty() ? sum : sum / static_cast<double>(points.size());
}

/// Removes the unsound rows of a frame; notes the first few.
template <class Frame>
void keep_sound_rows(Frame& frame, std::vector<std::string>& faults) {
  constexpr std::size_t kNamed = 5;
  const std::vector<FrameFault> found = faults_of(frame);
  for (std::size_t k = 0; k < std::min(kNamed, found.size()); ++k)
    faults.push_back(in_words(found[k], frame));
  if (found.size() > kNamed) faults.push_back(fmt::format("… and {} more", found.size() - kNamed));
  remove_faults(frame, found);
}

/// Reads a file of a frame that may be missing; notes why it cannot be read.
template <class Read>
auto read_if_there(const RunFiles& run, const std::filesystem::path& file, Read&& read,
                   std::vector<std::string>& faults) -> std::optional<decltype(read(file))> {
  if (file.empty()) return {};
  try {
    const std::lock_guard lock(library_lock());
    return read(run.inside(file));
  } catch (const std::exception& error) {
    faults.emplace_back(error.what());
    return {};
  }
}

LoadedFrame read_frame(const RunFiles& run, const FrameFiles& files) {
  LoadedFrame frame;
  {
    const std::lock_guard lock(library_lock());
    frame.grains = read_grains(run.inside(files.grains));
  }
  keep_sound_rows(frame.grains, frame.faults);
  for (Vec3& position : frame.grains.bodies.position) position = frame.grains.domain.home(position);
  frame.order = curve_order(frame.grains.bodies.position);
  frame.obstacles = read_if_there(run, files.obstacles, read_obstacles, frame.faults);
  frame.joints = read_if_there(run, files.joints, read_joints, frame.faults);
  return frame;
}

/// Lists the contacts of each body.
void list_contacts(const LoadedFrame& frame, LoadedContacts& of) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  // body, contact
  for (std::uint32_t k = 0; k < of.contacts.size(); ++k)
    for (const BodyId id : {of.contacts[k].a, of.contacts[k].b})
      if (const auto body = frame.find(id)) pairs.emplace_back(*body, k);
  std::ranges::sort(pairs);
  of.first.assign(frame.grains.bodies.size() + 1, 0);
  for (const auto& [body, contact] : pairs) {
    ++of.first[body + 1];
    of.of_body.push_back(contact);
  }
  for (std::size_t i = 0; i + 1 < of.first.size(); ++i) of.first[i + 1] += of.first[i];
}

LoadedContacts contacts_of(const RunFiles& run, const FrameFiles& files, const LoadedFrame& frame) {
  LoadedContacts of;
  if (auto read = read_if_there(run, files.contacts, read_contacts, of.faults)) {
    keep_sound_rows(*read, of.faults);
    of.contacts = std::move(read->contacts);
  }
  list_contacts(frame, of);
  return of;
}

}  // namespace

std::optional<std::uint32_t> LoadedFrame::find(BodyId id) const {
  const auto& ids = grains.bodies.id;
  const auto at = std::ranges::lower_bound(ids, id);
  if (at == ids.end() || *at != id) return {};
  return static_cast<std::uint32_t>(at - ids.begin());
}

std::shared_ptr<const LoadedFrame> FrameCache::bodies(std::size_t frame) {
  const std::lock_guard lock(mutex_);
  Entry& entry = entry_of(frame);
  return entry.bodies;
}

std::shared_ptr<const LoadedContacts> FrameCache::contacts(std::size_t frame) {
  const std::lock_guard lock(mutex_);
  Entry& entry = entry_of(frame);
  if (!entry.contacts)
    entry.contacts =
        std::make_shared<LoadedContacts>(contacts_of(run_, run_.frame(frame), *entry.bodies));
  return entry.contacts;
}

FrameCache::Entry& FrameCache::entry_of(std::size_t frame) {
  const auto entry = std::ranges::find(entries_, frame, &Entry::frame);
  if (entry != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, entry);
  } else {
    auto loaded = std::make_shared<LoadedFrame>(read_frame(run_, run_.frame(frame)));
    if (!origin_) origin_ = middle_of(loaded->grains.bodies.position);
    loaded->origin = *origin_;
    entries_.push_front({frame, std::move(loaded)});
    drop_oldest();
  }
  return entries_.front();
}

/// Keeps the last eight frames, or fewer large ones: a body takes about 150 bytes.
void FrameCache::drop_oldest() {
  constexpr std::size_t kFrames = 8, kBodies = 2'000'000;
  std::size_t bodies = 0;
  for (const Entry& entry : entries_) bodies += entry.bodies->grains.bodies.size();
  while (entries_.size() > 1 && (entries_.size() > kFrames || bodies > kBodies)) {
    bodies -= entries_.back().bodies->grains.bodies.size();
    entries_.pop_back();
  }
}

}  // namespace scree::view
