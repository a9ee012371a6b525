// Images of a cell that bodies pass: a pair is a contact by its nearest images alone.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/cell/cell.hpp"
#include "sim/motion/body_motion.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

const Finding kLeftOut("contacts_left_out");

/// Radius of a sphere about the centre that is within the body [m].
double inner_radius(const StepContext& c, BodyIndex i) {
  return c.state.bodies.radius[i] * c.scratch.kinds[c.state.bodies.prototype[i]].inscribed_radius;
}

/// Position of B relative to A at the start of the step, by their nearest images, and its change.
struct Passage {
  Vec3 apart, displacement;  ///< [m]
  double reach;              ///< distance at which the two certainly touch [m]
};

Passage passage_of(const StepContext& c, const Neighbours::Pair& pair) {
  const Bodies& bodies = c.state.bodies;
  const double h = c.model.step.h;
  const Vec3 velocity = c.scratch.problem.bodies[pair.owner].velocity;
  const double reach = inner_radius(c, pair.owner);
  if (pair.other & Neighbours::kObstacle) {
    const std::uint32_t k = pair.other & ~Neighbours::kObstacle;
    const auto& [pose, twist] = c.state.obstacles[k];
    const Shape& shape = c.model.obstacles[k].shape;
    const auto* ball = std::get_if<Sphere>(&shape);
    return {c.scratch.domain.separation(bodies.position[pair.owner], pose.position),
            h * (twist.linear - velocity), ball ? reach + ball->radius : 0};
  }
  return {c.scratch.domain.separation(bodies.position[pair.owner], bodies.position[pair.other]),
          h * (c.scratch.problem.bodies[pair.other].velocity - velocity +
               flow_between(c, pair.owner, pair.other)),
          reach + inner_radius(c, pair.other)};
}

/// Distance of A from a moving image of B where the two are closest [m].
double closest(const Vec3& apart, const Vec3& displacement) {
  const double square = squared_norm(displacement);
  const double share = square > 0 ? std::clamp(-dot(apart, displacement) / square, 0.0, 1.0) : 0;
  return norm(apart + share * displacement);
}

/// True if a pair touches in the step by other images than the nearest ones.
bool passes_an_image(const StepContext& c, const Neighbours::Pair& pair) {
  const Vec3 period = c.scratch.domain.period();
  const Passage passage = passage_of(c, pair);
  // Along each axis that repeats another image is at least half a period away.
  const double path = norm(passage.displacement) + passage.reach;
  std::array<int, 3> max_images{};
  bool far = false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double length = period[static_cast<int>(axis)];
    if (length == 0) continue;
    far = far || path > length / 2;
    constexpr double kMaxPeriods = 3;  // images further on lie in the same rows
    max_images[axis] = static_cast<int>(std::min(std::ceil(path / length), kMaxPeriods));
  }
  if (!far || passage.reach == 0) return false;
  const double touching = (1 - kNegligibleMissedOverlap) * passage.reach;
  const auto& [x, y, z] = max_images;
  for (int i = -x; i <= x; ++i)
    for (int j = -y; j <= y; ++j)
      for (int k = -z; k <= z; ++k) {
        const Vec3 shift{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
        if (shift == Vec3{}) continue;
        const Vec3 apart = passage.apart + c.scratch.domain.edges() * shift;
        if (closest(apart, passage.displacement) < touching) return true;
      }
  return false;
}

/// Bound of the motion that a flow adds to a pair in the step [m].
double flow_path(const StepContext& c) {
  const Domain& domain = c.scratch.domain;
  return c.model.step.h * norm(domain.gradient()) * norm(domain.period()) / 2;
}

/// True if no pair can reach another image than the nearest: no body moves far enough.
bool none_can_pass(const StepContext& c) {
  const double h = c.model.step.h;
  const std::size_t bodies = c.state.bodies.size();
  std::array<double, kPairChunks> speed{}, radius{};  // largest of a chunk, the first squared
  c.pool.for_each_chunk(kPairChunks, [&](std::size_t chunk) {
    for (std::size_t i = bodies * chunk / kPairChunks; i < bodies * (chunk + 1) / kPairChunks;
         ++i) {
      speed[chunk] = std::max(speed[chunk], squared_norm(c.scratch.problem.bodies[i].velocity));
      radius[chunk] = std::max<double>(radius[chunk], c.state.bodies.radius[i]);
    }
  });
  const double of_bodies = h * std::sqrt(std::ranges::max(speed)) + std::ranges::max(radius);
  double of_others = of_bodies;
  for (std::size_t k = 0; k < c.model.obstacles.size(); ++k) {
    const auto* ball = std::get_if<Sphere>(&c.model.obstacles[k].shape);
    if (ball)
      of_others = std::max(of_others, h * norm(c.state.obstacles[k].twist.linear) + ball->radius);
  }
  const Vec3 period = c.scratch.domain.period();
  double shortest = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis)
    if (period[axis] > 0) shortest = std::min(shortest, period[axis]);
  return of_bodies + of_others + flow_path(c) <= shortest / 2;
}

}  // namespace

void count_passed_images(StepContext& c) {
  if (!c.scratch.domain.repeats() || none_can_pass(c)) return;
  const auto& pairs = c.state.neighbours.pairs;
  std::array<std::size_t, kPairChunks> count{};
  c.pool.for_each_chunk(kPairChunks, [&](std::size_t chunk) {
    for (std::size_t p = pairs.size() * chunk / kPairChunks;
         p < pairs.size() * (chunk + 1) / kPairChunks; ++p)
      count[chunk] += !c.state.neighbours.has_left(pairs[p]) && passes_an_image(c, pairs[p]);
  });
  c.report[kLeftOut].value += static_cast<double>(std::reduce(count.begin(), count.end()));
}

}  // namespace scree
