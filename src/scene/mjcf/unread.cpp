/// Lists what the importer leaves out of MJCF files.
#include <fmt/format.h>

#include "scene/mjcf/model.hpp"

namespace scree::robots {
namespace {

using Names = std::set<std::string_view>;

const Names kForPictures{"camera", "light", "texture", "material", "skin"};
const Names kOfSoftness{
    "solref",    "solimp",    "solreflimit", "solimplimit", "solreffriction", "solimpfriction",
    "solreffix", "solimpfix", "margin",      "gap",         "solmix"};

void list_attributes(Mjcf& mjcf, const Tag& tag) {
  for (const auto& [name, attribute] : tag.attributes) {
    if (kOfSoftness.contains(name))
      mjcf.left_out.count(attribute.place,
                          "parameters of soft contacts and constraints (solref, "
                          "solimp, margin and the like)",
                          "they are rigid");
    if (name == "springdamper" || name == "gravcomp" || name == "fluidshape")
      mjcf.left_out.count(attribute.place, fmt::format("{} attributes", name));
  }
}

void list_elements(Mjcf& mjcf, const Tag& tag, const Names& known) {
  list_attributes(mjcf, tag);
  for (const Tag& child : tag.children) {
    if (kForPictures.contains(child.name))
      mjcf.left_out.count(child.place, "elements for pictures (camera, light, material, texture)");
    else if (!known.contains(child.name))
      mjcf.left_out.count(child.place, fmt::format("{} elements", child.name));
    list_elements(mjcf, child, known);
  }
}

void list_options(Mjcf& mjcf, const Tag& option) {
  for (const char* fluid : {"density", "viscosity", "wind"})
    if (const auto* found = option.find(fluid))
      mjcf.left_out.count(found->place, "forces of a fluid (density, viscosity, wind)");
  for (const char* method : {"timestep", "integrator", "solver", "iterations", "cone", "impratio"})
    if (const auto* found = option.find(method))
      mjcf.left_out.count(found->place, "options of the method (timestep, solver and the like)",
                          "step.h is 1 ms");
}

}  // namespace

void LeftOut::count(Place at, const std::string& kind, const std::string& why) {
  Kind& of = kinds_.try_emplace(kind, Kind{at, 0, why}).first->second;
  of.first = std::min(of.first, at);
  ++of.number;
}

void LeftOut::report(Findings& findings) const {
  for (const auto& [kind, of] : kinds_)
    findings.remark(of.first, fmt::format("{} ({}) are not covered{}", kind, of.number,
                                          of.why.empty() ? "" : ": " + of.why));
}

void list_unread(Mjcf& mjcf, const Tag& root) {
  const Names in_bodies{"body", "geom", "joint", "freejoint", "inertial", "site", "frame"};
  const Names with_readers{"compiler", "default",  "contact", "equality",  "tendon",
                           "actuator", "keyframe", "size",    "statistic", "visual"};
  for (const Tag& section : root.children) {
    if (section.name == "worldbody")
      list_elements(mjcf, section, in_bodies);
    else if (section.name == "asset")
      list_elements(mjcf, section, {"mesh"});
    else if (section.name == "option")
      list_options(mjcf, section);
    else if (!with_readers.contains(section.name))
      mjcf.left_out.count(section.place, fmt::format("{} elements", section.name));
    if (section.name == "contact" || section.name == "equality" || section.name == "tendon")
      for (const Tag& each : section.children) list_attributes(mjcf, each);
  }
}

}  // namespace scree::robots
