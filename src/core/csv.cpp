#include "scree/core/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>
#include <system_error>
#include <zlib.h>

namespace scree {
namespace {

constexpr std::size_t kLongestLine = 65536;

std::string_view stripped(std::string_view cell) {
  const auto first = cell.find_first_not_of(" \t\r\n\"");
  if (first == std::string_view::npos) return {};
  return cell.substr(first, cell.find_last_not_of(" \t\r\n\"") - first + 1);
}

void split(std::string_view line, std::vector<std::string_view>& cells) {
  cells.clear();
  for (std::size_t start = 0; start <= line.size();) {
    const std::size_t comma = std::min(line.find(',', start), line.size());
    cells.push_back(stripped(line.substr(start, comma - start)));
    start = comma + 1;
  }
}

}  // namespace

std::string read_csv(const std::filesystem::path& file,
                     const std::function<bool(int line, const std::vector<std::string_view>& cells)>& row) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    return std::filesystem::exists(file, error) ? "is not a file" : "does not exist";
  // gzopen reads plain files, too
  const std::unique_ptr<gzFile_s, decltype(&gzclose)> in(gzopen(file.c_str(), "rb"), &gzclose);
  if (!in) return std::string("cannot be opened: ") + std::strerror(errno);

  std::vector<char> buffer(kLongestLine);
  std::vector<std::string_view> cells;
  for (int line = 1; gzgets(in.get(), buffer.data(), static_cast<int>(buffer.size())); ++line) {
    std::string_view text(buffer.data());
    if (text.size() + 1 == buffer.size() && text.back() != '\n')
      return "line " + std::to_string(line) + " is longer than " + std::to_string(kLongestLine - 2) + " characters";
    if (line == 1 && text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    if (stripped(text).empty() || stripped(text).front() == '#') continue;
    split(text, cells);
    if (!row(line, cells)) return "";
  }
  int status = Z_OK;
  const char* message = gzerror(in.get(), &status);
  if (status != Z_OK && status != Z_STREAM_END) return std::string("is damaged: ") + message;
  return "";
}

std::optional<double> read_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

}  // namespace scree
