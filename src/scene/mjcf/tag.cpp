/// Reads the elements of an MJCF file and of those that it includes.
#include "scene/mjcf/tag.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "scene/xml_file.hpp"
#include "scree/core/error.hpp"

namespace scree::robots {
namespace {

namespace fs = std::filesystem;

class Includer {
 public:
  explicit Includer(Findings& findings)
      : findings_(findings), open_{findings.files[0].lexically_normal()} {}

  Tag tag_of(const tinyxml2::XMLElement& element, int file) {
    Tag tag{.name = element.Name(), .place = {file, element.GetLineNum()}};
    for (const auto* a = element.FirstAttribute(); a; a = a->Next())
      tag.attributes[a->Name()] = {a->Value(), {file, a->GetLineNum()}};
    add_children(element, file, tag);
    return tag;
  }

 private:
  void add_children(const tinyxml2::XMLElement& element, int file, Tag& tag) {
    for (const auto* e = element.FirstChildElement(); e; e = e->NextSiblingElement())
      if (std::string_view(e->Name()) == "include")
        include(*e, file, tag);
      else
        tag.children.push_back(tag_of(*e, file));
  }

  /// Adds what is in the root of a file that another includes.
  void include(const tinyxml2::XMLElement& element, int from, Tag& tag) {
    const Place at{from, element.GetLineNum()};
    const char* name = element.Attribute("file");
    const auto leave_out = [&](const std::string& why) {
      findings_.repair(at,
                       fmt::format("the file '{}' cannot be included: {}", name ? name : "", why),
                       "it is left out");
    };
    const fs::path path = path_of(name ? name : "", from);
    if (path.empty()) return leave_out("it is not there");
    if (std::ranges::find(open_, path) != open_.end() || findings_.files.size() > kMaxFiles)
      return leave_out("it includes itself");
    tinyxml2::XMLDocument document;
    if (const auto fault = scene::parse(document, scene::read_as_utf8(path)))
      return leave_out(
          fmt::format("{}:{}: it is not valid XML: {}", path.string(), fault->line, fault->name));
    findings_.files.push_back(path);
    open_.push_back(path);
    if (const auto* root = document.RootElement())
      add_children(*root, static_cast<int>(findings_.files.size()) - 1, tag);
    open_.pop_back();
  }

  /// Path of an included file, in the folder of the file that includes it or of the first one.
  fs::path path_of(std::string name, int from) const {
    std::ranges::replace(name, '\\', '/');
    for (const fs::path& file :
         {findings_.files[static_cast<std::size_t>(from)], findings_.files[0]}) {
      const fs::path path = file.parent_path() / name;
      std::error_code ignored;
      if (!name.empty() && fs::is_regular_file(path, ignored)) return path.lexically_normal();
    }
    return {};
  }

  static constexpr std::size_t kMaxFiles = 1000;
  Findings& findings_;
  std::vector<fs::path> open_;  ///< the files that include each other, the first one first
};

/// Classes of attributes that elements have by default.
class Classes {
 public:
  explicit Classes(Findings& findings) : findings_(findings) {}

  /// Reads a `default` element; nested ones begin with the attributes of the outer one.
  void read(const Tag& element, const std::string& outer) {
    std::string name = element.text("class");
    if (name.empty()) name = outer.empty() ? "main" : outer;
    if (!classes_.contains(name) && !outer.empty()) classes_[name] = classes_[outer];
    for (const Tag& child : element.children)
      if (child.name != "default")
        for (const auto& [key, value] : child.attributes)
          classes_[name][key_of(child.name)][key] = value;
    for (const Tag& child : element.children)
      if (child.name == "default") read(child, name);
  }

  /// Fills in an element and its children; bodies may give a class to all that is in them.
  void fill(Tag& tag, std::string of_body) {
    if (const std::string own = tag.text("childclass"); !own.empty()) of_body = own;
    const std::string own = tag.text("class");
    const auto& from = attributes_of(own.empty() ? of_body : own, tag);
    if (const auto defaults = from.find(key_of(tag.name)); defaults != from.end())
      for (const auto& [key, value] : defaults->second) tag.attributes.try_emplace(key, value);
    if (tag.name == "fixed" || tag.name == "spatial") return;
    for (Tag& child : tag.children) fill(child, of_body);
  }

 private:
  using Attributes = std::map<std::string, std::map<std::string, Tag::Attribute>>;

  /// Name under which defaults of an element are kept: all motors share theirs.
  static std::string key_of(const std::string& name) {
    for (const char* actuator : {"general", "motor", "position", "velocity", "intvelocity",
                                 "damper", "cylinder", "muscle", "adhesion"})
      if (name == actuator) return "general";
    if (name == "connect" || name == "weld") return "equality";
    if (name == "fixed" || name == "spatial") return "tendon";
    return name;
  }

  const Attributes& attributes_of(const std::string& name, const Tag& of) {
    const auto found = classes_.find(name);
    if (found != classes_.end()) return found->second;
    if (name != "main")
      findings_.repair(of.place, fmt::format("there is no default class '{}'", name),
                       "its elements have the class 'main'");
    return classes_["main"];
  }

  Findings& findings_;
  std::map<std::string, Attributes> classes_;
};

}  // namespace

const Tag::Attribute* Tag::find(const std::string& attribute) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? nullptr : &found->second;
}

std::string Tag::text(const std::string& attribute) const {
  const Attribute* found = find(attribute);
  return found ? scene::name_in(found->text) : "";
}

Tag tree_of(const tinyxml2::XMLElement& root, Findings& findings) {
  return Includer(findings).tag_of(root, 0);
}

void apply_classes(Tag& root, Findings& findings) {
  Classes classes(findings);
  for (const Tag& child : root.children)
    if (child.name == "default") classes.read(child, "");
  for (Tag& child : root.children) {
    const bool has_elements = child.name == "worldbody" || child.name == "asset" ||
                              child.name == "actuator" || child.name == "contact" ||
                              child.name == "tendon";
    if (has_elements) classes.fill(child, "main");
    if (child.name == "equality")
      for (Tag& each : child.children)
        if (each.name == "connect" || each.name == "weld") classes.fill(each, "main");
  }
}

}  // namespace scree::robots
