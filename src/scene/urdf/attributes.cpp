/// Reads attributes of elements, and forgives what is clear all the same.
#include "scene/urdf/attributes.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

#include "scene/xml_file.hpp"
#include "scree/core/error.hpp"

namespace scree::robots {

using scene::NumberList;
using scene::numbers_in;

void Attributes::refuse(const Element* at, const std::string& what) const {
  throw InputError(
      fmt::format("{}:{}: {}", findings_.files[0].string(), at ? at->GetLineNum() : 1, what));
}

void Attributes::refuse_macros(const Element& element, const char* attribute) const {
  const std::string_view text = element.Attribute(attribute);
  if (text.find("${") != text.npos || text.find("$(arg") != text.npos)
    refuse(&element, fmt::format("{} has {}=\"{}\", which xacro must compute; run xacro first "
                                 "(xacro FILE > ROBOT.urdf)",
                                 element.Name(), attribute, text));
}

std::string Attributes::name(const Element& element, const char* attribute) {
  const char* text = element.Attribute(attribute);
  return text ? scene::name_in(text) : "";
}

namespace {

/// Numbers of an attribute that has one; a comma between two of them is a decimal comma.
NumberList one_number_in(std::string text) {
  const NumberList list = numbers_in(text.c_str());
  if (list.values.size() != 2 || text.find_first_of(".; ") != text.npos) return list;
  std::ranges::replace(text, ',', '.');
  NumberList one = numbers_in(text.c_str());
  one.clean = false;
  return one;
}

}  // namespace

double Attributes::number(const Element* element, const char* attribute, double otherwise,
                          bool may_be_infinite) {
  if (!element || !element->Attribute(attribute)) return otherwise;
  refuse_macros(*element, attribute);
  const NumberList list = one_number_in(element->Attribute(attribute));
  const bool usable = !list.values.empty() && !std::isnan(list.values[0]) &&
                      (may_be_infinite || std::isfinite(list.values[0]));
  const double value = usable ? list.values[0] : otherwise;
  if (!usable || !list.clean || list.values.size() != 1)
    findings_.repair(element->GetLineNum(),
                     fmt::format("{} has {}=\"{}\", which is not one number", element->Name(),
                                 attribute, element->Attribute(attribute)),
                     fmt::format("it counts as {}", value));
  return value;
}

std::optional<Vec3> Attributes::vector(const Element& element, const char* attribute) {
  if (!element.Attribute(attribute)) return {};
  return vector(&element, attribute, Vec3{});
}

Vec3 Attributes::vector(const Element* element, const char* attribute, const Vec3& otherwise) {
  if (!element || !element->Attribute(attribute)) return otherwise;
  refuse_macros(*element, attribute);
  const NumberList list = numbers_in(element->Attribute(attribute));
  Vec3 value = otherwise;
  bool clean = list.clean && list.values.size() == 3;
  for (std::size_t k = 0; k < std::min<std::size_t>(3, list.values.size()); ++k) {
    if (std::isfinite(list.values[k]))
      value[static_cast<int>(k)] = list.values[k];
    else
      clean = false;
  }
  if (std::string_view(attribute) == "scale" && list.values.size() == 1)
    value = {value.x, value.x, value.x};
  if (!clean)
    findings_.repair(element->GetLineNum(),
                     fmt::format("{} has {}=\"{}\", which is not three numbers", element->Name(),
                                 attribute, element->Attribute(attribute)),
                     fmt::format("they count as {}, {} and {}", value.x, value.y, value.z));
  return value;
}

Pose Attributes::origin_of(const Element& element) {
  const Element* origin = element.FirstChildElement("origin");
  Pose pose;
  pose.position = vector(origin, "xyz", {});
  const Vec3 rpy = vector(origin, "rpy", {});
  pose.orientation =
      rotation({0, 0, 1}, rpy.z) * rotation({0, 1, 0}, rpy.y) * rotation({1, 0, 0}, rpy.x);
  return pose;
}

}  // namespace scree::robots
