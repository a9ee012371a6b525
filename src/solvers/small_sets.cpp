#include <algorithm>
#include <cmath>
#include <numeric>

#include "scree/core/error.hpp"
#include "scree/solvers/contact_certificate.hpp"
#include "scree/solvers/factored_problem.hpp"
#include "scree/solvers/solve_problem.hpp"

namespace scree {
namespace {

constexpr int kIterations = 2000;  ///< of a set, whatever sweeps may take

/// Contacts of a set. Who allows few sweeps wants no more work than theirs.
std::size_t max_contacts(const SolverSettings& settings) {
  constexpr std::size_t kMax = 64;
  constexpr int kFewSweeps = 100;
  if (settings.max_sweeps < kFewSweeps) return 0;
  return std::min(kMax, static_cast<std::size_t>(settings.max_sweeps) / 3);
}

/// The first body of the set of each free body.
class Sets {
 public:
  explicit Sets(const ContactProblem& problem) : root_(problem.free_bodies) {
    std::iota(root_.begin(), root_.end(), 0U);
  }
  BodyIndex of(BodyIndex body) {
    while (root_[body] != body) body = root_[body] = root_[root_[body]];
    return body;
  }
  void join(BodyIndex a, BodyIndex b) {
    const BodyIndex one = of(a), two = of(b);
    root_[std::max(one, two)] = std::min(one, two);
  }

 private:
  std::vector<BodyIndex> root_;
};

/// What a set is chosen by.
struct Found {
  std::size_t contacts = 0;
  bool is_bad = false, is_refused = false;
};

double residual_of(const ContactProblem& problem, ContactIndex contact) {
  const int lane = static_cast<int>(contact % kBlock);
  const std::size_t spheres = kBlock * problem.blocks.size();
  if (contact < spheres)
    return verdict_of(problem, problem.blocks[contact / kBlock], lane).residual;
  return verdict_of(problem, problem.full[(contact - spheres) / kBlock], lane).residual;
}

void solve_set(ContactProblem& problem, std::span<const ContactIndex> contacts, double allowed,
               const SolverSettings& settings, ThreadPool& pool) {
  Vector r;
  const FactoredProblem part = factored_part(problem, contacts, {}, r);
  const double size = part.q.norm();
  if (!part.q.allFinite() || !(size > 0)) return;
  SolverSettings own = settings;
  own.method = SolverKind::automatic;
  own.tolerance = allowed / size;
  own.max_sweeps = kIterations;
  SolveContext context;
  context.start = {r.data(), static_cast<std::size_t>(r.size())};
  context.pool = &pool;
  try {
    set_impulses(problem, contacts, solve(part, own, context).r);
  } catch (const InputError&) {
    // Masses of which a block of W vanishes or overflows are refused: impulses stay.
  }
}

}  // namespace

std::size_t solve_small_sets(ContactProblem& problem, const SolverSettings& settings,
                             ThreadPool& pool) {
  const std::size_t most = max_contacts(settings);
  if (most == 0 || !problem.rolling.empty()) return 0;
  const std::vector<ContactIndex> contacts = contacts_of(problem);
  Sets sets(problem);
  std::vector<BodyIndex> free_body(contacts.size());
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const FullContact c = full_contact(problem, contacts[k]);
    free_body[k] = std::min(c.a, c.b);
    if (std::max(c.a, c.b) < problem.free_bodies) sets.join(c.a, c.b);
  }
  // Half of what a contact may have.
  const double allowed = 0.5 * problem.residual_scale().allowed(settings.tolerance) /
                         std::sqrt(static_cast<double>(contacts.size() + problem.joints.size()));
  std::vector<Found> found(problem.free_bodies);
  for (const JointBlock& joint : problem.joints)
    joint.for_each_side([&](const JointBlock::Side& side) {
      if (side.body < problem.free_bodies) found[sets.of(side.body)].is_refused = true;
    });
  std::vector<std::pair<BodyIndex, ContactIndex>> of_sets;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const BodyIndex set = sets.of(free_body[k]);
    ++found[set].contacts;
    found[set].is_bad = found[set].is_bad || residual_of(problem, contacts[k]) > 2 * allowed;
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
    const Found& is = found[set];
    if (!is.is_bad || is.is_refused || is.contacts > most) continue;
    solve_set(problem, of_set, allowed * std::sqrt(static_cast<double>(of_set.size())), settings,
              pool);
    ++solved;
  }
  return solved;
}

}  // namespace scree
