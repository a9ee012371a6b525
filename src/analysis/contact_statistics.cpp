#include "scree/analysis/contact_statistics.hpp"

#include <algorithm>

namespace scree {

ContactStatistics contact_statistics(std::span<const ContactRecord> contacts, std::size_t body_count) {
  ContactStatistics statistics;
  // One entry for each free body's end of a loaded contact.
  std::vector<BodyId> ends;
  double percussion_sum = 0;
  for (const ContactRecord& contact : contacts) {
    const double normal_percussion = dot(contact.percussion, contact.normal);
    if (!(normal_percussion > 0)) continue;
    ++statistics.loaded;
    percussion_sum += normal_percussion;
    if (contact.kind == ContactClass::sliding) ++statistics.sliding;
    for (const BodyId id : {contact.a, contact.b}) {
      if (!is_obstacle(id)) ends.push_back(id);
    }
  }
  if (statistics.loaded > 0)
    statistics.mean_normal_percussion = percussion_sum / static_cast<double>(statistics.loaded);

  // Runs of equal ids are the contacts of one body.
  std::sort(ends.begin(), ends.end());
  statistics.bodies_by_contacts.assign(1, 0);
  for (auto first = ends.begin(); first != ends.end();) {
    const auto last = std::upper_bound(first, ends.end(), *first);
    const auto count = static_cast<std::size_t>(last - first);
    if (statistics.bodies_by_contacts.size() <= count) statistics.bodies_by_contacts.resize(count + 1);
    ++statistics.bodies_by_contacts[count];
    ++statistics.bodies_loaded;
    first = last;
  }
  statistics.bodies_by_contacts[0] = body_count - std::min(body_count, statistics.bodies_loaded);

  const auto ends_per = [&](std::size_t bodies) {
    return bodies == 0 ? 0 : static_cast<double>(ends.size()) / static_cast<double>(bodies);
  };
  statistics.coordination_number = ends_per(body_count);
  statistics.coordination_number_loaded = ends_per(statistics.bodies_loaded);
  return statistics;
}

}  // namespace scree
