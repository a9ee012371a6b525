// One pair under compliant laws, beside Yade's own forces and beside closed forms.
#include "scree/laws/force_pair.hpp"

#include <numbers>

#include "scree/math/quaternion.hpp"
#include "scree/math/random.hpp"
#include "support/yade.hpp"

namespace scree {
namespace {

using namespace test;

struct Case {
  const char* file;
  BranchVectors branch;
  bool wall;
  int every;
};

PairBody body_of(const Columns& c, const std::string& id, std::size_t row) {
  return {{c.at("x" + id)[row], c.at("y" + id)[row], c.at("z" + id)[row]},
          vector_of(c, "v", id, row),
          vector_of(c, "w", id, row)};
}

class YadesTraces : public testing::TestWithParam<Case> {};

/// Every recorded force and torque of a case that is recorded each step.
TEST_P(YadesTraces, AreReproduced) {
  const Case& of = GetParam();
  const Columns theirs = read_columns(of.file);
  ForcePair pair({.law = yades_law(of.branch),
                  .moduli = {},
                  .radius = {0.005, 0.005},
                  .wall = of.wall,
                  .h = 1e-5});
  Columns ours;
  for (std::size_t row = 0; row < theirs.at("iter").size(); ++row) {
    const PairForces f = pair.step(body_of(theirs, "1", row), body_of(theirs, "2", row));
    ours["contact"].push_back(f.contact ? 1 : 0);
    ours["un"].push_back(f.contact ? f.overlap : 0);
    const std::pair<const char*, Vec3> vectors[] = {{"n", f.contact ? f.normal : Vec3{}},
                                                    {"Fn", f.normal_force},
                                                    {"Fs", f.shear_force},
                                                    {"f1", f.force_a},
                                                    {"f2", f.force_b},
                                                    {"t1", f.torque_a},
                                                    {"t2", f.torque_b}};
    for (const auto& [name, v] : vectors)
      for (int axis = 0; axis < 3; ++axis) {
        std::string column = name;
        column.insert(column[0] == 'f' || column[0] == 't' ? 1 : column.size(), 1, "xyz"[axis]);
        ours[column].push_back(v[axis]);
      }
  }
  for (const auto& [column, values] : ours) EXPECT_LT(miss(theirs, ours, column), 1e-12) << column;
}

INSTANTIATE_TEST_SUITE_P(
    , YadesTraces,
    testing::Values(Case{"i_a_press_shear.csv.gz", BranchVectors::ratcheting_free, false, 1},
                    Case{"ii_e_oblique_impact.csv.gz", BranchVectors::ratcheting_free, true, 1},
                    Case{"v_free_collision_agr.csv.gz", BranchVectors::ratcheting_free, false, 1}),
    [](const auto& of) {
      std::string name = of.param.file;
      return name.substr(0, name.find('.'));
    });

/// A pair that is sheared, then turned as a whole by a full turn about `axis`.
double miss_after_a_turn(const Vec3& axis, int steps, BranchVectors branch) {
  PairLaw law = yades_law(branch);
  law.force.rotations = RotationScheme::exact;
  const double h = 1e-5, distance = 0.00998;
  ForcePair pair({.law = law, .moduli = {}, .radius = {0.005, 0.005}, .h = h});
  const PairBody a{};
  PairBody b{{0, 0, distance}, {}, {}};
  pair.step(a, b);
  const Vec3 shift{-1e-5, -5e-6, 0};
  PairForces before;
  for (int k = 1; k <= 10; ++k) {  // less than friction allows
    b.velocity = 0.1 / h * shift;
    const Vec3 moved = b.position + h * b.velocity;
    b.position = distance / norm(moved) * moved;
    b.velocity = (b.position - (moved - 0.1 * shift)) / h;
    before = pair.step(a, b);
  }
  const double angle = 2 * std::numbers::pi / steps;
  const Vec3 omega = angle / h / norm(axis) * axis;
  const Vec3 start = b.position, centre{0.01, -0.02, 0.005};
  PairForces after;
  Vec3 at_a{}, at_b = start;
  for (int k = 1; k <= steps; ++k) {
    const Quaternion q = rotation(axis, k * angle);
    const Vec3 new_a = centre + rotate(q, -centre), new_b = centre + rotate(q, start - centre);
    after = pair.step({new_a, (new_a - at_a) / h, omega}, {new_b, (new_b - at_b) / h, omega});
    at_a = new_a;
    at_b = new_b;
  }
  EXPECT_GT(norm(before.shear_force), 0.1);
  EXPECT_LT(norm(before.shear_force), 0.39 * norm(before.normal_force));
  return norm(after.shear_force - before.shear_force) / norm(before.shear_force);
}

TEST(CundallStrack, ReturnsItsShearForceAfterAFullTurnAboutAnyAxis) {
  RandomStream random{7};
  for (int k = 0; k < 20; ++k) {
    const Vec3 axis{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    EXPECT_LT(miss_after_a_turn(axis, 100, BranchVectors::ratcheting_free), 1e-9);
    EXPECT_LT(miss_after_a_turn(axis, 100, BranchVectors::contact_point), 1e-9);
  }
  for (const Vec3& axis : {Vec3{0, 0, 1}, Vec3{0, 1, 0}, Vec3{1, 2, 3}})
    EXPECT_LT(miss_after_a_turn(axis, 10'000, BranchVectors::ratcheting_free), 1e-9);
}

/// Both roll by 1e-3 rad, unload to half of the overlap, roll back, load again.
double left_after_cycles(BranchVectors branch, int cycles) {
  PairLaw law = yades_law(branch);
  law.force.rotations = RotationScheme::exact;
  law.friction = 10;
  const double h = 1e-5;
  ForcePair pair({.law = law, .moduli = {}, .radius = {0.005, 0.005}, .h = h});
  PairBody a, b{{0, 0, 0.00998}, {}, {}};
  PairForces f = pair.step(a, b);
  const auto hold = [&](double spin, double speed, int steps) {
    for (int k = 0; k < steps; ++k) {
      a.angular_velocity = b.angular_velocity = {0, spin, 0};
      b.velocity = {0, 0, speed};
      b.position += h * b.velocity;
      f = pair.step(a, b);
    }
  };
  for (int k = 0; k < cycles; ++k) {
    hold(1, 0, 100);
    hold(0, 0.01, 100);
    hold(-1, 0, 100);
    hold(0, -0.01, 100);
  }
  return norm(f.shear_force);
}

TEST(CundallStrack, DoesNotRatchetUnlessBranchVectorsEndAtTheContactPoint) {
  EXPECT_LT(left_after_cycles(BranchVectors::ratcheting_free, 100), 1e-15);
  EXPECT_GT(left_after_cycles(BranchVectors::contact_point, 100), 0.01);
}

TEST(CriticalDamping, IsTheInverseOfRestitution) {
  for (const bool attraction : {false, true})
    for (double e = 0.01; e <= 1; e += 0.01)
      EXPECT_NEAR(restitution_of(critical_damping_part(e, attraction), attraction), e, 1e-12);
  // across β = 1
  EXPECT_NEAR(restitution_of(1 - 1e-4 - 1e-9, false), restitution_of(1 - 1e-4 + 1e-9, false), 1e-8);
}

}  // namespace
}  // namespace scree
