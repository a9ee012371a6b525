/// The class Worlds of Python: independent simulations that step together.
#include <algorithm>
#include <limits>
#include <memory>
#include <pybind11/stl.h>
#include <span>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/held.hpp"
#include "scree/core/threads.hpp"
#include "scree/io/build_info.hpp"
#include "scree/sim/joint_coordinates.hpp"
#include "scree/sim/joint_tree.hpp"

namespace scree::python {
namespace {

/// Number of steps between two checks for signals: adapted so that a round takes 10 to 50 ms, and
/// Ctrl-C acts soon.
class Round {
 public:
  std::uint64_t steps() const { return steps_; }
  void took(double seconds) {
    if (seconds < 0.01) steps_ *= 2;
    if (seconds > 0.05 && steps_ > 1) steps_ /= 2;
  }

 private:
  std::uint64_t steps_ = 1;
};

class Worlds {
 public:
  Worlds(std::vector<std::shared_ptr<Held>> worlds, int threads)
      : worlds_(std::move(worlds)),
        pool_(threads > 0 ? threads : static_cast<int>(machine_info().cores)) {
    std::vector<Held*> each;
    for (const auto& world : worlds_) each.push_back(world.get());
    std::ranges::sort(each);
    if (std::ranges::adjacent_find(each) != each.end())
      throw InputError("a simulation is listed twice; give each world its own");
    if (threads < 0) throw InputError("threads is negative; 0 means all cores");
  }

  std::size_t size() const { return worlds_.size(); }
  const std::shared_ptr<Held>& at(py::ssize_t k) const {
    const auto count = static_cast<py::ssize_t>(worlds_.size());
    if (k < -count || k >= count) throw py::index_error("there are fewer worlds");
    return worlds_[static_cast<std::size_t>(k < 0 ? k + count : k)];
  }

  /// Makes the same number of steps in each world. A world that fails stops; the others continue.
  void step(std::uint64_t steps) {
    std::vector<std::unique_ptr<Use>> uses;
    for (const auto& world : worlds_) uses.push_back(std::make_unique<Use>(world->taken));
    std::vector<std::uint8_t> failed(worlds_.size(), 0);
    if (!step_all(steps, failed)) throw py::error_already_set();
    const auto first = std::ranges::find(failed, 1);
    if (first == failed.end()) return;
    const std::size_t world = static_cast<std::size_t>(first - failed.begin());
    try {
      worlds_[world]->raise_failure();
    } catch (const StepError& error) {
      throw StepError("world " + std::to_string(world) + ": " + error.what());
    }
  }

 private:
  /// False if a signal handler raised; its exception is still pending. Runs without Python's lock.
  bool step_all(std::uint64_t steps, std::vector<std::uint8_t>& failed) {
    const py::gil_scoped_release unlocked;
    Round round;
    for (std::uint64_t left = steps; left > 0;) {
      const std::uint64_t now = std::min(left, round.steps());
      const auto start = std::chrono::steady_clock::now();
      pool_.for_each_chunk(worlds_.size(), [&](std::size_t k) {
        for (std::uint64_t step = 0; step < now && failed[k] == 0; ++step)
          failed[k] = worlds_[k]->step() ? 0 : 1;
      });
      left -= now;
      round.took(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      if (left > 0 && signal_raised()) return false;
    }
    return true;
  }

  std::vector<std::shared_ptr<Held>> worlds_;
  ThreadPool pool_;
};

/// Joints of all worlds: arrays with a row for each world.
class WorldJoints {
 public:
  /// Throws InputError if the worlds have other coordinates of joints than the first.
  explicit WorldJoints(const Worlds& worlds) {
    for (py::ssize_t k = 0; k < static_cast<py::ssize_t>(worlds.size()); ++k) {
      worlds_.push_back(worlds.at(k));
      if (names_of_world(worlds_.back()) != names_of_world(worlds_.front()))
        throw InputError("world " + std::to_string(k) +
                         " has other joints than world 0; arrays need the same in all worlds");
    }
  }

  std::vector<std::string> names() const {
    return worlds_.empty() ? std::vector<std::string>{} : names_of_world(worlds_.front());
  }

  /// Array (worlds, coordinates) that copy(coordinates of a world, its row) fills.
  template <class F>
  py::array rows(F&& copy) const {
    const std::size_t count = names().size();
    py::array_t<double> all(
        {static_cast<py::ssize_t>(worlds_.size()), static_cast<py::ssize_t>(count)});
    for (std::size_t k = 0; k < worlds_.size(); ++k) {
      const Use use(worlds_[k]->taken);
      JointCoordinates joints(worlds_[k]->simulation);
      copy(joints, std::span<double>(all.mutable_data() + k * count, count));
    }
    all.attr("setflags")(py::arg("write") = false);
    return all;
  }

  /// Array (worlds, n) of numbers of the trees of joints.
  py::array tree_rows(std::vector<double> (JointTree::*numbers)() const) const {
    std::vector<double> all;
    for (const auto& world : worlds_) {
      const Use use(world->taken);
      const std::vector<double> row = (JointTree(world->simulation).*numbers)();
      all.insert(all.end(), row.begin(), row.end());
    }
    const auto count = static_cast<py::ssize_t>(worlds_.size());
    const auto columns = count == 0 ? 0 : static_cast<py::ssize_t>(all.size()) / count;
    return py::array_t<double>({count, columns}, all.data());
  }

  /// Targets of all worlds, from an array (worlds, n) or (n,), a number, or None.
  void set_targets(const py::object& given) const {
    const std::size_t count = names().size();
    const Doubles array = given.is_none()
                              ? Doubles(py::float_(std::numeric_limits<double>::quiet_NaN()))
                              : doubles_of(given);
    const bool each = array.ndim() == 2 &&
                      array.shape(0) == static_cast<py::ssize_t>(worlds_.size()) &&
                      array.shape(1) == static_cast<py::ssize_t>(count);
    const bool same = array.ndim() == 1 && array.shape(0) == static_cast<py::ssize_t>(count);
    if (!each && !same && array.ndim() != 0)
      throw InputError("target has the shape " + shape_of(array) + "; it must be (" +
                       std::to_string(worlds_.size()) + ", " + std::to_string(count) + "), (" +
                       std::to_string(count) + ",) or one number");
    std::vector<std::vector<double>> before;
    for (std::size_t k = 0; k < worlds_.size(); ++k) {
      std::vector<double> targets(count, array.ndim() == 0 ? *array.data() : 0);
      const double* row = array.data() + (each ? k * count : 0);
      if (array.ndim() > 0) targets.assign(row, row + count);
      try {
        before.push_back(exchange_targets(k, targets));
      } catch (const InputError& error) {
        while (k-- > 0) exchange_targets(k, before[k]);
        throw InputError("world " + std::to_string(before.size()) + ": " + error.what());
      }
    }
  }

 private:
  /// Sets the targets of a world; returns those before.
  std::vector<double> exchange_targets(std::size_t world, std::span<const double> targets) const {
    const Use use(worlds_[world]->taken);
    JointCoordinates joints(worlds_[world]->simulation);
    const std::span<const double> now = joints.targets();
    std::vector<double> before(now.begin(), now.end());
    joints.set_targets(targets);
    return before;
  }
  static std::vector<std::string> names_of_world(const std::shared_ptr<Held>& world) {
    std::vector<std::string> names;
    for (const FreeCoordinate& each : JointCoordinates(world->simulation).all())
      names.push_back(each.name);
    return names;
  }

  std::vector<std::shared_ptr<Held>> worlds_;
};

void bind_world_joints(py::module_& module) {
  using Row = std::span<double>;
  py::class_<WorldJoints>(module, "WorldJoints", R"(Joints of all worlds, by Worlds.joints.

Arrays have a row for each world, and a column for each of `names`. They are copies.)")
      .def_property_readonly("names", &WorldJoints::names,
                             "Names of the free coordinates, as Joints.names.")
      .def_property_readonly(
          "position",
          [](const WorldJoints& j) {
            return j.rows([](const JointCoordinates& c, Row row) { c.copy_positions(row); });
          },
          "Coordinates: (worlds, n) [m] or [rad].")
      .def_property_readonly(
          "velocity",
          [](const WorldJoints& j) {
            return j.rows([](const JointCoordinates& c, Row row) { c.copy_velocities(row); });
          },
          "Rates of the coordinates: (worlds, n) [m/s] or [rad/s].")
      .def_property_readonly(
          "effort",
          [](const WorldJoints& j) {
            return j.rows([](const JointCoordinates& c, Row row) { c.copy_efforts(row); });
          },
          "Efforts along the coordinates in the last step: (worlds, n) [N] or [N m].")
      .def_property_readonly(
          "coordinates", [](const WorldJoints& j) { return j.tree_rows(&JointTree::coordinates); },
          "Coordinates of bases and joints, as Joints.coordinates: (worlds, n).")
      .def_property_readonly(
          "rates", [](const WorldJoints& j) { return j.tree_rows(&JointTree::rates); },
          "Rates of bases and joints, as Joints.rates: (worlds, m).")
      .def_property(
          "target",
          [](const WorldJoints& j) {
            return j.rows(
                [](JointCoordinates& c, Row row) { std::ranges::copy(c.targets(), row.begin()); });
          },
          &WorldJoints::set_targets,
          R"(Targets of the motors: (worlds, n). Assign an array, one (n,) or a number for all
worlds, or None.)");
}

}  // namespace

void bind_worlds(py::module_& module) {
  bind_world_joints(module);
  py::class_<Worlds>(module, "Worlds", R"(Independent simulations that step together.

Worlds(simulations, threads=0): the worlds are spread over `threads` threads, 0 for all cores. Make
each simulation with one thread. Results depend on neither number.)")
      .def(py::init<std::vector<std::shared_ptr<Held>>, int>(), py::arg("simulations"),
           py::arg("threads") = 0)
      .def("__len__", &Worlds::size)
      .def("__getitem__", &Worlds::at, py::arg("index"))
      .def_property_readonly(
          "joints", [](const Worlds& worlds) { return WorldJoints(worlds); },
          "Joints of all worlds, as WorldJoints. Raises InputError if they differ in their joints.")
      .def("step", &Worlds::step, py::arg("steps") = 1,
           R"(Makes the same number of steps in each world. A world that fails stops; the call
raises a StepError with its index when the others are done.)");
}

}  // namespace scree::python
