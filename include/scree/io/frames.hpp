/// Frames: what a run looks like at one time, in files that ParaView, VTK, h5py and scree read.
///
/// Each file is a VTKHDF 1.0 unstructured grid: spheres and contacts are points (VTK_VERTEX cells),
/// boxes are VTK_HEXAHEDRON cells, other bodies VTK_TRIANGLE_STRIP cells, see docs/guide/output.md.
/// Arrays of bodies are in CellData. Frames of spheres alone have hard links to them in PointData.
/// Debian's ParaView 5.11 opens the extension .hdf only, and version 1.0 only; times therefore come
/// from a .hdf.series file beside the frames.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scree/core/aligned.hpp"
#include "scree/core/threads.hpp"
#include "scree/sim/model.hpp"
#include "scree/sim/report.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// The free bodies at one time, in the order of their ids.
struct GrainsFrame {
  double time = 0;  ///< [s]
  std::uint64_t step = 0;
  Bodies bodies;
  /// Of the velocities where it is not `time`: with compliant laws they are half a step behind [s]
  std::optional<double> velocity_time = {};
  /// Shapes of the bodies. Files have no inertia: in frames that were read all are solid, and all
  /// spheres have prototype 0 where no body is but a sphere or a box.
  std::vector<Prototype> prototypes{Prototype{}};
  std::vector<std::shared_ptr<const ConvexHull>> hulls{};   ///< that polyhedra point to
  std::vector<std::shared_ptr<const ClumpParts>> clumps{};  ///< that clumps point to
  /// The cell, where space repeats. Bodies are where their paths have led them, and velocities are
  /// what they have beside the flow of the cell.
  Domain domain{};
};
/// Of a state, whatever the order of its bodies in memory, and the prototypes of its model; the
/// same as read_grains() of what write_grains() writes of them.
GrainsFrame grains_of(const State& state, std::span<const Prototype> prototypes);

/// The checksum of the file. Throw OutputError. That of a state is written piece by piece, and
/// needs 4 bytes of memory a body.
/// `velocity_time` as in GrainsFrame.
std::uint64_t write_grains(const std::filesystem::path& path, const State& state,
                           std::span<const Prototype> prototypes,
                           std::optional<double> velocity_time = {});
std::uint64_t write_grains(const std::filesystem::path& path, const GrainsFrame& frame);

/// How many points a body has in a frame, and how many its cell names: some several times.
struct CellSize {
  std::size_t points, names;
};
CellSize cell_size(const Prototype& prototype);

/// Calls what it is given with one piece of the contacts after the other, as
/// Simulation::for_each_piece_of_contacts() does.
using ContactPieces = FunctionRef<void(FunctionRef<void(std::span<const ContactRecord>)>)>;
/// What a frame of contacts has beyond what every one has.
struct ContactFields {
  bool angular_impulse = false;  ///< where laws resist turning
};
/// Writes contacts in the order given, which for a Simulation is that of their keys; the checksum
/// of the file. Throws OutputError.
std::uint64_t write_contacts(const std::filesystem::path& path, std::size_t count,
                             ContactPieces pieces, double time, std::uint64_t step,
                             ContactFields fields = {});
std::uint64_t write_contacts(const std::filesystem::path& path,
                             std::span<const ContactRecord> contacts, double time,
                             std::uint64_t step, ContactFields fields = {});

/// Lines in space with numbers, such as force chains.
struct LinesFrame {
  double time = 0;  ///< [s]
  std::uint64_t step = 0;
  AlignedVector<Vec3> ends;  ///< two for each line [m]
  /// Name, and a value for each line. Both ends get it, so that ParaView's Tube can be as thick as
  /// the value.
  std::vector<std::pair<std::string, AlignedVector<double>>> values;
};
/// `kind` as in FrameSummary; the checksum of the file. Throws OutputError.
std::uint64_t write_lines(const std::filesystem::path& path, const std::string& kind,
                          const LinesFrame& frame);

/// What write_contacts() wrote.
struct ContactsFrame {
  double time = 0;  ///< [s]
  std::uint64_t step = 0;
  std::vector<ContactRecord> contacts;
};

/// Throw OutputError if the file cannot be read, InputError if it is no frame of this kind or an
/// array is missing, has another length, or has what no frame has.
GrainsFrame read_grains(const std::filesystem::path& path);
ContactsFrame read_contacts(const std::filesystem::path& path);

/// The frames written so far with their times, for ParaView: `NAME.hdf.series`, which is whole
/// whenever it is opened. It lags behind by a part of the frames, so that what a frame costs does
/// not grow with their number.
class FrameSeries {
 public:
  /// The series is written anew when a part of its frames, one over this, has come since.
  static constexpr std::size_t kFramesPerListing = 64;

  /// Of files `frames/NAME_000000.hdf` … in `run_directory`.
  FrameSeries(std::filesystem::path run_directory, std::string name);
  /// Goes on where mark() was called, as require() has found it; later frames are removed.
  FrameSeries(std::filesystem::path run_directory, std::string name, const nlohmann::json& mark);
  /// Throws InputError if a frame that mark() tells of is missing, or not what was written; changes
  /// nothing.
  void require(const nlohmann::json& mark) const;
  /// The frames that are there, with their times and checksums.
  nlohmann::json mark() const;
  /// Removes a series that an earlier program left. Throws OutputError.
  void remove() const;

  std::filesystem::path next_path() const;  ///< where the next frame goes
  /// The frame at next_path() is there, and holds this time [s].
  void append(double time, std::uint64_t checksum);
  void list_all();  ///< brings the series up to date
  std::size_t size() const { return written_.size(); }

 private:
  struct Written {
    double time;  ///< [s]
    std::uint64_t checksum;
    bool operator==(const Written&) const = default;
  };
  static std::vector<Written> written_of(const nlohmann::json& mark);
  std::filesystem::path file_of(std::size_t frame) const;  ///< relative to the run directory
  std::filesystem::path series_file() const;
  void write_series();
  void remove_from(std::size_t frame) const;

  std::filesystem::path directory_;
  std::string name_;
  std::vector<Written> written_;
  std::size_t listed_ = 0;  ///< of these, in the file
};

/// A frame that a series lists.
struct ListedFrame {
  std::filesystem::path file;  ///< relative to the directory of the series
  double time;                 ///< [s]
};

/// The frames that a series lists; none if there is no such file. Throws InputError if it is
/// damaged, or leads out of its directory.
std::vector<ListedFrame> read_series(const std::filesystem::path& series);

/// One array of a frame.
struct FrameArray {
  std::string name;
  std::size_t components = 1;
  double min = 0, max = 0;     ///< of all components that are finite; 0 if there are none
  std::size_t not_finite = 0;  ///< numbers
};

/// What a frame holds, for people.
struct FrameSummary {
  std::string kind;  ///< "grains", "contacts" or "force_chains"
  double time = 0;   ///< [s]
  std::uint64_t step = 0;
  std::size_t points = 0;  ///< bodies, contacts or ends of lines
  std::vector<FrameArray> arrays;
};

/// Throws OutputError if the file cannot be read, InputError if it is no frame of scree.
FrameSummary summarise_frame(const std::filesystem::path& path);

}  // namespace scree
