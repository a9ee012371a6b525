/// Forces of compliant laws.
#pragma once

#include "sim/step_context.hpp"

namespace scree {

/// Adds the forces of compliant laws to the free velocities.
void forces(StepContext& context);
/// Index of the compliant law of a pair in ForceContacts::numbers / 2, or kRigid.
std::uint32_t compliant_law(const StepContext& context, const Neighbours::Pair& pair);
/// Sorts the pairs with compliant laws, if the list has changed.
void list_force_pairs(StepContext& context);
/// Finds the contacts of spheres in a chunk, and their forces.
void forces_of_spheres(StepContext& context, ForceContacts::Chunk& chunk);
/// Finds all other contacts in a chunk, and their forces.
void forces_of_others(StepContext& context, ForceContacts::Chunk& chunk);
/// Calls f(block, lane) for the points of a pair with a slot.
template <class F>
void for_each_force_point(const ForceContacts& forces, const Neighbours& list, std::size_t pair,
                          std::uint32_t slot, F&& f) {
  if (list.first_place.empty()) {  // a pair has one point
    const std::uint32_t index = slot & ~Scratch::kForce;
    f(index / kBlock, static_cast<int>(index % kBlock));
    return;
  }
  const auto [begin, end] = list.places(pair);
  for (std::uint32_t k = slot & ~Scratch::kForce; k / kBlock < forces.blocks.size(); ++k) {
    const ForceBlock& block = forces.blocks[k / kBlock];
    const std::uint32_t slot_of_point = block.slot[k % kBlock];
    if (slot_of_point < begin || slot_of_point >= end) break;
    f(k / kBlock, static_cast<int>(k % kBlock));
  }
}
/// Restores the memories of compliant contacts, so that the step can be repeated.
void undo_forces(StepContext& context);
/// Gives bodies the forces of compliant contacts from their rows. Finds the power of these forces
/// with the motions before, and with the free motions after.
void give_forces(StepContext& context);
/// Sums the work of the forces, and the energies of springs; after the solve.
void accumulate_forces(StepContext& context);
/// Finds the powers of each law's contacts, ForceContacts::of_laws; after the solve. Those of the
/// main law are the difference of all and the others.
void find_powers_of_laws(StepContext& context, const ForceContacts::BothPowers& of_all);
/// True if forces have created energy because the step is too long.
void look_for_energy_growth(StepContext& context);

}  // namespace scree
