/// Attributes of elements in URDF files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <tinyxml2.h>

#include "scene/urdf/robot.hpp"

namespace scree::urdf {

using Element = tinyxml2::XMLElement;

/// Attributes of elements; those that cannot be read get other values, which are reported.
class Attributes {
 public:
  Attributes(const std::filesystem::path& file, Findings& findings)
      : file_(file), findings_(findings) {}

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

  std::filesystem::path file_;
  Findings& findings_;
};

}  // namespace scree::urdf
