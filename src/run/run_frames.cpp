/// Reads and checks the frames of a run, and collects complaints about unsound ones.
#include "scree/run/run_frames.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "run/table_cells.hpp"
#include "scree/analysis/region.hpp"
#include "scree/analysis/solid_fraction.hpp"
#include "scree/io/files.hpp"
#include "scree/io/frame_checks.hpp"
#include "scree/io/sha256.hpp"
#include "scree/io/statistics.hpp"
#include "scree/run/analysis_tables.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

template <class Frame>
void complain_of_rows(const fs::path& file, const Frame& frame, Complaints& complaints) {
  for (const FrameFault& fault : faults_of(frame))
    complaints.add(fmt::format("{}: {}", file.string(), in_words(fault, frame)));
}

}  // namespace

void Complaints::add(std::string complaint) {
  if (++count_ <= kKept) kept_.push_back(std::move(complaint));
}

std::vector<std::string> Complaints::first(std::size_t max_count) const {
  std::vector<std::string> all(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                  max_count, kept_.size())));
  if (all.size() < count_) all.push_back(fmt::format("… and {} more", count_ - all.size()));
  return all;
}

void require_sound(const Complaints& complaints, const fs::path& run, bool even_so,
                   const Warn& warn) {
  if (complaints.count() == 0) return;
  if (!even_so)
    throw InputError(
        fmt::format("the content of {} is not reliable:\n  {}\n--even-so uses the sound part and "
                    "reports what it left out",
                    run.string(), fmt::join(complaints.first(10), "\n  ")));
  for (const std::string& complaint : complaints.first(10)) warn(complaint);
}

RunFrames::RunFrames(fs::path run, const RunManifest& manifest, const FrameChoice& choice,
                     bool even_so)
    : run_(std::move(run)), choice_(choice), even_so_(even_so) {
  if (manifest.has("/outputs"))
    for (const auto& [name, checksum] : manifest.object("/outputs").items())
      checksums_[name] = checksum.is_string() ? checksum.get<std::string>() : "";
  check_end(manifest);
  for (const Files& files : listed(manifest.status()))
    if (check(files)) files_.push_back(files);
}

/// A failed run may have been wrong long before it was detected.
void RunFrames::check_end(const RunManifest& manifest) {
  for (const std::string& objection : manifest.objections()) complaints_.add(objection);
  if (manifest.status() != "failed") return;
  const std::string why =
      manifest.has("/verdict") ? manifest.text("/verdict") : read_file(run_ / "FAILED");
  complaints_.add("the run failed: " + first_line(why));
}

std::vector<RunFrames::Files> RunFrames::listed(const std::string& status) {
  for (const char* file : {"grains.hdf.series", "contacts.hdf.series", "scene.yaml",
                           "resolved.yaml", "obstacles.json"})
    if (checksums_.contains(file)) is_as_written(file);
  const auto grains = read_series(run_ / "grains.hdf.series"),
             contacts = read_series(run_ / "contacts.hdf.series");
  if (grains.empty()) throw InputError(fmt::format("{} has no frames yet", run_.string()));
  // While a run continues, or after a kill, one list may lag behind the other.
  const bool ended = status != "running" && status != "killed";
  const std::size_t behind = ended ? 0 : 1 + grains.size() / FrameSeries::kFramesPerListing;
  if (!contacts.empty() && contacts.size() + behind < grains.size())
    complaints_.add(fmt::format("contacts.hdf.series lists {} frames, and grains.hdf.series {}",
                                contacts.size(), grains.size()));
  std::vector<Files> frames;
  std::size_t between = 0;
  for (std::size_t k = 0; k < grains.size(); ++k)
    if (choice_.has(grains[k].time) && between++ % choice_.every == 0)
      frames.push_back(
          {grains[k], k < contacts.size() ? std::optional(contacts[k]) : std::nullopt});
  if (frames.empty())
    throw InputError(fmt::format(
        "{} has no frame between the times {} s and {} s; its frames are from {:.6g} s to {:.6g} s",
        run_.string(), choice_.from, choice_.to, grains.front().time, grains.back().time));
  if (choice_.count > 0 && choice_.count < frames.size())
    frames.erase(frames.begin(), frames.end() - static_cast<std::ptrdiff_t>(choice_.count));
  return frames;
}

bool RunFrames::is_as_written(const fs::path& file) {
  if (checksums_.empty()) return true;
  const auto written = checksums_.find(file.string());
  if (written == checksums_.end()) {
    complaints_.add(
        fmt::format("{} is not among the files of the run in the manifest", file.string()));
    return false;
  }
  const bool same = scree::is_as_written(run_ / file, written->second);
  if (!same)
    complaints_.add(fmt::format("{} was changed since the run, or is missing", file.string()));
  return same;
}

bool RunFrames::check(const Files& files) {
  try {
    RunFrame frame = read_all(files);
    if (!is_as_written(files.grains.file) ||
        (files.contacts && !is_as_written(files.contacts->file)))
      return false;
    complain_of_rows(files.grains.file, frame.grains, complaints_);
    if (frame.contacts) complain_of_rows(files.contacts->file, *frame.contacts, complaints_);
    remove_faults(frame.grains, faults_of(frame.grains));
    if (last_time_ && !(frame.grains.time > *last_time_))
      throw InputError(fmt::format("{} has t = {} s, which is not later than the frame before",
                                   files.grains.file.string(), frame.grains.time));
    last_time_ = frame.grains.time;
    extend(frame.grains);
    return true;
  } catch (const InputError& error) {
    complaints_.add(error.what());
  } catch (const OutputError& error) {
    if (!even_so_) throw;
    complaints_.add(error.what());
  }
  return false;
}

RunFrame RunFrames::read_all(const Files& files) const {
  RunFrame frame{files.grains.file, {}, read_grains(run_ / files.grains.file)};
  if (!std::isfinite(frame.grains.time) || frame.grains.time != files.grains.time)
    throw InputError(fmt::format("{} has t = {} s, but its series has {} s",
                                 files.grains.file.string(), frame.grains.time, files.grains.time));
  if (!files.contacts) return frame;
  frame.contacts_file = files.contacts->file;
  frame.contacts = read_contacts(run_ / files.contacts->file);
  if (frame.contacts->step != frame.grains.step)
    throw InputError(fmt::format("{} and {} have different steps, {} and {}",
                                 files.grains.file.string(), files.contacts->file.string(),
                                 frame.grains.step, frame.contacts->step));
  return frame;
}

RunFrame RunFrames::read(std::size_t k) const {
  RunFrame frame = read_all(files_[k]);
  remove_faults(frame.grains, faults_of(frame.grains));
  if (frame.contacts) remove_faults(*frame.contacts, faults_of(*frame.contacts));
  return frame;
}

void RunFrames::extend(const GrainsFrame& grains) {
  Bodies bodies = grains.bodies;
  if (extent_.mean_diameter == 0) extent_.mean_diameter = mean_diameter_of(bodies.radius);
  for (Vec3& position : bodies.position) position = grains.domain.home(position);
  Region box = bounding_region(bodies.position);
  if (box == Region{}) return;
  const Vec3 period = extent_.period = grains.domain.period();
  const auto take_period = [&](Region& region) {
    for (int axis = 0; axis < 3; ++axis)
      if (period[axis] > 0) {
        region.min[axis] = 0;
        region.max[axis] = period[axis];
      }
  };
  take_period(box);
  extent_.corners.insert(extent_.corners.end(), {box.min, box.max});
  std::vector<Vec3> surfaces;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Region bounds = solid_of(bodies, grains.prototypes, i).bounds();
    surfaces.insert(surfaces.end(), {bounds.min, bounds.max});
  }
  Region reach = bounding_region(surfaces);
  take_period(reach);
  extent_.surfaces.insert(extent_.surfaces.end(), {reach.min, reach.max});
}

std::vector<Report> RunFrames::energies() {
  if (!is_as_written(kStatisticsFile)) return {};
  std::vector<Report> rows = read_energies(run_ / kStatisticsFile);
  std::erase_if(rows, [&](const Report& row) {
    const bool sound =
        std::ranges::all_of(std::array{row.time, row.kinetic_energy, row.potential_energy,
                                       row.dissipated_energy, row.wall_work},
                            [](double value) { return std::isfinite(value); });
    if (!sound)
      complaints_.add(fmt::format("{}: step {}: the time or an energy is not finite",
                                  kStatisticsFile, row.step));
    return !sound;
  });
  std::erase_if(rows, [&](const Report& row) { return !choice_.has(row.time); });
  return rows;
}

}  // namespace scree
