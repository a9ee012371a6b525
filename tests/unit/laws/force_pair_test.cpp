// One pair under compliant laws, beside Yade's own forces and beside closed forms.
#include "scree/laws/force_pair.hpp"

#include <cmath>
#include <numbers>

#include "scree/math/quaternion.hpp"
#include "scree/math/random.hpp"
#include "support/yade.hpp"

namespace scree {
namespace {

using namespace test;

/// Both bodies at the times of all steps.
using Motion = std::vector<std::pair<PairBody, PairBody>>;

/// What moves the bodies of a case: where a trace skips steps, what its driver did.
using Driver = Motion (*)(const Columns&);

struct Case {
  const char* file;
  BranchVectors branch;
  bool wall;
  Driver driver;
};

constexpr double kStep = 1e-5;

PairBody body_of(const Columns& c, const std::string& id, std::size_t row) {
  return {{c.at("x" + id)[row], c.at("y" + id)[row], c.at("z" + id)[row]},
          vector_of(c, "v", id, row),
          vector_of(c, "w", id, row)};
}

/// Of a trace with a row for each step.
Motion recorded(const Columns& c) {
  Motion motion;
  for (std::size_t row = 0; row < c.at("iter").size(); ++row)
    motion.emplace_back(body_of(c, "1", row), body_of(c, "2", row));
  return motion;
}

/// Where a trace begins, and then with velocities that are set for each step.
class Drive {
 public:
  explicit Drive(const Columns& c) { motion_.emplace_back(body_of(c, "1", 0), body_of(c, "2", 0)); }

  void go(const Vec3& v1, const Vec3& v2, const Vec3& spin, int steps = 1) {
    for (int k = 0; k < steps; ++k) {
      auto [a, b] = motion_.back();
      a.velocity = v1;
      b.velocity = v2;
      a.angular_velocity = b.angular_velocity = spin;
      a.position += kStep * v1;
      b.position += kStep * v2;
      motion_.emplace_back(a, b);
    }
  }
  const std::pair<PairBody, PairBody>& last() const { return motion_.back(); }
  Motion take() { return std::move(motion_); }

 private:
  Motion motion_;
};

/// Pressed and sheared; then turned once round about y, as a rigid body.
Motion turned_about_y(const Columns& c) {
  constexpr int kSteps = 10'000;
  Drive drive(c);
  drive.go({}, Vec3{0, 0, -1e-7} / kStep, {}, 205);
  drive.go({}, Vec3{1e-8, 0, 0} / kStep, {}, 1000);
  drive.go({}, Vec3{0, 1e-8, 0} / kStep, {}, 500);
  const auto [a, b] = drive.last();
  const Vec3 centre = 0.5 * (a.position + b.position), arm = b.position - centre;
  const Vec3 spin{0, 2 * std::numbers::pi / (kSteps * kStep), 0};
  for (int k = 1; k <= kSteps; ++k) {
    const double angle = 2 * std::numbers::pi * k / kSteps;
    const Vec3 now{std::cos(angle) * arm.x + std::sin(angle) * arm.z, arm.y,
                   std::cos(angle) * arm.z - std::sin(angle) * arm.x};
    const auto& [at_a, at_b] = drive.last();
    drive.go((centre - now - at_a.position) / kStep, (centre + now - at_b.position) / kStep, spin);
  }
  return drive.take();
}

/// A hundred times: rolled by 1e-3 rad, half unloaded, rolled back, loaded.
Motion cycles(const Columns& c) {
  Drive drive(c);
  drive.go({}, {0, 0, -0.01}, {}, 200);
  for (int k = 0; k < 100; ++k) {
    drive.go({}, {}, {0, 1, 0}, 100);
    drive.go({}, {0, 0, 0.01}, {}, 100);
    drive.go({}, {}, {0, -1, 0}, 100);
    drive.go({}, {0, 0, -0.01}, {}, 100);
  }
  return drive.take();
}

/// The columns that a trace has of a step, or of its forces.
void record(Columns& c, const PairForces& f) {
  c["contact"].push_back(f.contact ? 1 : 0);
  c["un"].push_back(f.contact ? f.overlap : 0);
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
      c[column].push_back(v[axis]);
    }
}

class YadesTraces : public testing::TestWithParam<Case> {};

/// Every recorded force and torque.
TEST_P(YadesTraces, AreReproduced) {
  const Case& of = GetParam();
  const Columns theirs = read_columns(of.file);
  const std::vector<double>& rows = theirs.at("iter");
  ForcePair pair({.law = yades_law(of.branch),
                  .moduli = {},
                  .radius = {0.005, 0.005},
                  .wall = of.wall,
                  .h = kStep});
  const Motion motion = of.driver(theirs);
  ASSERT_GE(static_cast<double>(motion.size()), rows.back() + 1);
  Columns ours;
  std::size_t row = 0;
  for (std::size_t k = 0; row < rows.size(); ++k) {
    const PairForces f = pair.step(motion[k].first, motion[k].second);
    if (static_cast<double>(k) != rows[row]) continue;
    EXPECT_LT(norm(motion[k].second.position - body_of(theirs, "2", row).position), 1e-17);
    record(ours, f);
    ++row;
  }
  for (const auto& [column, values] : ours) EXPECT_LT(miss(theirs, ours, column), 1e-12) << column;
}

INSTANTIATE_TEST_SUITE_P(
    , YadesTraces,
    testing::Values(
        Case{"i_a_press_shear.csv.gz", BranchVectors::ratcheting_free, false, recorded},
        Case{"ii_e_oblique_impact.csv.gz", BranchVectors::ratcheting_free, true, recorded},
        Case{"iii_a_rot_y_N10000.csv.gz", BranchVectors::ratcheting_free, false, turned_about_y},
        Case{"iv_a_cycle_agr.csv.gz", BranchVectors::ratcheting_free, false, cycles},
        Case{"iv_a_cycle_noagr.csv.gz", BranchVectors::contact_point, false, cycles},
        Case{"v_free_collision_agr.csv.gz", BranchVectors::ratcheting_free, false, recorded}),
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

/// Shear force and torque on B, seen by A, of a pair whose bodies turn against each other by `spin`
/// while all of it is turned by `turning` [rad/s].
std::pair<Vec3, Vec3> sheared(const Vec3& turning, const Vec3& spin, int steps) {
  constexpr double kTime = 0.01;
  PairLaw law = yades_law(BranchVectors::ratcheting_free);
  law.force.rotations = RotationScheme::exact;
  law.friction = 100;
  law.rolling_friction = law.spinning_friction = 1;
  law.force.rolling_stiffness = law.force.spinning_stiffness = 0.1;
  const double h = kTime / steps;
  ForcePair pair({.law = law, .moduli = {}, .radius = {0.005, 0.005}, .h = h});
  const auto turn = [](const Vec3& rate, double t) {
    const double speed = norm(rate);
    return speed > 0 ? rotation(rate / speed, speed * t) : Quaternion{};
  };
  const Vec3 start{0, 0, 0.0098};
  PairForces forces = pair.step({}, {start, {}, {}});
  for (int k = 1; k <= steps; ++k) {
    // B turns by `spin` within the turning frame, at a constant rate of its own in the step.
    const Vec3 at = rotate(turn(turning, k * h), start),
               was = rotate(turn(turning, (k - 1) * h), start);
    const Vec3 own = rotate(turn(turning, (k - 0.5) * h), spin);
    forces = pair.step({{}, {}, turning}, {at, (at - was) / h, turning + own});
  }
  const Quaternion frame = turn(turning, kTime);
  return {rotate_back(frame, forces.shear_force), rotate_back(frame, forces.torque_b)};
}

TEST(CundallStrack, FollowsPairsThatTurnToSecondOrder) {
  const Vec3 spin{3, 5, 7};
  const std::pair<Vec3, Vec3> still = sheared({}, spin, 1000);
  for (const Vec3& turning : {Vec3{0, 0, 300}, Vec3{300, 0, 0}, Vec3{150, -200, 170}}) {
    const auto miss = [&](int steps) {
      const auto [force, torque] = sheared(turning, spin, steps);
      return std::pair{norm(force - still.first) / norm(still.first),
                       norm(torque - still.second) / norm(still.second)};
    };
    const auto [force_40, torque_40] = miss(40);
    const auto [force_80, torque_80] = miss(80);
    EXPECT_LT(force_80, 1e-3);
    EXPECT_NEAR(force_40 / force_80, 4, 0.3);
    EXPECT_LT(torque_80, 1e-3);
    EXPECT_NEAR(torque_40 / torque_80, 4, 0.3);
  }
}

TEST(CundallStrack, DampsNothingWhereATraceBeginsInContactWithoutADashpot) {
  PairLaw law = yades_law(BranchVectors::ratcheting_free);
  constexpr double h = 1e-5, kDepth = 2e-5, kOut = 0.02;
  ForcePair pair({.law = law, .moduli = {}, .radius = {0.005, 0.005}, .h = h});
  const double held = 0.5 * law.force.k_n * kDepth * kDepth;
  for (int k = 0; k <= 200; ++k) {
    const Vec3 at{0, 0, 0.01 - kDepth + kOut * h * k};
    const PairEnergy energy = pair.step({}, {at, {0, 0, kOut}, {}}).energy;
    EXPECT_NEAR(energy.damped, 0, 1e-9 * held) << k;
    EXPECT_NEAR(energy.elastic_normal, -energy.work, 1e-9 * held) << k;
    if (k == 0) EXPECT_NEAR(energy.elastic_normal, held, 1e-9 * held);
    if (k > 110) EXPECT_EQ(energy.elastic_normal, 0);
  }
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
      EXPECT_NEAR(restitution_of(critical_damping_fraction(e, attraction), attraction), e, 1e-12);
  // across β = 1
  EXPECT_NEAR(restitution_of(1 - 1e-4 - 1e-9, false), restitution_of(1 - 1e-4 + 1e-9, false), 1e-8);
}

}  // namespace
}  // namespace scree
