/// scree import: a robot's description, turned into a scene.
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "commands.hpp"
#include "say.hpp"
#include "scree/core/error.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/scene/urdf.hpp"

namespace scree::cli {
namespace {

std::map<std::string, double> start_of(const std::vector<std::string>& pose) {
  std::map<std::string, double> start;
  for (const std::string& entry : pose) {
    const std::size_t equals = entry.rfind('=');
    const std::string number = equals == std::string::npos ? "" : entry.substr(equals + 1);
    double value = 0;
    const char* end = number.data() + number.size();
    const auto [read, error] = std::from_chars(number.data(), end, value);
    if (equals == 0 || error != std::errc{} || read != end || !std::isfinite(value))
      throw InputError(
          fmt::format("--pose {}: write JOINT=VALUE, a finite number in rad or m, as "
                      "in elbow=-1.2",
                      entry));
    if (!start.emplace(entry.substr(0, equals), value).second)
      throw InputError(fmt::format("--pose {}: the joint has a value already", entry));
  }
  return start;
}

int tell_refused(const ImportedRobot& robot, const std::string& scene) {
  for (const std::string& reason : robot.refused)
    say(stderr, "scree: error: {} will be refused: {}\n", scene, reason);
  if (robot.refused.empty()) return kDone;
  say(stderr,
      "scree: links that overlap may begin in another pose (--pose), or ignore each other (a line "
      "'ignore: [[LINK, LINK]]' in the scene); moments that are too large need a collision as "
      "large as the link\n");
  return kBadInput;
}

}  // namespace

int import_robot(const ImportOptions& options) {
  const ImportedRobot robot = import_urdf(options.robot, start_of(options.pose));
  for (const std::string& what : robot.not_covered)
    say(stderr, "scree: not covered: {}: {}\n", options.robot.string(), what);
  if (options.out.empty()) {
    std::fputs(robot.scene.c_str(), stdout);
    return tell_refused(robot, "the scene");
  }
  if (std::filesystem::exists(options.out) && !options.force)
    throw InputError(fmt::format("{} exists; choose another --out, or add --force to replace it",
                                 options.out.string()));
  std::ofstream file(options.out, std::ios::binary);
  file << robot.scene;
  if (!file.flush())
    throw OutputError(fmt::format("cannot write {}; check the path, its permissions and the space",
                                  options.out.string()));
  return tell_refused(robot, options.out.string());
}

}  // namespace scree::cli
