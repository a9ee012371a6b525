/// Rows of one joint, as a block of the problem: docs/theory/joints.md
#pragma once

#include <algorithm>
#include <cmath>

#include "sim/joints/joint_places.hpp"

namespace scree {

/// Fills one block of the problem.
class BlockFiller {
 public:
  using Drive = JointScratch::Drive;

  BlockFiller(const StepContext& c, std::uint32_t joint, const JointFrames& frames, double lever)
      : c_(c),
        ends_(c.scratch.joints.ends[joint]),
        f_(frames),
        lever_(lever),
        of_a_(motion_before(c, ends_.a)),
        of_b_(motion_before(c, ends_.b)) {
    const BodyIndex at_rest = c.scratch.problem.at_rest();
    block_.a = is_free_body(ends_.a) ? ends_.a : at_rest;
    block_.b = is_free_body(ends_.b) ? ends_.b : at_rest;
    block_.rows = 0;
    of_block_ = {joint, JointScratch::kHeld, {}, lever};
  }

  /// A row that is held with whatever percussion.
  void hold(const JointFunction& row, double remembered) {
    const double value = scale(row) * row.value;
    const bool in_velocities = c_.model.step.overlap_correction == OverlapCorrection::velocities;
    add(row, in_velocities ? value / c_.model.step.h : 0, remembered);
  }

  /// All that a coordinate is subject to.
  void drive(const JointFunction& row, int coordinate, const JointDrive& drive, double target,
             const std::array<double, JointScratch::kDrives>& remembered) {
    block_.kind = JointBlock::Kind::driven;
    of_block_.coordinate = coordinate;
    const auto add_drive = [&](Drive kind, double own, double softness, double least, double most) {
      const int k = block_.rows;
      of_block_.drive[static_cast<std::size_t>(k)] = kind;
      block_.softness[k] = softness;
      block_.least[k] = least;
      block_.most[k] = most;
      add(row, own, std::clamp(remembered[static_cast<std::size_t>(kind)], least, most));
    };
    constexpr double kNone = JointBlock::kUnbounded;
    const double h = c_.model.step.h, s = scale(row), part = kick(c_), value = s * row.value;
    add_limit(row, drive, add_drive);

    // Forces over the scale, stiffnesses over its square: as those of a length.
    const Motor& motor = drive.motor;
    const double most = part * h * motor.most / s;
    const double k_m = motor.stiffness / (s * s), c_m = motor.damping / (s * s);
    if (motor.kind == Motor::Kind::velocity) add_drive(Drive::motor, -s * target, 0, -most, most);
    if (motor.kind == Motor::Kind::force) {
      const double given = part * h * std::clamp(target, -motor.most, motor.most) / s;
      add_drive(Drive::motor, 0, 0, given, given);
    }
    if (motor.kind == Motor::Kind::position && k_m + c_m > 0) {
      const double D = h * h * k_m + h * c_m;
      add_drive(Drive::motor, h * k_m * (value - s * target) / D, 1 / (part * D), -most, most);
    } else if (motor.kind == Motor::Kind::position) {
      add_drive(Drive::motor, (value - s * target) / h, 0, -most, most);
    }
    if (drive.stiffness + drive.damping > 0) {
      // The mean of the forces before, at and after the step's start, weighted 1 : 2 : 1: however
      // stiff the spring is, its swing is stable and as wide as it should be. In a first step the
      // velocity of half a step before follows from those at its start and after it. A damper takes
      // the velocity after the step.
      const double k = drive.stiffness / (s * s), quarter = h * h * k / (4 * part),
                   D = quarter + h * drive.damping / (s * s);
      add_drive(Drive::spring,
                (h * k * (value - s * drive.rest) - quarter * s * rate_before(row)) / D,
                1 / (part * D), -kNone, kNone);
    }
    if (drive.friction > 0 || drive.friction_of_force > 0) {
      const double bound = (part * h * drive.friction + drive.friction_of_force * held_) / s;
      add_drive(Drive::friction, 0, 0, -bound, bound);
    }
  }

  /// Of what the rows of the joint proper hold with [N s].
  void held_with(double percussion) { held_ = percussion; }

  bool is_empty() const { return block_.rows == 0; }
  const JointBlock& block() const { return block_; }
  const JointScratch::Block& of_block() const { return of_block_; }
  const JointScratch::Rows& rows() const { return rows_; }

 private:
  double scale(const JointFunction& row) const { return row.is_angle ? lever_ : 1; }

  /// Of the limit that is nearer, if the coordinate may come to it within the step.
  template <class F>
  void add_limit(const JointFunction& row, const JointDrive& drive, F&& add_drive) const {
    if (!drive.has_limits()) return;
    constexpr double kNone = JointBlock::kUnbounded;
    constexpr double kFactor = 2, kNear = 1e-3;  // of the rates, and of the lever
    const double h = c_.model.step.h, s = scale(row);
    const double above = row.value - drive.lower, below = drive.upper - row.value;
    const double gap = s * std::min(above, below);
    const double rate =
        std::abs(s * rate_before(row)) +
        std::abs(s * rate_of(row, f_, with_wall(ends_.a, motion_of_record(c_, ends_.a)),
                             with_wall(ends_.b, motion_of_record(c_, ends_.b))));
    if (gap > kFactor * h * rate + kNear * lever_) return;
    // What is beyond a limit is brought back as joints are closed.
    const bool in_velocities = c_.model.step.overlap_correction == OverlapCorrection::velocities;
    const double room = gap > 0 || in_velocities ? gap / h : 0;
    if (drive.lower == drive.upper)
      add_drive(Drive::limit, in_velocities ? s * above / h : 0, 0, -kNone, kNone);
    else if (above <= below)
      add_drive(Drive::limit, room, 0, 0, kNone);
    else
      add_drive(Drive::limit, -room, 0, -kNone, 0);
  }

  void add(const JointFunction& row, double own, double remembered) {
    const int k = block_.rows++;
    const double s = scale(row);
    block_.axis[k] = row.axis;
    block_.turn_a[k] = -turn_of(ends_.a, s * (cross(f_.arm_a + f_.d, row.axis) + row.turn));
    block_.turn_b[k] = turn_of(ends_.b, s * (cross(f_.arm_b, row.axis) + row.turn));
    block_.percussion[k] = remembered;
    rows_[static_cast<std::size_t>(k)] = {s * row.value,
                                          s * rate_of(row, f_, wall(ends_.a), wall(ends_.b)),
                                          s * rate_before(row),
                                          own,
                                          in_a(row.axis),
                                          in_a(s * row.turn),
                                          s};
  }

  Vec3 in_a(const Vec3& v) const { return {dot(v, f_.x), dot(v, f_.y), dot(v, f_.z)}; }
  /// Motion of an end that is no free body, as if it were one: at its own frame.
  Motion wall(BodyIndex end) const {
    if (is_free_body(end)) return {};
    const Twist twist = twist_of_part(c_, end);
    return {twist.linear, twist.angular};
  }
  Motion with_wall(BodyIndex end, const Motion& motion) const {
    return is_free_body(end) ? motion : wall(end);
  }

  /// Rate of a row with the velocities before the step [m/s] or [rad/s].
  double rate_before(const JointFunction& row) const {
    return rate_of(row, f_, with_wall(ends_.a, of_a_), with_wall(ends_.b, of_b_));
  }

  /// How ω·t depends on the scaled spin of a body.
  Vec3 turn_of(BodyIndex end, const Vec3& t) const {
    if (!is_free_body(end)) return {};
    const Bodies& bodies = c_.state.bodies;
    const Scratch::Kind& kind = c_.scratch.kinds[bodies.prototype[end]];
    const Vec3 arm = t / bodies.radius[end];
    if (kind.isotropic) return arm;
    const Vec3 own = rotate_back(bodies.orientation[end], arm), &scale = kind.spin_scale;
    return {own.x / scale.x, own.y / scale.y, own.z / scale.z};
  }

  const StepContext& c_;
  const JointScratch::Ends& ends_;
  const JointFrames& f_;
  double lever_, held_ = 0;
  Motion of_a_, of_b_;
  JointBlock block_{};
  JointScratch::Block of_block_;
  JointScratch::Rows rows_{};
};

}  // namespace scree
