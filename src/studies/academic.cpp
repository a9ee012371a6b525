/// Single contacts of [Preclik18, §4.1 and §4.2], computed again.
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "scree/laws/cone_complementarity.hpp"
#include "scree/laws/coulomb.hpp"
#include "scree/laws/max_dissipation.hpp"
#include "scree/studies/academic_contact.hpp"
#include "scree/studies/rod.hpp"
#include "scree/studies/studies.hpp"
#include "studies/report.hpp"

namespace scree::studies {
namespace {

using std::numbers::pi;

Json json(const Vec3& v) { return {v.x, v.y, v.z}; }
Json json(const SymMat3& m) { return {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}}; }

Json solution(const ContactNumbers& c, const Vec3& r) {
  return {{"impulse", json(r)}, {"velocity", json(c.W * r + c.q)}, {"energy", energy(c.W, c.q, r)}};
}

template <class Law>
Vec3 solved(const Law& law, const ContactNumbers& c) {
  Vec3 r;
  (void)law.solve(c.W, c.q, r);
  return r;
}

/// Solutions of the three laws. Coulomb's solutions are sorted by decreasing energy, as in print:
/// weakest first.
Json all_laws(const ContactNumbers& c) {
  Json coulomb = Json::array();
  const ContactSolutions found = Coulomb{c.friction}.solve_all(c.W, c.q);
  for (int k = found.count; k-- > 0;)
    coulomb.push_back(solution(c, found.at[static_cast<std::size_t>(k)].r));
  return {{"friction", c.friction},
          {"W", json(c.W)},
          {"q", json(c.q)},
          {"coulomb", std::move(coulomb)},
          {"max_dissipation", solution(c, solved(MaxDissipation{c.friction}, c))},
          {"cone_complementarity", solution(c, solved(ConeComplementarity{c.friction}, c))}};
}

/// A printed row: impulse (n, t, o), velocity (t, o), energy.
struct PrintedRow {
  const char* name;
  const char* impulse[3];
  const char* velocity[2];  ///< tangential
  const char* energy;
};

void compare(Report& report, const PrintedRow& printed, const Json& ours) {
  for (std::size_t k = 0; k < 3; ++k)
    report.compare(fmt::format("Table 1, {}, impulse {}", printed.name, "nto"[k]),
                   printed.impulse[k], ours["impulse"][k]);
  for (std::size_t k = 0; k < 2; ++k)
    report.compare(fmt::format("Table 1, {}, velocity {}", printed.name, "to"[k]),
                   printed.velocity[k], ours["velocity"][k + 1]);
  report.compare(fmt::format("Table 1, {}, energy", printed.name), printed.energy, ours["energy"]);
}

void table_1(Report& report) {
  const double s = printed_tangent_length();
  Json& results = report.results();
  results["tangent_length"] = s;
  results["as_printed"] = all_laws(academic_contact(TangentFrame::as_printed, 3.7));
  results["orthonormal_same_physics"] =
      all_laws(academic_contact(TangentFrame::orthonormal, 3.7 * s));
  results["orthonormal_same_friction"] = all_laws(academic_contact(TangentFrame::orthonormal, 3.7));
  static constexpr PrintedRow kPrinted[3] = {
      {"Coulomb 1", {"0.12", "-0.44", "-0.065"}, {"0.40", "0.060"}, "-0.252"},
      {"Coulomb 2", {"0.29", "-0.89", "-0.62"}, {"0.082", "0.057"}, "-0.393"},
      {"Coulomb 3", {"1.56", "-0.99", "-5.7"}, {"0.0061", "0.035"}, "-0.631"}};
  const Json& ours = results["as_printed"];
  for (std::size_t k = 0; k < 3 && k < ours["coulomb"].size(); ++k)
    compare(report, kPrinted[k], ours["coulomb"][k]);
  compare(report, {"maximum dissipation", {"1.6", "-1.1", "-5.8"}, {"-0.057", "0.034"}, "-0.634"},
          ours["max_dissipation"]);
}

/// Bits: 1 open, 2 stick, 4 slip left, 8 slip right; 16 a continuum.
double mask(const PlanarSolutions& solutions) {
  unsigned bits = solutions.continuum ? 16 : 0;
  for (const PlanarSolution& s : solutions.all) bits |= 1U << static_cast<unsigned>(s.state);
  return bits;
}

/// §4.2: friction above which sliding of the rod is paradoxical, and solutions of each formulation
/// over angle and friction.
void paradox_map(Report& report) {
  Rod rod;
  Csv threshold("angle_deg,critical_friction");
  for (double degrees = 10; degrees <= 89; degrees += 0.25)
    threshold.row({degrees, critical_friction(rod, degrees * pi / 180)});
  const double min_angle = 0.5 * std::acos(-0.6);
  report.compare("§4.2, least μ* = 4/3, at ½ arccos(−3/5)", "1.3333333",
                 critical_friction(rod, min_angle));
  report.results()["min_critical_friction"] = {{"angle", min_angle},
                                               {"friction", critical_friction(rod, min_angle)}};

  Csv map("angle_deg,friction,force,force_torque,impulse,step,step_torque");
  constexpr double h = 0.01;
  for (double degrees = 30; degrees <= 86; degrees += 0.5)
    for (double friction = 0.025; friction < 4; friction += 0.05) {
      rod.friction = friction;
      const double angle = degrees * pi / 180;
      const RodState sliding = touching(rod, angle, -1);
      const Loads weight{0, -1, 0};
      // The torque that lifts the end off the plane [Preclik11, Eq. 12], and a larger one.
      const Loads torque{0, -1, -2 * rod.inertia / (rod.mass * rod.length * std::cos(angle)) - 1};
      map.row({degrees, friction, mask(force_solutions(rod, sliding, weight)),
               mask(force_solutions(rod, sliding, torque)),
               mask(all_solutions(impulse_problem(rod, sliding))),
               mask(all_solutions(step_problem(rod, sliding, weight, h))),
               mask(all_solutions(step_problem(rod, sliding, torque, h)))});
    }
  threshold.write(report, "critical_friction.csv");
  map.write(report, "solutions_map.csv");
}

}  // namespace

void academic(const std::filesystem::path& out) {
  Report report(out);
  table_1(report);
  paradox_map(report);
  report.write();
}

}  // namespace scree::studies
