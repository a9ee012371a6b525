/// The Python module scree._scree.
#include "python/bindings.hpp"
#include "scree/io/build_info.hpp"

PYBIND11_MODULE(_scree, module) {
  using namespace scree::python;
  module.doc() = "The engine of the package scree.";
  bind_errors(module);
  bind_scenes(module);
  bind_reports(module);
  bind_simulations(module);
  bind_worlds(module);
  bind_laws(module);
  bind_problems(module);
  bind_runs(module);
  bind_batches(module);
  module.attr("__version__") = scree::build_info().version;
  module.attr("__commit__") = scree::build_info().commit;
}
