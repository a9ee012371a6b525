/// Turns and swings of a step, against quaternions.
#include "laws/small_rotations.hpp"

#include <gtest/gtest.h>
#include <numbers>

#include "scree/math/quaternion.hpp"
#include "scree/math/random.hpp"

namespace scree {
namespace {

using force::lanes;
using force::vec;

Vec3 unit(const Vec3& v) { return v / norm(v); }

/// Turns of every size that a step may have, and directions.
class SmallRotations : public testing::Test {
 protected:
  Vec3 any() { return {random_.uniform(-1, 1), random_.uniform(-1, 1), random_.uniform(-1, 1)}; }
  Vec3 any_turn(double max_value) {
    return max_value * std::pow(10.0, random_.uniform(-8, 0)) * unit(any());
  }
  static Vec3 turned(const Vec3& v, const Vec3& turn) {
    return rotate(rotation(unit(turn), norm(turn)), v);
  }
  RandomStream random_{17};
};

TEST_F(SmallRotations, SwingTheMiddleOfAWayAsTheShortestTurnBetweenItsEndsDoes) {
  for (int k = 0; k < 10'000; ++k) {
    const Vec3 before = unit(any()), turn = any_turn(2.9), after = turned(before, turn);
    const Vec3 middle = unit(before + after);
    const Vec3 swing = vec(force::swing_about<1>(lanes(middle), lanes(turn)));
    const Vec3 between = vec(force::swing_between<1>(lanes(before), lanes(after)));
    EXPECT_LT(norm(swing - between), 1e-13) << norm(turn);
    EXPECT_NEAR(norm(between), std::atan2(norm(cross(before, after)), dot(before, after)), 2e-15);
    EXPECT_LT(norm(turned(before, between) - after), 4e-15);
  }
}

TEST_F(SmallRotations, TakeAPointAlongItsChord) {
  for (int k = 0; k < 10'000; ++k) {
    const Vec3 point = any(), turn = any_turn(1), after = turned(point, turn);
    const Vec3 way = vec(force::chord_of<1>(lanes(turn), lanes(point + after)));
    EXPECT_LT(norm(way - (after - point)), 1e-15);
    EXPECT_LT(norm(vec(force::turned_less<1>(lanes(point), lanes(turn))) - (after - point)), 1e-15);
  }
}

TEST_F(SmallRotations, ThatAreLargeMoveWallsNoFurtherThanTheyTurn) {
  for (const double angle : {1.0, 2.0, 3.0, 3.14})
    EXPECT_LT(norm(vec(force::chord_of<1>({0, 0, angle}, {2, 0, 0}))), 1.15 * angle);
}

TEST_F(SmallRotations, AreATwistAndThenASwing) {
  for (int k = 0; k < 10'000; ++k) {
    const Vec3 n = unit(any()), v = any(), turn = any_turn(3.1), after = turned(n, turn);
    if (norm(n + after) < 1e-3) continue;
    const auto twisted = force::twisted<1>(lanes(v), lanes(n), lanes(after), lanes(turn));
    const Vec3 both = vec(force::swung<1>(twisted, lanes(n), lanes(after)));
    EXPECT_LT(norm(both - turned(v, turn)), 1e-14 / norm(n + after));
  }
}

TEST_F(SmallRotations, SpinWhatLiesAcrossAndKeepItsLength) {
  const Vec3 v{0.3, -0.4, 0};
  for (const double angle : {1e-9, 1e-3, 0.1, 3.0}) {
    const Vec3 spun = vec(force::spun<1>(lanes(v), {0, 0, 1}, angle));
    EXPECT_NEAR(norm(spun), 0.5, 1e-15);
    if (angle < 0.2) EXPECT_LT(norm(spun - turned(v, {0, 0, angle})), 0.05 * angle * angle * angle);
  }
}

}  // namespace
}  // namespace scree
