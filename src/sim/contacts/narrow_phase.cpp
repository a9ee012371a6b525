// Finds the pairs that are contacts, and assigns their slots in the problem.
#include "sim/contacts/narrow_phase.hpp"

#include <algorithm>
#include <utility>

#include "sim/cell/cell.hpp"
#include "sim/compliant/forces.hpp"
#include "sim/contacts/assemble.hpp"
#include "sim/motion/body_motion.hpp"
#include "sim/neighbours/look_ahead.hpp"
#include "sim/neighbours/neighbours.hpp"
#include "sim/sleep/sleep.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

/// Converts counts per chunk and group to positions; divides colours into blocks and chunks of
/// blocks.
void place_blocks(Scratch& s, std::uint32_t groups) {
  ContactProblem& problem = s.problem;
  const std::uint32_t row = groups + 1;
  problem.chunks.clear();
  problem.first_chunk.resize(groups + 1);
  std::uint32_t block = 0;
  for (std::uint32_t group = 0; group < groups; ++group) {
    problem.first_chunk[group] = static_cast<std::uint32_t>(problem.chunks.size());
    std::uint32_t next = kBlock * block;
    for (std::size_t chunk = 0; chunk < kPairChunks; ++chunk)
      next += std::exchange(s.chunk_count[chunk * row + group], next);
    const std::uint32_t end = (next + kBlock - 1) / kBlock;
    for (; block < end; block = std::min(block + kBlocksPerChunk, end))
      problem.chunks.push_back({block, std::min(block + kBlocksPerChunk, end)});
  }
  problem.first_chunk[groups] = static_cast<std::uint32_t>(problem.chunks.size());
  resize_anew(problem.blocks, block);
  resize_anew(s.gap, kBlock * block);

  // Records of moving obstacles follow the body at rest, one for each of their contacts of spheres.
  std::uint32_t record = problem.free_bodies + 1;
  for (std::size_t chunk = 0; chunk < kPairChunks; ++chunk)
    record += std::exchange(s.chunk_count[chunk * row + groups], record);
  resize_tightly(problem.bodies, record);
}

MaterialId material_of(const StepContext& c, BodyIndex i) {
  return i & Neighbours::kObstacle ? c.model.obstacles[i & ~Neighbours::kObstacle].material
                                   : c.state.bodies.material[i];
}

/// Finds known facets for spheres on meshes that are new in the list.
void initialise_known_facets(StepContext& c) {
  Scratch& s = c.scratch;
  const auto& obstacles = c.model.obstacles;
  const auto is_mesh = [](const Obstacle& o) { return std::holds_alternative<Mesh>(o.shape); };
  if (std::ranges::none_of(obstacles, is_mesh)) return;
  if (c.report.neighbours_rebuilt) {
    s.knows.clear();
    s.known_facets.clear();
  }
  const auto& pairs = c.state.neighbours.pairs;
  reserve_tightly(s.knows, pairs.size());
  for (std::size_t p = s.knows.size(); p < pairs.size(); ++p) {
    const auto [owner, other] = pairs[p];
    const bool knows = other & Neighbours::kObstacle &&
                       is_mesh(obstacles[other & ~Neighbours::kObstacle]) &&
                       s.kinds[c.state.bodies.prototype[owner]].sphere;
    s.knows.push_back(knows ? static_cast<std::uint32_t>(s.known_facets.size()) : Scratch::kNone);
    if (!knows) continue;
    reserve_for_growth(s.known_facets, s.known_facets.size() + 1);
    s.known_facets.emplace_back();
  }
}

/// True if a pair meets at a point within the step and approaches there, before the loads of the
/// step, faster than the threshold of an impact.
bool collides(const StepContext& c, const Neighbours::Pair& pair, const PairPoints& points) {
  const Bodies& bodies = c.state.bodies;
  const bool obstacle = pair.other & Neighbours::kObstacle;
  const auto [a, b] = in_order(c, pair);
  const auto velocity = [&](BodyIndex i, const Vec3& point) {
    const Vec3 arm = c.scratch.domain.separation(bodies.position[i], point);
    return bodies.velocity[i] + cross(bodies.angular_velocity[i], arm);
  };
  for (const PairPoint& p : points) {
    const Vec3 of_b = obstacle ? p.wall : velocity(b, p.point) + flow_between(c, a, b);
    const double u_n = dot(of_b - velocity(a, p.point), p.normal);
    if (u_n < -c.model.step.restitution_threshold && p.remaining_gap + c.model.step.h * u_n <= 0)
      return true;
  }
  return false;
}

/// Finds the points of a pair with contact blocks; true if there are any.
bool find_points(StepContext& c, std::uint32_t p, Scratch::FullChunk& found) {
  const Neighbours::Pair& pair = c.state.neighbours.pairs[p];
  const bool on_surface = surface_of(c.model, pair);
  RoughDirection* known = c.scratch.cached_separating_axis.empty() || on_surface
                              ? nullptr
                              : &c.scratch.cached_separating_axis[p];
  if (known && known->is_known() && separates_along(c, pair, *known)) return false;
  const std::uint32_t index = c.scratch.knows.empty() ? Scratch::kNone : c.scratch.knows[p];
  const PairPoints points =
      points_of(c, pair, index == Scratch::kNone ? nullptr : &c.scratch.known_facets[index]);
  if (points.count == 0) {
    if (known && known->is_of_use() && is_within_margin(c, pair)) {
      *known = RoughDirection::of(shortest_way(c, pair));
      // Clumps may have no separating direction.
      if (!separates_along(c, pair, *known)) *known = RoughDirection::of_no_use();
    }
    return false;
  }
  if (on_surface) transfer_warm_start(c, p, points);
  const bool moving =
      pair.other & Neighbours::kObstacle && surface_moves(c, pair.other & ~Neighbours::kObstacle);
  const std::size_t materials = c.model.materials.size();
  const Scratch::LawIndex index_of_law =
      c.scratch.law_index[material_of(c, pair.owner) * materials + material_of(c, pair.other)];
  const bool impact = index_of_law.at_impact != index_of_law.otherwise && collides(c, pair, points);
  const std::uint32_t law = impact ? index_of_law.at_impact : index_of_law.otherwise;
  reserve_for_growth(found.pairs, found.pairs.size() + 1);
  found.pairs.push_back({p, law, static_cast<std::uint32_t>(found.points.size()),
                         static_cast<std::uint32_t>(points.count), moving ? 1U : 0U});
  found.points.append(points, moving);
  return true;
}

}  // namespace

double distance_to_obstacle(const StepContext& c, std::uint32_t obstacle, const Vec3& point) {
  const Pose& pose = c.state.obstacles[obstacle].pose;
  return signed_distance(c.model.obstacles[obstacle].shape, pose,
                         c.scratch.domain.nearest(pose.position, point))
      .distance;
}

bool is_within_margin(const StepContext& c, const Neighbours::Pair& pair) {
  if (!c.model.outflows.empty() && c.state.neighbours.has_left(pair)) return false;
  const Bodies& bodies = c.state.bodies;
  if (pair.other & Neighbours::kObstacle) {
    const std::uint32_t k = pair.other & ~Neighbours::kObstacle;
    const double reach =
        bodies.radius[pair.owner] + c.scratch.margin[pair.owner] + margin_towards(c, k, pair.owner);
    return distance_to_obstacle(c, k, bodies.position[pair.owner]) < reach;
  }
  const double reach =
      bodies.radius[pair.owner] + bodies.radius[pair.other] +
      (double{c.scratch.margin[pair.owner]} + double{c.scratch.margin[pair.other]});
  return squared_norm(c.scratch.domain.separation(bodies.position[pair.owner],
                                                  bodies.position[pair.other])) < reach * reach;
}

bool is_diagonal(const StepContext& c, const Neighbours::Pair& pair) {
  if (c.model.strain.any()) return false;  // the flow between two bodies is a bias of all rows
  if (c.scratch.all_sphere_contacts) return true;
  const auto is_round = [&](BodyIndex i) {
    if (i & Neighbours::kObstacle)
      return !surface_of(c.model, pair) && !has_clump(c.model, c.state.bodies, pair);
    const Scratch::BodyTraits& kind = c.scratch.kinds[c.state.bodies.prototype[i]];
    return kind.sphere && kind.isotropic && !kind.locked.any();
  };
  return is_round(pair.owner) && is_round(pair.other) &&
         is_coulombs_for_spheres(
             c.model.laws(material_of(c, pair.owner), material_of(c, pair.other)));
}

void narrow_phase(StepContext& c) {
  Scratch& s = c.scratch;
  const Neighbours& neighbours = c.state.neighbours;
  resize_anew(s.slot, neighbours.pairs.size());
  if (!s.forces.any_rigid) std::ranges::fill(s.slot, Scratch::kNoContact);
  const std::size_t pairs = rigid_pairs(c);
  const std::uint32_t row = s.plan.waves + 1;
  s.chunk_count.assign(kPairChunks * row, 0);
  s.full_found.resize(kPairChunks);
  initialise_known_facets(c);
  if (!s.all_spheres) {
    // Added pairs come after the others, whose directions stay.
    if (c.report.neighbours_rebuilt) s.cached_separating_axis.clear();
    resize_tightly(s.cached_separating_axis, neighbours.pairs.size());
  }

  const LookAhead look_ahead(c);
  c.pool.for_each_chunk(kPairChunks, [&](std::size_t chunk) {
    std::uint32_t* count = &s.chunk_count[chunk * row];
    Scratch::FullChunk& found = s.full_found[chunk];
    const std::size_t first = pairs * chunk / kPairChunks, end = pairs * (chunk + 1) / kPairChunks;
    found.pairs.clear();
    found.points.clear();
    for (std::size_t p = first; p < end; ++p) {
      const Neighbours::Pair pair = neighbours.pairs[p];
      if (p + kNarrowPairsAhead < end && !s.all_sphere_contacts) {
        const BodyIndex soon = neighbours.pairs[p + kNarrowPairsAhead].other;
        if (!(soon & Neighbours::kObstacle)) look_ahead.body(soon);
      }
      s.slot[p] = Scratch::kNoContact;
      if (c.model.step.sleep && sleeps(c, pair)) continue;
      if (compliant_law(c, pair) != ForceContacts::kRigid) continue;
      if (!is_diagonal(c, pair)) {
        if (find_points(c, static_cast<std::uint32_t>(p), found)) s.slot[p] = Scratch::kFull;
        continue;
      }
      if (!is_within_margin(c, pair)) continue;
      s.slot[p] = Scratch::kUnplaced;
      ++count[s.group_of(p)];
      if (pair.other & Neighbours::kObstacle &&
          surface_moves(c, pair.other & ~Neighbours::kObstacle))
        ++count[row - 1];
    }
  });
  place_blocks(s, s.plan.waves);
  place_stacks(c);
}

}  // namespace scree
