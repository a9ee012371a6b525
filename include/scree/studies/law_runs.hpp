/// Time steps of Painlevé's rod with the contact laws of the engine, and the solution that each law
/// takes.
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
  /// The solution of Coulomb's law that equals it; none for other laws.
  std::optional<ContactState> taken;
  std::size_t solutions = 0;  ///< number of solutions of Coulomb's law in this step
  RodState state;             ///< at the end of the step
};

/// W and q of the rod in space, where the third axis is uncoupled: W_oo = 1/m + l²/(4I).
SymMat3 spatial_block(const Rod& rod, const PlanarContact& contact);

/// Steps of [Preclik11, Eq. 16–19], with the impulse of `law`; `warm` is the warm start of the
/// first step, later steps start from the previous impulse.
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
