/// Frames: the state of a run at one time, in files that ParaView, VTK, h5py and scree read.
///
/// Each file is a VTKHDF 1.0 unstructured grid: spheres and contacts are points (VTK_VERTEX cells),
/// boxes are VTK_HEXAHEDRON cells, other bodies VTK_TRIANGLE_STRIP cells, see docs/guide/output.md.
/// Arrays of bodies are in CellData. Frames of spheres alone have hard links to them in PointData.
/// Debian's ParaView 5.11 opens the extension .hdf only, and version 1.0 only; therefore times come
/// from a .hdf.series file next to the frames.
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
  /// Time of the velocities if it is not `time`: with compliant laws they are half a step behind
  /// [s]
  std::optional<double> velocity_time = {};
  /// Shapes of the bodies. Files have no inertia: in frames that were read all bodies are solid,
  /// and all spheres have prototype 0 if all bodies are spheres or boxes.
  std::vector<Prototype> prototypes{Prototype{}};
  std::vector<std::shared_ptr<const ConvexHull>> hulls{};   ///< of the polyhedra
  std::vector<std::shared_ptr<const ClumpParts>> clumps{};  ///< of the clumps
  /// The periodic cell. Positions are not wrapped into it, and velocities are relative to the flow
  /// of the cell.
  Domain domain{};
};
/// Frame of a state, whatever the order of its bodies in memory, with the prototypes of its model;
/// equals write_grains() followed by read_grains().
GrainsFrame grains_of(const State& state, std::span<const Prototype> prototypes);

/// Write a frame and give the checksum of the file. Throw OutputError. A state is written piece by
/// piece, which needs 4 bytes of memory a body. `velocity_time` as in GrainsFrame.
std::uint64_t write_grains(const std::filesystem::path& path, const State& state,
                           std::span<const Prototype> prototypes,
                           std::optional<double> velocity_time = {});
std::uint64_t write_grains(const std::filesystem::path& path, const GrainsFrame& frame);

/// Number of points of a body in a frame, and of point names in its cell, which may repeat points.
struct CellSize {
  std::size_t points, names;
};
CellSize cell_size(const Prototype& prototype);

/// Calls its argument with one piece of the contacts after the other, as
/// Simulation::for_each_piece_of_contacts() does.
using ContactPieces = FunctionRef<void(FunctionRef<void(std::span<const ContactRecord>)>)>;
/// Optional arrays of a frame of contacts.
struct ContactFields {
  bool angular_impulse = false;  ///< present if laws resist rolling or spinning
};
/// Writes contacts in the given order, which for a Simulation is the order of their keys. Gives the
/// checksum of the file. Throws OutputError.
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
/// Writes lines; `kind` as in FrameSummary. Gives the checksum of the file. Throws OutputError.
std::uint64_t write_lines(const std::filesystem::path& path, const std::string& kind,
                          const LinesFrame& frame);

/// Contacts of a frame, as written by write_contacts().
struct ContactsFrame {
  double time = 0;  ///< [s]
  std::uint64_t step = 0;
  std::vector<ContactRecord> contacts;
};

/// Read a frame. Throw OutputError if the file cannot be read, InputError if it is not a frame of
/// this kind, or if an array is missing, has the wrong length or an impossible value.
GrainsFrame read_grains(const std::filesystem::path& path);
ContactsFrame read_contacts(const std::filesystem::path& path);

/// List of the frames and their times, for ParaView: `NAME.hdf.series`, which is complete whenever
/// it is opened. It lags behind by a fraction of the frames, so that the cost of a frame does not
/// grow with their number.
class FrameSeries {
 public:
  /// The list is rewritten when the number of new frames reaches the number of listed frames
  /// divided by this.
  static constexpr std::size_t kFramesPerListing = 64;

  /// Series of files `frames/NAME_000000.hdf` … in `run_directory`.
  FrameSeries(std::filesystem::path run_directory, std::string name);
  /// Continues from mark(), after require(); later frames are removed.
  FrameSeries(std::filesystem::path run_directory, std::string name, const nlohmann::json& mark);
  /// Throws InputError if a frame in mark() is missing or changed; changes nothing.
  void require(const nlohmann::json& mark) const;
  /// Frames written so far, with their times and checksums.
  nlohmann::json mark() const;
  /// Removes a series that an earlier program left. Throws OutputError.
  void remove() const;

  std::filesystem::path next_path() const;  ///< file of the next frame
  /// Notes that the frame at next_path() was written, for this time [s].
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
  std::size_t listed_ = 0;  ///< number of frames listed in the file
};

/// A frame that a series lists.
struct ListedFrame {
  std::filesystem::path file;  ///< relative to the directory of the series
  double time;                 ///< [s]
};

/// Frames that a series lists; none if the file does not exist. Throws InputError if it is damaged,
/// or lists a file outside of its directory.
std::vector<ListedFrame> read_series(const std::filesystem::path& series);

/// One array of a frame.
struct FrameArray {
  std::string name;
  std::size_t components = 1;
  double min = 0, max = 0;     ///< over all finite components; 0 if there are none
  std::size_t not_finite = 0;  ///< numbers
};

/// Summary of a frame for printing.
struct FrameSummary {
  std::string kind;  ///< "grains", "contacts" or "force_chains"
  double time = 0;   ///< [s]
  std::uint64_t step = 0;
  std::size_t points = 0;  ///< bodies, contacts or ends of lines
  std::vector<FrameArray> arrays;
};

/// Time of a frame of any kind [s]; reads no array. Throws as summarise_frame().
double time_of_frame(const std::filesystem::path& path);

/// Throws OutputError if the file cannot be read, InputError if it is not a frame of scree.
FrameSummary summarise_frame(const std::filesystem::path& path);

}  // namespace scree
