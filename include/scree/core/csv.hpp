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

/// Text as a CSV cell. Quotes it as in RFC 4180 if it contains separators, line ends or quotes.
std::string csv_cell(const std::string& text);

/// Number that the whole text spells, with or without a sign. Empty if it is not a number or too
/// large; zero if it is too small for a double.
std::optional<double> read_number(std::string_view text);

}  // namespace scree
