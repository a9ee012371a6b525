/// Elements of MJCF files: a tree in which included files and default classes are filled in.
#pragma once

#include <map>
#include <string>
#include <tinyxml2.h>
#include <vector>

#include "scene/robots/robot.hpp"

namespace scree::robots {

struct Tag {
  struct Attribute {
    std::string text;
    Place place;
  };
  std::string name;
  Place place;
  std::map<std::string, Attribute> attributes;
  std::vector<Tag> children;

  const Attribute* find(const std::string& attribute) const;
  /// Text of an attribute without spaces around it; empty if it is missing.
  std::string text(const std::string& attribute) const;
};

/// Tree of the first file of the findings, with the files that it includes.
Tag tree_of(const tinyxml2::XMLElement& root, Findings& findings);

/// Gives each element of bodies, assets, actuators and the like the attributes of its default class
/// that it lacks.
void apply_classes(Tag& root, Findings& findings);

}  // namespace scree::robots
