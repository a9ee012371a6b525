/// Pictures, drawn by the Python scripts in share/scree.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "scree/io/json_text.hpp"
#include "scree/run/batch_plan.hpp"

namespace scree::cli {

/// Interpreter of pictures and studies: Debian's, which sees Debian's packages; PATH may begin with
/// another one.
inline constexpr const char* kPython = "/usr/bin/python3";

/// Receives the output of a script line by line. Failures are warnings: the numbers are written
/// already.
using ReportLine = std::function<void(bool is_warning, const std::string& line)>;

/// Draws the pictures that the manifest of the run requests (pictures.py).
void draw_pictures(const std::filesystem::path& run_directory, const ReportLine& report);

/// Draws a movie or a picture of the bodies and parts of a run, by `kind` (movie.py). `options` are
/// those of a scene. False if it could not.
bool draw_in_space(const std::filesystem::path& run_directory, const char* kind,
                   const std::filesystem::path& out, const Json& options, const ReportLine& report);

/// Draws each table in the directory of an analysis (analysis_pictures.py).
void draw_analysis(const std::filesystem::path& directory, const ReportLine& report);

/// Draws each single-contact problem of a CSV file into a directory: the objective, the conic and
/// the answers of all laws (contact_pictures.py). False if it could not draw one of them.
bool draw_contacts(const std::filesystem::path& problems, const std::filesystem::path& directory,
                   const ReportLine& report);

/// Draws the forces of a pair over its motion into a PNG file (pair_pictures.py). False if it could
/// not.
bool draw_pair(const std::filesystem::path& motion, const std::filesystem::path& forces,
               const std::filesystem::path& picture, const ReportLine& report);

/// Draws batch.png from the table of a batch (batch_pictures.py).
void draw_batch(const std::filesystem::path& directory, const BatchPlan& plan,
                const ReportLine& report);

/// Draws performance_profile.png from results.csv of a directory (performance_profile.py).
void draw_performance_profile(const std::filesystem::path& directory, const ReportLine& report);

/// The directory share/scree of the installed program or of the source that it was built from;
/// empty if there is neither.
std::filesystem::path share_directory();

}  // namespace scree::cli
