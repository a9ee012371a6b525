/// Tables of numbers and words in CSV files, plain or compressed by gzip.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::scene {

/// Calls row(line number, cells) for every line that is neither empty nor a comment (#), until it returns false.
/// Returns a message if the file cannot be read, else an empty string.
std::string read_csv(const std::filesystem::path& file,
                     const std::function<bool(int line, const std::vector<std::string_view>& cells)>& row);

}  // namespace scree::scene
