/// The rod of Painlevé, and the loads that jam it.
#pragma once

#include <numbers>

#include "scree/studies/rod.hpp"

namespace scree::studies {

inline const Rod kRod;
inline const RodState kSliding = touching(kRod, std::numbers::pi / 3, -1);
inline const Loads kWeight{0, -1, 0}, kTorque{0, -1, -5.0 / 3};

}  // namespace scree::studies
