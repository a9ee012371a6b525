/// Reads which bodies and geoms of an MJCF file touch whatever else their geoms say.
#include <algorithm>
#include <fmt/format.h>

#include "scene/mjcf/model.hpp"

namespace scree::robots {
namespace {

void read_exclude(Mjcf& mjcf, const Tag& tag) {
  const std::string one = tag.text("body1"), other = tag.text("body2");
  for (const std::string& name : {one, other})
    if (!mjcf.robot.find(name)) {
      mjcf.findings.repair(tag.place, fmt::format("there is no body '{}' to exclude", name),
                           "the element is left out");
      return;
    }
  mjcf.robot.excluded.insert({one, other});
}

void read_pair(Mjcf& mjcf, const Tag& tag) {
  const std::string one = tag.text("geom1"), other = tag.text("geom2");
  for (const std::string& name : {one, other})
    if (!mjcf.links_of_geoms.contains(name)) {
      mjcf.findings.repair(tag.place, fmt::format("there is no geom '{}' for a pair", name),
                           "the pair is left out");
      return;
    }
  if (mjcf.has_pairs) mjcf.robot.touching.insert({one, other});
  if (tag.find("friction") || tag.find("condim"))
    mjcf.left_out.count(tag.place, "frictions of contact pairs", "they have those of the geoms");
}

}  // namespace

void read_contacts(Mjcf& mjcf, const Tag& contact) {
  for (const Tag& tag : contact.children) {
    if (tag.name == "exclude") read_exclude(mjcf, tag);
    if (tag.name == "pair") read_pair(mjcf, tag);
  }
}

void drop_parts_for_pictures(Mjcf& mjcf) {
  std::set<std::string> in_pairs;
  for (const auto& [one, other] : mjcf.robot.touching) in_pairs.insert({one, other});
  for (Link& link : mjcf.robot.links)
    std::erase_if(link.parts, [&](const Part& part) {
      const bool touches = part.filter.type != 0 || part.filter.affinity != 0 ||
                           (!part.name.empty() && in_pairs.contains(part.name));
      if (!touches)
        mjcf.left_out.count(part.place, "geoms that touch nothing",
                            "pictures show the shapes that touch");
      return !touches;
    });
}

}  // namespace scree::robots
