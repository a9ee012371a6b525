/// Foreign XML files: their text, elements and numbers.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <tinyxml2.h>
#include <vector>

namespace scree::scene {

/// Text of a file as UTF-8; other bytes count as Latin-1. Throws OutputError if it cannot be read.
std::string read_as_utf8(const std::filesystem::path& file);

struct XmlFault {
  int line;
  std::string name;
};
/// Parses text; declarations are left out, because they need not be at its start. Returns why it is
/// not XML; none if it is.
std::optional<XmlFault> parse(tinyxml2::XMLDocument& document, std::string text);

/// Numbers of a text, separated by spaces or commas. `clean` is false if there were commas, or
/// anything that ended the numbers.
struct NumberList {
  std::vector<double> values;
  bool clean = true;
};
NumberList numbers_in(const char* text);

/// Name in UTF-8 without spaces around it, and with spaces for control characters, those from
/// U+0080 to U+009F included.
std::string name_in(std::string text);

}  // namespace scree::scene
