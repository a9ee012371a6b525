/// Frames of a run in other formats: VTK polygons (.vtp) and tables (.csv).
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scree/run/run_frames.hpp"

namespace scree {

/// Numbers of all bodies or contacts of a frame.
struct ExportColumn {
  std::string name, unit;  ///< as in docs/guide/output.md; "-" without a unit
  std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<Vec3>,
               std::vector<Quaternion>>
      values;
};

/// A frame as a table with a row for each body or contact.
struct ExportFrame {
  double time = 0;  ///< [s]
  std::uint64_t step = 0;
  std::vector<Vec3> points;  ///< [m]
  std::vector<ExportColumn> columns;
};
ExportFrame export_frame(const GrainsFrame& frame);
ExportFrame export_frame(const ContactsFrame& frame);

/// File of VTK polygons with a vertex for each row; units as VTK's UNITS_LABEL.
std::string vtp_text(const ExportFrame& frame);
/// Table (CSV): `x,y,z`, then the columns; vectors have the suffixes _x, _y, _z, quaternions also
/// _w before them.
std::string csv_text(const ExportFrame& frame);

enum class ExportFormat { vtp, csv };

struct ExportRequest {
  std::filesystem::path out;  ///< empty: `export` in the run directory
  ExportFormat format = ExportFormat::vtp;
  FrameChoice frames;
  bool contacts = true;
  bool even_so = false;  ///< export the sound part of an unsound run
};

struct RunExport {
  std::filesystem::path directory;
  std::vector<std::string> files;
  std::size_t frames = 0;
};

/// Writes a file for each frame of bodies and of contacts, with the names of the run's frames; for
/// VTK `grains.pvd` and `contacts.pvd` with the times; and `export.json` with times and units.
/// Files of an earlier export in the directory are removed. Throws InputError, with nothing
/// written, if the run or the choice is unusable; OutputError if a file cannot be read or written.
RunExport export_run(const std::filesystem::path& run, const ExportRequest& request,
                     const Warn& warn);

}  // namespace scree
