/// The classes Problem and Solution of Python: problems of many contacts, from files and arrays.
#include <algorithm>
#include <future>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/choices.hpp"
#include "python/held.hpp"
#include "scree/run/solved_problem.hpp"

namespace scree::python {
namespace {

LawKind law_of_problem(const std::string& law) {
  const auto kind = law_named(law);
  if (!kind || traits(*kind).compliant)
    throw InputError("there is no rigid law '" + law + "'; scree.laws.NAMES lists them");
  return *kind;
}

/// A problem and the settings of its laws.
struct HeldProblem {
  Problem problem;
  ProblemSettings settings;
};

ProblemSettings problem_settings(const std::string& law, int facets, const std::string& choice) {
  if (facets < Polyhedral::kFewestFacets || facets > Polyhedral::kMaxFacets)
    throw InputError("facets is " + std::to_string(facets) + "; it must be from 4 to 64");
  ProblemSettings settings;
  settings.law = law_of_problem(law);
  settings.facets = facets;
  settings.choice = choice_of(choice);
  return settings;
}

HeldProblem read(const std::filesystem::path& file, const std::string& law, int facets,
                 const std::string& choice) {
  const ProblemSettings settings = problem_settings(law, facets, choice);
  return {read_problem(file.stem().string(), file, settings), settings};
}

/// Sparse matrix from a matrix of SciPy or a dense array.
SparseMatrix matrix_of(const py::object& W) {
  if (py::hasattr(W, "tocsr")) {
    doubles_of(W.attr("tocsr")().attr("data"));  // refuses complex numbers
    return py::cast<SparseMatrix>(W);
  }
  const auto dense = doubles_of(W);
  if (dense.ndim() != 2 || dense.shape(0) != dense.shape(1))
    throw InputError("W has the shape " + shape_of(dense) + "; it must be (3 n, 3 n)");
  const int rows = static_cast<int>(dense.shape(0));
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j)
      if (const double entry = dense.at(i, j); entry != 0) entries.emplace_back(i, j, entry);
  SparseMatrix matrix(rows, rows);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

HeldProblem made(const py::object& W, const Doubles& q, const Doubles& mu, const std::string& law,
                 int facets, const std::string& choice) {
  const ProblemSettings settings = problem_settings(law, facets, choice);
  FclibLocal local{.W = matrix_of(W), .V = {}, .R = {}, .q = {}, .s = {}};
  const py::ssize_t rows = local.W.rows();
  if (rows % 3 != 0 || q.ndim() != 1 || q.shape(0) != rows)
    throw InputError("q has the shape " + shape_of(q) + " and W " + std::to_string(rows) +
                     " rows; n contacts have q of shape (3 n,)");
  const py::ssize_t contacts = rows / 3;
  if (mu.ndim() > 1 || (mu.ndim() == 1 && mu.shape(0) != contacts))
    throw InputError("mu has the shape " + shape_of(mu) + "; it must be a number or (" +
                     std::to_string(contacts) + ",)");
  local.q = Eigen::Map<const Vector>(q.data(), rows);
  Problem problem{"arrays", {}, {}};
  problem.file.mu.resize(contacts);
  for (py::ssize_t k = 0; k < contacts; ++k) problem.file.mu[k] = mu.data()[mu.ndim() == 0 ? 0 : k];
  if (!((problem.file.mu.array() >= 0) && problem.file.mu.array().isFinite()).all())
    throw InputError("mu has a negative or not finite coefficient; friction is finite and >= 0");
  problem.file.equations = std::move(local);
  problem.system = delassus_problem(problem.file, settings.law);
  complete_laws(problem.system, settings);
  problem.asymmetry = asymmetry_of(problem.system.W);
  return {std::move(problem), settings};
}

/// The entries of contacts, as rows of three.
py::array rows_of_contacts(const Vector& vector, int contacts) {
  Doubles array({py::ssize_t{contacts}, py::ssize_t{3}});
  std::copy_n(vector.data(), 3 * contacts, array.mutable_data());
  return array;
}
/// The entries of rows of joints, which follow those of contacts.
py::array rows_of_joints(const Vector& vector, int contacts) {
  Doubles array(vector.size() - 3 * contacts);
  std::copy(vector.data() + 3 * contacts, vector.data() + vector.size(), array.mutable_data());
  return array;
}

SolverKind solver_of(const std::string& solver) {
  const auto kind = solver_named(solver);
  if (!kind) throw InputError("there is no solver '" + solver + "'; scree.SOLVERS lists them");
  return *kind;
}

/// A solution owned by Python.
struct HeldSolution {
  SolvedProblem solved;
  int contacts;
};

HeldSolution solve_problem(const HeldProblem& held, const std::string& solver, double tolerance,
                           std::optional<int> max_iterations, double max_seconds, bool minimum_norm,
                           int threads, double relaxation, std::vector<int> subdomains) {
  const SolverKind kind = solver_of(solver);
  ProblemSettings settings = held.settings;
  if (!(tolerance > 0)) throw InputError("tolerance must be above 0");
  settings.solver.tolerance = tolerance;
  if (max_iterations) settings.solver.max_sweeps = *max_iterations;
  settings.max_seconds = max_seconds;
  settings.solver.minimum_norm = minimum_norm;
  settings.threads = threads;
  if (!(relaxation >= 0 && relaxation < 2))
    throw InputError("relaxation must be from 0 to below 2");
  settings.solver.relaxation = relaxation;
  settings.subdomains = std::move(subdomains);
  if (held.problem.is_asymmetric() &&
      PyErr_WarnEx(PyExc_UserWarning, asymmetry_in_words(held.problem).c_str(), 1) < 0)
    throw py::error_already_set();
  bool interrupted = false;
  HeldSolution solution{.solved = {}, .contacts = held.problem.contacts()};
  {
    const py::gil_scoped_release unlocked;
    solution.solved = solve_one(held.problem, kind, settings, [&] {
      interrupted = interrupted || signal_raised();
      return interrupted;
    });
  }
  if (interrupted) throw py::error_already_set();
  if (!solution.solved.is_suited()) throw InputError(unsuited(settings.law, kind));
  return solution;
}

py::array residuals_of(const HeldSolution& held) {
  AlignedVector<double> residuals;
  for (int k = 0; k < held.contacts; ++k)
    residuals.push_back(held.solved.solution.blocks[static_cast<std::size_t>(k)].residual);
  return array_of_own(std::move(residuals));
}

py::array kinds_of(const HeldSolution& held) {
  AlignedVector<std::uint8_t> kinds;
  for (int k = 0; k < held.contacts; ++k)
    kinds.push_back(
        static_cast<std::uint8_t>(held.solved.solution.blocks[static_cast<std::size_t>(k)].kind));
  return array_of_own(std::move(kinds));
}

py::array history_of(const HeldSolution& held) {
  const auto& history = held.solved.solution.history;
  Doubles array({static_cast<py::ssize_t>(history.size()), py::ssize_t{2}});
  for (std::size_t k = 0; k < history.size(); ++k) {
    array.mutable_data()[2 * k] = history[k].iteration;
    array.mutable_data()[2 * k + 1] = history[k].residual;
  }
  return array;
}

void bind_solutions(py::module_& module) {
  py::class_<HeldSolution>(module, "Solution", "Answer of a solver, with its residuals.")
      .def_property_readonly(
          "r",
          [](const HeldSolution& s) { return rows_of_contacts(s.solved.solution.r, s.contacts); },
          "Impulses of contacts, in their frames: (n, 3) [N s].")
      .def_property_readonly(
          "u",
          [](const HeldSolution& s) { return rows_of_contacts(s.solved.solution.u, s.contacts); },
          "Velocities W r + q: (n, 3) [m/s].")
      .def_property_readonly(
          "r_joints",
          [](const HeldSolution& s) { return rows_of_joints(s.solved.solution.r, s.contacts); },
          "Impulses of rows of joints: (rows,).")
      .def_property_readonly(
          "u_joints",
          [](const HeldSolution& s) { return rows_of_joints(s.solved.solution.u, s.contacts); },
          "Velocities of rows of joints: (rows,).")
      .def_property_readonly(
          "status",
          [](const HeldSolution& s) { return std::string(name(s.solved.solution.status)); },
          R"("converged", "stalled", "infeasible" (proved to have no solution) or "time_limit".)")
      .def_property_readonly("iterations",
                             [](const HeldSolution& s) { return s.solved.solution.iterations; })
      .def_property_readonly(
          "seconds", [](const HeldSolution& s) { return s.solved.solution.seconds; },
          "Wall time [s].")
      .def_property_readonly(
          "residual", [](const HeldSolution& s) { return s.solved.solution.residual; }, "E_s [-].")
      .def_property_readonly(
          "residual_fclib", [](const HeldSolution& s) { return s.solved.fclib_residual; },
          "E of FCLIB, for comparison with other programs.")
      .def_property_readonly("residuals", &residuals_of,
                             "Residual of each contact's own law: (n,) [m/s].")
      .def_property_readonly("kinds", &kinds_of, "Indices in CONTACT_CLASSES: (n,).")
      .def_property_readonly(
          "dissipation", [](const HeldSolution& s) { return s.solved.dissipation; },
          "Energy dissipated by contacts and joints together [J].")
      .def_property_readonly(
          "contradictory_contacts",
          [](const HeldSolution& s) { return s.solved.contradictory_contacts; },
          "Contacts of the proof that there is no solution, if the status is \"infeasible\".")
      .def_property_readonly("history", &history_of, "Iteration and E_s: (k, 2).")
      .def("__repr__", [](const HeldSolution& s) {
        return py::str("<scree.Solution {}: E_s = {:.3g}, {} iterations>")
            .format(std::string(name(s.solved.solution.status)), s.solved.solution.residual,
                    s.solved.solution.iterations);
      });
}

}  // namespace

void bind_problems(py::module_& module) {
  bind_solutions(module);
  py::list solvers;
  for (const SolverKind kind : kSolverKinds) solvers.append(py::str(std::string(name(kind))));
  module.attr("SOLVERS") = py::tuple(solvers);
  py::class_<HeldProblem>(module, "Problem", R"(Many contacts to solve together: u = W r + q.

Problem(W, q, mu, law="coulomb", facets=8, choice="dissipation"):
W       array or SciPy matrix: (3 n, 3 n) [1/kg]
q       u at r = 0: (3 n,) [m/s]
mu      friction coefficients: (n,) or a number [-]
law     one of laws.NAMES except bilateral
facets  facets of a polyhedral cone, 4 to 64
choice  choice of Coulomb's law among several solutions: "dissipation", "continuity" or
        "min_impulse"
Problem.read(file, law="coulomb", facets=8, choice="dissipation") reads an FCLIB file.)")
      .def(py::init(&made), py::arg("W"), py::arg("q"), py::arg("mu"), py::kw_only(),
           py::arg("law") = "coulomb", py::arg("facets") = 8, py::arg("choice") = "dissipation")
      .def_static("read", &read, py::arg("file"), py::kw_only(), py::arg("law") = "coulomb",
                  py::arg("facets") = 8, py::arg("choice") = "dissipation",
                  "Reads an FCLIB file (HDF5).")
      .def_property_readonly("contacts", [](const HeldProblem& p) { return p.problem.contacts(); })
      .def_property_readonly("joint_rows",
                             [](const HeldProblem& p) { return p.problem.joint_rows(); })
      .def_property_readonly(
          "q", [](const HeldProblem& p) { return p.problem.system.q; },
          "Velocities at r = 0 of all rows; a copy.")
      .def_property_readonly(
          "mu", [](const HeldProblem& p) { return p.problem.file.mu; },
          "Friction coefficients: (n,) [-]; a copy.")
      .def_property_readonly(
          "asymmetry", [](const HeldProblem& p) { return p.problem.asymmetry.share; },
          "Difference between W and its transpose, over the largest entry of W [-].")
      .def("solve", &solve_problem, py::arg("solver") = "auto", py::kw_only(),
           py::arg("tolerance") = 1e-8, py::arg("max_iterations") = py::none(),
           py::arg("max_seconds") = std::numeric_limits<double>::infinity(),
           py::arg("minimum_norm") = false, py::arg("threads") = 1, py::arg("relaxation") = 0.0,
           py::arg("subdomains") = std::vector<int>{},
           R"(Solves the problem to E_s <= tolerance by one of SOLVERS; returns the best answer, a
Solution.

Its status shows if the tolerance is met. Warns (UserWarning) if W is not symmetric. With
minimum_norm the impulses have the least norm among all with the same velocities. max_seconds is
wall time. relaxation is the factor of psor and jacobi, 0 for their own. subdomains has a label for
each contact: jacobi sweeps after Gauss-Seidel inside a subdomain. Ctrl-C raises
KeyboardInterrupt.)");
}

}  // namespace scree::python
