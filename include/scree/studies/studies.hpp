/// Published studies of one contact, computed again: each writes its numbers into a directory.
///
/// results.json (all numbers), table.md (printed value, our value, the difference) and CSV files
/// with curves. The scripts in studies/NAME draw the figures from them.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace scree::studies {

/// Painlevé's paradox [Preclik11]: a few seconds.
void painleve(const std::filesystem::path& out);

/// The single contacts of [Preclik18, §4.1 and §4.2].
void academic(const std::filesystem::path& out);

struct Study {
  std::string_view name;
  /// Throws OutputError if a file cannot be written; `out` must exist.
  void (*compute)(const std::filesystem::path& out);
};
std::span<const Study> all();

}  // namespace scree::studies
