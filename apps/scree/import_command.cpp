/// scree import: converts a robot's description into a scene.
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

/// Initial coordinates of joints by name, from "joint=value".
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
      throw InputError(
          fmt::format("--pose {}: the joint has a value already; give it once", entry));
  }
  return start;
}

/// Reports why scree run would refuse the scene. Returns the exit status.
int report_refused(const ImportedRobot& robot, const std::string& scene) {
  for (const std::string& reason : robot.refused)
    say(stderr, "scree: error: {} cannot run: {}\n", scene, reason);
  if (robot.refused.empty()) return kDone;
  say(stderr,
      "scree: for links that overlap, choose another pose (--pose), or let them ignore each other "
      "(a line 'ignore: [[LINK, LINK]]' in the scene); if moments are too large, give the link a "
      "collision as large as the link\n");
  return kBadInput;
}

}  // namespace

int import_robot(const ImportOptions& options) {
  const ImportedRobot robot = import_urdf(options.robot, start_of(options.pose));
  for (const std::string& element : robot.not_covered)
    say(stderr, "scree: unsupported: {}: {}\n", options.robot.string(), element);
  if (options.out.empty()) {
    std::fputs(robot.scene.c_str(), stdout);
    return report_refused(robot, "the scene");
  }
  if (std::filesystem::exists(options.out) && !options.force)
    throw InputError(fmt::format("{} exists; choose another --out, or add --force to replace it",
                                 options.out.string()));
  std::ofstream file(options.out, std::ios::binary);
  file << robot.scene;
  if (!file.flush())
    throw OutputError(fmt::format("cannot write {}; check the path, its permissions and the space",
                                  options.out.string()));
  return report_refused(robot, options.out.string());
}

}  // namespace scree::cli
