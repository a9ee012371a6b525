/// The compliant laws of a model.
#pragma once

#include <cstdint>
#include <vector>

#include "scree/laws/force_numbers.hpp"
#include "scree/sim/force_energy.hpp"
#include "scree/sim/model.hpp"

namespace scree {

/// Pairs of materials whose contacts have the same forces share a law.
struct ForceLaws {
  static constexpr std::uint32_t kRigid = 0xffffffff;

  std::vector<force::Numbers> numbers;  ///< of each law
  /// Of each pair of materials as in LawTable::all: which of these, or kRigid
  std::vector<std::uint32_t> of_pair;
};
ForceLaws force_laws_of(const Model& model);

/// Books by law of another model: pairs of materials keep theirs. Books of a law that becomes
/// several go to that of its first pair.
std::vector<ForceBooks> books_by_law(const std::vector<ForceBooks>& books, const ForceBooks& total,
                                     const ForceLaws& before, const ForceLaws& now);

}  // namespace scree
