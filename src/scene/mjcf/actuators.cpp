/// Reads actuators of MJCF files: each becomes the motor of a coordinate.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "scene/mjcf/model.hpp"

namespace scree::robots {
namespace {

/// Force of an actuator: gain times control, plus bias[0] + bias[1] length + bias[2] velocity.
struct Force {
  double gain = 1;
  double bias[3] = {0, 0, 0};
};

/// Forces and lengths of an actuator over those of one coordinate.
struct Transmission {
  std::string joint;
  double force, length;
  std::optional<std::size_t> turn{};  ///< of a ball joint
};

class ActuatorReader {
 public:
  ActuatorReader(Mjcf& mjcf, const Tag& tag, double control)
      : mjcf_(mjcf), values_(mjcf.values), tag_(tag), control_(control) {}

  void operator()() {
    const auto force = force_of_kind();
    if (!force) return;
    if (const std::string dynamics = tag_.text("dyntype"); !dynamics.empty() && dynamics != "none")
      mjcf_.left_out.count(tag_.place, "dynamics of actuators (dyntype)", "motors act at once");
    for (const Transmission& to : transmissions()) add(*force, to);
  }

 private:
  /// None, and listed, for kinds that the importer leaves out.
  std::optional<Force> force_of_kind() {
    const std::string& kind = tag_.name;
    const std::vector<double> gain = values_.numbers(tag_, "gainprm", 10);
    const double first = gain.empty() ? 1 : gain[0];
    if (kind == "motor") return Force{};
    if (kind == "position") {
      const double kp = values_.number(tag_, "kp", first), kv = values_.number(tag_, "kv", 0);
      return Force{kp, {0, -kp, -kv}};
    }
    if (kind == "velocity" || kind == "intvelocity") {
      const double kv = values_.number(tag_, "kv", first);
      return Force{kv, {0, 0, -kv}};
    }
    if (kind == "general") return general(first);
    mjcf_.left_out.count(tag_.place, fmt::format("{} actuators", kind));
    return {};
  }

  std::optional<Force> general(double gain) {
    const std::string by = tag_.text("gaintype"), biased = tag_.text("biastype");
    if ((!by.empty() && by != "fixed") || biased == "muscle" || biased == "user") {
      mjcf_.left_out.count(tag_.place,
                           fmt::format("actuators with the gain {}", by.empty() ? biased : by));
      return {};
    }
    Force force{gain};
    if (biased != "affine") return force;
    const std::vector<double> bias = values_.numbers(tag_, "biasprm", 10);
    for (std::size_t k = 0; k < std::min<std::size_t>(3, bias.size()); ++k) force.bias[k] = bias[k];
    return force;
  }

  std::vector<Transmission> transmissions() {
    const std::vector<double> gears = values_.numbers(tag_, "gear", 6);
    const double gear = gears.empty() ? 1 : gears[0];
    for (const char* attribute : {"joint", "jointinparent"})
      if (const std::string name = tag_.text(attribute); !name.empty()) {
        if (mjcf_.robot.coordinate(name)) return {{name, gear, gear}};
        const auto found = std::ranges::find(mjcf_.robot.joints, name, &Joint::name);
        if (found != mjcf_.robot.joints.end() && found->kind == Joint::Kind::ball)
          return turn_of(name, gears);
        if (found != mjcf_.robot.joints.end())
          mjcf_.left_out.count(tag_.place, "actuators of free joints");
        else
          mjcf_.findings.repair(tag_.place, fmt::format("there is no joint '{}' to drive", name),
                                "the actuator is left out");
        return {};
      }
    if (const auto tendon = mjcf_.tendons.find(tag_.text("tendon")); tendon != mjcf_.tendons.end())
      return shares_of(tendon->second, gear);
    mjcf_.left_out.count(tag_.place, "actuators of sites, bodies and spatial tendons");
    return {};
  }

  /// The turn of a ball joint about the axis of its gears.
  std::vector<Transmission> turn_of(const std::string& joint, std::vector<double> gears) {
    if (gears.empty()) gears = {1};
    gears.resize(3);
    const auto is_not_zero = [](double gear) { return gear != 0; };
    if (std::ranges::count_if(gears, is_not_zero) != 1) {
      mjcf_.left_out.count(tag_.place, "actuators of ball joints about several axes");
      return {};
    }
    const auto gear = std::ranges::find_if(gears, is_not_zero);
    return {{joint, *gear, *gear, static_cast<std::size_t>(gear - gears.begin())}};
  }

  /// Each joint of a tendon takes its share of the force. Lengths follow as if all joints moved by
  /// the same amount, each the way that pulls the tendon.
  std::vector<Transmission> shares_of(const Tendon& tendon, double gear) {
    double sum = 0;
    for (const auto& [joint, coefficient] : tendon.joints) sum += std::abs(coefficient);
    if (tendon.joints.size() > 1)
      mjcf_.left_out.count(tag_.place, "actuators of tendons over several joints",
                           "each joint has a motor with its share");
    std::vector<Transmission> shares;
    for (const auto& [joint, coefficient] : tendon.joints)
      shares.push_back({joint, gear * coefficient, gear * std::copysign(sum, coefficient)});
    return shares;
  }

  /// Largest absolute number of a range; none if the file gives none, or says that it does not
  /// hold.
  std::optional<double> bound(const char* range, const char* limited) const {
    const std::vector<double> n = values_.numbers(tag_, range, 2);
    if (n.size() != 2 || tag_.text(limited) == "false") return {};
    const double most = std::max(std::abs(n[0]), std::abs(n[1]));
    return most > 0 ? std::optional(most) : std::nullopt;
  }

  double clamped_control() const {
    const std::vector<double> n = values_.numbers(tag_, "ctrlrange", 2);
    if (n.size() != 2 || tag_.text("ctrllimited") == "false" || !(n[0] <= n[1])) return control_;
    return std::clamp(control_, n[0], n[1]);
  }

  void add(const Force& force, const Transmission& to) {
    // A ball joint has no reference, and its efforts are not listed.
    Coordinate ball;
    Coordinate& coordinate = to.turn ? ball : *mjcf_.robot.coordinate(to.joint);
    std::optional<FileMotor>& own =
        to.turn
            ? std::ranges::find(mjcf_.robot.joints, to.joint, &Joint::name)->turns.motors[*to.turn]
            : coordinate.motor;
    const double active = force.gain * clamped_control() + force.bias[0],
                 stiffness = -force.bias[1] * to.force * to.length,
                 damping = -force.bias[2] * to.force * to.length;
    if (to.force == 0 || stiffness < 0 || damping < 0) {
      mjcf_.left_out.count(tag_.place, "actuators that drive away from their targets");
      return;
    }
    FileMotor motor;
    if (const auto most = bound("forcerange", "forcelimited"))
      motor.max = std::abs(to.force) * *most;
    if (stiffness > 0) {
      motor.kind = FileMotor::Kind::position;
      motor.target = active / (-force.bias[1] * to.length) - coordinate.reference;
      motor.stiffness = stiffness;
      motor.damping = damping;
    } else if (damping > 0) {
      motor.kind = FileMotor::Kind::velocity;
      motor.target = active / (-force.bias[2] * to.length);
      motor.damping = damping;
    } else {
      motor.target = to.force * active;
      if (const auto most = bound("ctrlrange", "ctrllimited"))
        motor.max = std::min(motor.max.value_or(HUGE_VAL), std::abs(to.force * force.gain) * *most);
    }
    if (motor.max && !(*motor.max > 0)) motor.max.reset();
    if (motor.max) coordinate.effort = std::max(coordinate.effort, *motor.max);
    join(own, motor);
  }

  /// Adds a motor to that of a coordinate: a position and a velocity motor are one.
  void join(std::optional<FileMotor>& own, FileMotor motor) {
    using enum FileMotor::Kind;
    if (!own) {
      own = motor;
      if (motor.kind == velocity) note_velocity_gain();
      return;
    }
    FileMotor& first = *own;
    const bool can_join = (first.kind == position && motor.kind == velocity && motor.target == 0) ||
                          (first.kind == velocity && motor.kind == position && first.target == 0);
    if (!can_join) {
      mjcf_.left_out.count(tag_.place, "second actuators of one joint");
      return;
    }
    if (first.kind == velocity) std::swap(first, motor);
    first.damping += motor.damping;
  }

  void note_velocity_gain() {
    mjcf_.left_out.count(tag_.place, "gains of velocity actuators",
                         "the motors keep their speed with all of their force");
  }

  Mjcf& mjcf_;
  const Values& values_;
  const Tag& tag_;
  double control_;
};

}  // namespace

void read_actuators(Mjcf& mjcf, const Tag& root) {
  std::size_t k = 0;
  for (const Tag& section : root.children) {
    if (section.name != "actuator") continue;
    for (const Tag& tag : section.children) {
      ActuatorReader(mjcf, tag, k < mjcf.controls.size() ? mjcf.controls[k] : 0)();
      ++k;
    }
  }
}

}  // namespace scree::robots
