/// Direct solves of small sets of contacts on which sweeps do not converge. Our own.
#include <algorithm>
#include <cmath>

#include "scree/core/error.hpp"
#include "scree/solvers/contact_certificate.hpp"
#include "scree/solvers/factored_problem.hpp"
#include "scree/solvers/solve_problem.hpp"
#include "solvers/body_sets.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

/// Largest set that is solved; 0 if few sweeps are allowed: then the user wants speed.
std::size_t max_contacts(const SolverSettings& settings) {
  if (settings.max_sweeps < kMinSweepsForSmallSets) return 0;
  return std::min(kMaxSmallSetContacts, static_cast<std::size_t>(settings.max_sweeps) / 3);
}

/// Properties by which a set is chosen.
struct SetTraits {
  std::size_t contacts = 0;
  bool has_missed = false;  ///< True if a contact exceeds its share of the tolerance
  bool has_joints = false;
};

double residual_of(const ContactProblem& problem, ContactIndex contact) {
  const int lane = static_cast<int>(contact % kBlock);
  const std::size_t spheres = kBlock * problem.blocks.size();
  if (contact < spheres)
    return verdict_of(problem, problem.blocks[contact / kBlock], lane).residual;
  return verdict_of(problem, problem.contact_blocks[(contact - spheres) / kBlock], lane).residual;
}

void solve_set(ContactProblem& problem, std::span<const ContactIndex> contacts, double allowed,
               const SolverSettings& settings, ThreadPool& pool) {
  Vector r;
  FactoredProblem subset = factored_subset(problem, contacts, {}, r);
  subset.speed = problem.residual_scale().unit();
  if (!subset.q.allFinite() || !(subset.speed > 0)) return;
  SolverSettings own = settings;
  own.method = SolverKind::automatic;
  own.tolerance = allowed / subset.speed;
  own.max_sweeps = kMaxSmallSetIterations;
  SolveContext context;
  context.start = {r.data(), static_cast<std::size_t>(r.size())};
  context.pool = &pool;
  try {
    set_impulses(problem, contacts, solve(subset, own, context).r);
  } catch (const InputError&) {
    // Impulses stay if a block of W vanishes or overflows.
  }
}

}  // namespace

std::size_t solve_small_sets(ContactProblem& problem, const SolverSettings& settings,
                             ThreadPool& pool) {
  const std::size_t max_size = max_contacts(settings);
  if (max_size == 0 || !problem.rolling.empty()) return 0;
  const std::vector<ContactIndex> contacts = contacts_of(problem);
  BodySets sets(problem.free_bodies);
  std::vector<BodyIndex> free_body(contacts.size());
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const ContactRows c = contact_rows(problem, contacts[k]);
    free_body[k] = std::min(c.a, c.b);
    sets.join(c.a, c.b);
  }
  // Half of a contact's share of the tolerance.
  const double allowed = 0.5 * problem.residual_scale().allowed(settings.tolerance) /
                         std::sqrt(static_cast<double>(contacts.size() + problem.joints.size()));
  std::vector<SetTraits> traits_of(problem.free_bodies);
  for (const JointBlock& joint : problem.joints)
    joint.for_each_side([&](const JointBlock::Side& side) {
      if (side.body < problem.free_bodies) traits_of[sets.of(side.body)].has_joints = true;
    });
  std::vector<std::pair<BodyIndex, ContactIndex>> of_sets;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const BodyIndex set = sets.of(free_body[k]);
    SetTraits& traits = traits_of[set];
    ++traits.contacts;
    traits.has_missed = traits.has_missed || residual_of(problem, contacts[k]) > 2 * allowed;
    of_sets.push_back({set, contacts[k]});
  }
  std::ranges::sort(of_sets);
  std::size_t solved = 0;
  std::vector<ContactIndex> of_set;
  for (std::size_t begin = 0, end = 0; begin < of_sets.size(); begin = end) {
    const BodyIndex set = of_sets[begin].first;
    of_set.clear();
    for (; end < of_sets.size() && of_sets[end].first == set; ++end)
      of_set.push_back(of_sets[end].second);
    const SetTraits& traits = traits_of[set];
    if (!traits.has_missed || traits.has_joints || traits.contacts > max_size) continue;
    if (problem.is_near_tight(set, set)) continue;  // it would be preloaded
    solve_set(problem, of_set, allowed * std::sqrt(static_cast<double>(of_set.size())), settings,
              pool);
    ++solved;
  }
  return solved;
}

}  // namespace scree
