/// The rod of [Preclik11] and the parts of its study.
#pragma once

#include <numbers>

#include "scree/studies/rod.hpp"
#include "studies/report.hpp"

namespace scree::studies {

inline constexpr double kRodAngle = std::numbers::pi / 3;  // φ [rad]
inline constexpr double kTimeStep = 0.01;                  // δt [s]
inline constexpr Rod kRod{};                               // m = 1, l = 2, I = m l²/12, μ = 3/2
inline constexpr Loads kWeight{0, -1, 0};                  // no force solves it [Preclik11, §2.1]
// 2 f_y I/(m l cos φ) − 1: two forces do [Preclik11, §2.2]
inline constexpr Loads kWeightAndTorque{0, -1, -5.0 / 3};

/// Sliding to the left, v_x = −1.
inline RodState sliding_rod() { return touching(kRod, kRodAngle, -1); }

void compliant_contact(Report& report);  ///< §5: histories, Table 1, convergence
void stiff_limits(Report& report);       ///< §6: effects of the ratios of stiffness and damping
void steps_by_law(Report& report);       ///< solution taken by each law

}  // namespace scree::studies
