/// Output to people: makes text safe for terminals, and shortens repeated warnings.
#include "say.hpp"

#include <map>

namespace scree::cli {
namespace {

/// Number of bytes at the beginning of the text that command a terminal: one for a control
/// character of ASCII, two for one that UTF-8 adds, U+0080 to U+009F.
std::size_t command_at(std::string_view text) {
  const auto byte = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0;
  };
  if (byte(0) == '\n' || byte(0) == '\t') return 0;
  if (byte(0) < 0x20 || byte(0) == 0x7f) return 1;
  return byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) < 0xa0 ? 2 : 0;
}

bool in_number(char c) { return std::string_view("0123456789.+-e").find(c) != std::string::npos; }

/// A warning without its numbers and quoted texts.
std::string kind_of(const SceneProblem& warning) {
  const std::string text = warning.path + ": " + warning.message;
  std::string kind;
  bool quoted = false, number = false;
  for (const char c : text) {
    if (c == '\'') quoted = !quoted;
    number = ('0' <= c && c <= '9') || (number && in_number(c));
    if (!quoted && !number) kind += c;
  }
  return kind;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t command = command_at(text);
    for (std::size_t k = 0; k < command; ++k)
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[k]));
    if (command == 0) shown += text.front();
    text.remove_prefix(command == 0 ? 1 : command);
  }
  return shown;
}

std::vector<std::string> lines_of(const std::vector<SceneProblem>& warnings) {
  constexpr std::size_t kMaxShown = 3;
  std::map<std::string, std::size_t> count, shown;
  for (const SceneProblem& warning : warnings) ++count[kind_of(warning)];
  std::vector<std::string> lines;
  for (const SceneProblem& warning : warnings) {
    const std::string kind = kind_of(warning);
    const std::size_t n = ++shown[kind];
    if (n > kMaxShown) continue;
    lines.push_back(fmt::format("{}: {}", warning.path, warning.message));
    if (n == kMaxShown && count[kind] > kMaxShown)
      lines.push_back(
          fmt::format("{} more warnings like the last; scree check --json lists them all",
                      count[kind] - kMaxShown));
  }
  return lines;
}

}  // namespace scree::cli
