/// The class Worlds of Python: independent simulations that step together.
#include <algorithm>
#include <memory>
#include <pybind11/stl.h>

#include "python/bindings.hpp"
#include "python/held.hpp"
#include "scree/core/threads.hpp"
#include "scree/io/build_info.hpp"

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

}  // namespace

void bind_worlds(py::module_& module) {
  py::class_<Worlds>(module, "Worlds", R"(Independent simulations that step together.

Worlds(simulations, threads=0): the worlds are spread over `threads` threads, 0 for all cores. Make
each simulation with one thread. Results depend on neither number.)")
      .def(py::init<std::vector<std::shared_ptr<Held>>, int>(), py::arg("simulations"),
           py::arg("threads") = 0)
      .def("__len__", &Worlds::size)
      .def("__getitem__", &Worlds::at, py::arg("index"))
      .def("step", &Worlds::step, py::arg("steps") = 1,
           R"(Makes the same number of steps in each world. A world that fails stops; the call
raises a StepError with its index when the others are done.)");
}

}  // namespace scree::python
