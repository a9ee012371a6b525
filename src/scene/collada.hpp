/// Surfaces from COLLADA files (.dae).
#pragma once

#include <filesystem>

#include "scree/geometry/mesh_repair.hpp"

namespace scree::scene {

/// All triangles of the scene in a COLLADA 1.4 or 1.5 file, or of its geometries if it has no
/// scene, in metres with z up. Throws InputError; its text continues a sentence that begins with
/// the name of the file.
TriangleSoup read_collada(const std::filesystem::path& file);

}  // namespace scree::scene
