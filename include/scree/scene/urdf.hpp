/// Converts robots from URDF files (Unified Robot Description Format) to scenes.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace scree {

struct ImportedRobot {
  std::string scene;  ///< text of a scene, YAML
  /// Sentences: elements of the file that the scene lacks, and joints that do not start at 0
  std::vector<std::string> not_covered;
  std::vector<std::string> refused;  ///< reasons why the scene would be refused; empty if valid
};

/// Imports a robot. Links become bodies with the mass, centre of mass and moments of inertia of the
/// file; joints keep their limits, friction and damping. A joint starts at the value of its name in
/// `start` [rad, m], else at 0 or at its limit nearest to 0. Throws InputError with file and line
/// if the file is not such a robot or a joint cannot start there; OutputError if the file cannot be
/// read.
ImportedRobot import_urdf(const std::filesystem::path& file,
                          const std::map<std::string, double>& start = {});

}  // namespace scree
