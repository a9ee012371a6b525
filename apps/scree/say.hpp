/// Output of the program to people.
#pragma once

#include <cstdio>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scree/scene/scene.hpp"

namespace scree::cli {

/// The text with escapes such as \x1b for bytes that command a terminal, except line breaks and
/// tabs. Names of scenes and files may contain any byte.
std::string printable(std::string_view text);

/// Writes to a stream, made printable().
template <class... T>
void say(std::FILE* stream, fmt::format_string<T...> format, T&&... values) {
  const std::string text = printable(fmt::format(format, std::forward<T>(values)...));
  std::fwrite(text.data(), 1, text.size(), stream);
}

inline void warn(const std::string& message) { say(stderr, "warning: {}\n", message); }

/// A line for each warning. If more than three differ only in numbers and expressions, the lines
/// are the first three and the number of the others.
std::vector<std::string> lines_of(const std::vector<SceneProblem>& warnings);

}  // namespace scree::cli
