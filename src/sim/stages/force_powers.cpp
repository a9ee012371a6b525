/// Power of compliant forces contact by contact, and so law by law.
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

  /// Adds those of a pair to the sums.
  void add(std::size_t pair, ForceContacts::BothPowers& sums) const {
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

 private:
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
    const Vec3 arm = c_.scratch.domain.separation(now.pose.position, at);
    return {twist.linear + cross(twist.angular, arm) + surface_velocity(c_, part, normal),
            twist.angular};
  }

  const StepContext& c_;
  SolvedPoints<CentreAtStart> points_;
};

}  // namespace

void find_powers_of_laws(StepContext& c) {
  ForceContacts& f = c.scratch.forces;
  const auto& pairs = c.state.neighbours.pairs;
  f.of_laws.assign(kPairChunks * f.laws(), {});
  const ContactPowers powers(c);
  c.pool.for_each_chunk(kPairChunks, [&](std::size_t chunk) {
    for (std::size_t p = pairs.size() * chunk / kPairChunks;
         p < pairs.size() * (chunk + 1) / kPairChunks; ++p)
      if (Scratch::is_force(c.scratch.slot[p]))
        powers.add(p, f.of_laws[chunk * f.laws() + compliant_law(c, pairs[p])]);
  });
}

}  // namespace scree
