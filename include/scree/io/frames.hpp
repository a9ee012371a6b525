/// Frames: what a run looks like at one time, in files that ParaView, VTK, h5py and scree read.
///
/// Each file is a VTKHDF 1.0 unstructured grid of points (VTK_VERTEX cells), see docs/guide/output.md. Debian's
/// ParaView 5.11 opens the extension .hdf only, and version 1.0 only; times therefore come from a .hdf.series file
/// beside the frames.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "scree/core/aligned.hpp"
#include "scree/sim/report.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// The free bodies at one time, in the order of their ids.
struct GrainsFrame {
  double time = 0;  ///< [s]
  std::uint64_t step = 0;
  Bodies bodies;  ///< the prototype, which files do not have, is 0 in those that were read
};
/// Of a state, whatever the order of its bodies in memory.
GrainsFrame grains_of(const State& state);

/// Throws OutputError.
void write_grains(const std::filesystem::path& path, const GrainsFrame& frame);

/// Writes contacts in the order given, which for Simulation::contacts() is that of their keys. Throws OutputError.
void write_contacts(const std::filesystem::path& path, std::span<const ContactRecord> contacts, double time,
                    std::uint64_t step);

/// Lines in space with numbers, such as force chains.
struct LinesFrame {
  double time = 0;  ///< [s]
  std::uint64_t step = 0;
  AlignedVector<Vec3> ends;  ///< two for each line [m]
  /// Name, and a value for each line. Both ends get it, so that ParaView's Tube can be as thick as the value.
  std::vector<std::pair<std::string, AlignedVector<double>>> values;
};
/// `kind` as in FrameSummary. Throws OutputError.
void write_lines(const std::filesystem::path& path, const std::string& kind, const LinesFrame& frame);

/// What write_contacts() wrote.
struct ContactsFrame {
  double time = 0;  ///< [s]
  std::uint64_t step = 0;
  std::vector<ContactRecord> contacts;
};

/// Throw OutputError if the file cannot be read, InputError if it is no frame of this kind or an array is missing, has another
/// length, or has what no frame has.
GrainsFrame read_grains(const std::filesystem::path& path);
ContactsFrame read_contacts(const std::filesystem::path& path);

/// The frames written so far with their times, for ParaView: `NAME.hdf.series`. Rewritten whole after each frame, so
/// that it can be opened while the run goes on.
class FrameSeries {
 public:
  /// Of files `frames/NAME_000000.hdf` … in `run_directory`.
  FrameSeries(std::filesystem::path run_directory, std::string name);
  /// Goes on with the first `kept` frames of a series that is there; later ones are removed. Throws InputError if one is missing.
  FrameSeries(std::filesystem::path run_directory, std::string name, std::size_t kept);
  /// Throws InputError if one of the first `kept` frames is missing; changes nothing.
  void require(std::size_t kept) const { times_of(kept); }
  /// Removes a series that an earlier program left.
  void remove() const;

  std::filesystem::path next_path() const;  ///< where the next frame goes
  void append(double time);                 ///< the frame at next_path() is there, and holds this time [s]
  std::size_t size() const { return times_.size(); }

 private:
  std::filesystem::path file_of(std::size_t frame) const;  ///< relative to the run directory
  std::filesystem::path series_file() const;
  std::vector<double> times_of(std::size_t kept) const;  ///< [s]
  void write_series() const;
  void remove_from(std::size_t frame) const;

  std::filesystem::path directory_;
  std::string name_;
  std::vector<double> times_;
};

/// One array of a frame.
struct FrameArray {
  std::string name;
  std::size_t components = 1;
  double min = 0, max = 0;  ///< of all components; 0 if the frame is empty
};

/// What a frame holds, for people.
struct FrameSummary {
  std::string kind;  ///< "grains", "contacts" or "force_chains"
  double time = 0;   ///< [s]
  std::uint64_t step = 0;
  std::size_t points = 0;
  std::vector<FrameArray> arrays;
};

/// Throws OutputError if the file cannot be read, InputError if it is no frame of scree.
FrameSummary summarise_frame(const std::filesystem::path& path);

}  // namespace scree
