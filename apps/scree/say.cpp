#include "say.hpp"

namespace scree::cli {
namespace {

/// How many bytes at the beginning of the text command a terminal: one of ASCII's control
/// characters, or two of those that UTF-8 adds, U+0080 to U+009F.
std::size_t command_at(std::string_view text) {
  const auto byte = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0;
  };
  if (byte(0) == '\n' || byte(0) == '\t') return 0;
  if (byte(0) < 0x20 || byte(0) == 0x7f) return 1;
  return byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) < 0xa0 ? 2 : 0;
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

}  // namespace scree::cli
