/// Robots as files of the Unified Robot Description Format have them, turned into scenes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace scree {

struct ImportedRobot {
  std::string scene;  ///< text of a scene, YAML
  std::vector<std::string>
      not_covered;  ///< each thing of the file that the scene lacks, a sentence
};

/// Links become bodies with the mass, the centre and the moments of inertia that the file gives,
/// placed with all joints at 0; joints keep their limits, friction and damping. Throws InputError
/// with file and line if the file is no such robot, and OutputError if it cannot be read.
ImportedRobot import_urdf(const std::filesystem::path& file);

}  // namespace scree
