/// Parses the values and columns of a batch from the command line.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

#include "scree/core/error.hpp"
#include "scree/run/batch_plan.hpp"

namespace scree {
namespace {

constexpr std::int64_t kMaxValues = 100'000;

constexpr const char* kForms =
    "give values as a list, as in 0.1,0.2,0.5; as n numbers from a to b, as in 0.1:0.8:8 or "
    "1e3:1e6:4:log; or as whole numbers, as in 1..5";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

/// Splits at a character outside of brackets and quotes.
std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> pieces;
  int depth = 0;
  char quote = 0;
  std::size_t start = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{' || c == '(') {
      ++depth;
    } else if (c == ']' || c == '}' || c == ')') {
      --depth;
    } else if (c == at && depth == 0) {
      pieces.push_back(trimmed(text.substr(start, k - start)));
      start = k + 1;
    }
  }
  pieces.push_back(trimmed(text.substr(start)));
  return pieces;
}

template <class T>
std::optional<T> number_of(std::string_view text) {
  T value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

/// "0.5 mm" as 0.5 and "mm".
struct Quantity {
  double number = 0;
  std::string_view unit;
};

std::optional<Quantity> quantity_of(std::string_view text) {
  Quantity quantity;
  const auto [end, status] =
      std::from_chars(text.data(), text.data() + text.size(), quantity.number);
  if (status != std::errc() || !std::isfinite(quantity.number)) return {};
  quantity.unit = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
  return quantity;
}

/// Twelve digits: 0.1:0.8:8 gives 0.3, not 0.30000000000000004.
std::string written(double number, std::string_view unit) {
  return fmt::format("{:.12g}{}", number, unit);
}

std::vector<std::string> spread(std::string_view text, const std::vector<std::string_view>& parts) {
  const auto a = quantity_of(parts[0]), b = quantity_of(parts[1]);
  const auto count = number_of<std::int64_t>(parts[2]);
  const bool log = parts.size() == 4;
  const auto refuse = [&](std::string_view why) {
    throw InputError(fmt::format("'{}' {}; write first:last:number, as in 0.1:0.8:8", text, why));
  };
  if (!a || !b) refuse("does not begin with two numbers");
  if (a->unit != b->unit) refuse("has ends in different units; give both in the same unit");
  if (!count || *count < 2 || *count > kMaxValues)
    refuse("does not give the count: the third number must be a whole number ≥ 2");
  if (a->number == b->number) refuse("begins where it ends");
  if (log && parts[3] != "log") refuse("ends in a word other than 'log'");
  if (log && !(a->number > 0 && b->number > 0)) refuse("needs numbers > 0 for equal ratios");
  std::vector<std::string> values;
  for (std::int64_t k = 0; k < *count; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(*count - 1);
    const double value = log ? a->number * std::pow(b->number / a->number, share)
                             : a->number + (b->number - a->number) * share;
    values.push_back(written(k + 1 == *count ? b->number : value, a->unit));
  }
  return values;
}

/// "1..3" as 1, 2, 3; none if it is something else.
std::optional<std::vector<std::string>> counted(std::string_view text) {
  const auto dots = text.find("..");
  if (dots == std::string_view::npos) return {};
  const auto first = number_of<std::int64_t>(text.substr(0, dots)),
             last = number_of<std::int64_t>(text.substr(dots + 2));
  if (!first || !last) return {};
  if (*last < *first || *last - *first >= kMaxValues)
    throw InputError(
        fmt::format("'{}' must increase, and give at most {} numbers", text, kMaxValues));
  std::vector<std::string> values;
  for (std::int64_t k = *first; k <= *last; ++k) values.push_back(std::to_string(k));
  return values;
}

std::vector<std::string> values_of(std::string_view text) {
  const auto ends = split(text, ':');
  if ((ends.size() == 3 || ends.size() == 4) && (quantity_of(ends[0]) || quantity_of(ends[1])))
    return spread(text, ends);
  std::vector<std::string> values;
  for (const std::string_view piece : split(text, ',')) {
    if (piece.empty()) throw InputError(fmt::format("'{}' has an empty value; {}", text, kForms));
    if (const auto numbers = counted(piece))
      values.insert(values.end(), numbers->begin(), numbers->end());
    else
      values.emplace_back(piece);
  }
  return values;
}

}  // namespace

BatchParameter batch_parameter(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError(fmt::format(
        "'{}' is not PATH=VALUES, such as default_law.friction=0.1:0.8:8; {}", text, kForms));
  const std::string path(trimmed(std::string_view(text).substr(0, equals)));
  try {
    return {path, values_of(std::string_view(text).substr(equals + 1))};
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", path, error.what()));
  }
}

BatchColumn batch_column(const std::string& text) {
  const auto colon = text.find(':'), equals = text.find('=');
  const bool named = equals < colon;
  BatchColumn column;
  if (colon != std::string::npos) {
    column.file = text.substr(named ? equals + 1 : 0, colon - (named ? equals + 1 : 0));
    column.key = text.substr(colon + 1);
  }
  const std::filesystem::path file = column.file;
  const bool json = file.extension() == ".json";
  if ((!json && file.extension() != ".csv") || column.key.empty() ||
      (json && !column.key.starts_with('/')))
    throw InputError(
        fmt::format("'{}' does not name a value of a run: give FILE:PLACE, such as "
                    "statistics.csv:kinetic_energy or verdict.json:/energy/dissipated",
                    text));
  if (file.is_absolute() || std::ranges::count(file, "..") > 0)
    throw InputError(fmt::format("'{}' is outside the directory of a run", text));
  const std::string last = json ? column.key.substr(column.key.rfind('/') + 1) : column.key;
  column.name = named ? text.substr(0, equals) : last;
  if (column.name.empty() || column.name.find_first_of("\",\n") != std::string::npos)
    throw InputError(
        fmt::format("'{}' has no name for a column: give one, as in NAME=FILE:PLACE", text));
  return column;
}

}  // namespace scree
