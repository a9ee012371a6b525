/// Compliant laws of a model.
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

  std::vector<force::Numbers> numbers;  ///< one per law
  /// Index into `numbers` of each pair of materials, or kRigid; order as in LawTable::all
  std::vector<std::uint32_t> of_pair;
};
ForceLaws force_laws_of(const Model& model);

/// Energies by law of another model: pairs of materials keep theirs. If one law becomes several,
/// its energy goes to the law of its first pair.
std::vector<ForceBooks> books_by_law(const std::vector<ForceBooks>& books, const ForceBooks& total,
                                     const ForceLaws& before, const ForceLaws& now);

}  // namespace scree
