/// Power of compliant forces contact by contact, and so law by law.
#include <algorithm>

#include "sim/body_motion.hpp"
#include "sim/solved_points.hpp"

namespace scree {
namespace {

struct CentreAtStart {
  const Bodies& bodies;
  Vec3 operator()(BodyIndex i) const { return bodies.position[i]; }
};

class ContactPowers {
 public:
  explicit ContactPowers(const StepContext& c)
      : c_(c), points_(c.model, c.state, c.scratch, CentreAtStart{c.state.bodies}) {}

  /// Of a law's contacts in a chunk.
  ForceContacts::BothPowers of(const ForceContacts::Chunk& chunk, std::size_t law) const {
    ForceContacts::BothPowers sums;
    const ForceContacts::SpherePairs& spheres = chunk.spheres[law];
    for (std::size_t k = 0; k < spheres.count; ++k) add(spheres.pair[k], sums);
    for (const ForceContacts::OtherPair& other : chunk.others[law].pairs) add(other.pair, sums);
    return sums;
  }

 private:
  /// Adds those of a pair to the sums, if it is a contact.
  void add(std::size_t pair, ForceContacts::BothPowers& sums) const {
    if (!Scratch::is_force(c_.scratch.slot[pair])) return;
    const BodyPair ab = in_order(c_, c_.state.neighbours.pairs[pair]);
    points_.for_each(pair, [&](const SolvedPoint& point) {
      if (!point.force) return;
      for (const bool after : {false, true}) {
        const Motion a = motion_at(ab.owner, point.on_a, point, after),
                     b = motion_at(ab.other, point.on_b, point, after);
        Motion of_b{b.velocity - a.velocity, b.angular_velocity - a.angular_velocity};
        if (!is_part(ab.other)) of_b.velocity += flow_between(c_, ab.owner, ab.other);
        (after ? sums.after : sums.before) += power_of(c_.state, point, of_b, c_.model.step.h);
      }
    });
  }

  static bool is_part(BodyIndex i) { return (i & Neighbours::kObstacle) != 0; }

  /// Of a body or a part at a point of it, as it moved before the solve or moves after it.
  Motion motion_at(BodyIndex i, const Vec3& at, const SolvedPoint& point, bool after) const {
    if (is_part(i)) return motion_of_part(i & ~Neighbours::kObstacle, at, point.normal, after);
    const Bodies& bodies = c_.state.bodies;
    const Motion own = after
                           ? Motion{c_.scratch.problem.bodies[i].velocity, angular_velocity(c_, i)}
                           : Motion{bodies.velocity[i], bodies.angular_velocity[i]};
    const Vec3 arm = c_.scratch.domain.separation(bodies.position[i], at);
    return {own.velocity + cross(own.angular_velocity, arm), own.angular_velocity};
  }

  Motion motion_of_part(std::uint32_t part, const Vec3& at, const Vec3& normal, bool after) const {
    const ObstacleState& now = c_.state.obstacles[part];
    const Twist& twist = after ? now.twist : c_.scratch.forces.twist_before[part];
    if (!moves(twist) && !surface_moves(c_, part)) return {};
    const Vec3 arm = c_.scratch.domain.separation(now.pose.position, at);
    return {twist.linear + cross(twist.angular, arm) + surface_velocity(c_, part, normal),
            twist.angular};
  }

  const StepContext& c_;
  SolvedPoints<CentreAtStart> points_;
};

/// The law with most contacts in the step.
std::size_t most_touched(const ForceContacts& f) {
  std::vector<double> loaded(f.laws());
  f.for_each_chunk([&](const ForceContacts::Chunk& chunk) {
    for (std::size_t law = 0; law < f.laws(); ++law)
      loaded[law] += sum_of_lanes(chunk.sums[law].loaded);
  });
  return static_cast<std::size_t>(std::ranges::max_element(loaded) - loaded.begin());
}

}  // namespace

void find_powers_of_laws(StepContext& c, const ForceContacts::BothPowers& of_all) {
  ForceContacts& f = c.scratch.forces;
  const std::size_t rest = most_touched(f), chunks = f.chunks.size() + 1;
  const ContactPowers powers(c);
  f.of_laws.assign(f.laws(), {});
  f.of_laws[rest] = of_all;
  f.powers.resize(std::max(f.powers.size(), chunks));
  for (std::size_t law = 0; law < f.laws(); ++law) {
    if (law == rest) continue;
    c.pool.for_each_chunk(chunks, [&](std::size_t k) {
      const ForceContacts::Chunk& chunk = k < f.chunks.size() ? f.chunks[k] : f.alone;
      f.powers[k] = powers.of(chunk, law);
    });
    for (std::size_t k = 0; k < chunks; ++k) f.of_laws[law] += f.powers[k];
    f.of_laws[rest] -= f.of_laws[law];
  }
  // What rounding leaves of moments that the law has not.
  if (!f.numbers[2 * rest].has_moment())
    f.of_laws[rest].before.moment = f.of_laws[rest].after.moment = 0;
}

}  // namespace scree
