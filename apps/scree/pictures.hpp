/// Pictures, drawn by the Python scripts in share/scree.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "scree/run/batch_plan.hpp"

namespace scree::cli {

/// The interpreter of pictures and studies: Debian's own, which has its packages; another one may
/// stand first in PATH.
inline constexpr const char* kPython = "/usr/bin/python3";

/// Takes what a script says, line by line. Whatever is missing or fails is a warning: the numbers
/// are there.
using Tell = std::function<void(bool is_warning, const std::string& line)>;

/// Draws what the manifest in the run directory asks for (pictures.py).
void draw_pictures(const std::filesystem::path& run_directory, const Tell& tell);

/// Draws each table in a directory of an analysis (analysis_pictures.py).
void draw_analysis(const std::filesystem::path& directory, const Tell& tell);

/// Draws each single-contact problem of a CSV file into a directory: the objective, the conic, the
/// answers of all laws (contact_pictures.py). False if one could not be drawn.
bool draw_contacts(const std::filesystem::path& problems, const std::filesystem::path& directory,
                   const Tell& tell);

/// Draws the forces of a pair over its motion into a PNG file (pair_pictures.py). False if it could
/// not.
bool draw_pair(const std::filesystem::path& motion, const std::filesystem::path& forces,
               const std::filesystem::path& picture, const Tell& tell);

/// Draws batch.png from the table of a batch (batch_pictures.py).
void draw_batch(const std::filesystem::path& directory, const BatchPlan& plan, const Tell& tell);

/// Draws performance_profile.png from results.csv of a directory (performance_profile.py).
void draw_performance_profile(const std::filesystem::path& directory, const Tell& tell);

/// share/scree, installed beside the program or in the source it was built from; empty if there is
/// neither.
std::filesystem::path share_directory();

}  // namespace scree::cli
