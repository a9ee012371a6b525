/// Rows of one joint, as a block of the problem: docs/theory/joints.md
#pragma once

#include <algorithm>
#include <cmath>

#include "sim/joints/joint_places.hpp"
#include "sim/motion/motion.hpp"
#include "solvers/step_settings.hpp"

namespace scree {

/// The two bodies of a joint, not of a gear, and their entries in rows.
class JointBodies {
 public:
  JointBodies(const StepContext& c, std::uint32_t joint)
      : c_(c),
        ends_(c.scratch.joints.ends[joint]),
        f_(c.scratch.joints.frames[joint]),
        of_walls_(motion_between(f_, motion_of_wall(c, ends_.a), motion_of_wall(c, ends_.b))),
        before_(motion_between(f_, with_wall(ends_.a, motion_before(c, ends_.a)),
                               with_wall(ends_.b, motion_before(c, ends_.b)))) {}

  const JointScratch::Ends& ends() const { return ends_; }
  /// Record in the problem.
  BodyIndex record_of(BodyIndex end) const {
    return is_free_body(end) ? end : c_.scratch.problem.at_rest();
  }
  AxisSet locked(BodyIndex end) const {
    return is_free_body(end) ? c_.scratch.kinds[c_.state.bodies.prototype[end]].locked.ways
                             : AxisSet{0};
  }

  /// α and β of a row, scaled by s.
  Vec3 jw_a(const JointFunction& row, double s) const {
    return -spin_jacobian(ends_.a, s * (cross(f_.arm_a + f_.d, row.axis) + row.angular));
  }
  Vec3 jw_b(const JointFunction& row, double s) const {
    return spin_jacobian(ends_.b, s * (cross(f_.arm_b, row.axis) + row.angular));
  }

  /// Rates of a row [m/s] or [rad/s]: by prescribed motions, with the velocities before the step,
  /// and with those of the records.
  double rate_of_walls(const JointFunction& row) const { return rate_of(row, of_walls_); }
  double rate_before(const JointFunction& row) const { return rate_of(row, before_); }
  double rate_of_records(const JointFunction& row) const {
    return rate_of(row, motion_between(f_, with_wall(ends_.a, motion_of_record(c_, ends_.a)),
                                       with_wall(ends_.b, motion_of_record(c_, ends_.b))));
  }

  Vec3 in_a(const Vec3& v) const { return {dot(v, f_.x), dot(v, f_.y), dot(v, f_.z)}; }

 private:
  Motion with_wall(BodyIndex end, const Motion& motion) const {
    return is_free_body(end) ? motion : motion_of_wall(c_, end);
  }
  /// Jacobian of ω·t in the coordinates of a body's spin.
  Vec3 spin_jacobian(BodyIndex end, const Vec3& t) const {
    if (!is_free_body(end)) return {};
    return along_spin(c_, end, t / c_.state.bodies.radius[end]);
  }

  const StepContext& c_;
  const JointScratch::Ends& ends_;
  const JointFrames& f_;
  Motion of_walls_, before_;  ///< motions of B relative to A
};

/// Adds a block to the problem, and fills it.
class BlockFiller {
 public:
  using Drive = JointScratch::Drive;

  /// Starts the filling of all blocks. Old contents stay until they are overwritten, as most rows
  /// of a block are unused.
  static void begin(StepContext& c) {
    c.scratch.joints.blocks.clear();
    c.scratch.joints.rows.clear();
  }
  static void end(StepContext& c) {
    c.scratch.problem.joints.resize(c.scratch.joints.blocks.size());
  }

  BlockFiller(StepContext& c, std::uint32_t joint, const JointBodies& bodies, double lever)
      : c_(c),
        bodies_(bodies),
        lever_(lever),
        block_(next_block(c)),
        of_block_(c.scratch.joints.blocks.emplace_back()) {
    const JointScratch::Ends& ends = bodies.ends();
    block_.a = bodies.record_of(ends.a);
    block_.b = bodies.record_of(ends.b);
    block_.rows = 0;
    block_.kind = JointBlock::Kind::held;
    block_.locked_a = bodies.locked(ends.a);
    block_.locked_b = bodies.locked(ends.b);
    block_.second.c = JointBlock::kNobody;
    of_block_ = {joint, JointScratch::kHeld, {}, lever, 0, c.scratch.joints.rows.size()};
  }

  /// Adds a constraint row, with any impulse.
  void hold(const JointFunction& row, double remembered) {
    add(row, {.own = asked_to_close(scale(row) * row.value), .remembered = remembered});
  }

  /// Adds the row of a gear, `rows` by functions_of_gear(): its first coordinate belongs to these
  /// bodies, its second to others.
  void hold(const JointFunctions& rows, double ratio, const JointBodies& others,
            double remembered) {
    const JointFunction &first = rows.free[0], &second = rows.free[1];
    const double s = scale(first), other = -ratio * s, value = s * rows.held[0].value;
    add(first, {.own = asked_to_close(value), .remembered = remembered});
    JointScratch::Row& row = c_.scratch.joints.rows.back();
    row.wall += other * others.rate_of_walls(second);
    row.before += other * others.rate_before(second);
    const JointScratch::Ends& ends = others.ends();
    block_.second = {others.record_of(ends.a),   others.record_of(ends.b),   other * second.axis,
                     others.jw_a(second, other), others.jw_b(second, other), others.locked(ends.a),
                     others.locked(ends.b)};
  }

  /// Adds the rows for motor, limit, spring and friction of a coordinate.
  void drive(const JointFunction& row, int coordinate, const JointDrive& drive,
             const JointScratch::StepMotor& motor, JointScratch::Limit& limit,
             const std::array<double, JointScratch::kRemembered>& remembered) {
    block_.kind = JointBlock::Kind::driven;
    of_block_.coordinate = coordinate;
    const auto add_drive = [&](Drive kind, double own, double softness, double min_impulse,
                               double max_impulse) {
      of_block_.drive[static_cast<std::size_t>(block_.rows)] = kind;
      const double last = kind == Drive::rotor ? 0 : remembered[static_cast<std::size_t>(kind)];
      add(row,
          {own, std::clamp(last, min_impulse, max_impulse), softness, min_impulse, max_impulse});
    };
    constexpr double kNone = JointBlock::kUnbounded;
    const double h = c_.model.step.h, s = scale(row), fraction = half_step_factor(c_),
                 value = s * row.value, rate_before = bodies_.rate_before(row);
    const double target = motor.target, damping = drive.damping + motor.damper;
    if (limit == JointScratch::Limit::none) limit = limit_in_reach(row, drive);
    if (limit != JointScratch::Limit::none) add_limit(row, drive, limit, add_drive);

    // Forces divided by the scale, stiffnesses by its square: as those of a length.
    const double max_impulse = fraction * h * motor.max / s;
    const double k_m = motor.stiffness / (s * s), c_m = motor.damping / (s * s);
    if (motor.kind == Motor::Kind::velocity)
      add_drive(Drive::motor, -s * target, 0, -max_impulse, max_impulse);
    if (motor.kind == Motor::Kind::force) {
      const double given = fraction * h * std::clamp(target, -motor.max, motor.max) / s;
      add_drive(Drive::motor, 0, 0, given, given);
    }
    if (motor.kind == Motor::Kind::position && has_gains(motor)) {
      // The force at the end of the step is stable for any stiffness, and damps the rate of the
      // error by h k. That is part of the motor's damping, so the rest of it remains to be added.
      const double rest = std::max(0.0, c_m - h * k_m), D = h * (h * k_m + rest),
                   against_target = motor.damps_error ? -rest : c_m - rest;
      add_drive(Drive::motor,
                h * (k_m * (value - s * target) + against_target * s * motor.target_rate) / D,
                1 / (fraction * D), -max_impulse, max_impulse);
    } else if (motor.kind == Motor::Kind::position) {
      add_drive(Drive::motor, (value - s * target) / h, 0, -max_impulse, max_impulse);
    }
    if (drive.stiffness + damping > 0) {
      // Mean of the forces before, at and after the step's start, weighted 1 : 2 : 1: the
      // oscillation is stable, with the right amplitude, for any stiffness. In a first step the
      // velocity half a step earlier follows from those at its start and after it. A damper uses
      // the velocity after the step.
      const double k = drive.stiffness / (s * s), quarter = h * h * k / (4 * fraction),
                   D = quarter + h * damping / (s * s);
      add_drive(Drive::spring, (h * k * (value - s * drive.rest) - quarter * s * rate_before) / D,
                1 / (fraction * D), -kNone, kNone);
    }
    if (drive.friction > 0 || drive.friction_of_force > 0) {
      const double bound = (fraction * h * drive.friction + drive.friction_of_force * held_) / s;
      add_drive(Drive::friction, 0, 0, -bound, bound);
    }
    if (drive.armature > 0)
      add_drive(Drive::rotor, -s * rate_before, s * s / drive.armature, -kNone, kNone);
  }

  /// Sets the sum of the constraint impulses of the joint [N s].
  void held_with(double impulse) { held_ = impulse; }

  bool is_empty() const { return block_.rows == 0; }
  /// Removes the block, which is empty.
  void take_back() { c_.scratch.joints.blocks.pop_back(); }

 private:
  static JointBlock& next_block(StepContext& c) {
    auto& joints = c.scratch.problem.joints;
    const std::size_t index = c.scratch.joints.blocks.size();
    if (index == joints.size()) joints.emplace_back();
    return joints[index];
  }

  double scale(const JointFunction& row) const { return row.is_angle ? lever_ : 1; }

  /// Nearer limit, if the coordinate may reach it within the step.
  JointScratch::Limit limit_in_reach(const JointFunction& row, const JointDrive& drive) const {
    using Limit = JointScratch::Limit;
    if (!drive.has_limits()) return Limit::none;
    const double h = c_.model.step.h, s = scale(row);
    const double above = row.value - drive.lower, below = drive.upper - row.value;
    const double rate =
        std::abs(s * bodies_.rate_before(row)) + std::abs(s * bodies_.rate_of_records(row));
    if (s * std::min(above, below) > kLimitRateFactor * h * rate + kLimitReachOfLever * lever_)
      return Limit::none;
    return above <= below ? Limit::lower : Limit::upper;
  }

  template <class F>
  void add_limit(const JointFunction& row, const JointDrive& drive, JointScratch::Limit limit,
                 F&& add_drive) const {
    constexpr double kNone = JointBlock::kUnbounded;
    const bool is_lower = limit == JointScratch::Limit::lower;
    of_block_.limit = is_lower ? drive.lower : drive.upper;
    const double value = scale(row) * (row.value - of_block_.limit),
                 gap = is_lower ? value : -value;
    // Beyond a limit the coordinate returns as joints are closed.
    const double own = rebounds(row, drive, is_lower, gap)
                           ? drive.rebound * scale(row) * bodies_.rate_before(row)
                       : gap > 0 ? value / c_.model.step.h
                                 : asked_to_close(value);
    if (drive.lower == drive.upper)
      add_drive(Drive::limit, asked_to_close(value), 0, -kNone, kNone);
    else if (is_lower)
      add_drive(Drive::limit, own, 0, 0, kNone);
    else
      add_drive(Drive::limit, own, 0, -kNone, 0);
  }

  /// True if the coordinate meets its limit within the step, faster than the threshold.
  bool rebounds(const JointFunction& row, const JointDrive& drive, bool is_lower,
                double gap) const {
    const double towards = is_lower ? -scale(row) : scale(row);
    return drive.rebound > 0 &&
           towards * bodies_.rate_before(row) > c_.model.step.restitution_threshold &&
           gap <= c_.model.step.h * towards * bodies_.rate_of_records(row);
  }

  /// Target in the bias of a constraint row.
  double asked_to_close(double value) const {
    const bool in_velocities = c_.model.step.overlap_correction == OverlapCorrection::velocities;
    return in_velocities ? value / c_.model.step.h : 0;
  }

  /// Target of a row [m/s], its initial impulse, and its drive if it has one.
  struct RowTarget {
    double own, remembered;
    double softness = 0, min_impulse = 0, max_impulse = 0;
  };
  void add(const JointFunction& row, const RowTarget& asked) {
    const int k = block_.rows++, direction = block_.direction_of(k);
    const double s = scale(row);
    if (direction == k) {
      block_.axis[k] = row.axis;
      block_.jw_a[k] = bodies_.jw_a(row, s);
      block_.jw_b[k] = bodies_.jw_b(row, s);
      c_.scratch.joints.rows.push_back({s * bodies_.rate_of_walls(row),
                                        s * bodies_.rate_before(row), asked.own,
                                        bodies_.in_a(row.axis), bodies_.in_a(s * row.angular), s});
    } else {
      block_.axis[k] = block_.axis[direction];
      block_.jw_a[k] = block_.jw_a[direction];
      block_.jw_b[k] = block_.jw_b[direction];
      JointScratch::Row same = c_.scratch.joints.rows[of_block_.first_row];
      same.own = asked.own;
      c_.scratch.joints.rows.push_back(same);
    }
    block_.bias[k] = 0;
    block_.impulse[k] = asked.remembered;
    block_.softness[k] = asked.softness;
    block_.min_impulse[k] = asked.min_impulse;
    block_.max_impulse[k] = asked.max_impulse;
  }

  StepContext& c_;
  const JointBodies& bodies_;
  double lever_, held_ = 0;
  JointBlock& block_;
  JointScratch::Block& of_block_;
};

}  // namespace scree
