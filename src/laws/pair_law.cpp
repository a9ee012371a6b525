#include "scree/laws/pair_law.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace scree {
namespace {

template <class Rigid, class Compliant>
struct Table;
/// Tables of all laws, indexed by kind.
template <class... Rigid, class... Compliant>
struct Table<std::variant<Rigid...>, std::variant<Compliant...>> {
  static constexpr LawTraits traits[] = {Rigid::traits..., Compliant::traits...};
  static constexpr AnyLaw (*make[])(const PairLaw&) = {
      [](const PairLaw& pair) -> AnyLaw { return Rigid::of(pair); }...};
  static constexpr ForceKind force[] = {Compliant::kind...};
};
using Laws = Table<AnyLaw, AnyCompliantLaw>;

/// Position of a kind in the tables. Throws for an invalid kind; models are checked earlier.
std::size_t table_index(LawKind kind) {
  const auto index = static_cast<std::size_t>(kind);
  if (index >= kLawKinds.size())
    throw std::out_of_range("there is no law of kind " + std::to_string(index));
  return index;
}

}  // namespace

const LawTraits& traits(LawKind kind) { return Laws::traits[table_index(kind)]; }

std::optional<LawKind> law_named(std::string_view text) {
  const auto found = std::ranges::find(kLawKinds, text, [](LawKind kind) { return name(kind); });
  return found == kLawKinds.end() ? std::nullopt : std::optional(*found);
}

AnyLaw law_of(const PairLaw& pair) {
  const std::size_t index = table_index(pair.kind);
  if (index >= kRigidLawCount)
    throw std::out_of_range(std::string(name(pair.kind)) + " is not a rigid law");
  return Laws::make[index](pair);
}

ForceKind force_kind(LawKind kind) {
  const std::size_t index = table_index(kind);
  if (index < kRigidLawCount)
    throw std::out_of_range(std::string(name(kind)) + " is not a compliant law");
  return Laws::force[index - kRigidLawCount];
}

}  // namespace scree
