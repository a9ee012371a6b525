/// Painlevé's rod with every law of the engine: the solution that each takes.
#include <cmath>

#include "scree/studies/law_runs.hpp"
#include "studies/painleve.hpp"

namespace scree::studies {
namespace {

const char* label(const LawStep& step) {
  return step.taken ? name(*step.taken) : "none of Coulomb's";
}

/// A run as stretches of one answer: time, angle, the solution and the number of solutions.
Json stretches(const std::vector<LawStep>& run) {
  Json list = Json::array();
  const LawStep* last = nullptr;
  for (const LawStep& step : run) {
    if (!last || step.taken != last->taken || step.solutions != last->solutions)
      list.push_back({{"from", step.time},
                      {"angle_deg", step.state.angle * 180 / std::numbers::pi},
                      {"taken", label(step)},
                      {"solutions", step.solutions},
                      {"n", step.impulse.n},
                      {"t", step.impulse.t},
                      {"after_n", step.after.n},
                      {"after_t", step.after.t}});
    last = &step;
  }
  return list;
}

struct Situation {
  const char* name;
  RodState start;
  Loads loads;
  NormalTangential warm;
  double time_step;
  int steps;
};

}  // namespace

void steps_by_law(Report& report) {
  const Situation situations[] = {
      {"no_force", sliding_rod(), kWeight, {}, kTimeStep, 30},
      {"two_forces", sliding_rod(), kWeightAndTorque, {}, kTimeStep, 30},
      // The same, with the warm start of a step that jammed.
      {"two_forces_jammed", sliding_rod(), kWeightAndTorque, {0.3266, 0.4516}, kTimeStep, 30},
      // From a regular angle into the paradox: friction rotates the rod up, and A = 0 is at 50.6°.
      {"into_the_paradox", touching(kRod, std::numbers::pi / 4, -20), kWeight, {}, 1e-3, 600},
  };
  Csv csv("situation,law,time,angle_deg,gap,n,t,slip");
  Json& results = report.results()["steps_by_law"];
  for (double s = 0; const Situation& situation : situations) {
    Json& rows = results[situation.name] = Json::array();
    for (double l = 0; const auto& [law_name, law] : frictional_laws(kRod.friction)) {
      const std::vector<LawStep> run =
          run_law(kRod, situation.start, situation.loads, situation.time_step, situation.steps, law,
                  situation.warm);
      rows.push_back({{"law", law_name}, {"stretches", stretches(run)}});
      for (const LawStep& step : run)
        csv.row({s, l, step.time, step.state.angle * 180 / std::numbers::pi,
                 gap(kRod, step.state).n, step.impulse.n, step.impulse.t, step.after.t});
      ++l;
    }
    ++s;
  }
  csv.write(report, "law_runs.csv");
}

}  // namespace scree::studies
