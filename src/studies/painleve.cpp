/// Painlevé's paradox: complementarity problems of [Preclik11, §2–4] and their solutions.
#include "studies/painleve.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "scree/studies/studies.hpp"

namespace scree::studies {
namespace {

using std::numbers::pi;

Json json(const PlanarSolutions& solutions) {
  Json list = Json::array();
  for (const PlanarSolution& s : solutions.all)
    list.push_back(
        {{"state", name(s.state)}, {"n", s.rn}, {"t", s.rt}, {"after_n", s.un}, {"after_t", s.ut}});
  return list;
}

const PlanarSolution* with_state(const PlanarSolutions& solutions, ContactState state) {
  for (const PlanarSolution& s : solutions.all)
    if (s.state == state) return &s;
  return nullptr;
}

void compare(Report& report, const std::string& what, const PlanarSolutions& solutions,
             ContactState state, const char* normal, const char* tangential) {
  const PlanarSolution* s = with_state(solutions, state);
  const double missing = std::nan("");
  report.compare(what + ", n", normal, s ? s->rn : missing);
  report.compare(what + ", t", tangential, s ? s->rt : missing);
}

/// Lines of Figs. 3–5: all (r_n, r_t) that satisfy Signorini's condition, and all that satisfy
/// Coulomb's law.
void solution_space(Report& report, const std::string& name, const PlanarContact& c) {
  const PlanarSolutions solutions = all_solutions(c);
  report.results()["solution_spaces"][name] = {{"W", {{c.nn, c.nt}, {c.nt, c.tt}}},
                                               {"q", {c.qn, c.qt}},
                                               {"friction", c.friction},
                                               {"solutions", json(solutions)}};
  Csv csv("line,n,t");  // line 0: Signorini, 1: Coulomb
  constexpr int kPoints = 400;
  for (int k = 0; k <= kPoints; ++k) {
    const double t = -0.2 + 0.9 * k / kPoints;
    csv.row({0, std::max(0.0, -(c.qn + c.nt * t) / c.nn), t});
  }
  for (int k = 0; k <= kPoints; ++k) {
    const double n = 0.6 * k / kPoints, limit = c.friction * n;
    csv.row({1, n, std::clamp(-(c.qt + c.nt * n) / c.tt, -limit, limit)});
  }
  csv.write(report, "solution_space_" + name + ".csv");
}

/// §2: the scalar complementarity problem A λ_n − b ≥ 0 ⊥ λ_n ≥ 0.
void forces(Report& report) {
  const PlanarSolutions none = force_solutions(kRod, sliding_rod(), kWeight);
  const PlanarSolutions two = force_solutions(kRod, sliding_rod(), kWeightAndTorque);
  report.results()["forces"] = {{"sliding_coefficient", sliding_coefficient(kRod, kRodAngle)},
                                {"critical_friction", critical_friction(kRod, kRodAngle)},
                                {"no_torque", json(none)},
                                {"torque", json(two)}};
  report.compare("§2.1, number of forces", "0", static_cast<double>(none.all.size()));
  report.compare("§2.2, number of forces", "2", static_cast<double>(two.all.size()));
  compare(report, "§2.2, dynamic force", two, ContactState::slip_left, "7.5545", "11.3317");
}

/// §3 and §4.
void impulses_and_steps(Report& report) {
  const RodState rod = sliding_rod();
  const PlanarContact impulse = impulse_problem(kRod, rod);
  const PlanarContact step = step_problem(kRod, rod, kWeight, kTimeStep);
  const PlanarContact torque = step_problem(kRod, rod, kWeightAndTorque, kTimeStep);
  compare(report, "§3.1, impulse Λ2", all_solutions(impulse), ContactState::stick, "0.3248",
          "0.4375");
  compare(report, "§4.1, impulse of a step", all_solutions(step), ContactState::stick, "0.3329",
          "0.4407");
  compare(report, "§4.2, impulse λ2, dynamic", all_solutions(torque), ContactState::slip_left,
          "0.0755", "0.1133");
  compare(report, "§4.2, impulse λ3, static", all_solutions(torque), ContactState::stick, "0.3266",
          "0.4516");
  solution_space(report, "impulse", impulse);
  solution_space(report, "step", step);
  solution_space(report, "step_torque", torque);

  // λ2 → 0 and λ3 → Λ2 with the time step.
  Csv csv("time_step,stick_n,stick_t,torque_slip_n,torque_stick_n,torque_stick_t");
  for (double h = 0.1; h > 0.9e-6; h *= 0.1) {
    const PlanarSolutions a = all_solutions(step_problem(kRod, rod, kWeight, h));
    const PlanarSolutions b = all_solutions(step_problem(kRod, rod, kWeightAndTorque, h));
    const PlanarSolution *stick = with_state(a, ContactState::stick),
                         *jam = with_state(b, ContactState::stick);
    const PlanarSolution* slip = with_state(b, ContactState::slip_left);
    if (stick && jam && slip) csv.row({h, stick->rn, stick->rt, slip->rn, jam->rn, jam->rt});
  }
  csv.write(report, "time_step.csv");
}

/// Appendix A and Fig. 8.
void sign_of_the_coefficient(Report& report) {
  Csv by_angle("angle_deg,mA");
  for (double degrees = 0; degrees <= 90; degrees += 0.25)
    by_angle.row({degrees, kRod.mass * sliding_coefficient(kRod, degrees * pi / 180)});
  Csv by_friction("friction,mA");
  Rod rod = kRod;
  for (rod.friction = 0.5; rod.friction <= 2.5; rod.friction += 0.01)
    by_friction.row(
        {rod.friction,
         rod.mass * sliding_coefficient(
                        rod, std::atan(1 / rod.friction + std::hypot(1 / rod.friction, 1)))});
  rod.friction = 4.0 / 3;
  const double angle = std::atan(0.75 + std::sqrt(9.0 / 16 + 1));
  report.compare("App. A, φ* at μ = 4/3 [deg]", "63.435", angle * 180 / pi);
  report.compare("App. A, mA at φ*, μ = 4/3", "0.000", rod.mass * sliding_coefficient(rod, angle));
  by_angle.write(report, "coefficient_angle.csv");
  by_friction.write(report, "coefficient_friction.csv");
}

}  // namespace

void painleve(const std::filesystem::path& out) {
  Report report(out);
  forces(report);
  impulses_and_steps(report);
  sign_of_the_coefficient(report);
  compliant_contact(report);
  stiff_limits(report);
  steps_by_law(report);
  report.write();
}

}  // namespace scree::studies
