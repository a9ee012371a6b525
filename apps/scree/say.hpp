/// What the program says to people.
#pragma once

#include <cstdio>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scree/scene/scene.hpp"

namespace scree::cli {

/// The text with whatever would command a terminal, line breaks and tabs excepted, as \x1b and the
/// like: names of scenes and files may hold anything.
std::string printable(std::string_view text);

/// Writes to a stream, printable.
template <class... T>
void say(std::FILE* stream, fmt::format_string<T...> format, T&&... values) {
  const std::string text = printable(fmt::format(format, std::forward<T>(values)...));
  std::fwrite(text.data(), 1, text.size(), stream);
}

inline void warn(const std::string& message) { say(stderr, "warning: {}\n", message); }

/// A line for each warning; of more than three that differ in numbers and expressions alone, the
/// first three and how many more there are.
std::vector<std::string> lines_of(const std::vector<SceneProblem>& warnings);

}  // namespace scree::cli
