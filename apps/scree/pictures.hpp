/// Pictures at the end of a run, drawn by share/scree/pictures.py.
#pragma once

#include <filesystem>
#include <spdlog/logger.h>

namespace scree::cli {

/// The interpreter of pictures and studies: Debian's own, which has its packages; another one may stand first in PATH.
inline constexpr const char* kPython = "/usr/bin/python3";

/// Draws what the manifest in the run directory asks for. Whatever is missing or fails is a warning: the numbers are
/// there.
void draw_pictures(const std::filesystem::path& run_directory, spdlog::logger& log);

/// share/scree, installed beside the program or in the source it was built from; empty if there is neither.
std::filesystem::path share_directory();

}  // namespace scree::cli
