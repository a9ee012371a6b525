/// scree import: converts a robot's description into a scene.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "say.hpp"
#include "scree/core/error.hpp"
#include "scree/io/frames.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/scene/robots.hpp"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

/// Name of a keyframe, which comes first and has no value; empty if there is none.
std::string keyframe_of(const std::vector<std::string>& pose) {
  return pose.empty() || pose[0].find('=') != std::string::npos ? "" : pose[0];
}

/// Initial coordinates of joints by name, from "joint=value".
std::map<std::string, double> start_of(const std::vector<std::string>& pose) {
  std::map<std::string, double> start;
  for (const std::string& entry : pose) {
    if (&entry == &pose[0] && !keyframe_of(pose).empty()) continue;
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

/// Folders of packages by name, from "name=folder".
std::map<std::string, fs::path> packages_of(const std::vector<std::string>& given) {
  std::map<std::string, fs::path> packages;
  for (const std::string& entry : given) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError(fmt::format("--package {}: write NAME=DIR", entry));
    const fs::path folder = entry.substr(equals + 1);
    if (!fs::is_directory(folder))
      throw InputError(
          fmt::format("--package {}: there is no folder '{}'", entry, folder.string()));
    packages[entry.substr(0, equals)] = folder;
  }
  return packages;
}

/// Folders of ROS_PACKAGE_PATH.
std::vector<fs::path> package_path() {
  std::vector<fs::path> folders;
  const char* path = std::getenv("ROS_PACKAGE_PATH");
  std::istringstream list(path ? path : "");
  for (std::string folder; std::getline(list, folder, ':');)
    if (!folder.empty()) folders.emplace_back(folder);
  return folders;
}

std::optional<RobotMotors> motors_of(const ImportOptions& options) {
  using enum RobotMotors::Kind;
  if (options.motors.empty()) return {};
  if (options.motors != "position" && (options.stiffness || options.damping))
    throw InputError("--stiffness and --damping are those of --motors position");
  const auto kind = options.motors == "position"   ? position
                    : options.motors == "velocity" ? velocity
                                                   : effort;
  return RobotMotors{kind, options.stiffness, options.damping};
}

RobotOptions robot_options(const ImportOptions& options) {
  return {.start = start_of(options.pose),
          .keyframe = keyframe_of(options.pose),
          .base = options.fixed      ? RobotOptions::Base::fixed
                  : options.floating ? RobotOptions::Base::floating
                                     : RobotOptions::Base::as_written,
          .density = options.density,
          .collide_all = options.collide_all,
          .packages = packages_of(options.packages),
          .package_path = package_path(),
          .motors = motors_of(options),
          .floor = options.floor || options.run};
}

/// Reports repairs and elements that the scene lacks.
void report_findings(const ImportedRobot& robot, const ImportOptions& options) {
  for (const auto& [file, line, found, done] : robot.repaired)
    say(stderr, "scree: {}: {}:{}: {}; {}\n", options.strict ? "error" : "repaired", file.string(),
        line, found, done);
  for (const auto& [file, line, text] : robot.not_covered)
    say(stderr, "scree: unsupported: {}:{}: {}\n", file.string(), line, text);
  for (const std::string& warning : robot.warnings)
    say(stderr, "scree: warning: {}: {}\n", options.robot.string(), warning);
}

/// Reports why scree run would refuse the scene. Returns the exit status.
int report_refused(const ImportedRobot& robot, const std::string& scene) {
  for (const std::string& reason : robot.refused)
    say(stderr, "scree: error: {} cannot run: {}\n", scene, reason);
  if (robot.refused.empty()) return kDone;
  say(stderr,
      "scree: for links that overlap, choose another pose (--pose), leave out --collide-all, or "
      "let them ignore each other (a line 'ignore: [[LINK, LINK]]' in the scene)\n");
  return kBadInput;
}

void write_scene(const std::string& text, const fs::path& path, bool replace) {
  if (fs::exists(path) && !replace)
    throw InputError(fmt::format("{} exists; choose another --out, or add --force to replace it",
                                 path.string()));
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush())
    throw OutputError(fmt::format("cannot write {}; check the path, its permissions and the space",
                                  path.string()));
}

/// The first and the last frame of a run.
std::pair<GrainsFrame, GrainsFrame> first_and_last_frame(const fs::path& run) {
  std::set<fs::path> frames;
  for (const auto& entry : fs::directory_iterator(run / "frames"))
    if (entry.path().extension() == ".hdf" && entry.path().stem().string().starts_with("grains"))
      frames.insert(entry.path());
  return {read_grains(*frames.begin()), read_grains(*frames.rbegin())};
}

/// Angle between an axis z of a body then and now [degrees].
double tilt_between(const Quaternion& then, const Quaternion& now) {
  const Vec3 up = rotate(now, rotate_back(then, {0, 0, 1}));
  return std::acos(std::clamp(up.z, -1.0, 1.0)) * 180 / std::numbers::pi;
}

/// Says whether each base still is where it was, or how far the links of a fixed robot moved.
void report_stand(const ImportedRobot& robot, const fs::path& run) {
  constexpr double kSunk = 0.1, kTilted = 20;  // of a robot that falls [height, degrees]
  const auto [first, last] = first_and_last_frame(run);
  const Bodies &then = first.bodies, &now = last.bodies;
  for (const RobotBase& base : robot.bases) {
    const double sunk = then.position[base.body].z - now.position[base.body].z,
                 tilt = tilt_between(then.orientation[base.body], now.orientation[base.body]);
    const bool stands = sunk < kSunk * base.height && tilt < kTilted;
    say(stderr, "scree: {}: in {:.3g} s '{}' sank by {:.2g} m and tilted by {:.2g} degrees\n",
        stands ? "it stands" : "it falls", last.time, base.name, sunk, tilt);
  }
  if (!robot.bases.empty()) return;
  double moved = 0;
  for (std::size_t i = 0; i < now.size(); ++i)
    moved = std::max(moved, norm(now.position[i] - then.position[i]));
  say(stderr, "scree: the links moved by up to {:.2g} m in {:.3g} s\n", moved, last.time);
}

int run_robot(const ImportedRobot& robot, const fs::path& scene, const ImportOptions& options) {
  const fs::path run = fs::path("out") / scene.stem();
  const int status = run_scene(
      {.scene = scene, .out = run, .force = options.force, .command_line = options.command_line});
  report_stand(robot, run);
  return status;
}

}  // namespace

int import_robot(const ImportOptions& options) {
  const ImportedRobot robot = import_robot(options.robot, robot_options(options));
  report_findings(robot, options);
  if (options.strict && !robot.repaired.empty()) return kBadInput;
  fs::path out = options.out;
  if (out.empty() && options.run) out = options.robot.stem().string() + ".yaml";
  if (out.empty()) {
    std::fputs(robot.scene.c_str(), stdout);
    return report_refused(robot, "the scene");
  }
  write_scene(robot.scene, out, options.force);
  const int status = report_refused(robot, out.string());
  return options.run && status == kDone ? run_robot(robot, out, options) : status;
}

}  // namespace scree::cli
