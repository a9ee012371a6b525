/// The Python module scree.laws: solves batches of single contacts.
#include <pybind11/stl.h>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/choices.hpp"
#include "scree/run/solved_contacts.hpp"

namespace scree::python {
namespace {

/// Row of the array of answers.
struct Answer {
  double r[3], u[3];
  double energy, residual, painleve;
  std::int32_t solutions;
  std::uint8_t kind, status;
};

constexpr std::string_view kJoint = "bilateral";

ContactSettings settings_of(const std::string& law, int facets, const std::string& choice) {
  ContactSettings settings;
  settings.law = law_named(law);
  if (law != kJoint && (!settings.law || traits(*settings.law).compliant))
    throw InputError("there is no rigid law '" + law + "'; scree.laws.NAMES lists them");
  if (facets < Polyhedral::kFewestFacets || facets > Polyhedral::kMaxFacets)
    throw InputError("facets is " + std::to_string(facets) + "; it must be from 4 to 64");
  settings.facets = facets;
  settings.choice = choice_of(choice);
  return settings;
}

/// Blocks of W, an array of shape (n, 3, 3) or (3, 3).
class Blocks {
 public:
  Blocks(const Doubles& array, std::size_t rows) : array_(array) {
    const py::ssize_t d = array.ndim();
    const bool square = d >= 2 && array.shape(d - 1) == 3 && array.shape(d - 2) == 3;
    if (!square || d > 3 || (d == 3 && array.shape(0) != static_cast<py::ssize_t>(rows)))
      throw InputError("W has the shape " + shape_of(array) + "; it must be (3, 3) or (" +
                       std::to_string(rows) + ", 3, 3)");
    stride_ = d == 3 ? 9 : 0;
  }

  SymMat3 operator[](std::size_t k) const {
    const double* w = array_.data() + stride_ * static_cast<py::ssize_t>(k);
    const double size = std::abs(w[0]) + std::abs(w[4]) + std::abs(w[8]);
    for (const auto& [i, j] : {std::pair{1, 3}, {2, 6}, {5, 7}})
      if (std::abs(w[i] - w[j]) > 1e-12 * size)
        throw InputError("W[" + std::to_string(k) + "] is not symmetric");
    return {w[0], w[1], w[2], w[4], w[5], w[8]};
  }

 private:
  Doubles array_;
  py::ssize_t stride_;
};

Answer answer_of(const SingleContactProblem& problem, const SolvedContact& solved, int count) {
  const auto& [kind, r, u, energy] = solved.solution;
  return {{r.x, r.y, r.z},
          {u.x, u.y, u.z},
          energy,
          solved.residual,
          painleve_number(problem.W, problem.mu),
          count,
          static_cast<std::uint8_t>(kind),
          static_cast<std::uint8_t>(solved.status)};
}

double checked_friction(double mu, std::size_t k) {
  if (mu >= 0 && std::isfinite(mu)) return mu;
  throw InputError("mu[" + std::to_string(k) + "] is " + std::to_string(mu) +
                   "; a friction coefficient is finite and not negative");
}

py::array_t<Answer> solve(const std::string& law, const Doubles& W, const Doubles& q,
                          const Doubles& mu, const std::optional<Doubles>& start, int facets,
                          const std::string& choice) {
  const ContactSettings settings = settings_of(law, facets, choice);
  std::size_t count = 1;
  for (const Doubles* array : {&W, &q, &mu}) {
    const py::ssize_t own = array == &W ? 2 : array == &q ? 1 : 0;
    if (array->ndim() > own) count = static_cast<std::size_t>(array->shape(0));
  }
  const Blocks blocks(W, count);
  const Rows<3> velocity(q, "q", count);
  if (mu.ndim() > 1 || (mu.ndim() == 1 && mu.shape(0) != static_cast<py::ssize_t>(count)))
    throw InputError("mu has the shape " + shape_of(mu) + "; it must be a number or (" +
                     std::to_string(count) + ",)");
  std::optional<Rows<3>> warm;
  if (start) warm.emplace(*start, "start", count);
  std::vector<SingleContactProblem> problems(count);
  for (std::size_t k = 0; k < count; ++k)
    problems[k] = {.id = {},
                   .W = blocks[k],
                   .q = vec3_of(velocity[k]),
                   .mu = checked_friction(mu.data()[mu.ndim() == 0 ? 0 : k], k),
                   .warm = warm ? vec3_of((*warm)[k]) : Vec3{}};
  py::array_t<Answer> answers(static_cast<py::ssize_t>(count));
  Answer* const out = answers.mutable_data();
  const py::gil_scoped_release unlocked;
  for (std::size_t k = 0; k < count; ++k) {
    const ContactAnswer answer = solve_contact(problems[k], settings);
    out[k] = answer_of(problems[k], answer.solutions.front(), answer.count);
  }
  return answers;
}

py::array_t<Answer> all_solutions(const std::string& law, const Doubles& W, const Doubles& q,
                                  double mu, int facets) {
  ContactSettings settings = settings_of(law, facets, "dissipation");
  settings.all = true;
  const SingleContactProblem problem{.id = {},
                                     .W = Blocks(W, 1)[0],
                                     .q = vec3_of(q, "q"),
                                     .mu = checked_friction(mu, 0),
                                     .warm = {}};
  const ContactAnswer answer = solve_contact(problem, settings);
  py::array_t<Answer> rows(static_cast<py::ssize_t>(answer.solutions.size()));
  for (std::size_t k = 0; k < answer.solutions.size(); ++k)
    rows.mutable_data()[k] = answer_of(problem, answer.solutions[k], answer.count);
  return rows;
}

}  // namespace

void bind_laws(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(Answer, r, u, energy, residual, painleve, solutions, kind, status);
  py::module_ laws =
      module.def_submodule("laws", R"(Contact laws, one contact at a time: u = W r + q
in the frame (normal, first tangent, second tangent). u is the velocity of B relative to A [m/s], r
the impulse on B [N s], W is in 1/kg and q in m/s.)");
  py::list names;
  for (const LawKind kind : kRigidLawKinds) names.append(py::str(std::string(name(kind))));
  names.append(py::str(std::string(kJoint)));
  laws.attr("NAMES") = py::tuple(names);
  laws.attr("STATUS") = py::make_tuple("solved", "inexact", "no_solution", "ill_posed");
  laws.def("solve", &solve, py::arg("law"), py::arg("W"), py::arg("q"), py::arg("mu") = 0.0,
           py::kw_only(), py::arg("start") = py::none(), py::arg("facets") = 8,
           py::arg("choice") = "dissipation",
           R"(Solves n contacts, each on its own, by one law of NAMES.

W       (n, 3, 3), or (3, 3) for all contacts [1/kg]
q       u at r = 0: (n, 3), or (3,) for all contacts [m/s]
mu      friction coefficients: (n,), or a number for all contacts [-]
start   warm start: (n, 3) [N s]
facets  facets of a polyhedral cone, 4 to 64
choice  choice of Coulomb's law among several solutions: "dissipation", "continuity" or
        "min_impulse"
Returns a structured array (n,): r [N s], u [m/s], energy that the bodies gain [J], residual [m/s],
painleve [-], number of solutions, kind (index in CONTACT_CLASSES), status (index in STATUS). Raises
InputError for wrong shapes, a W that is not symmetric, or a bad mu.)");
  laws.def("all_solutions", &all_solutions, py::arg("law"), py::arg("W"), py::arg("q"),
           py::arg("mu") = 0.0, py::kw_only(), py::arg("facets") = 8,
           R"(All solutions of one contact, W (3, 3) and q (3,), if the law can list them; else the
one that solve() returns. The array is that of solve(), one row for each solution.)");
}

}  // namespace scree::python
