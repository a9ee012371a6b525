/// Tables of numbers and words in CSV files, plain or compressed by gzip.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// Calls row(line number, cells) for every line that is neither empty nor a comment (#), until it
/// returns false. Returns a message if the file cannot be read, else an empty string.
std::string read_csv(
    const std::filesystem::path& file,
    const std::function<bool(int line, const std::vector<std::string_view>& cells)>& row);

/// A text as a cell: in quotes, as RFC 4180 has them, if it has what separates cells or lines, or
/// quotes.
std::string csv_cell(const std::string& text);

/// The number that is all of the text, a sign before it or not; none if it is something else or too
/// large. Zero if it is too small for a double.
std::optional<double> read_number(std::string_view text);

}  // namespace scree
