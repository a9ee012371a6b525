/// Neighbour list: pairs of bodies and obstacles that may meet.
#pragma once

#include "sim/step_context.hpp"

namespace scree {

/// Rebuilds the neighbour list and its groups where it no longer covers the pairs that can meet in
/// the step. If only a few bodies lack pairs, it adds these.
void broad_phase(StepContext& context);
/// Distance of a point from the surface of an obstacle, by the image nearest to the obstacle's
/// frame [m].
double distance_to_obstacle(const StepContext& context, std::uint32_t obstacle, const Vec3& point);
/// True if the gap of a pair is below its margin, by the bounding spheres of bodies; false for a
/// body that has left. Takes no square root for pairs of bodies.
bool is_within_margin(const StepContext& context, const Neighbours::Pair& pair);
/// The pair as {A, B}: the body of lower id first, an obstacle second.
BodyPair in_order(const StepContext& context, const Neighbours::Pair& pair);
/// Adds pairs of bodies whose margin the neighbour list does not cover.
void add_pairs(StepContext& context);
/// Number of pairs that may be contacts of the problem: all, or none where every law is compliant.
inline std::size_t rigid_pairs(const StepContext& c) {
  return c.scratch.forces.any_rigid ? c.state.neighbours.pairs.size() : 0;
}

}  // namespace scree
