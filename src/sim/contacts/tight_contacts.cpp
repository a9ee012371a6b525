/// Contacts that may preload a body between obstacles at rest: see release_squeeze(). Our own
/// method.
#include <algorithm>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

#include "scree/solvers/factored_problem.hpp"
#include "sim/contacts/assemble.hpp"
#include "sim/joints/joints.hpp"
#include "sim/motion/body_motion.hpp"
#include "sim/neighbours/neighbours.hpp"
#include "solvers/body_sets.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

using Point = Scratch::TightPoint;

/// True if B cannot move along the normal of the contact.
bool holds_still(const ContactProblem& problem, BodyIndex b, const Vec3& normal) {
  const Vec3& v = problem.bodies[b].velocity;
  return std::abs(dot(v, normal)) <= kStillNormalRounding * norm(v);
}

/// Adds the points of a pair whose obstacle does not move along their normals.
void add_points(const StepContext& c, const Scratch::TightPlace& pair, std::vector<Point>& points) {
  const Scratch& s = c.scratch;
  const auto add = [&](const auto& block, const double(&n)[3][kBlock], std::size_t contact,
                       AxisSet locked, std::uint32_t feature, double gap) {
    const std::size_t lane = contact % kBlock;
    const Vec3 normal{n[0][lane], n[1][lane], n[2][lane]};
    if (!holds_still(s.problem, block.b[lane], normal)) return;
    points.push_back({.obstacle = pair.obstacle,
                      .feature = feature,
                      .normal = without(normal, locked),
                      .tight = {pair.body, static_cast<ContactIndex>(contact),
                                gap / c.state.bodies.radius[pair.body]}});
  };
  const std::uint32_t slot = s.slot[pair.pair];
  if ((slot & Scratch::kFull) == 0) {
    const SphereContactBlock& block = s.problem.blocks[slot / kBlock];
    if (!holds_contact(block, slot % kBlock, s.problem.at_rest())) return;  // see resolve_events()
    add(block, block.normal, slot, 0, 0, double{s.gap[slot]});
    return;
  }
  const std::size_t spheres = kBlock * s.problem.blocks.size();
  for_each_full_place(s, slot, [&](std::uint32_t place) {
    const ContactBlock& block = s.problem.contact_blocks[place / kBlock];
    const FullPoints::Point& point = s.full_point(place);
    const AxisSet locked = block.any_locked ? block.locked_a[place % kBlock] : AxisSet{0};
    add(block, block.axis[0], spheres + place, locked, point.feature, point.gap);
  });
}

enum class Fit : std::uint8_t { loose, tight, jammed };

/// Tight: some normals oppose each other without clearance, or nothing moves along one, and the
/// body is not jammed: each opposed normal is opposed by one with remaining gap. A body with
/// clearance cannot be preloaded: contacts that press are closed when the step ends, so impulses
/// that cancel have Σ r_n g = 0 over the gaps g ≥ 0 at its start.
Fit fit_of(std::span<const Point> points) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  bool any = false;
  for (const Point& point : points) {
    any = any || norm(point.normal) < kLockedNormal;
    double narrowest = kNone, widest = -kNone;
    for (const Point& other : points) {
      if (dot(point.normal, other.normal) >= kOpposed) continue;
      const double room = point.tight.gap + other.tight.gap;
      narrowest = std::min(narrowest, room);
      widest = std::max(widest, room);
    }
    if (narrowest == kNone) continue;
    if (widest < -kJammed) return Fit::jammed;
    any = any || narrowest <= kWedged;
  }
  return any ? Fit::tight : Fit::loose;
}

/// Finds contacts of a body with an obstacle that does not respond to its load, body by body.
void find_places(StepContext& c) {
  Scratch& s = c.scratch;
  s.tight_places.clear();
  const std::size_t pairs = rigid_pairs(c);
  for (std::size_t p = 0; p < pairs; ++p) {
    const Neighbours::Pair& pair = c.state.neighbours.pairs[p];
    if (!(pair.other & Neighbours::kObstacle)) continue;
    if (s.slot[p] == Scratch::kNoContact || Scratch::is_force(s.slot[p])) continue;
    const std::uint32_t obstacle = pair.other & ~Neighbours::kObstacle;
    if (c.model.obstacles[obstacle].servo) continue;
    s.tight_places.push_back({pair.owner, obstacle, static_cast<std::uint32_t>(p)});
  }
  const auto by_body = [](const Scratch::TightPlace& place) {
    return std::tie(place.body, place.obstacle);
  };
  if (!std::ranges::is_sorted(s.tight_places, {}, by_body))
    std::ranges::sort(s.tight_places, {}, by_body);
}

void clear_impulse(ContactBlock& block, int lane, ContactProblem& problem) {
  for (auto& row : block.impulse) row[lane] = 0;
  if (block.rolling == ContactBlock::kNone) return;
  for (auto& row : problem.rolling[block.rolling].impulse) row[lane] = 0;
}

/// Clears an impulse: its memory may be the preload of an impact.
void clear_impulse(ContactProblem& problem, ContactIndex contact) {
  const std::size_t spheres = kBlock * problem.blocks.size();
  const int lane = static_cast<int>(contact % kBlock);
  if (contact >= spheres)
    clear_impulse(problem.contact_blocks[(contact - spheres) / kBlock], lane, problem);
  else
    for (auto& row : problem.blocks[contact / kBlock].impulse) row[lane] = 0;
}

/// Removes bodies that touch each other: sweeps would not carry loads through them.
void leave_neighbours(ContactProblem& problem) {
  const auto is_tight = [&](BodyIndex i) {
    return std::ranges::binary_search(problem.tight, i, {}, &TightContact::body);
  };
  std::vector<BodyIndex> met;
  const auto look = [&](const auto& blocks) {
    for (const auto& block : blocks)
      for (int lane = 0; lane < kBlock; ++lane)
        if (is_tight(block.a[lane]) && is_tight(block.b[lane])) {
          met.push_back(block.a[lane]);
          met.push_back(block.b[lane]);
        }
  };
  look(problem.blocks);
  look(problem.contact_blocks);
  std::ranges::sort(met);
  std::erase_if(problem.tight, [&](const TightContact& tight) {
    return std::ranges::binary_search(met, tight.body);
  });
}

/// Marks all bodies that contacts or joints connect with tight ones: ContactProblem::near_tight.
void mark_sets_of_tight(ContactProblem& problem) {
  BodySets sets(problem.free_bodies);
  const auto join = [&](const auto& blocks) {
    for (const auto& block : blocks)
      for (int lane = 0; lane < kBlock; ++lane) sets.join(block.a[lane], block.b[lane]);
  };
  join(problem.blocks);
  join(problem.contact_blocks);
  for (const JointBlock& joint : problem.joints)
    joint.for_each_side([&](const JointBlock::Side& side) { sets.join(joint.a, side.body); });
  std::vector<std::uint8_t> is_tight(problem.free_bodies, 0);
  for (const TightContact& tight : problem.tight) is_tight[sets.of(tight.body)] = 1;
  problem.near_tight.resize(problem.free_bodies);
  for (BodyIndex i = 0; i < problem.free_bodies; ++i) problem.near_tight[i] = is_tight[sets.of(i)];
}

/// Joints between bodies and the world, sorted by body.
std::span<const Scratch::Anchor> find_anchors(Scratch& s) {
  s.anchors.clear();
  for (std::size_t k = 0; k < s.problem.joints.size(); ++k) {
    const JointBlock& joint = s.problem.joints[k];
    if (joint.kind != JointBlock::Kind::held || joint.second.is_there()) continue;
    const BodyIndex body = std::min(joint.a, joint.b), with = std::max(joint.a, joint.b);
    if (body < s.problem.free_bodies && with >= s.problem.free_bodies)
      s.anchors.push_back({body, static_cast<std::uint32_t>(k)});
  }
  std::ranges::sort(s.anchors, {}, &Scratch::Anchor::body);
  return s.anchors;
}

/// True if joints leave A no motion along the normal.
bool joints_hold(const StepContext& c, const ContactRows& contact) {
  const BodyRecord& body = c.scratch.problem.bodies[contact.a];
  JointElimination::Mobility mobility;
  c.scratch.solver.joints().find_mobility(c.scratch.problem, contact.a, contact.a, mobility);
  const Vec3 push = without(contact.axis[0], contact.locked_a), turn = contact.jw_a[0];
  const double way[6] = {-push.x, -push.y, -push.z, turn.x, turn.y, turn.z};
  double held = 0;
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t k = 0; k < 6; ++k) held += way[i] * mobility[i][k] * way[k];
  const double alone =
      body.inverse_mass * squared_norm(push) + body.inverse_inertia * squared_norm(turn);
  return held <= kJointHeldMobility * alone;
}

bool has_joint(const ContactProblem& problem, BodyIndex body) {
  return std::ranges::any_of(problem.joints, [&](const JointBlock& joint) {
    bool has = false;
    joint.for_each_side([&](const JointBlock::Side& side) { has = has || side.body == body; });
    return has;
  });
}

/// Unloads contacts of a jointed body between opposing obstacles if joints leave no motion along
/// their normals. A bias that nothing can cancel opens them.
void open_what_joints_hold(StepContext& c, std::span<const Point> points) {
  Scratch& s = c.scratch;
  s.solver.joints().prepare(s.problem, c.pool);
  const std::size_t spheres = kBlock * s.problem.blocks.size();
  for (const Point& point : points) {
    if (point.tight.contact < spheres) continue;
    ContactBlock& block = s.problem.contact_blocks[(point.tight.contact - spheres) / kBlock];
    const int lane = static_cast<int>(point.tight.contact % kBlock);
    if (!joints_hold(c, block.contact(lane))) continue;
    clear_impulse(block, lane, s.problem);
    block.bias[0][lane] += kOpeningSpeed;
  }
}

}  // namespace

void forget_what_joints_hold(StepContext& c) {
  Scratch& s = c.scratch;
  ContactProblem& problem = s.problem;
  const std::span<const Scratch::Anchor> anchors = find_anchors(s);
  if (anchors.empty()) return;
  s.solver.joints().prepare(problem, c.pool);
  for (ContactBlock& block : problem.contact_blocks)
    for (int lane = 0; lane < kBlock; ++lane) {
      const BodyIndex body = block.a[lane];
      if (body >= problem.free_bodies || block.b[lane] < problem.free_bodies) continue;
      if (!(block.impulse[0][lane] > 0)) continue;
      auto anchor = std::ranges::lower_bound(anchors, body, {}, &Scratch::Anchor::body);
      const bool has_any = anchor != anchors.end() && anchor->body == body;
      if (!has_any || !joints_hold(c, block.contact(lane))) continue;
      clear_impulse(block, lane, problem);
      for (; anchor != anchors.end() && anchor->body == body; ++anchor)
        std::ranges::fill(problem.joints[anchor->joint].impulse, 0.0);
    }
}

void find_tight_contacts(StepContext& c) {
  Scratch& s = c.scratch;
  s.problem.tight.clear();
  s.problem.near_tight.clear();
  s.problem.jammed.clear();
  // Cohesion presses bodies on both sides, and must stay.
  if (c.model.obstacles.empty() || s.any_cohesion) return;
  find_places(c);
  const auto& places = s.tight_places;
  for (std::size_t begin = 0, end = 0; begin < places.size(); begin = end) {
    while (end < places.size() && places[end].body == places[begin].body) ++end;
    const bool is_one_point = end == begin + 1 && !(s.slot[places[begin].pair] & Scratch::kFull);
    if (is_one_point) continue;
    s.tight_points.clear();
    for (std::size_t k = begin; k < end; ++k) add_points(c, places[k], s.tight_points);
    const Fit fit = fit_of(s.tight_points);
    if (fit == Fit::jammed) s.problem.jammed.push_back(places[begin].body);
    if (fit != Fit::tight) continue;
    if (has_joint(s.problem, places[begin].body)) {
      open_what_joints_hold(c, s.tight_points);
      continue;
    }
    std::ranges::sort(s.tight_points, {},
                      [](const Point& point) { return std::tuple(point.obstacle, point.feature); });
    for (const Point& point : s.tight_points) s.problem.tight.push_back(point.tight);
  }
  if (s.problem.tight.empty()) return;
  leave_neighbours(s.problem);
  if (s.problem.tight.empty()) return;
  mark_sets_of_tight(s.problem);
  for (const TightContact& tight : s.problem.tight) clear_impulse(s.problem, tight.contact);
}

}  // namespace scree
