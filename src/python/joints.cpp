/// The classes Joints and Joint of Python: read joints and drive their motors.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <pybind11/stl.h>
#include <span>

#include "python/arrays.hpp"
#include "python/coordinates.hpp"
#include "scree/core/kept_memory.hpp"
#include "scree/core/spelling.hpp"

namespace scree::python {
namespace {

constexpr double kOfScene = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<const char*, 4> kModes{"none", "velocity", "position", "force"};

/// Calls f while no other thread steps the simulation.
template <class F>
auto guarded(const Coordinates& of, F&& f) {
  const Use use(of.held->taken);
  return f();
}

// Values of coordinates: arrays for all joints, a number for a joint with one coordinate.

py::array read_only(py::array array) {
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

py::object values_of(const Joints&, std::span<const double> numbers) {
  return read_only(py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data()));
}
py::object values_of(const OneJoint& joint, std::span<const double> numbers) {
  if (joint.count == 1) return py::float_(numbers[0]);
  return read_only(py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data()));
}

/// Values of all coordinates by a function of JointCoordinates, then those of `of`.
template <class Of>
py::object copied(const Of& of, void (JointCoordinates::*copy)(std::span<double>) const) {
  const Use use(of.held->taken);
  const JointCoordinates all = of.view();
  std::vector<double> numbers(all.size());
  (all.*copy)(numbers);
  return values_of(of, std::span<const double>(numbers).subspan(of.first, of.count));
}

/// One number for each coordinate, from a number, an array, or None.
std::vector<double> numbers_of(const Coordinates& of, const py::object& given, const char* name) {
  if (given.is_none()) return std::vector<double>(of.count, kOfScene);
  const Doubles array = doubles_of(given);
  if (array.ndim() == 0) return std::vector<double>(of.count, *array.data());
  if (array.ndim() != 1 || array.shape(0) != static_cast<py::ssize_t>(of.count))
    throw InputError(std::string(name) + " has the shape " + shape_of(array) + "; it must be (" +
                     std::to_string(of.count) + ",), a value for each of `names`, or one number");
  return {array.data(), array.data() + array.size()};
}

// Targets.

/// Writable view of the targets in the state.
py::array target_array(const Joints& joints) {
  const Use use(joints.held->taken);
  const std::span<double> targets = joints.view().targets();
  if (targets.empty()) return py::array_t<double>(0);
  auto* memory = new KeptMemory(targets.data());
  const py::capsule owner(memory, [](void* p) { delete static_cast<KeptMemory*>(p); });
  return py::array_t<double>(static_cast<py::ssize_t>(targets.size()), targets.data(), owner);
}

py::object target_of(const OneJoint& joint) {
  const Use use(joint.held->taken);
  return values_of(joint, joint.view().targets().subspan(joint.first, joint.count));
}

void set_target(const Coordinates& of, const py::object& given) {
  const std::vector<double> numbers = numbers_of(of, given, "target");
  const Use use(of.held->taken);
  JointCoordinates all = of.view();
  const std::span<double> now = all.targets();
  std::vector<double> targets(now.begin(), now.end());
  std::ranges::copy(numbers, targets.begin() + static_cast<std::ptrdiff_t>(of.first));
  all.set_targets(targets);
}

// Motors.

Motor::Kind motor_kind_of(const std::string& mode) {
  const auto found = std::ranges::find(kModes, mode);
  if (found == kModes.end())
    throw InputError("a motor has no mode '" + mode + "'" +
                     suggestion(mode, {kModes.begin(), kModes.end()}));
  return static_cast<Motor::Kind>(found - kModes.begin());
}

/// One mode for each coordinate, from a word or a list of words.
std::vector<Motor::Kind> motor_kinds_of(const Coordinates& of, const py::object& given) {
  if (py::isinstance<py::str>(given))
    return std::vector<Motor::Kind>(of.count, motor_kind_of(py::cast<std::string>(given)));
  std::vector<Motor::Kind> kinds;
  for (const py::handle word : given) kinds.push_back(motor_kind_of(py::cast<std::string>(word)));
  if (kinds.size() != of.count)
    throw InputError("mode has " + std::to_string(kinds.size()) + " words; give " +
                     std::to_string(of.count) + ", one for each of `names`, or one word");
  return kinds;
}

/// Changes the motors of all coordinates: change(settings, k). Nothing changes if one is refused.
template <class F>
void change_motors(const Coordinates& of, F&& change) {
  const Use use(of.held->taken);
  JointCoordinates all = of.view();
  std::vector<MotorSettings> before;
  for (std::size_t k = 0; k < of.count; ++k) before.push_back(all.motor(of.first + k));
  for (std::size_t k = 0; k < of.count; ++k) {
    MotorSettings settings = before[k];
    change(settings, k);
    try {
      all.change_motor(of.first + k, settings);
    } catch (const InputError&) {
      for (std::size_t back = 0; back < k; ++back) all.change_motor(of.first + back, before[back]);
      throw;
    }
  }
}

void drive(const Coordinates& of, const py::object& mode, const py::object& stiffness,
           const py::object& damping, const py::object& max_effort) {
  const std::vector<Motor::Kind> kinds = motor_kinds_of(of, mode);
  const std::vector<double> k = numbers_of(of, stiffness, "stiffness"),
                            d = numbers_of(of, damping, "damping"),
                            max = numbers_of(of, max_effort, "max_effort");
  change_motors(of, [&](MotorSettings& settings, std::size_t i) {
    settings = {kinds[i], max[i], k[i], d[i]};
  });
}

py::object words_of(const Joints&, const std::vector<std::string>& words) {
  return py::cast(words);
}
py::object words_of(const OneJoint& joint, const std::vector<std::string>& words) {
  return joint.count == 1 ? py::object(py::str(words[0])) : py::cast(words);
}

/// Adds a property of motors that is a number for each coordinate.
template <class Class, class Of>
void add_gain(Class& type, const char* name, double MotorSettings::*gain, const char* doc) {
  type.def_property(
      name,
      [gain](const Of& of) {
        return guarded(of, [&] {
          std::vector<double> numbers;
          for (std::size_t k = 0; k < of.count; ++k)
            numbers.push_back(of.view().motor(of.first + k).*gain);
          return values_of(of, numbers);
        });
      },
      [gain, name](const Of& of, const py::object& given) {
        const std::vector<double> numbers = numbers_of(of, given, name);
        change_motors(of, [&](MotorSettings& motor, std::size_t k) { motor.*gain = numbers[k]; });
      },
      doc);
}

std::vector<std::string> names_of_coordinates(const Coordinates& of) {
  const Use use(of.held->taken);
  std::vector<std::string> names;
  for (std::size_t k = 0; k < of.count; ++k) names.push_back(of.view().all()[of.first + k].name);
  return names;
}

/// Adds what all joints and one joint have in common.
template <class Of, class Class>
void bind_coordinates(Class& type) {
  type.def_property_readonly(
      "names", [](const Of& of) { return names_of_coordinates(of); },
      R"(Names of the free coordinates: that of the joint, such as "knee", or "pin.slide" and
"pin.angle" if the joint has several.)");
  type.def_property_readonly(
      "position", [](const Of& of) { return copied(of, &JointCoordinates::copy_positions); },
      "Coordinates [m] or [rad]; revolutions are counted. NaN where the joint is gone.");
  type.def_property_readonly(
      "velocity", [](const Of& of) { return copied(of, &JointCoordinates::copy_velocities); },
      "Rates of the coordinates [m/s] or [rad/s]. NaN where the joint is gone.");
  type.def_property_readonly(
      "effort", [](const Of& of) { return copied(of, &JointCoordinates::copy_efforts); },
      R"(Forces [N] or torques [N m] of motor, spring, limits and friction together along the
coordinates, in the last step.)");
  type.def_property_readonly(
      "limits",
      [](const Of& of) {
        return guarded(of, [&] {
          py::array_t<double> limits({static_cast<py::ssize_t>(of.count), py::ssize_t{2}});
          for (std::size_t k = 0; k < of.count; ++k) {
            const JointDrive& own = of.view().drive(of.first + k);
            limits.mutable_at(k, 0) = own.lower;
            limits.mutable_at(k, 1) = own.upper;
          }
          if constexpr (std::is_same_v<Of, OneJoint>)
            if (of.count == 1) return read_only(py::array(limits.attr("reshape")(2)));
          return read_only(limits);
        });
      },
      "Lower and upper limits [m] or [rad]; infinite without.");
  type.def_property_readonly(
      "mode",
      [](const Of& of) {
        return guarded(of, [&] {
          std::vector<std::string> words;
          for (std::size_t k = 0; k < of.count; ++k)
            words.emplace_back(
                kModes[static_cast<std::size_t>(of.view().motor(of.first + k).kind)]);
          return words_of(of, words);
        });
      },
      R"(Kind of the motor: "position", "velocity", "force" or "none"; see drive().)");
  add_gain<Class, Of>(type, "stiffness", &MotorSettings::stiffness,
                      "Stiffness of position motors [N/m] or [N m/rad].");
  add_gain<Class, Of>(type, "damping", &MotorSettings::damping,
                      "Damping of position motors [N s/m] or [N m s/rad].");
  add_gain<Class, Of>(type, "max_effort", &MotorSettings::max,
                      "Maximum force [N] or torque [N m] of the motor; infinite without.");
  type.def(
      "drive",
      [](const Of& of, const py::object& mode, const py::object& stiffness,
         const py::object& damping,
         const py::object& max_effort) { drive(of, mode, stiffness, damping, max_effort); },
      py::arg("mode"), py::kw_only(), py::arg("stiffness") = 0., py::arg("damping") = 0.,
      py::arg("max_effort") = std::numeric_limits<double>::infinity(),
      R"(Replaces motors, or gives coordinates one; it acts once it has a target. Raises InputError,
with nothing changed, for invalid values.)");
}

// All joints.

const Joint& model_of(const OneJoint& joint) {
  return joint.held->simulation.model().joints[joint.index];
}

std::vector<std::string> names_of_joints(const Held& held) {
  std::vector<std::string> names;
  for (const Joint& joint : held.simulation.model().joints) names.push_back(joint.name);
  return names;
}

/// Joint of this name, or coordinate of a joint with several; none if there is none.
std::optional<OneJoint> find_joint(const Joints& joints, const std::string& name) {
  const auto& models = joints.held->simulation.model().joints;
  const auto& all = joints.view().all();
  const auto found = std::ranges::find(models, name, &Joint::name);
  if (found != models.end()) {
    const auto index = static_cast<std::uint32_t>(found - models.begin());
    const auto first = std::ranges::lower_bound(all, index, {}, &FreeCoordinate::joint);
    return OneJoint{{joints.held, static_cast<std::size_t>(first - all.begin()),
                     coordinates_of(found->kind).size()},
                    index};
  }
  const auto coordinate = std::ranges::find(all, name, &FreeCoordinate::name);
  if (coordinate == all.end()) return {};
  return OneJoint{{joints.held, static_cast<std::size_t>(coordinate - all.begin()), 1},
                  coordinate->joint};
}

OneJoint joint_of(const Joints& joints, const std::string& name) {
  const Use use(joints.held->taken);
  if (auto joint = find_joint(joints, name)) return *joint;
  std::vector<std::string> names = names_of_joints(*joints.held);
  for (const FreeCoordinate& each : joints.view().all())
    if (std::ranges::find(names, each.name) == names.end()) names.push_back(each.name);
  throw InputError(names.empty() ? "the scene has no joints"
                                 : "there is no joint '" + name + "'" + suggestion(name, names));
}

/// Array of shape (joints, 3) of a vector of each record.
py::array vectors_of(const Joints& joints, Vec3 JointRecord::*vector) {
  const Use use(joints.held->taken);
  AlignedVector<Vec3> vectors;
  for (const JointRecord& record : joints.held->simulation.joints())
    vectors.push_back(record.*vector);
  return array_of_own(std::move(vectors));
}

py::list keys_of(const Joints& joints) {
  const Use use(joints.held->taken);
  return py::cast(names_of_joints(*joints.held));
}

void bind_all(py::module_& module) {
  py::class_<Joints> all(module, "Joints", R"(All joints of a simulation, by name.

Arrays over coordinates have a value for each of `names`: the free coordinates of all joints that
are no gears, in the order of the scene. Arrays over joints have a row for each of keys().)");
  bind_coordinates<Joints>(all);
  all.def_property(
      "target", &target_array, [](const Joints& j, const py::object& t) { set_target(j, t); },
      R"(Targets of the motors from the next step on: (n,) [m], [m/s], [N] or [rad], [rad/s], [N m].

A view of the engine's memory to write into: joints.target[:] = … . NaN: the target of the scene
holds. Assign an array, a number for all, or None for all targets of the scene. An assignment
refuses values for coordinates without a motor; a step that finds such a value raises StepError.
A view goes out of date when another stage begins.)");
  all.def_property_readonly(
      "force", [](const Joints& j) { return vectors_of(j, &JointRecord::force); },
      R"(Force of each joint on its body b in the last step, efforts included: (joints, 3) [N],
along the axes of its frame in a.)");
  all.def_property_readonly(
      "torque", [](const Joints& j) { return vectors_of(j, &JointRecord::torque); },
      "The same torque at the joint's position in b: (joints, 3) [N m].");
  all.def_property_readonly(
      "is_there",
      [](const Joints& j) {
        const Use use(j.held->taken);
        const auto records = j.held->simulation.joints();
        py::array_t<bool> there(static_cast<py::ssize_t>(records.size()));
        for (std::size_t k = 0; k < records.size(); ++k)
          there.mutable_data()[k] = records[k].is_there;
        return there;
      },
      "False for joints that broke, lost a body, or are detached: (joints,) bool.");
  all.def("__len__", [](const Joints& j) { return j.held->simulation.model().joints.size(); });
  all.def("__getitem__", &joint_of, py::arg("name"));
  all.def("__contains__", [](const Joints& j, const std::string& name) {
    return guarded(j, [&] { return find_joint(j, name).has_value(); });
  });
  all.def("__iter__", [](const Joints& j) { return py::iter(keys_of(j)); });
  all.def("keys", &keys_of, "Names of the joints, in the order of the scene.");
  bind_joint_trees(all);
}

// One joint.

JointRecord record_of(const OneJoint& joint) {
  const Use use(joint.held->taken);
  return joint.held->simulation.joints()[joint.index];
}

void bind_one(py::module_& module) {
  py::class_<OneJoint> joint(module, "Joint", R"(A joint, or one of its coordinates.

Values are numbers if it has one free coordinate, else arrays with a value for each of `names`.)");
  bind_coordinates<OneJoint>(joint);
  joint.def_property_readonly(
      "name", [](const OneJoint& j) { return model_of(j).name; }, "Name of the joint.");
  joint.def_property_readonly(
      "kind", [](const OneJoint& j) { return std::string(name(model_of(j).kind)); },
      R"(Its kind, as in a scene: "revolute", "prismatic", …)");
  joint.def_property(
      "target", &target_of, [](const OneJoint& j, const py::object& t) { set_target(j, t); },
      "Target of its motor, see Joints.target; None or NaN: the target of the scene holds.");
  joint.def_property_readonly(
      "force", [](const OneJoint& j) { return array_of(record_of(j).force); },
      R"(Force on its body b in the last step, efforts included: (3,) [N], along the axes of its
frame in a.)");
  joint.def_property_readonly(
      "torque", [](const OneJoint& j) { return array_of(record_of(j).torque); },
      "The same torque at the joint's position in b: (3,) [N m].");
  joint.def_property_readonly(
      "is_there", [](const OneJoint& j) { return record_of(j).is_there; },
      "False if it broke, lost a body, or is detached.");
  joint.def_property_readonly(
      "broken_at",
      [](const OneJoint& j) {
        const double time = record_of(j).broken_at;
        return time < 0 ? std::nullopt : std::optional(time);
      },
      "Time at which it broke [s]; None if it did not.");
  joint.def(
      "attach",
      [](const OneJoint& j) {
        const Use use(j.held->taken);
        j.held->simulation.attach(j.index);
      },
      R"(Attaches it where its bodies are, from the next step on: its coordinates count from here. A
joint that was detached or broke is there again.)");
  joint.def(
      "detach",
      [](const OneJoint& j) {
        const Use use(j.held->taken);
        j.held->simulation.detach(j.index);
      },
      "Removes it until it is attached again.");
  joint.def("__repr__", [](const OneJoint& j) {
    return "<scree.Joint " + model_of(j).name + ": " + std::string(name(model_of(j).kind)) + ">";
  });
}

}  // namespace

void bind_joints(py::module_& module, SimulationClass& simulation) {
  bind_all(module);
  bind_one(module);
  simulation.def_property_readonly(
      "joints",
      [](const HeldPointer& held) {
        const Use use(held->taken);
        return Joints{{held, 0, JointCoordinates(held->simulation).size()}};
      },
      "Joints by name, and arrays over all of them, as Joints.");
}

}  // namespace scree::python
