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

/// Reads the friction of a pair: two numbers of sliding, one of spinning, two of rolling. What it
/// does not give is that of the first geom.
void read_friction(Mjcf& mjcf, const Tag& tag, const std::pair<std::string, std::string>& names) {
  std::optional<Surface> of;
  for (Link& link : mjcf.robot.links)
    for (Part& part : link.parts) {
      if (part.name != names.first && part.name != names.second) continue;
      part.surface->part = part.name;
      if (!of || part.name == names.first) of = part.surface;
    }
  if (!of) return;
  const std::vector<double> n = mjcf.values.numbers(tag, "friction", 5);
  if (!n.empty()) of->friction = std::max(0.0, n[0]);
  if (n.size() > 2) of->spinning = std::max(0.0, n[2]);
  if (n.size() > 3) of->rolling = std::max(0.0, n[3]);
  of->dimensions =
      static_cast<int>(std::clamp(mjcf.values.number(tag, "condim", of->dimensions), 1.0, 6.0));
  mjcf.robot.frictions[names] = *of;
}

void read_pair(Mjcf& mjcf, const Tag& tag) {
  const std::string one = tag.text("geom1"), other = tag.text("geom2");
  for (const std::string& name : {one, other})
    if (!mjcf.links_of_geoms.contains(name)) {
      mjcf.findings.repair(tag.place, fmt::format("there is no geom '{}' for a pair", name),
                           "the pair is left out");
      return;
    }
  if (!mjcf.has_pairs) return;
  mjcf.robot.touching.insert({one, other});
  if (tag.find("friction") || tag.find("condim")) read_friction(mjcf, tag, {one, other});
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
