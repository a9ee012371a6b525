/// Reads and writes cells of CSV files.
#include "scree/core/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <system_error>
#include <utility>
#include <zlib.h>

namespace scree {
namespace {

constexpr std::size_t kLongestLine = 65536;

std::string_view stripped(std::string_view cell) {
  const auto first = cell.find_first_not_of(" \t\r\n\"");
  if (first == std::string_view::npos) return {};
  return cell.substr(first, cell.find_last_not_of(" \t\r\n\"") - first + 1);
}

/// Position of the comma after a cell, or of the end of the line. Commas in a quoted cell belong to
/// it.
std::size_t end_of_cell(std::string_view line, std::size_t start) {
  const std::size_t first = line.find_first_not_of(" \t", start);
  bool in_quotes = false;
  const bool is_quoted = first != std::string_view::npos && line[first] == '"';
  for (std::size_t k = start; k < line.size(); ++k) {
    if (is_quoted && line[k] == '"') in_quotes = !in_quotes;
    if (line[k] == ',' && !in_quotes) return k;
  }
  return in_quotes ? std::min(line.find(',', start), line.size()) : line.size();
}

void split(std::string_view line, std::vector<std::string_view>& cells) {
  cells.clear();
  for (std::size_t start = 0; start <= line.size();) {
    const std::size_t comma = end_of_cell(line, start);
    cells.push_back(stripped(line.substr(start, comma - start)));
    start = comma + 1;
  }
}

/// Defect of a line before it is split; empty if there is none.
std::string line_defect(std::string_view line) {
  if (line.find('\0') != std::string_view::npos)
    return "has a NUL byte in it; save the table as plain text in UTF-8";
  // A carriage return is valid only before a line feed; elsewhere only old programs end lines by
  // it.
  const auto last = line.find_last_not_of("\r\n");
  if (last != std::string_view::npos && line.substr(0, last).find('\r') != std::string_view::npos)
    return "has a carriage return (CR) in it; end lines by LF or CR LF";
  if (line.size() + 1 == kLongestLine && line.back() != '\n')
    return "is longer than " + std::to_string(kLongestLine - 2) + " characters";
  return "";
}

}  // namespace

std::string read_csv(
    const std::filesystem::path& file,
    const std::function<bool(int line, const std::vector<std::string_view>& cells)>& row) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    return std::filesystem::exists(file, error) ? "is not a file" : "does not exist";
  // gzopen reads plain files, too
  const std::unique_ptr<gzFile_s, decltype(&gzclose)> in(gzopen(file.c_str(), "rb"), &gzclose);
  if (!in) return std::string("cannot be opened: ") + std::strerror(errno);

  std::vector<char> buffer(kLongestLine);
  std::vector<std::string_view> cells;
  bool in_header = true;
  for (int line = 1;; ++line) {
    const auto start = gztell(in.get());
    if (!gzgets(in.get(), buffer.data(), static_cast<int>(buffer.size()))) break;
    std::string_view text(buffer.data(), static_cast<std::size_t>(gztell(in.get()) - start));
    if (const std::string defect = line_defect(text); !defect.empty())
      return "line " + std::to_string(line) + " " + defect;
    if (line == 1 && text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    if (stripped(text).empty() || stripped(text).front() == '#') continue;
    split(text, cells);
    if (std::exchange(in_header, false) && cells.size() == 1 &&
        text.find_first_of(";\t") != std::string_view::npos)
      return "line " + std::to_string(line) +
             " separates its columns by semicolons or tabs; separate them by commas";
    if (!row(line, cells)) return "";
  }
  int status = Z_OK;
  const char* message = gzerror(in.get(), &status);
  if (status != Z_OK && status != Z_STREAM_END) return std::string("is damaged: ") + message;
  return "";
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::optional<double> read_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return {};
  if (status == std::errc()) return value;
  if (status != std::errc::result_out_of_range) return {};
  // Too large, or so small that it rounds to zero.
  value = std::strtod(std::string(text).c_str(), nullptr);
  return std::isinf(value) ? std::nullopt : std::optional(value);
}

}  // namespace scree
