/// Functions of Python that make, read and analyse runs on disk.
#include <memory>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/held.hpp"
#include "python/records.hpp"
#include "python/scenes.hpp"
#include "scree/io/frames.hpp"
#include "scree/io/run_manifest.hpp"
#include "scree/run/run.hpp"
#include "scree/run/run_analysis.hpp"

namespace scree::python {
namespace {

namespace fs = std::filesystem;

/// Issues a UserWarning of Python.
void warn(const std::string& message) {
  if (PyErr_WarnEx(PyExc_UserWarning, message.c_str(), 1) != 0) throw py::error_already_set();
}

/// Stops a run after its step if a signal handler raised, and collects the run's warnings.
class RunWatcher : public RunObserver {
 public:
  void step(const Simulation&) override {
    if (!raised_ && signals_.is_due()) raised_ = signal_raised();
  }
  void warn(const std::string& message) override { warnings_.push_back(message); }
  bool stop_requested() override { return raised_; }

  bool raised() const { return raised_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  SignalClock signals_;
  bool raised_ = false;
  std::vector<std::string> warnings_;
};

/// Runs a scene as `scree run` does. Ctrl-C stops it with a checkpoint and raises.
void run_scene(const ReadScene& scene, const fs::path& directory, const std::string& old_run,
               int threads) {
  RunOptions options{.scene_file = scene.file, .overrides = scene.overrides, .threads = threads};
  options.command_line = {"python"};
  if (old_run == "replace")
    options.old_run = OldRun::replace;
  else if (old_run == "go_on")
    options.old_run = OldRun::go_on;
  else if (old_run != "refuse")
    throw InputError("old_run is '" + old_run + "'; it must be refuse, replace or go_on");
  RunWatcher observer;
  {
    const py::gil_scoped_release unlocked;
    run(scene, directory, options, observer);
  }
  if (observer.raised()) throw py::error_already_set();
  for (const std::string& warning : observer.warnings()) warn(warning);
}

std::string analyse(const fs::path& run, const std::optional<fs::path>& out,
                    const std::optional<std::array<double, 6>>& region,
                    const std::array<std::uint32_t, 3>& cells,
                    const std::optional<std::array<double, 6>>& plane, std::optional<double> r_max,
                    std::size_t frames, std::optional<double> from, std::optional<double> to,
                    std::size_t bins, std::size_t min_contacts, bool heap,
                    const std::optional<std::string>& drum, bool residence, bool force_chains,
                    const std::optional<std::array<std::uint32_t, 3>>& fields,
                    std::optional<double> width, bool even_so) {
  RunAnalysisRequest request;
  if (out) request.out = *out;
  if (region) {
    const auto& r = *region;
    request.region = {{r[0], r[1], r[2]}, {r[3], r[4], r[5]}};
  }
  request.cells = cells;
  if (plane) {
    const auto& p = *plane;
    request.plane = {{p[0], p[1], p[2]}, {p[3], p[4], p[5]}};
  }
  request.r_max = r_max;
  request.frames = frames;
  request.from = from;
  request.to = to;
  request.bins = bins;
  request.min_contacts = min_contacts;
  request.heap = heap;
  if (drum && *drum != "x" && *drum != "y" && *drum != "z")
    throw InputError("drum is '" + *drum + "'; it must be x, y or z");
  if (drum) request.drum = (*drum)[0] - 'x';
  request.residence = residence;
  request.force_chains = force_chains;
  if (fields) request.fields = FieldsRequest{*fields, width};
  request.even_so = even_so;
  std::vector<std::string> warnings;
  std::string text;
  {
    const py::gil_scoped_release unlocked;
    text = as_text(analysis_json(analyse_run(
        run, request, [&](const std::string& message) { warnings.push_back(message); })));
  }
  for (const std::string& warning : warnings) warn(warning);
  return text;
}

void bind_frames(py::module_& module) {
  py::class_<GrainsFrame, std::shared_ptr<GrainsFrame>> grains(
      module, "Grains", "Bodies of a frame, in the order of their ids.");
  grains.def_readonly("time", &GrainsFrame::time, "Time of the frame [s].")
      .def_readonly("step", &GrainsFrame::step)
      .def_readonly("velocity_time", &GrainsFrame::velocity_time,
                    "Time of the velocities [s] if it is not `time`; else None.")
      .def("__len__", [](const GrainsFrame& frame) { return frame.bodies.size(); });
  const auto column = [&](const char* name, auto member, const char* doc) {
    grains.def_property_readonly(
        name,
        [member](const py::object& self) {
          const auto& values = py::cast<const GrainsFrame&>(self).bodies.*member;
          using Value = typename std::remove_cvref_t<decltype(values)>::value_type;
          return view_of(std::span<const Value>(values), self);
        },
        doc);
  };
  column("ids", &Bodies::id, "Ids: (n,) uint64.");
  column("positions", &Bodies::position, "Centres of mass: (n, 3) [m].");
  column("orientations", &Bodies::orientation, "Quaternions, w first: (n, 4) [-].");
  column("velocities", &Bodies::velocity, "Velocities: (n, 3) [m/s].");
  column("angular_velocities", &Bodies::angular_velocity, "Angular velocities: (n, 3) [rad/s].");
  column("radii", &Bodies::radius, "Radii of bounding spheres: (n,) [m].");
  column("masses", &Bodies::mass, "Masses: (n,) [kg].");
  column("materials", &Bodies::material, "Indices of materials: (n,) uint16.");
  module.def(
      "read_grains",
      [](const fs::path& file) {
        const py::gil_scoped_release unlocked;
        return std::make_shared<GrainsFrame>(read_grains(file));
      },
      py::arg("file"), "Bodies of a frame.");
  module.def(
      "read_contacts",
      [](const fs::path& file) {
        ContactsFrame frame;
        {
          const py::gil_scoped_release unlocked;
          frame = read_contacts(file);
        }
        return contacts_array(std::move(frame.contacts), RecordFields::of_file);
      },
      py::arg("file"), "Contacts of a frame, as Simulation.contacts without relative_velocity.");
  module.def(
      "read_series",
      [](const fs::path& file) {
        std::vector<std::pair<std::string, double>> frames;
        for (const ListedFrame& frame : read_series(file))
          frames.emplace_back(frame.file.string(), frame.time);
        return frames;
      },
      py::arg("file"), "Files and times [s] of the frames that a series lists.");
}

}  // namespace

void bind_runs(py::module_& module) {
  bind_frames(module);
  module.def("run_scene", &run_scene, py::arg("scene"), py::arg("directory"),
             py::arg("old_run") = "refuse", py::arg("threads") = 0,
             "Runs a scene as `scree run` does. Ctrl-C stops it with a checkpoint and raises.");
  module.def(
      "manifest_text", [](const fs::path& run) { return as_text(RunManifest(run).json()); },
      py::arg("run"), "Text of manifest.json, after checks.");
  module.def(
      "run_status", [](const fs::path& run) { return RunManifest(run).status(); }, py::arg("run"),
      "Status of a run: done, failed, interrupted, running or killed.");
  module.def(
      "run_objections", [](const fs::path& run) { return RunManifest(run).objections(); },
      py::arg("run"), "Contradictions between the manifest of a run and the files of its end.");
  module.def("analyse_run", &analyse, py::arg("run"), py::arg("out"), py::arg("region"),
             py::arg("cells"), py::arg("plane"), py::arg("r_max"), py::arg("frames"),
             py::arg("start"), py::arg("end"), py::arg("bins"), py::arg("min_contacts"),
             py::arg("heap"), py::arg("drum"), py::arg("residence"), py::arg("force_chains"),
             py::arg("fields"), py::arg("width"), py::arg("even_so"),
             "Analyses a run as `scree analyse` does. Returns the result as JSON.");
}

}  // namespace scree::python
