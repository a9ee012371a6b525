#include "scree/laws/pair_law.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace scree {
namespace {

template <class List>
struct Table;
/// Of each law, by its kind.
template <class... Laws>
struct Table<std::variant<Laws...>> {
  static constexpr LawTraits traits[] = {Laws::traits...};
  static constexpr AnyLaw (*make[])(const PairLaw&) = {
      [](const PairLaw& pair) -> AnyLaw { return Laws::of(pair); }...};
};
using Laws = Table<AnyLaw>;

/// Whoever makes up a kind is told; models are checked before.
std::size_t place_of(LawKind kind) {
  const auto place = static_cast<std::size_t>(kind);
  if (place >= kLawKinds.size())
    throw std::out_of_range("there is no law of kind " + std::to_string(place));
  return place;
}

}  // namespace

const LawTraits& traits(LawKind kind) { return Laws::traits[place_of(kind)]; }

std::optional<LawKind> law_named(std::string_view text) {
  const auto found = std::ranges::find(kLawKinds, text, [](LawKind kind) { return name(kind); });
  return found == kLawKinds.end() ? std::nullopt : std::optional(*found);
}

AnyLaw law_of(const PairLaw& pair) { return Laws::make[place_of(pair.kind)](pair); }

}  // namespace scree
