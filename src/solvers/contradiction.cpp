#include "scree/solvers/contradiction.hpp"

#include <algorithm>

#include "solvers/kernels/contact_kernels.hpp"
#include "solvers/methods/infeasibility.hpp"

namespace scree {
namespace {

/// A proof among more contacts takes seconds.
constexpr std::size_t kMaxContacts = 128;

/// The contacts nearest to one, over bodies that contacts share. Looks at all contacts once for
/// each body that they are apart.
std::vector<ContactIndex> nearest(const ContactProblem& problem, ContactIndex first) {
  const std::vector<ContactIndex> contacts = contacts_of(problem);
  std::vector<bool> reached(problem.bodies.size(), false), taken(contacts.size(), false);
  const auto reach = [&](const FullContact& contact) {
    for (const BodyIndex body : {contact.a, contact.b})
      if (body < problem.free_bodies) reached[body] = true;
  };
  reach(full_contact(problem, first));
  std::vector<ContactIndex> near{first};
  for (std::size_t before = 0; near.size() != before && near.size() < kMaxContacts;) {
    before = near.size();
    std::vector<FullContact> added;
    for (std::size_t k = 0; k < contacts.size() && near.size() < kMaxContacts; ++k) {
      const FullContact contact = full_contact(problem, contacts[k]);
      const bool touches = (contact.a < problem.free_bodies && reached[contact.a]) ||
                           (contact.b < problem.free_bodies && reached[contact.b]);
      if (taken[k] || !touches || contacts[k] == first) continue;
      taken[k] = true;
      near.push_back(contacts[k]);
      added.push_back(contact);
    }
    for (const FullContact& contact : added) reach(contact);
  }
  return near;
}

/// These contacts alone, of their bodies alone, with the free velocities and no impulse.
ContactProblem part_of(const ContactProblem& problem, const std::vector<ContactIndex>& contacts) {
  std::vector<BodyIndex> bodies;
  for (const ContactIndex contact : contacts) {
    const FullContact g = full_contact(problem, contact);
    for (const BodyIndex body : {g.a, g.b})
      if (body < problem.free_bodies) bodies.push_back(body);
  }
  std::ranges::sort(bodies);
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  /// Where a body is in the part; behind its bodies if it is in none of the contacts.
  const auto place_of = [&](BodyIndex body) {
    const auto found = std::ranges::lower_bound(bodies, body);
    const bool there = found != bodies.end() && *found == body;
    return there ? static_cast<BodyIndex>(found - bodies.begin())
                 : static_cast<BodyIndex>(bodies.size());
  };

  ContactProblem part;
  part.free_bodies = static_cast<BodyIndex>(bodies.size());
  for (const BodyIndex body : bodies) part.bodies.push_back(problem.bodies[body]);
  part.bodies.push_back({});  // at rest
  for (const ContactIndex contact : contacts_of(problem)) {
    FullContact c = full_contact(problem, contact);
    c.a = place_of(c.a);
    c.b = place_of(c.b);
    kernels::add_impulse(part.bodies, part.free_bodies, c, -c.impulse);
  }
  for (const ContactIndex contact : contacts) {
    FullContact c = full_contact(problem, contact);
    c.a = place_of(c.a);
    if (c.b > problem.at_rest()) {  // a wall that moves has a record for each of its contacts
      part.bodies.push_back(problem.bodies[c.b]);
      c.b = static_cast<BodyIndex>(part.bodies.size() - 1);
    } else {
      c.b = place_of(c.b);
    }
    c.impulse = {};
    const auto law = static_cast<std::uint32_t>(part.laws.size());
    part.laws.push_back(law_of(problem, contact));
    part.full.push_back(ContactBlock::empty(law, 1, part.at_rest()));
    part.full.back().set(0, c);
  }
  part.contacts = static_cast<std::uint32_t>(contacts.size());
  return part;
}

/// Whether impulses that stop all bodies would make up for what rounding left of Wᵀp: p·u = q·p
/// + (Wᵀp)·r with q·p = −1. So it is where a very heavy body lies on a light one.
bool could_be_met(const ContactProblem& part, const FrictionContactProblem& multiplied,
                  const Vector& p) {
  double mass = 0;
  for (BodyIndex i = 0; i < part.free_bodies; ++i) mass += 1 / part.bodies[i].inverse_mass;
  const double impulse = mass * multiplied.q.lpNorm<Eigen::Infinity>();  // [N s]
  const Vector left = multiplied.W.transpose() * p;
  constexpr double kProofFraction = 0.1;
  return left.lpNorm<1>() * impulse > kProofFraction;
}

}  // namespace

std::vector<ContactIndex> contradiction_near(const ContactProblem& problem, ContactIndex contact) {
  // Rolling friction could be otherwise: a proof with it as it stands would be none.
  if (!problem.rolling.empty()) return {};
  const std::vector<ContactIndex> near = nearest(problem, contact);
  const ContactProblem part = part_of(problem, near);
  Vector r;
  const FactoredProblem factored = factored_problem(part, r);
  if (!factored.q.allFinite()) return {};
  const FrictionContactProblem multiplied = multiplied_out(factored);
  const std::optional<Vector> proof = find_infeasibility(MatrixOperator(multiplied), {});
  if (!proof || could_be_met(part, multiplied, *proof)) return {};
  const double largest = proof->lpNorm<Eigen::Infinity>();
  std::vector<ContactIndex> contradictory;
  for (std::size_t k = 0; k < near.size(); ++k)
    if (proof->segment<3>(3 * static_cast<Eigen::Index>(k)).lpNorm<Eigen::Infinity>() >
        1e-6 * largest)
      contradictory.push_back(near[k]);
  return contradictory;
}

}  // namespace scree
