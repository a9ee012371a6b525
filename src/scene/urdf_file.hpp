/// URDF file: access to its elements and numbers, and error messages with lines.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>
#include <tinyxml2.h>
#include <vector>

#include "scree/core/error.hpp"
#include "scree/geometry/shape.hpp"

namespace scree::urdf {

using Element = tinyxml2::XMLElement;

inline std::string yaml_of(const Vec3& v) { return fmt::format("[{}, {}, {}]", v.x, v.y, v.z); }
inline std::string yaml_of(const Quaternion& q) {
  return fmt::format("[{}, {}, {}, {}]", q.w, q.x, q.y, q.z);
}
/// Text in quotes, valid in JSON and YAML.
inline std::string yaml_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

class UrdfFile {
 public:
  explicit UrdfFile(const std::filesystem::path& file) : file_(file) {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    if (!stream)
      throw OutputError(
          fmt::format("cannot read {}; check the path and its permissions", file.string()));
    if (document_.Parse(text.str().c_str()) != tinyxml2::XML_SUCCESS)
      throw InputError(fmt::format("{}:{}: this is not valid XML: {}", file.string(),
                                   document_.ErrorLineNum(), document_.ErrorName()));
  }

  const std::filesystem::path& path() const { return file_; }
  const Element* root() const { return document_.RootElement(); }
  const std::vector<std::string>& not_covered() const { return not_covered_; }

  [[noreturn]] void refuse(const Element* at, const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", file_.string(), at ? at->GetLineNum() : 1, what));
  }
  void note_missing(const Element& at, const std::string& what) {
    not_covered_.push_back(fmt::format("line {}: {}", at.GetLineNum(), what));
  }

  // Numbers and names of the file.

  std::string text_of(const Element& element, const char* attribute) const {
    const char* text = element.Attribute(attribute);
    if (!text || !*text)
      refuse(&element, fmt::format("{} needs the attribute {}", element.Name(), attribute));
    return text;
  }
  std::vector<double> numbers(const Element& element, const char* attribute,
                              std::size_t count) const {
    std::istringstream words(text_of(element, attribute));
    words.imbue(std::locale::classic());
    std::vector<double> values;
    for (double value; words >> value;) values.push_back(value);
    const bool all = words.eof() && values.size() == count &&
                     std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
    if (!all)
      refuse(&element,
             fmt::format("{} has {}=\"{}\"; {} finite number{} needed", element.Name(), attribute,
                         text_of(element, attribute), count, count == 1 ? " is" : "s are"));
    return values;
  }
  double number(const Element& element, const char* attribute) const {
    return numbers(element, attribute, 1)[0];
  }
  double number_or(const Element* element, const char* attribute, double otherwise) const {
    return element && element->Attribute(attribute) ? number(*element, attribute) : otherwise;
  }
  Vec3 vector(const Element& element, const char* attribute) const {
    const auto v = numbers(element, attribute, 3);
    return {v[0], v[1], v[2]};
  }
  /// Pose of the child `origin`; rotations are about the fixed axes x, y and z in this order.
  Pose origin_of(const Element& element) const {
    const Element* origin = element.FirstChildElement("origin");
    Pose pose;
    if (!origin) return pose;
    if (origin->Attribute("xyz")) pose.position = vector(*origin, "xyz");
    if (origin->Attribute("rpy")) {
      const Vec3 rpy = vector(*origin, "rpy");
      pose.orientation =
          rotation({0, 0, 1}, rpy.z) * rotation({0, 1, 0}, rpy.y) * rotation({1, 0, 0}, rpy.x);
    }
    return pose;
  }

 private:
  std::filesystem::path file_;
  tinyxml2::XMLDocument document_;
  std::vector<std::string> not_covered_;
};

/// Collision of a link that belongs to a body.
struct Collision {
  const Element* element;
  Pose pose;  ///< pose of its link in the frame of the body's link
};

/// Pose expressed in the frame `of`.
inline Pose seen_from(const Pose& of, const Pose& pose) {
  const Quaternion back = conjugate(of.orientation);
  return {rotate(back, pose.position - of.position), normalised(back * pose.orientation)};
}

/// Entry in a scene's `bodies` for a link with an inertial: its shapes, and exactly its inertia.
std::string body_of_link(UrdfFile& file, const Element& link, const std::string& name,
                         const Pose& pose, const std::vector<Collision>& collisions);
/// Entry in a scene's `obstacles` for a link that does not move.
std::string obstacle_of_link(UrdfFile& file, const Element& link, const std::string& name,
                             const Pose& pose, const std::vector<Collision>& collisions);

}  // namespace scree::urdf
