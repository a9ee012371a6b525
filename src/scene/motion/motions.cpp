/// Reads motions of obstacles: the key `motion` and the map `motions`.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "scene/motion/motion_checks.hpp"
#include "scree/core/spelling.hpp"

namespace scree::scene {

namespace {

/// Load for messages, " under a force of (0, 0, 1) N and a torque of (0, 0, 0) N m"; empty without
/// a load.
std::string under(const Wrench& load) {
  if (load == Wrench{}) return "";
  const Vec3 &f = load.force, &m = load.torque;
  return fmt::format(
      " under a force of ({:.6g}, {:.6g}, {:.6g}) N and a torque of "
      "({:.6g}, {:.6g}, {:.6g}) N m",
      f.x, f.y, f.z, m.x, m.y, m.z);
}

/// Twist from six expressions; each copy has its own parsers.
struct PrescribedTwist {
  std::vector<TimeExpression> components;
  double from, until;  ///< at rest before and after; t of the expressions begins at `from` [s]

  /// Throws InputError that names the expression without a valid speed.
  Twist operator()(double t, const Wrench& load) const {
    if (t < from || t > until) return {};
    std::array<double, 6> value;
    for (std::size_t k = 0; k < value.size(); ++k) {
      value[k] = components[k](t - from, load);
      if (!(std::abs(value[k]) <= kMaxSpeed))
        throw InputError(fmt::format("{}[{}], '{}', is {}{}",
                                     k < 3 ? "velocity" : "angular_velocity", k % 3,
                                     components[k].text(), in_words(value[k]), under(load)));
    }
    return {{value[0], value[1], value[2]}, {value[3], value[4], value[5]}};
  }
};

/// Reads one map of a motion.
class MotionReader {
 public:
  MotionReader(Build& build, const Node& node) : build_(build), node_(node) {}

  std::optional<ObstacleMotion> read() {
    if (!read_times()) return {};
    if (has("velocity") || has("angular_velocity")) return read_twist();
    return read_path();
  }

 private:
  bool has(const char* key) const { return node_.find(key) != nullptr; }
  double number(const char* key, double otherwise) const {
    return number_if(node_, key).value_or(otherwise);
  }
  /// Keys of a list that are present.
  std::vector<std::string> given(std::initializer_list<const char*> keys) const {
    std::vector<std::string> present;
    for (const char* key : keys)
      if (has(key)) present.emplace_back(key);
    return present;
  }
  /// Reports the first of these keys that is present; false then.
  bool refuse(std::initializer_list<const char*> keys, const std::string& why) {
    const std::vector<std::string> present = given(keys);
    if (present.empty()) return true;
    build_.problems.report_key(node_[present[0]], fmt::format("'{}' {}", present[0], why));
    return false;
  }

  bool read_times() {
    motion_.from = number("from", 0);
    motion_.until = number("until", motion_.until);
    if (motion_.until > motion_.from) return true;
    build_.problems.report(node_["until"],
                           fmt::format("until must be later than from, {} s", motion_.from));
    return false;
  }

  // --- by velocities ---

  std::optional<ObstacleMotion> read_twist() {
    if (!refuse({"pivot", "axis", "direction", "speed", "angle", "displacement", "amplitude",
                 "frequency", "period", "phase", "table", "carried_by"},
                "cannot be combined with velocity and angular_velocity, which refer to the "
                "obstacle's own frame"))
      return {};
    PrescribedTwist twist{{}, motion_.from, motion_.until};
    for (const char* key : {"velocity", "angular_velocity"})
      for (int axis = 0; axis < 3; ++axis) {
        const Node* list = node_.find(key);
        auto component =
            list ? read_expression(build_, list->children[axis], TimeExpression::Sees::load)
                 : std::optional(TimeExpression("0"));
        if (!component) return {};
        if (list && !list->children[axis].is_number())
          warn_of_haste(build_, list->children[axis], *component);
        twist.components.push_back(*component);
      }
    const bool answers = std::ranges::any_of(twist.components, &TimeExpression::uses_load);
    return ObstacleMotion{twist, {}, {}, answers};
  }

  // --- by poses ---

  std::optional<ObstacleMotion> read_path() {
    const std::vector<std::string> choices = given({"axis", "direction", "table"});
    const bool table = has("table");
    if (choices.empty() || has("direction") + (has("axis") || table) > 1) {
      build_.problems.report(node_,
                             "give a motion a pivot and an axis, a direction, a table, or velocity "
                             "and angular_velocity");
      return {};
    }
    if (!(table ? read_table() : has("axis") ? read_rotation() : read_sliding())) return {};
    ObstacleMotion result{
        {}, {motion_}, has("pivot") ? std::optional(motion_.pivot) : std::nullopt};
    if (const Node* carrier = node_.find("carried_by")) {
      const auto carried = named_motion(*carrier);
      if (!carried) return {};
      result.motions.insert(result.motions.end(), carried->motions.begin(), carried->motions.end());
    }
    return result;
  }

  bool read_table() {
    if (!refuse({"speed", "angle", "displacement", "amplitude", "frequency", "period", "phase"},
                "cannot be combined with a table, which gives the obstacle's pose"))
      return false;
    if (has("pivot")) motion_.pivot = vec3(node_["pivot"]);
    std::optional<Vec3> axis;
    if (has("axis") && !(axis = unit_direction(node_["axis"], build_.problems))) return false;
    auto poses = read_pose_table(build_, node_, axis, motion_.pivot);
    if (!poses) return false;
    motion_.pose = std::move(*poses);
    return true;
  }

  bool read_rotation() {
    if (!refuse({"displacement"}, "belongs to a direction; with an axis give angle")) return false;
    if (!has("pivot")) {
      build_.problems.report(
          node_, "the key 'pivot' is missing; give a point of the axis, such as [0, 0, 0]");
      return false;
    }
    const auto axis = unit_direction(node_["axis"], build_.problems);
    auto law = read_law(true);
    if (!axis || !law) return false;
    motion_.pivot = vec3(node_["pivot"]);
    motion_.pose = [law = std::move(*law), axis = *axis, pivot = motion_.pivot](double t) {
      return Pose{pivot, rotation(axis, law(t))};
    };
    return true;
  }

  bool read_sliding() {
    if (!refuse({"angle"}, "belongs to an axis; with a direction give displacement") ||
        !refuse({"pivot"}, "needs an axis or a table"))
      return false;
    const auto direction = unit_direction(node_["direction"], build_.problems);
    auto law = read_law(false);
    if (!direction || !law) return false;
    motion_.pose = [law = std::move(*law), direction = *direction](double t) {
      return Pose{law(t) * direction, {}};
    };
    return true;
  }

  /// Law of the motion's angle or length.
  std::optional<TimeLaw> read_law(bool is_angle) {
    const std::vector<std::string> choices = given({"speed", "angle", "displacement", "amplitude"});
    if (choices.size() != 1) {
      build_.problems.report(node_,
                             fmt::format("give exactly one of speed, {} and amplitude; found {}",
                                         is_angle ? "angle" : "displacement", choices.size()));
      return {};
    }
    if (choices[0] != "amplitude" &&
        !refuse({"frequency", "period", "phase"}, "needs an amplitude"))
      return {};
    const Node& node = node_[choices[0]];
    auto law = choices[0] == "amplitude" ? read_oscillation(is_angle)
               : choices[0] == "speed"   ? read_speed(node, is_angle)
                                         : read_displacement(node);
    if (!law || !check_law(build_, node, motion_, *law, is_angle)) return {};
    if (choices[0] == "amplitude" || !node.is_number()) warn_of_haste(build_, node, motion_, *law);
    return law;
  }

  /// True if the unit of a quantity, if any, suits an angle or a length; reports it if not.
  bool check_unit(const Node& node, bool is_angle, const char* angles, const char* lengths) {
    const std::string wanted = is_angle ? angles : lengths;
    if (!node.unit.empty() && node.unit != wanted) {
      build_.problems.report(node,
                             fmt::format("'{}' is in {}; {} it must be in {}", node.text, node.unit,
                                         is_angle ? "about an axis" : "along a direction", wanted));
      return false;
    }
    return true;
  }

  std::optional<TimeLaw> read_speed(const Node& node, bool is_angle) {
    if (!check_unit(node, is_angle, "rad/s", "m/s")) return {};
    auto speed = read_expression(build_, node);
    if (!speed) return {};
    if (node.is_number()) return steady(node.number);
    const double h = build_.scene.model.step.h;
    return integral_of(*speed, h > 0 ? h : build_.scene.until, "speed");
  }

  std::optional<TimeLaw> read_displacement(const Node& node) {
    auto expression = read_expression(build_, node);
    if (!expression) return {};
    return given_by(*expression, node.key);
  }

  std::optional<TimeLaw> read_oscillation(bool is_angle) {
    const Node *frequency = node_.find("frequency"), *period = node_.find("period");
    if (!check_unit(node_["amplitude"], is_angle, "rad", "m")) return {};
    if ((frequency != nullptr) == (period != nullptr)) {
      build_.problems.report(node_, "give an oscillation either frequency or period");
      return {};
    }
    return oscillation(node_["amplitude"].number,
                       frequency ? frequency->number : 1 / period->number, number("phase", 0));
  }

  /// Entry of `motions`, read on first use.
  std::optional<ObstacleMotion> named_motion(const Node& name);

  Build& build_;
  const Node& node_;
  Motion motion_;

  friend std::optional<ObstacleMotion> motion_of_name(Build& build, const Node& name);
};

/// Reads an entry of `motions` on first use, so that its warnings appear once.
std::optional<ObstacleMotion> motion_of_name(Build& build, const Node& name) {
  const Node& all = build.root["motions"];
  const Node* entry = all.find(name.text);
  if (!entry) {
    std::vector<std::string> known;
    for (const Node& one : all.children) known.push_back(one.key);
    build.problems.report(name, fmt::format("there is no motion '{}' under motions{}", name.text,
                                            suggestion(name.text, known)));
    return {};
  }
  const auto [slot, is_new] = build.motions.try_emplace(name.text);
  NamedMotion& named = slot->second;
  if (is_new) {
    if (sound(*entry)) named.motion = read_motion(build, *entry);
    named.is_known = true;
  } else if (!named.is_known) {
    build.problems.report(
        name, fmt::format("the motion '{}' carries itself; remove one carried_by of the loop",
                          name.text));
  }
  return named.motion;
}

std::optional<ObstacleMotion> MotionReader::named_motion(const Node& name) {
  return motion_of_name(build_, name);
}

}  // namespace

std::optional<TimeExpression> read_expression(Build& build, const Node& node,
                                              TimeExpression::Sees sees) {
  try {
    TimeExpression expression(node.is_number() ? fmt::format("{:.17g}", node.number) : node.text,
                              sees);
    if (!check_samples(build, node, expression)) return {};
    return expression;
  } catch (const InputError& e) {
    build.problems.report(
        node, fmt::format("'{}' is not an expression of t{}: {}", node.text,
                          sees == TimeExpression::Sees::load ? " and the load" : "", e.what()));
    return {};
  }
}

std::optional<ObstacleMotion> read_motion(Build& build, const Node& node) {
  if (node.is_string()) return motion_of_name(build, node);
  auto motion = MotionReader(build, node).read();
  if (!motion) return {};
  const Node* spin = node.find("angular_velocity");
  warn_of_rotation(build, spin ? *spin : node, *motion);
  warn_of_unrest(build, node, *motion);
  return motion;
}

void build_motions(Build& build) {
  for (const Node& entry : build.root["motions"].children) {
    if (!entry.is_map() || !sound(entry)) continue;
    Node name = string_node(entry.key);
    name.parent = entry.parent;
    name.position = entry.position;
    const auto motion = motion_of_name(build, name);
    if (motion && motion->twist)
      build.problems.report(entry,
                            "a shared motion cannot use velocities of an obstacle's own frame; "
                            "give pivot and axis, a direction or a table");
  }
}

void set_motion(const ObstacleMotion& motion, Obstacle& obstacle) {
  if (motion.twist) {
    if (motion.answers_to_load)
      obstacle.servo = motion.twist;
    else
      obstacle.motion = [twist = motion.twist](double t) { return twist(t, {}); };
    return;
  }
  if (motion.pivot)
    obstacle.pivot = rotate_back(obstacle.pose.orientation, *motion.pivot - obstacle.pose.position);
  obstacle.path = [motions = motion.motions, drawn = obstacle.pose](double t) {
    return moved(displacement(motions, t), drawn);
  };
  obstacle.pose = obstacle.path(0);
}

}  // namespace scree::scene
