/// scree import: a robot's description, turned into a scene.
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "commands.hpp"
#include "say.hpp"
#include "scree/core/error.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/scene/urdf.hpp"

namespace scree::cli {

int import_robot(const ImportOptions& options) {
  const ImportedRobot robot = import_urdf(options.robot);
  for (const std::string& what : robot.not_covered)
    say(stderr, "scree: not covered: {}: {}\n", options.robot.string(), what);
  if (options.out.empty()) {
    std::fputs(robot.scene.c_str(), stdout);
    return kDone;
  }
  if (std::filesystem::exists(options.out) && !options.force)
    throw InputError(fmt::format("{} exists; choose another --out, or add --force to replace it",
                                 options.out.string()));
  std::ofstream file(options.out, std::ios::binary);
  file << robot.scene;
  if (!file.flush())
    throw OutputError(fmt::format("cannot write {}; check the path, its permissions and the space",
                                  options.out.string()));
  return kDone;
}

}  // namespace scree::cli
