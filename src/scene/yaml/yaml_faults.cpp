#include "scene/yaml/yaml_faults.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>

namespace scree::scene {
namespace {

namespace library = YAML::ErrorMsg;

struct Translation {
  std::string_view library, ours;
};

constexpr std::string_view kKeyOrIndentation =
    "this line fits neither the map nor the list above; give it the indentation of the lines that "
    "it belongs to, and write each key as KEY: VALUE";

// Not constexpr, as the texts of the library are not.
const std::array kTranslations{
    Translation{library::END_OF_MAP, kKeyOrIndentation},
    Translation{library::END_OF_SEQ, kKeyOrIndentation},
    Translation{library::MAP_VALUE,
                "this value is not expected here; check the indentation, check that the key above "
                "has its ':', and put a text with ': ' in quotes"},
    Translation{library::MAP_KEY, "a key is not expected here; check the indentation"},
    Translation{library::BLOCK_ENTRY,
                "a list with '-' cannot begin here; write each '- ' in a line of its own, indented "
                "with spaces"},
    Translation{library::TAB_IN_INDENTATION, "a tab indents this line; use spaces"},
    Translation{library::UNKNOWN_TOKEN,
                "a value cannot begin with this character; put a text in quotes"},
    Translation{library::UNKNOWN_ANCHOR,
                "no value above has an anchor of this name; write &NAME in front of that value"},
    Translation{library::ALIAS_NOT_FOUND,
                "the name of an anchor is missing after '*'; put a text that begins with it in "
                "quotes"},
    Translation{library::ANCHOR_NOT_FOUND,
                "the name is missing after '&'; put a text that begins with it in quotes"},
    Translation{library::DOC_IN_SCALAR,
                "a '---' or '...' stands within a quoted text; check that its quotes are closed"},
    Translation{library::EOF_IN_SCALAR, "the file ends within a quoted text; close its quotes"},
};

}  // namespace

YamlFault yaml_fault(std::string_view message, const SourcePosition& noticed,
                     const std::optional<OpenBracket>& open) {
  const auto invalid = [](const SourcePosition& position, std::string_view what) {
    return YamlFault{position, fmt::format("not valid YAML: {}", what)};
  };
  const bool is_unclosed =
      message == library::END_OF_SEQ_FLOW || message == library::END_OF_MAP_FLOW;
  if (is_unclosed && open)
    return invalid(open->position,
                   fmt::format("the '{}' in line {} is not closed; write its '{}'", open->bracket,
                               open->position.line, open->bracket == '[' ? ']' : '}'));
  if (message == library::FLOW_END && open)
    return invalid(noticed, fmt::format("this bracket does not close the '{}' in line {}, column "
                                        "{}; write '{}' first",
                                        open->bracket, open->position.line, open->position.column,
                                        open->bracket == '[' ? ']' : '}'));
  if (message == library::FLOW_END)
    return invalid(noticed, "this bracket closes nothing; remove it");
  if (message.starts_with(library::INVALID_ESCAPE))
    return invalid(noticed,
                   fmt::format("'\\{}' means nothing in double quotes; write '\\\\' for a "
                               "backslash, or use single quotes",
                               message.substr(std::string_view(library::INVALID_ESCAPE).size())));
  const auto known = std::ranges::find(kTranslations, message, &Translation::library);
  return invalid(noticed, known == kTranslations.end() ? message : known->ours);
}

}  // namespace scree::scene
