/// Batches for Python: runs a scene for every combination of some values.
#include <atomic>
#include <mutex>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "python/bindings.hpp"
#include "python/held.hpp"
#include "python/scenes.hpp"
#include "scree/run/batch.hpp"

namespace scree::python {
namespace {

namespace fs = std::filesystem;

/// Stops a batch after the current steps if a signal handler raised, and collects its warnings.
class BatchWatcher : public BatchObserver {
 public:
  void warn(const std::string& message) override {
    const std::lock_guard lock(mutex_);
    warnings_.push_back(message);
  }
  void look(const BatchProgress&) override {
    if (!raised_) raised_ = signal_raised();
  }
  bool stop_requested() override { return raised_; }

  const std::vector<std::string>& warnings() const { return warnings_; }
  bool raised() const { return raised_; }

 private:
  std::atomic<bool> raised_ = false;
  std::mutex mutex_;
  std::vector<std::string> warnings_;
};

/// Parameters from {path: values}; the values are a text as for --over, or an iterable.
std::vector<BatchParameter> parameters_of(const py::dict& over) {
  std::vector<BatchParameter> parameters;
  for (const auto& [key, values] : over) {
    const auto path = py::cast<std::string>(key);
    if (py::isinstance<py::str>(values)) {
      parameters.push_back(batch_parameter(path + "=" + py::cast<std::string>(values)));
      continue;
    }
    parameters.push_back({path, {}});
    for (const py::handle& value : values) parameters.back().values.push_back(value_text(value));
  }
  return parameters;
}

BatchRequest request_of(const py::object& scene, const py::dict& over, const py::object& set,
                        const std::vector<std::string>& columns) {
  BatchRequest request;
  request.overrides = overrides_of(set);
  if (py::isinstance<ReadScene>(scene)) {
    const auto& read = py::cast<const ReadScene&>(scene);
    request.scene_file = read.file;
    request.scene_text = read.source;
    request.overrides.insert(request.overrides.begin(), read.overrides.begin(),
                             read.overrides.end());
  } else {
    SceneSource source = source_of(scene);
    request.scene_file = std::move(source.file);
    request.scene_text = std::move(source.text);
  }
  request.parameters = parameters_of(over);
  for (const std::string& column : columns) request.columns.push_back(batch_column(column));
  return request;
}

/// Runs a batch as `scree batch` does. Returns its exit status and (status, exit status, message)
/// of each run. Ctrl-C stops it with checkpoints and raises.
py::tuple batch(const py::object& scene, const py::dict& over, const fs::path& directory,
                const py::object& set, int jobs, int threads,
                const std::vector<std::string>& columns) {
  if (jobs < 0 || threads < 0) throw InputError("jobs or threads is negative; 0 means all cores");
  const BatchRequest request = request_of(scene, over, set, columns);
  BatchWatcher observer;
  BatchPlan plan;
  BatchResult result;
  {
    const py::gil_scoped_release unlocked;
    plan = plan_batch(request);
    result = run_batch(plan, directory, {.jobs = jobs, .threads = threads}, observer);
  }
  if (observer.raised()) throw py::error_already_set();
  for (const std::string& warning : observer.warnings())
    if (PyErr_WarnEx(PyExc_UserWarning, warning.c_str(), 1) != 0) throw py::error_already_set();
  py::list ends;
  for (const BatchEnd& end : result.ends)
    ends.append(py::make_tuple(name(end.status), end.exit_status, end.message));
  return py::make_tuple(result.exit_status, ends);
}

}  // namespace

void bind_batches(py::module_& module) {
  module.def("run_batch", &batch, py::arg("scene"), py::arg("over"), py::arg("directory"),
             py::arg("set"), py::arg("jobs"), py::arg("threads"), py::arg("columns"),
             "Runs a batch as `scree batch` does. Ctrl-C stops it with checkpoints and raises.");
}

}  // namespace scree::python
