/// Limit of the motion of the rod on a compliant contact as the contact becomes stiff.
///
/// On the time scale of the contact, sqrt(m/k_n), loads and rotation vanish in the limit, and two
/// numbers are left:
///
///     Π_n = γ_n / sqrt(k_n m),    Π_t = γ_t / sqrt(k_n m)
///
/// If friction makes the contact unstable (A < 0), every jam starts along the one growing motion
/// λ_n ∝ exp(s t), whatever its cause. So the impulse of the first contact is a function of Π_n and
/// Π_t alone.
#pragma once

#include "scree/studies/compliant_rod.hpp"

namespace scree::studies {

struct StiffLimit {
  bool found = false;        ///< A < 0, and the contact came to its end within the steps allowed
  bool breaks = false;       ///< false: the rod comes to rest on the plane
  Impulse impulse;           ///< of the contact [N s]; its time in units of sqrt(m/k_n)
  NormalTangential after;    ///< gap velocity at the end [m/s]
  double energy_change = 0;  ///< ½ rᵀWr + rᵀq [J], negative: dissipated
};

/// Limit for the rod sliding as in `state`, whose slip must be to the left.
StiffLimit stiff_limit(const Rod& rod, const RodState& state, double normal_ratio,
                       double tangential_ratio);

/// Smallest k_n |g_n| [N] of an initial penetration that ends in a jam: slip becomes viscous before
/// the contact breaks. Found between 0 and `max_force` by bisection to a relative 1e-10; none if
/// `max_force` does not jam, or is viscous from the start. [Preclik11, §5.2] with b < 0. In the
/// stiff limit it is the unstable force solution λ_n = b/A of [Preclik11, §2.2].
std::optional<double> separatrix(const Rod& rod, const RodState& state, const Loads& loads,
                                 const Compliance& compliance, double max_force);

/// Smallest k_n/γ_n [1/s] for which the rod leaves the plane again after it has jammed, with γ_t =
/// γ_n = `damping` fixed.
double breaking_ratio(const Rod& rod, const RodState& state, const Loads& loads, double damping);
/// Its stiff limit: the jam leaves the spring compressed by Λ_n/γ_n, and the undamped swing back
/// must reach zero. If friction held until the end, the spring would have to start from twice the
/// force that carries the stuck rod; the rod slips a little before the end.
double limit_of_breaking_ratio(const Rod& rod, const RodState& state, const Loads& loads);

}  // namespace scree::studies
