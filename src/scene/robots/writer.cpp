/// Writes a robot as a scene.
#include "scene/robots/writer.hpp"

#include <algorithm>
#include <limits>

#include "scene/robots/bodies.hpp"
#include "scene/robots/robot.hpp"
#include "scene/robots/surfaces.hpp"

namespace scree::robots {
namespace {

/// Height of the lowest point of all collisions that move [m]; infinite if there is none.
double lowest(const Robot& robot, const std::map<std::string, Pose>& poses) {
  double low = std::numeric_limits<double>::infinity();
  for (const Link& link : robot.links)
    for (const Part& part : link.parts) {
      if (robot.is_fixed(link.name)) continue;
      const Pose at = moved(poses.at(link.name), pose_of(part));
      low = std::min(low, at.position.z - support(shape_of(part), at, {0, 0, -1}));
    }
  return low;
}

class Writer {
 public:
  Writer(const Robot& robot, const RobotOptions& options, Findings& findings,
         const std::optional<InScene>& in_scene)
      : robot_(robot),
        options_(options),
        findings_(findings),
        in_scene_(in_scene),
        poses_(place(robot)) {
    if (in_scene_)
      for (auto& [link, pose] : poses_) pose = moved(in_scene_->at, pose);
    name_materials();
    for (const Link& link : robot_.links) add_link(link);
    for (const Joint& joint : robot_.joints) add_joint(joint);
    for (const Closure& closure : robot_.closures) add_closure(closure);
    for (const Joint& joint : robot_.joints)
      for (const Coordinate& coordinate : joint.coordinates)
        if (coordinate.mimic) add_gear(coordinate);
    if (options.floor) add_floor();
    for (const auto& [a, b] : robot_.ignore) add_ignored(a, b);
  }

  std::string operator()(const std::string& file) const {
    std::string text = fmt::format(
        "# Made by scree import of {}.\n"
        "scree: 1\nname: {}\nuntil: 1 s\nstep: {{h: 1 ms}}\n{}materials:\n",
        file, yaml_text(robot_.name.size() <= kMaxName ? robot_.name : file), gravity());
    for (const auto& [surface, name] : surfaces_)
      text += fmt::format("  {}: {{density: {}}}\n", name, options_.density);
    if (!materials_.untouched.empty())
      text += fmt::format("  {}: {{density: {}}}\n", materials_.untouched, options_.density);
    text += laws() + remarks();
    if (!obstacles_.empty()) text += "obstacles:\n" + obstacles_;
    if (!bodies_.empty()) text += "bodies:\n" + bodies_;
    if (!joints_.empty()) text += "joints:\n" + joints_;
    const std::string ignored = ignored_ + untouched_text();
    if (!ignored.empty()) text += "ignore:\n" + ignored;
    return text;
  }

 private:
  static constexpr std::size_t kMaxName = 150;  // bytes

  /// A name that no link has.
  std::string free_name(std::string name) const {
    while (robot_.find(name)) name += " of scree";
    return name;
  }

  std::string gravity() const {
    const Vec3& g = robot_.gravity;
    return g == Vec3{0, 0, -9.81} ? "" : fmt::format("gravity: {}\n", yaml_of(g));
  }

  // --- materials ---

  /// Names a material for each surface, and one for links without collision.
  void name_materials() {
    if (!in_scene_)
      for (const Link& link : robot_.links)
        if (!link.parts.empty()) surfaces_.emplace(surface_of(link), "");
    if (surfaces_.empty()) surfaces_.emplace(Surface{}, "");
    std::size_t k = 0;
    for (auto& [surface, name] : surfaces_)
      name = in_scene_  ? in_scene_->material
             : ++k == 1 ? free_name("robot")
                        : free_name(fmt::format("robot {}", k));
    materials_.touched = surfaces_.begin()->second;
    if (has_untouched()) materials_.untouched = free_name("without collision");
    materials_.is_only = !in_scene_ && surfaces_.size() == 1 && materials_.untouched.empty();
  }

  Materials materials_of(const Link& link) const {
    Materials result = materials_;
    if (!link.parts.empty() && !in_scene_) result.touched = surfaces_.at(surface_of(link));
    return result;
  }

  std::string laws() const {
    const Surface& first = surfaces_.begin()->first;
    const std::string standard = law_of(robot_, first, first);
    std::string others;
    for (auto a = surfaces_.begin(); a != surfaces_.end(); ++a)
      for (auto b = a; b != surfaces_.end(); ++b)
        if (const std::string law = law_of(robot_, a->first, b->first); law != standard)
          others += fmt::format("  - {{between: [{}, {}], {}}}\n", a->second, b->second, law);
    if (!others.empty()) others = "laws:\n" + others;
    return fmt::format("default_law: {{{}}}\n{}", standard, others);
  }

  std::string remarks() const {
    std::string text;
    if (!findings_.repairs.empty()) text += "# Repaired:\n";
    for (const auto& [at, found, done] : findings_.repairs)
      text += fmt::format("#   {}: {}; {}\n", findings_.in_words(at), found, done);
    if (!findings_.remarks.empty()) text += "# Not covered:\n";
    for (const auto& [at, what] : findings_.remarks)
      text += fmt::format("#   {}: {}\n", findings_.in_words(at), what);
    return text;
  }

  std::string untouched_text() const {
    const std::string& untouched = materials_.untouched;
    if (untouched.empty()) return "";
    std::string text = fmt::format("  - [{0}, {0}]\n", untouched);
    for (const auto& [surface, name] : surfaces_)
      text += fmt::format("  - [{}, {}]\n", untouched, name);
    return text;
  }

  /// True if a link that moves has no collision.
  bool has_untouched() const {
    return std::ranges::any_of(robot_.links, [&](const Link& link) {
      return link.parts.empty() && !robot_.is_fixed(link.name);
    });
  }

  // --- links ---

  /// Name of a link in the scene, where `world` is not one's own.
  std::string name_of(const Link& link) const {
    return link.name == "world" ? free_name("world link") : link.name;
  }

  void add_link(const Link& link) {
    const Pose& pose = poses_.at(link.name);
    if (!robot_.is_fixed(link.name)) {
      bodies_ += body_of(link, name_of(link), pose, materials_of(link));
      names_[link.name] = {name_of(link)};
      return;
    }
    for (const Part& part : link.parts) {
      const std::size_t k = names_[link.name].size();
      const std::string name =
          k == 0 ? name_of(link) : free_name(fmt::format("{} {}", name_of(link), k + 1));
      obstacles_ += obstacle_of(part, name, pose, materials_of(link));
      names_[link.name].push_back(name);
    }
  }

  void add_ignored(const std::string& a, const std::string& b) {
    for (const std::string& one : names_.at(a))
      for (const std::string& other : names_.at(b))
        ignored_ += fmt::format("  - [{}, {}]\n", yaml_text(one), yaml_text(other));
  }

  /// Name of the body or obstacle that a link is: the world if nothing can touch it.
  std::string end_at(const std::string& link) const {
    const auto names = names_.find(link);
    return names == names_.end() ? "world" : names->second.front();
  }

  void add_floor() {
    const double height = lowest(robot_, poses_);
    if (bases_of(robot_).empty() || !std::isfinite(height) || has_ground()) return;
    obstacles_ += fmt::format(
        "  - half_space:\n      name: {}\n{}      point: [0, 0, {}]\n      normal: [0, 0, 1]\n",
        yaml_text(free_name("floor")), materials_.line_of(true), height);
  }

  /// True if the file has a plane that stands still.
  bool has_ground() const {
    return std::ranges::any_of(robot_.links, [&](const Link& link) {
      return robot_.is_fixed(link.name) && !link.parts.empty() &&
             link.parts[0].kind == Part::Kind::plane;
    });
  }

  // --- joints ---

  static const char* kind_of(Joint::Kind kind) {
    constexpr const char* kNames[] = {"fixed",    "revolute",  "prismatic", "planar",
                                      "floating", "spherical", "universal", "cylindrical"};
    return kNames[static_cast<int>(kind)];
  }

  void add_joint(const Joint& joint) {
    if (joint.kind == Joint::Kind::floating) return;
    const Pose& child = poses_.at(joint.child);
    joints_ +=
        fmt::format("  - {}:\n      name: {}\n      a: {}\n      b: {}\n      at: {}\n",
                    kind_of(joint.kind), yaml_text(joint.name), yaml_text(end_at(joint.parent)),
                    yaml_text(end_at(joint.child)), yaml_of(moved(child, {joint.at, {}}).position));
    if (joint.kind == Joint::Kind::planar && joint.coordinates.empty())
      joints_ += fmt::format("      axis: {}\n", yaml_of(rotate(child.orientation, joint.normal)));
    add_axes(joint);
    for (std::size_t k = 0; k < joint.coordinates.size(); ++k)
      add_drive(joint, joint.coordinates[k], key_of(joint, k));
    if (joint.kind == Joint::Kind::ball) add_turns(joint);
  }

  /// Axes of a ball joint, and the drives of its turns.
  void add_turns(const Joint& joint) {
    const Turns& turns = joint.turns;
    if (options_.motors || turns.has_motor()) {
      const Quaternion& child = poses_.at(joint.child).orientation;
      joints_ += fmt::format("      axis: {}\n      axis_2: {}\n",
                             yaml_of(rotate(child, {0, 0, 1})), yaml_of(rotate(child, {1, 0, 0})));
    }
    if (turns.max_angle) joints_ += fmt::format("      max_angle: {}\n", *turns.max_angle);
    for (std::size_t k = 0; k < turns.motors.size(); ++k) {
      Coordinate of{.name = joint.name,
                    .place = joint.place,
                    .damping = turns.damping,
                    .friction = turns.friction,
                    .stiffness = turns.stiffness};
      of.motor = turns.motors[k];
      constexpr const char* kKeys[] = {"turn_x", "turn_y", "turn_z"};
      add_drive(joint, of, kKeys[k]);
    }
  }

  /// Joint that closes a loop where its links are.
  void add_closure(const Closure& closure) {
    if (closure.a == closure.b || (robot_.is_fixed(closure.a) && robot_.is_fixed(closure.b)))
      return;
    const Vec3 at = moved(poses_.at(closure.a), {closure.at, {}}).position;
    joints_ += fmt::format("  - {}:\n      name: {}\n      a: {}\n      b: {}\n      at: {}\n",
                           closure.is_weld ? "fixed" : "spherical", yaml_text(closure.name),
                           yaml_text(end_at(closure.a)), yaml_text(end_at(closure.b)), yaml_of(at));
  }

  /// Direction of a coordinate's axis in the world.
  Vec3 axis_of(const Joint& joint, std::size_t k) const {
    Joint until = joint;
    until.coordinates.resize(k + 1);
    const Pose frame = moved(poses_.at(joint.parent), after(until));
    return rotate(frame.orientation, joint.coordinates[k].axis);
  }

  void add_axes(const Joint& joint) {
    const std::size_t count = joint.coordinates.size();
    if (count == 0) return;
    const bool has_normal = joint.kind == Joint::Kind::planar;
    joints_ += fmt::format("      axis: {}\n", yaml_of(axis_of(joint, has_normal ? count - 1 : 0)));
    if (joint.kind == Joint::Kind::universal || has_normal)
      joints_ += fmt::format("      axis_2: {}\n", yaml_of(axis_of(joint, has_normal ? 0 : 1)));
  }

  static const char* key_of(const Joint& joint, std::size_t k) {
    if (joint.kind == Joint::Kind::planar && k < 2) return k == 0 ? "slide_x" : "slide_y";
    if (!joint.coordinates[k].turns) return "slide";
    return joint.kind == Joint::Kind::universal && k == 1 ? "angle_2" : "angle";
  }

  void add_drive(const Joint& joint, const Coordinate& of, const char* key) {
    report_start(of);
    std::string drive;
    if (joint.coordinates.size() > 1)
      drive += fmt::format("        name: {}\n", yaml_text(of.name));
    if (of.limits)
      drive += fmt::format("        limits: [{}, {}]\n", yaml_of(of.limits->lower - of.start),
                           yaml_of(of.limits->upper - of.start));
    if (options_.motors && !of.mimic) drive += motor_of(of);
    if (!options_.motors && of.motor) drive += motor_of(of, *of.motor);
    if (!options_.motors && !of.motor) report_motor(of);
    drive += spring_of(of);
    if (of.friction != 0) drive += fmt::format("        friction: {}\n", of.friction);
    if (of.armature != 0) drive += fmt::format("        armature: {}\n", of.armature);
    if (!drive.empty()) joints_ += fmt::format("      {}:\n{}", key, drive);
  }

  static std::string spring_of(const Coordinate& of) {
    if (of.stiffness == 0 && of.damping == 0) return "";
    if (of.stiffness == 0) return fmt::format("        spring: {{damping: {}}}\n", of.damping);
    return fmt::format("        spring: {{stiffness: {}, rest: {}, damping: {}}}\n", of.stiffness,
                       of.rest - of.start, of.damping);
  }

  void report_start(const Coordinate& of) {
    if (of.start == 0) return;
    const bool by_itself = !options_.start.contains(of.name) && !of.mimic && !of.wanted;
    findings_.remark(
        of.place, fmt::format("the joint '{0}' starts at {1}{2}; its coordinate counts from there",
                              of.name, of.start + of.reference,
                              by_itself ? ", because its limits exclude 0 (--pose " + of.name +
                                              "=VALUE lets it start elsewhere)"
                                        : ""));
  }

  void report_motor(const Coordinate& of) {
    if (of.effort == 0 && of.velocity == 0) return;
    std::string allows;
    for (const auto& [what, value] : {std::pair("effort", of.effort), {"velocity", of.velocity}})
      if (value > 0)
        allows += fmt::format("{}the {} {}", allows.empty() ? "" : " and ", what, value);
    findings_.remark(
        of.place,
        fmt::format("the joint '{}' has no motor; the file allows one with {}", of.name, allows));
  }

  /// Effort that could bear the robot, for motors of unknown effort [N m, N].
  double bearing_effort(bool turns) const {
    constexpr double kGravity = 9.81, kMinSize = 0.1;
    double mass = 0, size = kMinSize;
    for (const Link& link : robot_.links) {
      if (link.inertia) mass += link.inertia->mass;
      size = std::max(size, norm(poses_.at(link.name).position));
    }
    return kGravity * mass * (turns ? size : 1);
  }

  std::string motor_of(const Coordinate& of) const {
    constexpr double kAngle = 0.1, kLength = 0.01;  // where a motor pulls with its whole effort
    constexpr double kTime = 0.1;                   // damping over stiffness [s]
    const double effort = of.effort > 0 ? of.effort : bearing_effort(of.turns);
    if (options_.motors->kind == RobotMotors::Kind::effort) return "        motor: {force: 0}\n";
    if (options_.motors->kind == RobotMotors::Kind::velocity)
      return fmt::format("        motor: {{velocity: 0, max: {}}}\n", effort);
    const double stiffness =
        options_.motors->stiffness.value_or(effort / (of.turns ? kAngle : kLength));
    const double damping = options_.motors->damping.value_or(
        of.effort > 0 && of.velocity > 0 ? of.effort / of.velocity : kTime * stiffness);
    return fmt::format("        motor: {{position: 0, {}stiffness: {}, damping: {}}}\n",
                       of.effort > 0 ? fmt::format("max: {}, ", of.effort) : "", stiffness,
                       damping);
  }

  /// Motor that the file gives.
  std::string motor_of(const Coordinate& of, const FileMotor& motor) const {
    const std::string max = motor.max ? fmt::format(", max: {}", *motor.max) : "";
    if (motor.kind == FileMotor::Kind::position)
      return fmt::format("        motor: {{position: {}{}, stiffness: {}, damping: {}}}\n",
                         motor.target - of.start, max, motor.stiffness, motor.damping);
    if (motor.kind == FileMotor::Kind::velocity)
      return fmt::format("        motor: {{velocity: {}, max: {}}}\n", motor.target,
                         motor.max.value_or(bearing_effort(of.turns)));
    return fmt::format("        motor: {{force: {}{}}}\n", motor.target, max);
  }

  // --- gears ---

  struct Geared {
    const Joint* joint;
    std::size_t coordinate;
    const Coordinate& of() const { return joint->coordinates[coordinate]; }
  };
  Geared geared(const std::string& name) const {
    for (const Joint& joint : robot_.joints)
      for (std::size_t k = 0; k < joint.coordinates.size(); ++k)
        if (joint.coordinates[k].name == name) return {&joint, k};
    return {};
  }

  static std::string end_of_gear(const char* which, const Geared& end) {
    std::string text = fmt::format("      {}: {}\n", which, yaml_text(end.joint->name));
    if (end.joint->coordinates.size() > 1)
      text += fmt::format("      {}_coordinate: {}\n", which, key_of(*end.joint, end.coordinate));
    return text;
  }

  void add_gear(const Coordinate& coordinate) {
    const Mimic& mimic = *coordinate.mimic;
    const Geared own = geared(coordinate.name), other = geared(mimic.joint);
    const bool alike = own.of().turns == other.of().turns;
    // The length of a rack comes first
    const bool swapped = own.of().turns && !other.of().turns;
    joints_ += fmt::format(
        "  - {}:\n      name: {}\n{}{}      {}: {}\n      collide: true\n", alike ? "gear" : "rack",
        yaml_text(fmt::format("{} as {}", coordinate.name, mimic.joint)),
        end_of_gear("first", swapped ? other : own), end_of_gear("second", swapped ? own : other),
        alike ? "ratio" : "radius", swapped ? 1 / mimic.multiplier : mimic.multiplier);
  }

  const Robot& robot_;
  const RobotOptions& options_;
  Findings& findings_;
  const std::optional<InScene>& in_scene_;
  std::map<std::string, Pose> poses_;
  std::map<Surface, std::string> surfaces_;  ///< and their materials
  Materials materials_;
  std::map<std::string, std::vector<std::string>> names_;  ///< of the scene, by link
  std::string obstacles_, bodies_, joints_, ignored_;
};

}  // namespace

std::string scene_of(const Robot& robot, const std::filesystem::path& file,
                     const RobotOptions& options, Findings& findings,
                     const std::optional<InScene>& in_scene) {
  const Writer writer(robot, options, findings, in_scene);
  findings.sort();
  return writer(file.filename().string());
}

std::vector<RobotBase> bases_of(const Robot& robot) {
  const auto poses = place(robot);
  double high = 0;
  for (const auto& [link, pose] : poses) high = std::max(high, pose.position.z);
  const double height = high - lowest(robot, poses);
  std::vector<RobotBase> bases;
  std::size_t body = 0;
  for (const Link& link : robot.links) {
    if (robot.is_fixed(link.name)) continue;
    const Joint* joint = robot.joint_of(link.name);
    if (!joint || joint->kind == Joint::Kind::floating) bases.push_back({link.name, body, height});
    ++body;
  }
  return bases;
}

}  // namespace scree::robots
