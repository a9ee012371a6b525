/// Where the joints of a robot start.
#include <algorithm>
#include <fmt/format.h>

#include "scene/robots/robot.hpp"
#include "scree/core/error.hpp"

namespace scree::robots {
namespace {

std::string_view name_of(Joint::Kind kind) {
  constexpr std::string_view kNames[] = {"fixed",    "a hinge", "a slider", "planar",
                                         "floating", "a ball",  "universal"};
  return kNames[static_cast<int>(kind)];
}

class Starts {
 public:
  Starts(Robot& robot, const std::filesystem::path& file,
         const std::map<std::string, double>& given, Findings& findings)
      : robot_(robot), file_(file), given_(given), findings_(findings) {}

  void set() {
    check_given();
    for (Joint& joint : robot_.joints)
      for (Coordinate& coordinate : joint.coordinates) set(coordinate);
  }

 private:
  [[noreturn]] void refuse(Place at, const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", findings_.file_of(at).string(), at.line, what));
  }

  /// Checks that starting values belong to joints with a free coordinate.
  void check_given() const {
    for (const auto& [name, value] : given_) {
      const auto joint = std::ranges::find(robot_.joints, name, &Joint::name);
      if (joint == robot_.joints.end())
        refuse(1, fmt::format("there is no joint '{}' to start at {}", name, value));
      if (joint->coordinates.empty())
        refuse(
            joint->place,
            fmt::format(
                "the joint '{}' cannot start at a value, because it is {}; hinges and sliders can",
                name, name_of(joint->kind)));
      if (const auto& mimic = joint->coordinates[0].mimic)
        refuse(joint->place,
               fmt::format("the joint '{}' mimics '{}'; give the start of that joint instead", name,
                           mimic->joint));
    }
  }

  void set(Coordinate& coordinate) {
    coordinate.start = start_of(coordinate);
    if (!coordinate.limits || coordinate.limits->hold(coordinate.start)) return;
    const Limits& limits = *coordinate.limits;
    const double from = coordinate.reference;
    const std::string found = fmt::format(
        "the joint '{}' has the limits {} and {}, but would start at {}", coordinate.name,
        limits.lower + from, limits.upper + from, coordinate.start + from);
    if (!coordinate.mimic && coordinate.wanted && !given_.contains(coordinate.name)) {
      coordinate.start = std::clamp(coordinate.start, limits.lower, limits.upper);
      findings_.repair(coordinate.place, found + " by the keyframe",
                       fmt::format("it starts at {}", coordinate.start + from));
      return;
    }
    if (!coordinate.mimic) refuse(coordinate.place, found + "; choose another start with --pose");
    findings_.repair(coordinate.place,
                     found + fmt::format(" as it mimics '{}'", coordinate.mimic->joint),
                     "it has no limits of its own");
    coordinate.limits.reset();
  }

  /// For a mimicking joint from the other one, else the given value, else that of a keyframe, else
  /// 0 or the limit nearest to 0.
  double start_of(const Coordinate& coordinate) {
    if (const auto& mimic = coordinate.mimic)
      return mimic->multiplier * start_of(*robot_.coordinate(mimic->joint)) + mimic->offset;
    if (const auto given = given_.find(coordinate.name); given != given_.end())
      return given->second - coordinate.reference;
    if (coordinate.wanted) return *coordinate.wanted;
    const auto& limits = coordinate.limits;
    return limits ? std::clamp(0.0, limits->lower, limits->upper) : 0;
  }

  Robot& robot_;
  const std::filesystem::path& file_;
  const std::map<std::string, double>& given_;
  Findings& findings_;
};

}  // namespace

void set_starts(Robot& robot, const std::filesystem::path& file, const RobotOptions& options,
                Findings& findings) {
  Starts(robot, file, options.start, findings).set();
}

}  // namespace scree::robots
