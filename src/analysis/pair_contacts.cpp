/// Merges the contact points of each pair of bodies.
#include "scree/analysis/pair_contacts.hpp"

#include <algorithm>

namespace scree {
namespace {

double normal_impulse(const ContactRecord& contact) { return dot(contact.impulse, contact.normal); }

/// True if two points belong to one pair, which has one normal.
bool is_of_one_face(const ContactRecord& a, const ContactRecord& b) {
  constexpr double kParallel = 1 - 1e-6;
  return a.a == b.a && a.b == b.b && dot(a.normal, b.normal) > kParallel;
}

/// Contact that merges the points of one pair.
ContactRecord sum_of(std::span<const ContactRecord> points) {
  const auto deepest = std::ranges::min_element(points, {}, &ContactRecord::gap);
  ContactRecord sum = *deepest;
  sum.impulse = {};
  sum.angular_impulse = {};
  sum.dissipated_energy = 0;
  sum.kind = ContactClass::separating;
  Vec3 moment;
  double weight = 0;
  for (const ContactRecord& point : points) {
    const double load = std::max(0.0, normal_impulse(point));
    moment += load * point.point;
    weight += load;
    sum.impulse += point.impulse;
    sum.angular_impulse += point.angular_impulse;
    sum.dissipated_energy += point.dissipated_energy;
    sum.residual = std::max(sum.residual, point.residual);
    sum.cone_violation = std::max(sum.cone_violation, point.cone_violation);
    sum.complementarity_violation =
        std::max(sum.complementarity_violation, point.complementarity_violation);
    sum.painleve_number = std::max(sum.painleve_number, point.painleve_number);
    const bool holds = sum.kind == ContactClass::sticking || point.kind == ContactClass::sticking;
    if (load > 0 && point.kind != ContactClass::separating)
      sum.kind = holds ? ContactClass::sticking : ContactClass::sliding;
  }
  if (weight > 0) sum.point = moment / weight;
  return sum;
}

}  // namespace

std::vector<ContactRecord> one_per_pair(std::span<const ContactRecord> contacts) {
  std::vector<ContactRecord> pairs;
  pairs.reserve(contacts.size());
  for (std::size_t begin = 0, end = 0; begin < contacts.size(); begin = end) {
    while (end < contacts.size() && is_of_one_face(contacts[begin], contacts[end])) ++end;
    pairs.push_back(end - begin == 1 ? contacts[begin]
                                     : sum_of(contacts.subspan(begin, end - begin)));
  }
  return pairs;
}

bool is_one_per_pair(std::span<const ContactRecord> contacts) {
  return std::ranges::adjacent_find(contacts, is_of_one_face) == contacts.end();
}

}  // namespace scree
