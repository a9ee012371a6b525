/// From pairs to contact points.
#pragma once

#include "scree/collision/clump_contacts.hpp"
#include "sim/contacts/pair_points.hpp"
#include "sim/step_context.hpp"

namespace scree {

/// Finds the pairs that are contacts now, and the slot of each in the problem.
void narrow_phase(StepContext& context);
/// True if some pairs can touch at several points: a body is no sphere, or an obstacle is a surface
/// or a clump.
bool has_many_points(const Model& model);
/// True if a sphere may move from a curved to a flat side of an obstacle, so that contacts keep
/// their first R*.
bool has_ends(const Model& model);
/// Maximum number of points of a pair: its slots in the memory of contacts.
std::uint32_t max_manifold_points(const Model& model, const Bodies& bodies,
                                  const Neighbours::Pair& pair);
/// Largest fraction of a compliant pair's stiffness that one of its points has; 1 where a sphere
/// touches [-].
double share_of_point(const Model& model, const Bodies& bodies, const Neighbours::Pair& pair);
/// True if each point of a pair belongs to a sphere: there is one point, or a sphere on a surface.
bool has_spheres_points(const StepContext& context, const Neighbours::Pair& pair);
/// Surface of the pair's other body; null if that is none.
const Shape* surface_of(const Model& model, const Neighbours::Pair& pair);
/// Transfers memories from features that are no longer points to new points with similar normals,
/// of a pair with a surface: a body moves from one facet to the next.
void transfer_warm_start(StepContext& context, std::size_t pair, const PairPoints& points);
/// True if a pair is separated by more than its margin along a unit vector from A to B: points_of
/// then finds none.
bool separates_along(const StepContext& context, const Neighbours::Pair& pair,
                     const Vec3& direction);
/// Direction of the shortest distance of a pair, from A to B.
Vec3 shortest_way(const StepContext& context, const Neighbours::Pair& pair);
/// Points of a pair with contact blocks that are contacts, with the velocities of the records.
/// `known`: the facets that it knows, or null.
PairPoints points_of(const StepContext& context, const Neighbours::Pair& pair,
                     KnownFacets* known = nullptr);
/// True if a pair's contact belongs in a SphereContactBlock.
bool is_diagonal(const StepContext& context, const Neighbours::Pair& pair);
/// Points at which a pair overlaps now; neither for two spheres nor for a sphere and an obstacle.
PairPoints overlaps_of(const StepContext& context, const Neighbours::Pair& pair);
/// True if one of a pair is a clump.
bool has_clump(const Model& model, const Bodies& bodies, const Neighbours::Pair& pair);
/// Points at which the parts of such a pair overlap now, for springs.
ClumpPoints overlaps_of_parts(const StepContext& context, const Neighbours::Pair& pair);

}  // namespace scree
