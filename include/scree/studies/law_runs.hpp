/// Time steps of Painlevé's rod with the contact laws of the engine: which of the solutions does
/// each take?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scree/laws/pair_law.hpp"
#include "scree/studies/rod.hpp"

namespace scree::studies {

struct LawStep {
  double time = 0;           ///< at the end of the step [s]
  NormalTangential impulse;  ///< [N s]
  NormalTangential after;    ///< gap velocity after the step [m/s]
  /// Which of Coulomb's solutions it is; none of them for a law that is not Coulomb's.
  std::optional<ContactState> taken;
  std::size_t solutions = 0;  ///< how many Coulomb's law has in this step
  RodState state;             ///< at the end of the step
};

/// W and q of the rod in space, where the third axis is uncoupled: W_oo = 1/m + l²/(4I).
SymMat3 spatial_block(const Rod& rod, const PlanarContact& contact);

/// Steps of [Preclik11, Eq. 16–19], the impulse being `law`'s; `warm` is the warm start of the
/// first, then each has the one before.
std::vector<LawStep> run_law(const Rod& rod, const RodState& start, const Loads& loads,
                             double time_step, int steps, const AnyLaw& law,
                             NormalTangential warm = {});

struct NamedLaw {
  std::string name;
  AnyLaw law;
};
/// All rigid laws with friction, at the rod's coefficient.
std::vector<NamedLaw> frictional_laws(double friction);

}  // namespace scree::studies
