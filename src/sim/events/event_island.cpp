// Impacts of one island, one after the other. Bodies fly on the parabolas of the leapfrog. An
// impulse at time s changes a velocity as any other does, and the position at the end by −s Δv,
// because the body flew with its old velocity until then.
#include "sim/events/event_island.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/laws/coulomb.hpp"
#include "scree/solvers/tangents.hpp"
#include "sim/events/flight.hpp"
#include "solvers/step_settings.hpp"

namespace scree {

ImpactEvents::Flight* EventIsland::flight(BodyIndex i) const {
  ImpactEvents& events = c_.scratch.events;
  return i < events.flight_of.size() ? &events.flights[events.flight_of[i]] : nullptr;
}

RelativeFlight EventIsland::relative(const Contact& contact) const {
  RelativeFlight of{contact.apart, record(contact.b).velocity - record(contact.a).velocity, {}};
  const auto add = [&](const ImpactEvents::Flight* body, double sign) {
    if (!body) return;
    of.at_start += sign * body->displacement;
    of.acceleration += sign * body->acceleration;
  };
  add(flight(contact.a), -1);
  add(flight(contact.b), 1);
  return of;
}

Vec3 EventIsland::normal_of(const Contact& contact, double t) const {
  if (contact.is_plane) return contact.normal;
  const RelativeFlight of = relative(contact);
  const Vec3 apart = of.at_start + t * of.velocity;
  return apart / norm(apart);
}

double EventIsland::gap_of(const Contact& contact, double t) const {
  const RelativeFlight of = relative(contact);
  if (contact.is_plane) return distance_from_plane(contact.normal, contact.gap, of, t, h_).value;
  return norm(of.at_start + t * of.velocity) - contact.touch;
}

double EventIsland::time_of_touch(const Contact& contact) const {
  const RelativeFlight of = relative(contact);
  return now_ + (contact.is_plane
                     ? time_of_fall(distance_from_plane(contact.normal, contact.gap, of, now_, h_))
                     : time_of_meeting(of, contact.touch, now_));
}

/// True if a contact that touches at time t hits: faster than what weight gives in a step, than the
/// threshold of restitution, and than rounding.
bool EventIsland::is_fast(const Contact& contact, double t) const {
  const RelativeFlight of = relative(contact);
  const Vec3 n = normal_of(contact, t);
  const double weight = h_ * std::abs(dot(n, of.acceleration)),
               rounding = 16 * std::numeric_limits<double>::epsilon() *
                          (norm(record(contact.a).velocity) + norm(record(contact.b).velocity));
  return dot(n, of.velocity_at(t, h_)) <
         -std::max({c_.model.step.restitution_threshold, weight, rounding});
}

/// Moves to the time of the next impact within the step; null without one.
EventIsland::Contact* EventIsland::next() {
  Contact* first = nullptr;
  double time = h_;
  for (Contact& contact : contacts_) {
    const double touch = time_of_touch(contact);
    if (!(touch < time) || !is_fast(contact, touch)) continue;
    first = &contact;
    time = touch;
  }
  if (first) now_ = time;
  return first;
}

/// u, with the velocities of the scheme.
Vec3 EventIsland::velocity(const Contact& contact, const Vec3& n) const {
  const BodyRecord &a = record(contact.a), &b = record(contact.b);
  return b.velocity - a.velocity - cross(a.spin + b.spin, n);
}

/// What forces add to u from the middle of the step until now.
Vec3 EventIsland::change_by_forces(const Contact& contact, const Vec3& n) const {
  Vec3 change;
  const auto add = [&](const ImpactEvents::Flight* body, double sign) {
    if (body) change += sign * body->acceleration - cross(body->spin_acceleration, n);
  };
  add(flight(contact.a), -1);
  add(flight(contact.b), 1);
  return (now_ - h_ / 2) * change;
}

void EventIsland::push(BodyIndex i, const Vec3& dv, const Vec3& ds) {
  ImpactEvents::Flight* of = flight(i);
  if (!of) return;
  BodyRecord& body = record(i);
  of->path += (now_ - of->since) * norm(body.velocity);
  of->since = now_;
  of->displacement -= now_ * dv;
  of->turn -= now_ * ds;
  body.velocity += dv;
  body.spin += ds;
}

EventIsland::Mobility EventIsland::mobility(const Contact& contact) const {
  const BodyRecord &a = record(contact.a), &b = record(contact.b);
  const double w_n = a.inverse_mass + b.inverse_mass;
  return {w_n, w_n + a.inverse_inertia + b.inverse_inertia};
}

/// Newton's law of impacts with Coulomb friction; between spheres it is Poisson's and Stronge's,
/// too.
void EventIsland::collide(Contact& contact) {
  const BodyRecord &a = record(contact.a), &b = record(contact.b);
  const Vec3 n = normal_of(contact, now_), before = velocity(contact, n),
             by_forces = change_by_forces(contact, n);
  const auto [w_n, w_t] = mobility(contact);
  const Vec3 u = before + by_forces;
  const double u_n = dot(u, n), r_n = -(1 + contact.restitution) * u_n / w_n;
  Vec3 r_t = (u_n * n - u) / w_t;
  if (const double size = norm(r_t); size > contact.friction * r_n)
    r_t *= contact.friction * r_n / size;
  const Vec3 r = r_n * n + r_t, s = cross(r_t, n);
  push(contact.a, -a.inverse_mass * r, a.inverse_inertia * s);
  push(contact.b, b.inverse_mass * r, b.inverse_inertia * s);

  ++contact.impacts;
  contact.impulse += r;
  contact.normal_impulse += r_n * n;
  const Vec3 mean = 0.5 * (before + velocity(contact, n)), true_mean = mean + by_forces;
  contact.work += dot(r, mean);
  contact.wear += {-r_n * dot(true_mean, n), -dot(r_t, true_mean)};
  const Vec3 asked = velocity(contact, n) + by_forces + contact.restitution * u_n * n;
  certify(contact, n, asked, r, -dot(r, true_mean));
}

/// Adds the certificate of an impact: the law holds in its velocity after the impact, without that
/// of the rebound.
void EventIsland::certify(Contact& contact, const Vec3& n, const Vec3& u, const Vec3& r,
                          double dissipated) const {
  Vec3 t1, t2;
  tangents(n, t1, t2);
  const auto to_frame = [&](const Vec3& v) { return Vec3{dot(v, n), dot(v, t1), dot(v, t2)}; };
  const auto [w_n, w_t] = mobility(contact);
  const ContactCertificate now = certificate_of(Coulomb{contact.friction}, diagonal(w_n, w_t, w_t),
                                                to_frame(u), to_frame(r), dissipated);
  ContactCertificate& sum = contact.certificate;
  sum.kind = now.kind;
  sum.residual = std::max(sum.residual, now.residual);
  sum.cone_violation = std::max(sum.cone_violation, now.cone_violation);
  sum.complementarity_violation += now.complementarity_violation;
  sum.dissipated_energy += now.dissipated_energy;
}

/// True if an impact drives one of its bodies against another that it touches: these impacts have
/// no order.
bool EventIsland::coincides(const Contact& with) const {
  const auto shares = [&](BodyIndex i) {
    return flight(i) != nullptr && (i == with.a || i == with.b);
  };
  return std::ranges::any_of(contacts_, [&](const Contact& contact) {
    return (shares(contact.a) || shares(contact.b)) &&
           gap_of(contact, now_) <= kClosedGapOfRadius * contact.radius && is_fast(contact, now_);
  });
}

/// True if a contact that did not rest at the start closes too slowly for an impact.
bool EventIsland::presses(const Contact& contact) const {
  const double closed = kClosedGapOfRadius * contact.radius;
  const bool rests = contact.impacts == 0 && contact.gap <= closed;
  return !rests && gap_of(contact, h_) < std::min(0.0, contact.gap) - closed;
}

/// Gap terms of a contact without an impact, which stays in the problem: by the gap that it has at
/// the end of the step without the impulses of the solve.
void EventIsland::set_gap_term(const Contact& contact) const {
  SphereContactBlock& block = c_.scratch.problem.blocks[contact.slot / kBlock];
  const std::size_t lane = contact.slot % kBlock;
  const Vec3 n{block.normal[0][lane], block.normal[1][lane], block.normal[2][lane]};
  const double gap = gap_of(contact, h_), u_n = dot(n, relative(contact).velocity);
  block.bias[lane] = std::max(0.0, (gap - std::min(0.0, contact.gap)) / h_ - u_n);
  c_.scratch.correction.blocks[contact.slot / kBlock].admissible_approach[lane] =
      (gap + kPenetrationSlop * contact.radius) / h_ - u_n;
}

template <class F>
void EventIsland::for_each_flight(F&& f) const {
  for (const Contact& contact : contacts_)
    for (const BodyIndex i : {contact.a, contact.b})
      if (ImpactEvents::Flight* of = flight(i)) f(*of);
}

void EventIsland::end_paths() {
  for_each_flight([&](ImpactEvents::Flight& of) {
    of.path += (h_ - of.since) * norm(record(of.body).velocity);
    of.since = h_;
  });
}

void EventIsland::undo() {
  for_each_flight([&](ImpactEvents::Flight& of) { record(of.body) = of.free; });
}

EventIsland::Outcome EventIsland::run() {
  const auto left = [&] {
    return std::ranges::any_of(contacts_, [](const Contact& of) { return of.impacts > 1; })
               ? Outcome::unordered
               : Outcome::left;
  };
  int impacts = 0;
  for (Contact* contact = next(); contact; contact = next()) {
    if (++impacts > kMaxImpactsOfIsland) return Outcome::unordered;
    collide(*contact);
    if (coincides(*contact)) return left();
  }
  const bool rebounds = std::ranges::any_of(
      contacts_, [](const Contact& of) { return of.impacts > 0 && of.restitution > 0; });
  if (!rebounds) return Outcome::left;
  if (std::ranges::any_of(contacts_, [&](const Contact& of) { return presses(of); })) return left();
  for (const Contact& contact : contacts_)
    if (contact.impacts == 0) set_gap_term(contact);
  end_paths();
  return Outcome::resolved;
}

}  // namespace scree
