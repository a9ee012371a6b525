#include "scree/studies/law_runs.hpp"

#include <cmath>

namespace scree::studies {

SymMat3 spatial_block(const Rod& rod, const PlanarContact& c) {
  return {c.nn, c.nt, 0, c.tt, 0, 1 / rod.mass + rod.length * rod.length / (4 * rod.inertia)};
}

std::vector<LawStep> run_law(const Rod& rod, const RodState& start, const Loads& loads,
                             double time_step, int steps, const AnyLaw& law,
                             NormalTangential warm) {
  std::vector<LawStep> run;
  RodState state = start;
  Vec3 r{warm.n, warm.t, 0};
  for (int k = 1; k <= steps; ++k) {
    const PlanarContact c = step_problem(rod, state, loads, time_step);
    std::visit(
        [&](const auto& l) {
          (void)l.solve(spatial_block(rod, c), {c.qn, c.qt, 0}, r);
        },
        law);
    LawStep step;
    step.time = k * time_step;
    step.impulse = {r.x, r.y};
    step.after = {c.nn * r.x + c.nt * r.y + c.qn, c.nt * r.x + c.tt * r.y + c.qt};
    const PlanarSolutions all = all_solutions(c);
    step.solutions = all.all.size();
    for (const PlanarSolution& s : all.all)
      if (std::hypot(s.rn - r.x, s.rt - r.y) <= 1e-9 * (norm(r) + time_step)) step.taken = s.state;
    step.state = state = after_step(rod, state, loads, time_step, step.impulse);
    run.push_back(step);
  }
  return run;
}

std::vector<NamedLaw> frictional_laws(double friction) {
  return {{"coulomb", Coulomb{friction}},
          {"coulomb, continuity", Coulomb{friction, Coulomb::Choice::continuity}},
          {"coulomb, least impulse", Coulomb{friction, Coulomb::Choice::min_impulse}},
          {"max_dissipation", MaxDissipation{friction}},
          {"polyhedral", Polyhedral{friction, 8}},
          {"cone_complementarity", ConeComplementarity{friction}},
          {"impact_dissipation", ImpactDissipation{friction, false}}};  // the rod slides
}

}  // namespace scree::studies
