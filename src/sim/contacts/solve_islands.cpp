/// Solves all contacts together, then the islands that need more by themselves.
#include <algorithm>
#include <cmath>
#include <vector>

#include "scree/solvers/factored_problem.hpp"
#include "sim/contacts/closing_speeds.hpp"
#include "sim/contacts/solve.hpp"
#include "sim/contacts/solve_problem.hpp"
#include "sim/contacts/still_islands.hpp"
#include "sim/motion/motion.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

/// Solves a problem, then again the islands that are left, until each meets its own tolerance.
class IslandSolve {
 public:
  explicit IslandSolve(StepContext& context)
      : c_(context),
        s_(context.scratch.islands),
        problem_(context.scratch.problem),
        settings_(context.model.solver),
        pays_(settings_.max_sweeps >= kPatientSweeps || is_few(problem_.contacts, settings_)),
        sweeps_left_(settings_.max_sweeps) {}

  SolveResult run() {
    s_.gave_up.assign(problem_.free_bodies, 0);
    s_.directly_solved.assign(problem_.free_bodies, 0);
    if (may_solve_directly() && problem_.contacts <= kMaxContactsBeforeSweeps && !joints_have_all())
      begin_directly();
    else
      solve_all();
    find_islands();
    for (int round = 0; round < kMaxIslandRounds && choose(); ++round) {
      solve_chosen();
      find_islands();
    }
    Certificate& certificate = result_.certificate;
    if (counts_part_) certificate = solver().certify(problem_, settings_.tolerance, c_.pool);
    if (sweeps() && certificate.other_choices > 0) continue_from_choices();
    certificate.residual = s_.islands.worst_residual();
    certificate.over_tolerance =
        s_.islands.over_tolerance(problem_, solver().squared_residuals(), settings_.tolerance);
    result_.converged = certificate.residual <= settings_.tolerance;
    result_.sweeps += static_cast<int>(std::ceil(sweeps_of_parts_));
    return result_;
  }

 private:
  bool sweeps() const { return settings_.method == SolverKind::gauss_seidel; }
  GaussSeidel& solver() { return c_.scratch.solver; }

  /// True if all contacts are solved with joints: then no island is for a direct solve.
  bool joints_have_all() { return !problem_.joints.empty() && solver().joints().has_all(problem_); }

  /// Solves small islands first. If there are no others, no sweep is needed.
  void begin_directly() {
    result_.certificate = solver().certify(problem_, settings_.tolerance, c_.pool);
    find_islands();
    while (choose_direct()) {
      solve_chosen();
      find_islands();
    }
    const bool any_other = std::ranges::any_of(s_.islands.all(), [&](const ContactIsland& of) {
      return of.contacts + of.joints > 0 && !suits_direct(of);
    });
    if (any_other) solve_all();
  }

  /// Only so many sweeps that islands which need more do not hold up the others.
  void solve_all() {
    if (sweeps()) {
      SolverSettings few = settings_;
      few.max_sweeps = std::min(kSweepsBeforeIslands, settings_.max_sweeps);
      result_ = solver().solve(problem_, few, c_.pool);
    } else {
      result_ = solve_as_matrix_problem(problem_, settings_, c_.pool);
      result_.certificate = solver().certify(problem_, settings_.tolerance, c_.pool);
    }
    sweeps_left_ -= result_.sweeps;
    counts_part_ = found_ = false;
  }

  void find_islands() {
    if (!found_) s_.islands.find(problem_, solver().squared_residuals());
    s_.chosen.resize(s_.islands.all().size());
  }

  template <class F>
  bool choose_if(const F& f) {
    const auto islands = s_.islands.all();
    bool any = false;
    for (std::size_t k = 0; k < islands.size(); ++k) {
      s_.chosen[k] = f(k, islands[k]);
      any = any || s_.chosen[k] != 0;
    }
    return any;
  }

  bool may_solve_directly() const { return !problem_.has_cohesion(); }

  /// Chooses islands for a direct solve: in the first round all small ones that move, or whose last
  /// impulses are not the answer; later those that a round has made of others.
  bool choose_direct() {
    direct_ = false;
    if (!may_solve_directly() || direct_rounds_ == kMaxDirectRounds) return false;
    const bool first = direct_rounds_++ == 0;
    if (std::ranges::none_of(s_.islands.all(), suits_direct)) return false;
    if (first) find_still_islands(c_);
    direct_ = choose_if([&](std::size_t k, const ContactIsland& island) {
      const bool moves = first && std::isinf(s_.fine_residual[k]),
                 was_solved = s_.directly_solved[island.first_body] == island.bodies;
      return suits_direct(island) && !was_solved && (moves || island.residual() > kDirectResidual);
    });
    const auto islands = s_.islands.all();
    for (std::size_t k = 0; k < islands.size(); ++k)
      if (s_.chosen[k] != 0) s_.directly_solved[islands[k].first_body] = islands[k].bodies;
    return direct_;
  }

  /// Sweeps on from the solutions that the laws choose: sweeps and direct solves end at any. Keeps
  /// what there was if few sweeps do not settle it.
  void continue_from_choices() {
    const ContactProblem before = problem_;
    const SolveResult found = result_;
    take_chosen_solutions(problem_);
    SolverSettings few = settings_;
    few.max_sweeps = std::min(kSweepsBeforeIslands, settings_.max_sweeps);
    result_ = solver().solve(problem_, few, c_.pool);
    if (!result_.converged) {
      problem_ = before;
      result_.certificate = solver().certify(problem_, settings_.tolerance, c_.pool);
    }
    result_.sweeps += found.sweeps;
    s_.islands.find(problem_, solver().squared_residuals());
  }

  /// Chooses what is solved next: islands beyond the tolerance, those with few contacts first; then
  /// those at rest that would creep. False if nothing is left.
  bool choose() {
    const auto is_left = [&](const ContactIsland& island) {
      return island.bodies > 0 && !(island.residual() <= settings_.tolerance) &&
             s_.gave_up[island.first_body] == 0;
    };
    rests_ = few_ = false;
    if (choose_direct()) return true;
    few_ = choose_if([&](std::size_t, const ContactIsland& island) {
      return is_left(island) && is_few(island.contacts, settings_);
    });
    if (few_) return true;
    if (sweeps_left_ <= 0) return false;
    if (choose_if([&](std::size_t, const ContactIsland& island) { return is_left(island); }))
      return true;
    return choose_resting();
  }

  bool choose_resting() {
    if (!sweeps() || rested_ || settings_.tolerance <= kFineResidual) return false;
    rests_ = rested_ = true;
    find_still_islands(c_);
    few_ = true;
    return choose_if([&](std::size_t k, const ContactIsland& island) {
      const bool few = is_few(island.contacts, settings_),
                 still = std::isfinite(s_.fine_residual[k]);
      // Few contacts cost little: they are always solved finely.
      const bool creeps = still && island.contacts <= kMaxFineContacts &&
                          island.residual() > (few ? kFineResidual : s_.fine_residual[k]);
      few_ = few_ && (!creeps || few);
      return creeps;
    });
  }

  void solve_chosen() {
    const auto islands = s_.islands.all();
    double smallest = 0;  // scale of the chosen islands
    bool all = true, joints = false;
    for (std::size_t k = 0; k < islands.size(); ++k) {
      all = all && s_.chosen[k] != 0;
      if (s_.chosen[k] == 0) continue;
      joints = joints || islands[k].joints > 0;
      const double own = islands[k].scale.unit();
      smallest = smallest == 0 ? own : std::min(smallest, own);
    }
    choose_bodies();
    SolveResult solved;
    double share = 1;  // of the contacts
    counts_part_ = !(all || joints);
    found_ = false;
    if (!counts_part_) {
      const double whole = problem_.residual_scale().unit();
      solved = solve(joints && whole > smallest ? smallest / whole : 1);
      result_.certificate = solved.certificate;
    } else {
      const auto [undone, rounding] = s_.islands.scale_of(s_.chosen);
      s_.part.take(problem_, s_.bodies, undone, rounding);
      share = problem_.contacts;
      solved = solve(1);
      found_ = s_.islands.find_again(problem_, solver().squared_residuals(), s_.bodies);
      s_.part.give_back(problem_);
      share /= problem_.contacts;
    }
    // Sweeps have left the residuals of the part's contacts in their lanes, but not those of
    // joints, nor of contacts beside the part if it pressed on other bodies.
    const bool knows_all = !counts_part_ || (found_ && problem_.joints.empty());
    if (!sweeps() || !knows_all) {
      result_.certificate = solver().certify(problem_, settings_.tolerance, c_.pool);
      counts_part_ = found_ = false;
    }
    sweeps_of_parts_ += share * solved.sweeps;
    if (!few_) sweeps_left_ -= std::max(solved.sweeps, 1);
    result_.convergence_ratio = solved.convergence_ratio;
    if ((!solved.converged || joints) && !direct_)
      for (BodyIndex body = 0; body < problem_.free_bodies; ++body)
        s_.gave_up[body] |= s_.bodies[body];
  }

  /// Marks the bodies of the chosen islands.
  void choose_bodies() {
    s_.bodies.resize(problem_.free_bodies);
    for (BodyIndex body = 0; body < problem_.free_bodies; ++body) {
      const std::uint32_t island = s_.islands.of(body);
      s_.bodies[body] = island != ContactIslands::kNone && s_.chosen[island] != 0;
    }
  }

  /// Solves the problem, or the part that is taken, to `fraction` of the tolerance.
  SolveResult solve(double fraction) {
    if (direct_) return solve_directly();
    SolveRequest request{
        .settings = settings_, .few = few_ && pays_, .rests = rests_, .fraction = fraction};
    request.settings.tolerance *= fraction;
    request.settings.max_sweeps = few_ ? settings_.max_sweeps : sweeps_left_;
    // The first step of all starts from zero and may use all sweeps.
    request.max_fine_sweeps = is_first_of_all(c_) ? settings_.max_sweeps : kFineSweeps;
    return sweeps() ? sweep_then_finish(problem_, request, solver(), c_.pool)
                    : solve_as_matrix_problem(problem_, request.settings, c_.pool);
  }

  SolveResult solve_directly() {
    const double tolerance = std::min(kDirectResidual, settings_.tolerance);
    s_.direct.solve(problem_, s_.islands, s_.chosen, tolerance, c_.pool);
    SolveResult result;
    result.certificate = solver().certify(problem_, settings_.tolerance, c_.pool);
    result.converged = result.certificate.residual <= settings_.tolerance;
    result.sweeps = 1;
    return result;
  }

  StepContext& c_;
  Scratch::Islands& s_;
  ContactProblem& problem_;
  const SolverSettings& settings_;
  SolveResult result_;
  bool pays_;                   ///< the portfolio, for islands with few contacts
  int sweeps_left_;             ///< of many contacts
  double sweeps_of_parts_ = 0;  ///< by their shares of the contacts
  int direct_rounds_ = 0;
  bool direct_ = false;       ///< the chosen islands are solved directly
  bool few_ = false;          ///< the chosen islands have few contacts each
  bool rests_ = false;        ///< the chosen islands are at rest
  bool rested_ = false;       ///< such islands were solved
  bool found_ = false;        ///< the islands of the last part are known
  bool counts_part_ = false;  ///< the last certificate is of a part
};

}  // namespace

SolveResult solve_contacts(StepContext& context) {
  const SolveResult solved = IslandSolve(context).run();
  context.report.sweeps += solved.sweeps;
  return solved;
}

}  // namespace scree
