/// Search for contacts around one that provably have no solution together. Our own.
#include "scree/solvers/contradiction.hpp"

#include <algorithm>

#include "solvers/kernels/contact_kernels.hpp"
#include "solvers/methods/infeasibility.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

/// Contacts nearest to one, by the number of bodies between them. Visits all contacts once for each
/// unit of this distance.
std::vector<ContactIndex> nearest(const ContactProblem& problem, ContactIndex first) {
  const std::vector<ContactIndex> contacts = contacts_of(problem);
  std::vector<bool> reached(problem.bodies.size(), false), taken(contacts.size(), false);
  const auto reach = [&](const ContactRows& contact) {
    for (const BodyIndex body : {contact.a, contact.b})
      if (body < problem.free_bodies) reached[body] = true;
  };
  reach(contact_rows(problem, first));
  std::vector<ContactIndex> near{first};
  const auto has_room = [&] { return near.size() < kMaxContradictionContacts; };
  for (std::size_t before = 0; near.size() != before && has_room();) {
    before = near.size();
    std::vector<ContactRows> added;
    for (std::size_t k = 0; k < contacts.size() && has_room(); ++k) {
      const ContactRows contact = contact_rows(problem, contacts[k]);
      const bool touches = (contact.a < problem.free_bodies && reached[contact.a]) ||
                           (contact.b < problem.free_bodies && reached[contact.b]);
      if (taken[k] || !touches || contacts[k] == first) continue;
      taken[k] = true;
      near.push_back(contacts[k]);
      added.push_back(contact);
    }
    for (const ContactRows& contact : added) reach(contact);
  }
  return near;
}

/// Problem of these contacts and their bodies alone, with the free velocities and no impulse.
ContactProblem subproblem_of(const ContactProblem& problem,
                             const std::vector<ContactIndex>& contacts) {
  std::vector<BodyIndex> bodies;
  for (const ContactIndex contact : contacts) {
    const ContactRows g = contact_rows(problem, contact);
    for (const BodyIndex body : {g.a, g.b})
      if (body < problem.free_bodies) bodies.push_back(body);
  }
  std::ranges::sort(bodies);
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  // Index of a body in the subproblem; that of the body at rest if it is in none of the contacts.
  const auto index_of = [&](BodyIndex body) {
    const auto found = std::ranges::lower_bound(bodies, body);
    const bool there = found != bodies.end() && *found == body;
    return there ? static_cast<BodyIndex>(found - bodies.begin())
                 : static_cast<BodyIndex>(bodies.size());
  };

  ContactProblem sub;
  sub.free_bodies = static_cast<BodyIndex>(bodies.size());
  for (const BodyIndex body : bodies) sub.bodies.push_back(problem.bodies[body]);
  sub.bodies.push_back({});  // at rest
  for (const ContactIndex contact : contacts_of(problem)) {
    ContactRows c = contact_rows(problem, contact);
    c.a = index_of(c.a);
    c.b = index_of(c.b);
    kernels::add_impulse(sub.bodies, sub.free_bodies, c, -c.impulse);
  }
  for (const ContactIndex contact : contacts) {
    ContactRows c = contact_rows(problem, contact);
    c.a = index_of(c.a);
    if (c.b > problem.at_rest()) {  // a moving obstacle has a record for each of its contacts
      sub.bodies.push_back(problem.bodies[c.b]);
      c.b = static_cast<BodyIndex>(sub.bodies.size() - 1);
    } else {
      c.b = index_of(c.b);
    }
    c.impulse = {};
    const auto law = static_cast<std::uint32_t>(sub.laws.size());
    sub.laws.push_back(law_of(problem, contact));
    sub.contact_blocks.push_back(ContactBlock::empty(law, 1, sub.at_rest()));
    sub.contact_blocks.back().set(0, c);
  }
  sub.contacts = static_cast<std::uint32_t>(contacts.size());
  return sub;
}

/// True if rounding may invalidate the proof p: p·u = q·p + (Wᵀp)·r with q·p = −1, and impulses r
/// that stop all bodies could compensate it. This happens if a very heavy body lies on a light one.
bool rounding_could_refute(const ContactProblem& sub, const FrictionContactProblem& multiplied,
                           const Vector& p) {
  double mass = 0;
  for (BodyIndex i = 0; i < sub.free_bodies; ++i) mass += 1 / sub.bodies[i].inverse_mass;
  const double impulse = mass * multiplied.q.lpNorm<Eigen::Infinity>();  // [N s]
  const Vector remainder = multiplied.W.transpose() * p;
  return remainder.lpNorm<1>() * impulse > kMaxProofError;
}

}  // namespace

std::vector<ContactIndex> contradiction_near(const ContactProblem& problem, ContactIndex contact) {
  // A proof with fixed rolling friction would prove nothing: that friction could change.
  if (!problem.rolling.empty()) return {};
  const std::vector<ContactIndex> near = nearest(problem, contact);
  const ContactProblem sub = subproblem_of(problem, near);
  Vector r;
  const FactoredProblem factored = factored_problem(sub, r);
  if (!factored.q.allFinite()) return {};
  const FrictionContactProblem multiplied = multiplied_out(factored);
  const std::optional<Vector> proof = find_infeasibility(MatrixOperator(multiplied), {});
  if (!proof || rounding_could_refute(sub, multiplied, *proof)) return {};
  const double largest = proof->lpNorm<Eigen::Infinity>();
  std::vector<ContactIndex> contradictory;
  for (std::size_t k = 0; k < near.size(); ++k)
    if (proof->segment<3>(3 * static_cast<Eigen::Index>(k)).lpNorm<Eigen::Infinity>() >
        kMinProofImpulse * largest)
      contradictory.push_back(near[k]);
  return contradictory;
}

}  // namespace scree
