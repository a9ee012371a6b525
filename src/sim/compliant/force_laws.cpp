#include "scree/sim/force_laws.hpp"

#include <algorithm>

namespace scree {

ForceLaws force_laws_of(const Model& model) {
  ForceLaws laws;
  const std::size_t materials = model.materials.size();
  for (std::size_t a = 0; a < materials; ++a)
    for (std::size_t b = 0; b < materials; ++b) {
      const PairLaw& law = model.laws(static_cast<MaterialId>(a), static_cast<MaterialId>(b));
      if (!is_compliant(law)) {
        laws.of_pair.push_back(ForceLaws::kRigid);
        continue;
      }
      force::Numbers numbers = force::numbers_of(law, model.materials[std::min(a, b)].moduli,
                                                 model.materials[std::max(a, b)].moduli);
      numbers.scheme.h = model.step.h;
      numbers.scheme.free_motion = true;
      const auto same = std::ranges::find(laws.numbers, numbers);
      laws.of_pair.push_back(static_cast<std::uint32_t>(same - laws.numbers.begin()));
      if (same == laws.numbers.end()) laws.numbers.push_back(numbers);
    }
  return laws;
}

std::vector<ForceBooks> books_by_law(const std::vector<ForceBooks>& books, const ForceBooks& total,
                                     const ForceLaws& before, const ForceLaws& now) {
  if (now.numbers.size() < 2) return {};
  std::vector<ForceBooks> moved(now.numbers.size());
  for (std::uint32_t law = 0; law < before.numbers.size(); ++law) {
    const auto pair = std::ranges::find(before.of_pair, law) - before.of_pair.begin();
    ForceBooks& to = moved[now.of_pair[static_cast<std::size_t>(pair)]];
    const ForceBooks& from = books.empty() ? total : books[law];
    to.ledger += from.ledger;
    to.energy += from.energy;
  }
  return moved;
}

}  // namespace scree
