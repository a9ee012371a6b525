#include "sim/compliant/same_springs.hpp"

#include "scree/laws/force_numbers.hpp"

namespace scree {
namespace {

/// Numbers of a compliant law that define the memory of its springs.
force::Numbers springs_of(const Model& model, const MaterialPair& pair) {
  force::Numbers numbers = force::numbers_of(
      model.laws(pair.a, pair.b), model.materials[pair.a].moduli, model.materials[pair.b].moduli);
  numbers.friction = numbers.damping = numbers.fixed_damping = 0;
  numbers.tangential = numbers.damping_ratio = numbers.rolling_damping = 0;
  return numbers;
}

}  // namespace

bool have_same_springs(const Model& before, const MaterialPair& then, const Model& now,
                       const MaterialPair& here) {
  const bool compliant = is_compliant(now.laws(here.a, here.b));
  if (compliant != is_compliant(before.laws(then.a, then.b))) return false;
  return !compliant || springs_of(before, then) == springs_of(now, here);
}

}  // namespace scree
