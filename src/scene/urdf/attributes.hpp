/// Attributes of elements in URDF files.
#pragma once

#include <optional>
#include <string>
#include <tinyxml2.h>

#include "scene/robots/robot.hpp"

namespace scree::robots {

using Element = tinyxml2::XMLElement;

/// Attributes of elements; those that cannot be read get other values, which are reported.
class Attributes {
 public:
  explicit Attributes(Findings& findings) : findings_(findings) {}

  [[noreturn]] void refuse(const Element* at, const std::string& what) const;
  Findings& findings() { return findings_; }

  /// Name without spaces around it; empty if it is missing.
  std::string name(const Element& element, const char* attribute);
  double number(const Element* element, const char* attribute, double otherwise,
                bool may_be_infinite = false);
  Vec3 vector(const Element* element, const char* attribute, const Vec3& otherwise);
  /// None if the attribute is missing.
  std::optional<Vec3> vector(const Element& element, const char* attribute);
  /// Pose of the child `origin`; rotations are about the fixed axes x, y and z in this order.
  Pose origin_of(const Element& element);

 private:
  /// Refuses values that only xacro can compute.
  void refuse_macros(const Element& element, const char* attribute) const;

  Findings& findings_;
};

}  // namespace scree::robots
