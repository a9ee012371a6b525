/// Altered fields of a state, as the bytes of their rows: other sizes, and numbers that no index,
/// no size and no measured number may be.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace scree::test {

template <class Field>
constexpr bool kIsArray = requires(Field& field) {
  field.data();
};

template <class Field>
auto* data_of(Field& field) {
  if constexpr (kIsArray<Field>)
    return field.data();
  else
    return &field;
}

/// Struct or number of which a field consists.
template <class Field>
using ElementOf = std::remove_cvref_t<decltype(*data_of(std::declval<Field&>()))>;

using Rows = std::vector<std::byte>;

template <class Field>
Rows bytes_of(const Field& field) {
  std::size_t count = 1;
  if constexpr (kIsArray<Field>) count = field.size();
  Rows rows(count * sizeof(ElementOf<Field>));
  if (!rows.empty()) std::memcpy(rows.data(), data_of(field), rows.size());
  return rows;
}

template <class Field>
void set_bytes(Field& field, const Rows& rows) {
  if constexpr (kIsArray<Field>) field.resize(rows.size() / sizeof(ElementOf<Field>));
  if (!rows.empty()) std::memcpy(static_cast<void*>(data_of(field)), rows.data(), rows.size());
}

struct Alteration {
  std::string what;
  Rows rows;
};

/// Bits that are NaN as a double, and too large for an index of this width [byte].
inline std::vector<std::uint64_t> bad_numbers(std::size_t width) {
  if (width == 8) return {~std::uint64_t{0}, ~std::uint64_t{0} >> 1};
  if (width == 4) return {0xffffffff, 0x7fffffff, 1000000, 0x80000000 | 1000};
  return {255, 2};
}

/// The field without its last row, without any, with one more, and with bad numbers in each place
/// of its first, middle and last row.
template <class Field>
std::vector<Alteration> alterations(const Field& field) {
  using Element = ElementOf<Field>;
  constexpr std::size_t kSize = sizeof(Element), kWidth = alignof(Element);
  const Rows rows = bytes_of(field);
  const std::size_t count = rows.size() / kSize;
  std::vector<Alteration> all;
  std::vector<std::size_t> places;
  for (std::size_t row : {std::size_t{0}, count / 2, count - 1})
    if (row < count && (places.empty() || places.back() != row)) places.push_back(row);
  for (const std::size_t row : places)
    for (std::size_t byte = 0; byte < kSize; byte += kWidth)
      for (const std::uint64_t number : bad_numbers(kWidth)) {
        Rows changed = rows;
        std::memcpy(changed.data() + row * kSize + byte, &number, kWidth);
        all.push_back({"number " + std::to_string(byte / kWidth) + " of row " +
                           std::to_string(row) + " is " + std::to_string(number),
                       changed});
      }
  if (!kIsArray<Field>) return all;
  Rows longer = rows;
  longer.resize(rows.size() + kSize);
  all.push_back({"a row of zeros more", longer});
  if (count == 0) return all;
  std::memcpy(longer.data() + rows.size(), rows.data() + rows.size() - kSize, kSize);
  all.push_back({"its last row twice", longer});
  all.push_back({"its last row less", Rows(rows.begin(), rows.end() - kSize)});
  all.push_back({"no rows", {}});
  return all;
}

}  // namespace scree::test
