/// Direct solve of small islands: their contacts as a DenseContacts of their bodies.
#include "solvers/islands/direct_islands.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "solvers/kernels/contact_kernels.hpp"
#include "solvers/methods/dense_contacts.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

/// One island as a dense problem. Coordinates of a body are v √m and s √m_s, so that Y = 1.
class IslandProblem {
  static constexpr std::size_t kCoordinates = DenseProblem::kMaxWidth;
  struct Contact {
    ContactIndex index;
    ContactRows rows;
    AnyLaw law;
  };

  /// The id of a free body; others come last.
  BodyId id_of(BodyIndex body) const {
    if (body >= problem_->free_bodies) return {kFirstObstacleId};
    return problem_->body_ids.empty() ? BodyId{body} : problem_->body_ids[body];
  }
  auto key_of(const ContactRows& c) const {
    const Vec3 &n = c.axis[0], &arm = c.jw_a[1];
    return std::tuple(id_of(c.a), id_of(c.b), n.x, n.y, n.z, arm.x, arm.y, arm.z, c.bias.x);
  }

 public:
  IslandProblem() {
    constexpr std::size_t kBodies = kMaxEliminatedCoordinates / kCoordinates;
    contacts_.reserve(2 * kMaxDirectContacts);
    bodies_.reserve(4 * kMaxDirectContacts);
    dense_.contacts.reserve(2 * kMaxDirectContacts);
    dense_.runs.reserve(kBodies);
    dense_.z.reserve(kMaxEliminatedCoordinates);
  }

  /// Takes contacts in an order that is independent of storage. False if they have too many bodies,
  /// or numbers are not finite.
  template <class Contacts>
  bool take(const ContactProblem& problem, const Contacts& contacts,
            const kernels::DenseKernels& kernels) {
    problem_ = &problem;
    contacts_.clear();
    bodies_.clear();
    dense_.kernels = &kernels;
    dense_.runs.clear();
    dense_.contacts.clear();
    for (const auto& [island, contact] : contacts)
      contacts_.push_back({contact, contact_rows(*problem_, contact), law_of(*problem_, contact)});
    std::ranges::sort(contacts_, {}, [&](const Contact& c) { return key_of(c.rows); });
    find_bodies();
    if (kCoordinates * bodies_.size() > kMaxEliminatedCoordinates) return false;
    for (std::size_t k = 0; k < bodies_.size(); ++k)
      dense_.runs.push_back({kCoordinates * k, kCoordinates});
    return std::ranges::all_of(contacts_, [&](const Contact& c) { return add(c); });
  }

  void solve(double allowed) {
    dense_.z.assign(dense_.size(), 0.0);
    dense_.prepare();
    // Light bodies may carry the heaviest one together: it moves as one, whatever their own
    // mobility.
    double mobility = std::numeric_limits<double>::infinity();
    for (const BodyIndex body : bodies_)
      mobility = std::min(mobility, problem_->bodies[body].inverse_mass);
    dense_.add_compliance(mobility);
    dense_.solve(DenseContacts::Start::of_step, allowed);
  }

  void give_to(ContactProblem& problem) const {
    for (std::size_t k = 0; k < contacts_.size(); ++k)
      set_impulse(problem, contacts_[k].index, contacts_[k].rows, dense_.contacts[k].impulse);
  }

 private:
  void find_bodies() {
    for (const Contact& c : contacts_)
      for (const BodyIndex body : {c.rows.a, c.rows.b})
        if (body < problem_->free_bodies) bodies_.push_back(body);
    const auto by_id = [&](BodyIndex body) { return id_of(body); };
    std::ranges::sort(bodies_, {}, by_id);
    bodies_.erase(std::unique(bodies_.begin(), bodies_.end()), bodies_.end());
  }

  bool add(const Contact& c) {
    DenseProblem::Contact& of = dense_.contacts.emplace_back();
    of.law = &c.law;
    of.impulse = c.rows.impulse;
    of.velocity = kernels::relative_velocity(*problem_, c.rows);
    add_side(of, c.rows.a, -1, c.rows.axis, c.rows.jw_a, c.rows.locked_a);
    add_side(of, c.rows.b, 1, c.rows.axis, c.rows.jw_b, c.rows.locked_b);
    return is_finite(of.velocity) && is_finite(of.impulse);
  }
  void add_side(DenseProblem::Contact& of, BodyIndex body, double sign, const Vec3* axis,
                const Vec3* jw, AxisSet locked) const {
    if (body >= problem_->free_bodies) return;
    const auto place = std::ranges::lower_bound(bodies_, id_of(body), {},
                                                [&](BodyIndex other) { return id_of(other); });
    const BodyRecord& record = problem_->bodies[body];
    const double root = sign * std::sqrt(record.inverse_mass),
                 spin_root = std::sqrt(record.inverse_inertia);
    DenseProblem::Side& side = of.side[of.sides++];
    side.run = static_cast<std::size_t>(place - bodies_.begin());
    for (int row = 0; row < 3; ++row) {
      const Vec3 along = without(axis[row], locked);
      for (int k = 0; k < 3; ++k) {
        side.J[row][k] = root * along[k];
        side.J[row][k + 3] = spin_root * jw[row][k];
      }
    }
  }

  const ContactProblem* problem_ = nullptr;
  std::vector<Contact> contacts_;
  std::vector<BodyIndex> bodies_;  ///< by id
  DenseContacts dense_;
};

}  // namespace

bool suits_direct(const ContactIsland& island) {
  const bool has_a_choice = island.shares_load || island.of_faces >= 2 * island.bodies;
  return has_a_choice && island.joints == 0 && !island.rolls && !island.jammed &&
         island.contacts <= kMaxDirectContacts &&
         DenseProblem::kMaxWidth * island.bodies <= kMaxEliminatedCoordinates;
}

void DirectIslands::solve(ContactProblem& problem, const ContactIslands& islands,
                          std::span<const std::uint8_t> chosen, double tolerance,
                          ThreadPool& pool) {
  find_contacts(problem, islands, chosen);
  const kernels::DenseKernels& dense = kernels::kernels_of(pool.instruction_set()).dense;
  pool.for_each_range(
      runs_.size(), kDirectIslandsPerTask, [&](std::size_t first, std::size_t last) {
        thread_local IslandProblem island;
        for (const auto& [begin, end] : std::span(runs_).subspan(first, last - first)) {
          if (!island.take(problem, std::span(contacts_).subspan(begin, end - begin), dense))
            continue;
          const ContactIsland& of = islands.all()[contacts_[begin].island];
          island.solve(of.scale.allowed(tolerance));
          island.give_to(problem);
        }
      });
}

void DirectIslands::find_contacts(const ContactProblem& problem, const ContactIslands& islands,
                                  std::span<const std::uint8_t> chosen) {
  contacts_.clear();
  // Steps between two neighbour lists allocate nothing.
  const std::size_t lanes =
      kBlock * (problem.blocks.capacity() + problem.contact_blocks.capacity());
  contacts_.reserve(std::min(lanes, kMaxReservedDirectContacts));
  runs_.reserve(std::min(lanes, kMaxReservedDirectContacts));
  const auto of = [&](BodyIndex body) {
    return body < problem.free_bodies ? islands.of(body) : ContactIslands::kNone;
  };
  for_each_contact(problem, [&](ContactIndex contact, BodyIndex a, BodyIndex b) {
    const std::uint32_t island = std::min(of(a), of(b));
    const bool alone = std::max(a, b) >= problem.free_bodies || of(a) == of(b);
    if (island != ContactIslands::kNone && chosen[island] != 0 && alone)
      contacts_.push_back({island, contact});
  });
  std::ranges::sort(contacts_, [](const Contact& one, const Contact& other) {
    return std::tie(one.island, one.index) < std::tie(other.island, other.index);
  });
  runs_.clear();
  for (std::uint32_t k = 0; k < contacts_.size(); ++k) {
    if (k == 0 || contacts_[k].island != contacts_[k - 1].island) runs_.push_back({k, k});
    runs_.back().end = k + 1;
  }
}

std::size_t DirectIslands::bytes() const {
  return contacts_.capacity() * sizeof(Contact) + runs_.capacity() * sizeof(Chunk);
}

}  // namespace scree
