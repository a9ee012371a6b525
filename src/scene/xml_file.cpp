/// Reads foreign XML files, and the numbers in them.
#include "scene/xml_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <string_view>

#include "scree/core/error.hpp"

namespace scree::scene {
namespace {

/// Number of bytes of the character that starts a text; 0 if it is no UTF-8.
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length == 0 || length > text.size()) return 0;
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  return std::ranges::all_of(text.substr(1, length - 1), continues) ? length : 0;
}

std::string from_latin_1(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      result += c;
      continue;
    }
    result += static_cast<char>(0xC0 | byte >> 6);
    result += static_cast<char>(0x80 | (byte & 0x3F));
  }
  return result;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

/// Blanks `<?…?>`, keeping the lines.
void blank_declarations(std::string& text) {
  for (std::size_t at = 0; (at = text.find("<?", at)) != std::string::npos;) {
    const std::size_t end = text.find("?>", at);
    if (end == std::string::npos) return;
    for (; at < end + 2; ++at)
      if (text[at] != '\n') text[at] = ' ';
  }
}

/// Reads the number at the start of a text and removes it; none if there is none.
std::optional<double> take_number(std::string_view& text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument) return {};
  const std::string_view number(text.data(), static_cast<std::size_t>(end - text.data()));
  if (error == std::errc::result_out_of_range) {  // nothing but its exponent says which way
    const bool small = number.find("e-") != number.npos || number.find("E-") != number.npos;
    value = small ? 0 : (number[0] == '-' ? -HUGE_VAL : HUGE_VAL);
  }
  text.remove_prefix(number.size());
  return value;
}

}  // namespace

std::string read_as_utf8(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream bytes;
  if (std::filesystem::is_regular_file(file)) bytes << stream.rdbuf();
  if (!stream || !std::filesystem::is_regular_file(file))
    throw OutputError(
        fmt::format("cannot read {}; check the path and its permissions", file.string()));
  const std::string text = bytes.str();
  return is_utf8(text) ? text : from_latin_1(text);
}

std::optional<XmlFault> parse(tinyxml2::XMLDocument& document, std::string text) {
  blank_declarations(text);
  if (document.Parse(text.c_str()) == tinyxml2::XML_SUCCESS) return {};
  return XmlFault{std::max(1, document.ErrorLineNum()), document.ErrorName()};
}

NumberList numbers_in(const char* text) {
  NumberList result;
  std::string_view rest(text);
  while (!rest.empty()) {
    if (std::strchr(" \t\r\n", rest[0])) {
      rest.remove_prefix(1);
    } else if (std::strchr(",;", rest[0])) {
      result.clean = false;
      rest.remove_prefix(1);
    } else if (const auto value = take_number(rest)) {
      result.values.push_back(*value);
    } else {
      result.clean = false;
      break;
    }
  }
  return result;
}

std::string name_in(std::string text) {
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    if (byte < ' ' || byte == 0x7F) text[k] = ' ';
    if (byte == 0xC2 && k + 1 < text.size() && static_cast<unsigned char>(text[k + 1]) < 0xA0)
      text.replace(k, 2, " ");
  }
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

}  // namespace scree::scene
