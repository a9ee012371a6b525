/// Painlevé's rod on a compliant contact: figures and tables of [Preclik11, §5 and §6].
#include <cmath>
#include <fmt/format.h>

#include "scree/studies/stiff_limit.hpp"
#include "studies/painleve.hpp"

namespace scree::studies {
namespace {

Json json(const std::optional<Impulse>& impulse) {
  if (!impulse) return nullptr;
  return {{"time", impulse->time}, {"n", impulse->n}, {"t", impulse->t}};
}

/// Fig. 6: forces against time, k_n = γ_n = γ_t.
void history(Report& report, const std::string& name, double stiffness, double until) {
  Csv csv("time,n,t");
  double last = -1;
  run_compliant(kRod, sliding_rod(), 0, kWeight, {stiffness, stiffness, stiffness},
                {.until = until}, [&](double time, double n, double t) {
                  // a curve needs fewer points than steps
                  if (time < last + 1e-4 * until) return;
                  csv.row({time, n, t});
                  last = time;
                });
  csv.write(report, "forces_" + name + ".csv");
}

/// Table 1 and Fig. 7: k_n = γ_n = γ_t = α → ∞.
void stiffening(Report& report) {
  static constexpr const char* kPrinted[6][2] = {{"0.3688", "0.4551"}, {"0.3374", "0.4426"},
                                                 {"0.3285", "0.4391"}, {"0.3259", "0.4380"},
                                                 {"0.3251", "0.4377"}, {"0.3249", "0.4376"}};
  Json runs = Json::array();
  for (int k = 0; k < 6; ++k) {
    const double alpha = std::pow(10, 3 + k);
    const CompliantRun run =
        run_compliant(kRod, sliding_rod(), 0, kWeight, {alpha, alpha, alpha}, {});
    const char* const note = "the contact does not break; ours is at t = 0.02";
    report.compare(fmt::format("Table 1, α = 1e{}, ∫λ_n", 3 + k), kPrinted[k][0], run.end.n, note);
    report.compare(fmt::format("Table 1, α = 1e{}, ∫λ_t", 3 + k), kPrinted[k][1], run.end.t, note);
    runs.push_back({{"alpha", alpha},
                    {"stick", json(run.stick)},
                    {"end", json(run.end)},
                    {"broke", json(run.broke)},
                    {"largest_force", run.largest_force},
                    {"steps", run.steps}});
  }
  report.results()["compliance"] = std::move(runs);
}

/// Π_n, Π_t → impulse: limit of a jam as k_n → ∞ with γ ∝ sqrt(k_n).
void limit_map(Report& report) {
  Csv csv("normal_ratio,tangential_ratio,found,breaks,n,t,after_n,after_t,energy");
  constexpr int kPerDecade = 10;
  for (int i = -2 * kPerDecade; i <= 2 * kPerDecade; ++i)
    for (int j = -2 * kPerDecade; j <= 2 * kPerDecade; ++j) {
      const double n = std::pow(10, static_cast<double>(i) / kPerDecade),
                   t = std::pow(10, static_cast<double>(j) / kPerDecade);
      const StiffLimit s = stiff_limit(kRod, sliding_rod(), n, t);
      csv.row({n, t, s.found ? 1.0 : 0.0, s.breaks ? 1.0 : 0.0, s.impulse.n, s.impulse.t, s.after.n,
               s.after.t, s.energy_change});
    }
  csv.write(report, "stiff_limit.csv");
}

/// The whole rod with its loads converges to that limit.
void approach_to_the_limit(Report& report) {
  Json runs = Json::array();
  static constexpr double kRatios[4][2] = {{1, 1}, {0.1, 10}, {10, 1}, {0.3, 0.1}};
  for (const auto& ratio : kRatios) {
    const StiffLimit limit = stiff_limit(kRod, sliding_rod(), ratio[0], ratio[1]);
    for (const double k : {1e4, 1e6, 1e8, 1e10}) {
      const double root = std::sqrt(k);
      const CompliantRun run =
          run_compliant(kRod, sliding_rod(), 0, kWeight, {k, ratio[0] * root, ratio[1] * root},
                        {.until = 1, .stop_at_break = true});
      runs.push_back({{"normal_ratio", ratio[0]},
                      {"tangential_ratio", ratio[1]},
                      {"stiffness", k},
                      {"n", run.end.n},
                      {"t", run.end.t},
                      {"limit_n", limit.impulse.n},
                      {"limit_t", limit.impulse.t}});
    }
  }
  report.results()["approach_to_the_limit"] = std::move(runs);
}

void breaking(Report& report) {
  Json rows = Json::array();
  for (const double damping : {1e3, 1e4, 1e5, 1e6})
    rows.push_back(
        {{"damping", damping}, {"ratio", breaking_ratio(kRod, sliding_rod(), kWeight, damping)}});
  report.results()["breaking_ratio"] = {
      {"limit", limit_of_breaking_ratio(kRod, sliding_rod(), kWeight)}, {"rows", std::move(rows)}};
}

/// Initial penetration with b < 0: jam or lift-off.
void penetration(Report& report) {
  Json rows = Json::array();
  for (const double k : {1e4, 1e5, 1e6, 1e7, 1e8})
    for (const double ratio : {1.0, 3.0, 10.0}) {
      const double damping = ratio * std::sqrt(k);
      const auto force =
          separatrix(kRod, sliding_rod(), kWeightAndTorque, {k, damping, damping}, 60);
      rows.push_back(
          {{"stiffness", k}, {"ratio", ratio}, {"force", force ? Json(*force) : Json()}});
    }
  report.results()["separatrix"] = {
      {"limit", force_solutions(kRod, sliding_rod(), kWeightAndTorque).all.back().rn},
      {"rows", std::move(rows)}};
  Csv csv("stiffness,force,jams,n,t");
  for (const double k : {1e4, 1e5, 1e6})
    for (double force = 0.5; force <= 15; force += 0.25) {
      const CompliantRun run = run_compliant(kRod, sliding_rod(), -force / k, kWeightAndTorque,
                                             {k, k, k}, {.until = 10, .stop_at_break = true});
      csv.row({k, force, run.stick ? 1.0 : 0.0, run.end.n, run.end.t});
    }
  csv.write(report, "penetration.csv");
}

}  // namespace

void compliant_contact(Report& report) {
  history(report, "1e2", 1e2, 0.5);
  history(report, "1e4", 1e4, 0.02);
  stiffening(report);
  const CompliantRun lifted =
      run_compliant(kRod, sliding_rod(), 0, kWeightAndTorque, {1e6, 1e6, 1e6}, {});
  report.compare("§5.2, ∫λ_n without penetration", "0.0000", lifted.end.n);
  report.compare("§5.2, ∫λ_t without penetration", "0.0000", lifted.end.t);
}

void stiff_limits(Report& report) {
  limit_map(report);
  approach_to_the_limit(report);
  breaking(report);
  penetration(report);
}

}  // namespace scree::studies
