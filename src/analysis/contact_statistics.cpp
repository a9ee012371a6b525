/// Coordination numbers, rattlers and the backbone of a packing.
#include "scree/analysis/contact_statistics.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace scree {
namespace {

constexpr std::uint32_t kNobody = ~std::uint32_t{0};

/// Bodies and the loaded contacts between them.
struct ContactGraph {
  /// A free body's end of a contact.
  struct End {
    BodyId id;
    std::uint32_t contact;
    auto operator<=>(const End&) const = default;
  };
  std::vector<End> ends;             ///< sorted by body
  std::vector<std::uint32_t> first;  ///< first entry of each body in `ends`, and the end
  /// Bodies at the ends of each contact; kNobody for an obstacle
  std::vector<std::array<std::uint32_t, 2>> joins;

  std::size_t bodies() const { return first.size() - 1; }
  BodyId id(std::size_t body) const { return ends[first[body]].id; }
  std::uint32_t degree(std::size_t body) const { return first[body + 1] - first[body]; }
};

bool is_loaded(const ContactRecord& contact) { return dot(contact.impulse, contact.normal) > 0; }

ContactGraph graph_of(std::span<const ContactRecord> contacts) {
  ContactGraph graph;
  graph.joins.assign(contacts.size(), {kNobody, kNobody});
  for (std::uint32_t c = 0; c < contacts.size(); ++c) {
    if (!is_loaded(contacts[c])) continue;
    for (const BodyId id : {contacts[c].a, contacts[c].b}) {
      if (!is_obstacle(id)) graph.ends.push_back({id, c});
    }
  }
  std::sort(graph.ends.begin(), graph.ends.end());
  for (std::uint32_t e = 0; e < graph.ends.size(); ++e) {
    if (e == 0 || graph.ends[e].id != graph.ends[e - 1].id) graph.first.push_back(e);
    auto& bodies = graph.joins[graph.ends[e].contact];
    bodies[bodies[0] == kNobody ? 0 : 1] = static_cast<std::uint32_t>(graph.first.size() - 1);
  }
  graph.first.push_back(static_cast<std::uint32_t>(graph.ends.size()));
  return graph;
}

/// Number of contacts of each body in the backbone, at least `min_contacts`; 0 for rattlers.
std::vector<std::uint32_t> backbone_degrees(const ContactGraph& graph, std::size_t min_contacts) {
  std::vector<std::uint32_t> degree(graph.bodies()), leaving;
  std::vector<bool> gone(graph.bodies());
  const auto look_at = [&](std::uint32_t body) {
    if (gone[body] || degree[body] >= min_contacts) return;
    gone[body] = true;
    leaving.push_back(body);
  };
  for (std::uint32_t body = 0; body < graph.bodies(); ++body) {
    degree[body] = graph.degree(body);
    look_at(body);
  }
  // A removed body takes its contacts along, which may make others rattlers.
  while (!leaving.empty()) {
    const std::uint32_t body = leaving.back();
    leaving.pop_back();
    for (std::uint32_t e = graph.first[body]; e < graph.first[body + 1]; ++e) {
      for (const std::uint32_t other : graph.joins[graph.ends[e].contact]) {
        if (other == kNobody || gone[other]) continue;
        --degree[other];
        look_at(other);
      }
    }
    degree[body] = 0;
  }
  return degree;
}

double mean(double sum, std::size_t count) {
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

/// `is_counted(id)`: true for the `body_count` chosen bodies.
template <class IsCounted>
ContactStatistics statistics_of(std::span<const ContactRecord> contacts, std::size_t body_count,
                                std::size_t min_contacts, const IsCounted& is_counted) {
  ContactStatistics s;
  double impulse_sum = 0;
  for (const ContactRecord& contact : contacts) {
    const bool meant = (!is_obstacle(contact.a) && is_counted(contact.a)) ||
                       (!is_obstacle(contact.b) && is_counted(contact.b));
    if (!is_loaded(contact) || !meant) continue;
    ++s.loaded;
    impulse_sum += dot(contact.impulse, contact.normal);
    if (contact.kind == ContactClass::sliding) ++s.sliding;
  }
  s.mean_normal_impulse = mean(impulse_sum, s.loaded);

  const ContactGraph graph = graph_of(contacts);
  const auto backbone_degree = backbone_degrees(graph, min_contacts);
  std::size_t ends = 0, backbone = 0, backbone_ends = 0;
  s.bodies_by_contacts.assign(1, 0);
  for (std::size_t body = 0; body < graph.bodies(); ++body) {
    if (!is_counted(graph.id(body))) continue;
    const std::size_t degree = graph.degree(body);
    if (s.bodies_by_contacts.size() <= degree) s.bodies_by_contacts.resize(degree + 1);
    ++s.bodies_by_contacts[degree];
    ++s.bodies_loaded;
    ends += degree;
    backbone += backbone_degree[body] > 0 ? 1 : 0;
    backbone_ends += backbone_degree[body];
  }
  s.bodies = std::max(body_count, s.bodies_loaded);
  s.bodies_by_contacts[0] = s.bodies - s.bodies_loaded;
  s.rattlers = s.bodies - backbone;
  s.coordination_number = mean(static_cast<double>(ends), body_count);
  s.coordination_number_loaded = mean(static_cast<double>(ends), s.bodies_loaded);
  s.coordination_number_backbone = mean(static_cast<double>(backbone_ends), backbone);
  return s;
}

}  // namespace

ContactStatistics contact_statistics(std::span<const ContactRecord> contacts,
                                     std::size_t body_count, std::size_t min_contacts) {
  return statistics_of(contacts, body_count, min_contacts, [](BodyId) { return true; });
}

ContactStatistics contact_statistics(std::span<const ContactRecord> contacts,
                                     std::span<const BodyId> counted, std::size_t min_contacts) {
  return statistics_of(contacts, counted.size(), min_contacts, [&](BodyId id) {
    return std::binary_search(counted.begin(), counted.end(), id);
  });
}

}  // namespace scree
