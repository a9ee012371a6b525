/// Robots as files of the Unified Robot Description Format have them, turned into scenes.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace scree {

struct ImportedRobot {
  std::string scene;  ///< text of a scene, YAML
  /// Each thing of the file that the scene lacks, and each joint that does not begin at 0, a
  /// sentence
  std::vector<std::string> not_covered;
  std::vector<std::string>
      refused;  ///< why the scene would be refused as it is; empty: it would not
};

/// Links become bodies with the mass, the centre and the moments of inertia that the file gives;
/// joints keep their limits, friction and damping. A joint begins at the value that `start` has for
/// its name [rad, m], else at 0 or at its limit that is nearest to 0. Throws InputError with file
/// and line if the file is no such robot or a joint cannot begin there, and OutputError if it
/// cannot be read.
ImportedRobot import_urdf(const std::filesystem::path& file,
                          const std::map<std::string, double>& start = {});

}  // namespace scree
