#include "scree/laws/pair_law.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace scree {
namespace {

template <class Rigid, class Compliant>
struct Table;
/// Of each law, by its kind.
template <class... Rigid, class... Compliant>
struct Table<std::variant<Rigid...>, std::variant<Compliant...>> {
  static constexpr LawTraits traits[] = {Rigid::traits..., Compliant::traits...};
  static constexpr AnyLaw (*make[])(const PairLaw&) = {
      [](const PairLaw& pair) -> AnyLaw { return Rigid::of(pair); }...};
  static constexpr ForceKind force[] = {Compliant::kind...};
};
using Laws = Table<AnyLaw, AnyCompliantLaw>;

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

AnyLaw law_of(const PairLaw& pair) {
  const std::size_t place = place_of(pair.kind);
  if (place >= kRigidLawCount)
    throw std::out_of_range(std::string(name(pair.kind)) + " is no rigid law");
  return Laws::make[place](pair);
}

ForceKind force_kind(LawKind kind) {
  const std::size_t place = place_of(kind);
  if (place < kRigidLawCount)
    throw std::out_of_range(std::string(name(kind)) + " is no compliant law");
  return Laws::force[place - kRigidLawCount];
}

}  // namespace scree
