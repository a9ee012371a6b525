// Joints as rows of the problem, and how far they bend within a step: docs/theory/joints.md
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "scree/core/decimal.hpp"
#include "sim/joints/joint_places.hpp"
#include "sim/user_function.hpp"
#include "solvers/kernels/joint_blocks.hpp"

namespace scree {

JointFunctions rows_after(const StepContext& c, std::size_t joint, const Motion& a, const Motion& b,
                          const Motion& push_a, const Motion& push_b) {
  const JointScratch::Ends& ends = c.scratch.joints.ends[joint];
  return functions_of(c.model.joints[joint],
                      frames_of(c.scratch.domain, c.model.joints[joint],
                                pose_after(c, ends.a, a, push_a), pose_after(c, ends.b, b, push_b)),
                      c.state.joints[joint].coordinate);
}

double lever_of(const StepContext& c, const JointScratch::Ends& ends) {
  double lever = std::numeric_limits<double>::infinity();
  for (const BodyIndex end : {ends.a, ends.b})
    if (is_free_body(end)) lever = std::min(lever, c.state.bodies.radius[end]);
  return lever;
}

void find_joint_ends(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  const Bodies& bodies = c.state.bodies;
  const auto fits = [&](std::size_t k) {
    const auto is = [&](const JointEnd& end, BodyIndex at) {
      return is_obstacle(end.body) || (at < bodies.size() && bodies.id[at] == end.body);
    };
    // What is gone does not come back.
    return !s.ends[k].is_there ||
           (is(c.model.joints[k].a, s.ends[k].a) && is(c.model.joints[k].b, s.ends[k].b));
  };
  bool known = s.ends.size() == c.model.joints.size();
  for (std::size_t k = 0; known && k < s.ends.size(); ++k) known = fits(k);
  if (!known) {
    std::unordered_map<std::uint64_t, BodyIndex> index;
    index.reserve(bodies.size());
    for (BodyIndex i = 0; i < bodies.size(); ++i) index.emplace(bodies.id[i].value, i);
    s.ends.clear();
    for (const Joint& joint : c.model.joints) {
      JointScratch::Ends& ends = s.ends.emplace_back();
      ends.is_there = true;
      const auto find = [&](const JointEnd& end) {
        if (end.body == kWorld) return JointScratch::kWorldEnd;
        if (is_obstacle(end.body))
          return Neighbours::kObstacle | static_cast<BodyIndex>(end.body.value - kFirstObstacleId);
        const auto found = index.find(end.body.value);
        if (found == index.end()) ends.is_there = false;
        return found == index.end() ? JointScratch::kWorldEnd : found->second;
      };
      ends.a = find(joint.a);
      ends.b = find(joint.b);
    }
  }
  for (JointScratch::Ends& ends : s.ends)
    for (const BodyIndex end : {ends.a, ends.b})
      if (is_free_body(end) && c.state.neighbours.has_left(end)) ends.is_there = false;
}

namespace {

using Drive = JointScratch::Drive;

/// Fills one block of the problem.
class BlockFiller {
 public:
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
      // The mean of the forces before, at and after the step's start, weighted 1 : 2 : 1: stable
      // however stiff the spring is, but right where a step is short beside its swing alone. A
      // damper takes the velocity after it.
      const double k = drive.stiffness / (s * s), D = h * h * k / 4 + h * drive.damping / (s * s);
      const double before = s * rate_of(row, f_, of_a_, of_b_);
      add_drive(Drive::spring, (h * k * (value - s * drive.rest) - h * h * k / 4 * before) / D,
                1 / (part * D), -kNone, kNone);
    }
    if (drive.friction > 0) {
      const double bound = part * h * drive.friction / s;
      add_drive(Drive::friction, 0, 0, -bound, bound);
    }
  }

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
    const double rate = std::abs(s * rate_of(row, f_, of_a_, of_b_)) +
                        std::abs(s * rate_of(row, f_, motion_of_record(c_, ends_.a),
                                             motion_of_record(c_, ends_.b)));
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
    rows_[static_cast<std::size_t>(k)] = {
        s * row.value,
        s * rate_of(row, f_, wall(ends_.a), wall(ends_.b)),
        s * rate_of(row, f_, with_wall(ends_.a, of_a_), with_wall(ends_.b, of_b_)),
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
  double lever_;
  Motion of_a_, of_b_;
  JointBlock block_{};
  JointScratch::Block of_block_;
  JointScratch::Rows rows_{};
};

/// What is pulled at its end swings about its centre, or about its other end, as a pendulum does:
/// with stiffness F·a, F the force there and a the arm. Where that is so stiff that a step covers a
/// good part of a swing, the step would make it swing ever wider. So light bodies under heavy loads
/// turn with more inertia, as they would by an implicit step; what swings slowly is as it was.
void slow_down(StepContext& c) {
  constexpr double kFollowed = 0.05, kSlower = 4;  // of (ω h)²
  JointScratch& s = c.scratch.joints;
  ContactProblem& problem = c.scratch.problem;
  const Bodies& bodies = c.state.bodies;
  s.stiffness.assign(bodies.size(), 0);
  const double h = c.model.step.h;
  const auto free_inertia = [&](BodyIndex i) {
    const Scratch::Kind& kind = c.scratch.kinds[bodies.prototype[i]];
    return kind.isotropic ? c.model.prototypes[bodies.prototype[i]].inertia.x : 1;
  };
  const auto add = [&](BodyIndex end, const Vec3& percussion, const Vec3& arm) {
    if (!is_free_body(end)) return;
    const double pull = dot(percussion, arm);
    if (!(pull > 0)) return;
    const Vec3 moments = c.model.prototypes[bodies.prototype[end]].inertia;
    const double across = std::max({moments.x, moments.y, moments.z});
    const double whole = across * bodies.radius[end] * bodies.radius[end] + squared_norm(arm);
    const double swing = h * pull / (bodies.mass[end] * whole);
    s.stiffness[end] += kSlower * std::max(0.0, swing - kFollowed) * whole * bodies.mass[end];
  };
  for (std::size_t k = 0; k < s.ends.size(); ++k) {
    const JointScratch::Ends& ends = s.ends[k];
    if (!ends.is_there) continue;
    const JointFrames frames = frames_now(c, k);
    const JointState& memory = c.state.joints[k];
    const JointFunctions rows = functions_of(c.model.joints[k], frames, memory.coordinate);
    Vec3 percussion;
    for (int row = 0; row < rows.held_count; ++row)
      percussion += memory.held[static_cast<std::size_t>(row)] *
                    rows.held[static_cast<std::size_t>(row)].axis;
    add(ends.a, -percussion, frames.arm_a + frames.d);
    add(ends.b, percussion, frames.arm_b);
  }
  c.report.bodies_slowed = 0;
  for (BodyIndex i = 0; i < bodies.size(); ++i) {
    if (c.state.neighbours.has_left(i)) continue;
    BodyRecord& record = problem.bodies[i];
    record.inverse_inertia = record.inverse_mass / free_inertia(i);
    if (s.stiffness[i] == 0) continue;
    ++c.report.bodies_slowed;
    const Vec3 moments = c.model.prototypes[bodies.prototype[i]].inertia;
    const double across = bodies.mass[i] * bodies.radius[i] * bodies.radius[i] *
                          std::max({moments.x, moments.y, moments.z});
    record.inverse_inertia /= 1 + s.stiffness[i] / across;
  }
}

void add_blocks(StepContext& c, std::uint32_t joint) {
  JointScratch& s = c.scratch.joints;
  const JointFrames frames = frames_now(c, joint);
  const JointState& memory = c.state.joints[joint];
  const JointFunctions rows = functions_of(c.model.joints[joint], frames, memory.coordinate);
  const double lever = lever_of(c, s.ends[joint]);
  const bool warm = c.model.solver.warm_start;
  const auto keep = [&](const BlockFiller& filler) {
    if (filler.is_empty()) return;
    c.scratch.problem.joints.push_back(filler.block());
    s.blocks.push_back(filler.of_block());
    s.rows.push_back(filler.rows());
  };
  BlockFiller held(c, joint, frames, lever);
  for (int k = 0; k < rows.held_count; ++k)
    held.hold(rows.held[static_cast<std::size_t>(k)],
              warm ? memory.held[static_cast<std::size_t>(k)] : 0);
  keep(held);
  const auto& drives = c.model.joints[joint].drives;
  for (std::size_t k = 0; k < drives.size(); ++k) {
    if (drives[k].is_free()) continue;
    BlockFiller driven(c, joint, frames, lever);
    driven.drive(rows.free[k], static_cast<int>(k), drives[k], s.targets[joint][k],
                 warm ? memory.driven[k] : std::array<double, JointScratch::kDrives>{});
    keep(driven);
  }
}

/// By how far the rate of a joint's rows changes on the way that its bodies go with such motions
/// [m/s].
template <class MotionOf>
void find_bends(StepContext& c, MotionOf&& motion_of) {
  JointScratch& s = c.scratch.joints;
  const double h = c.model.step.h;
  s.bends.assign(s.blocks.size(), {});
  for (std::size_t k = 0; k < s.blocks.size(); ++k) {
    const JointScratch::Block& of = s.blocks[k];
    const JointScratch::Ends& ends = s.ends[of.joint];
    const Motion a = motion_of(ends.a), b = motion_of(ends.b);
    const JointFunctions after = rows_after(c, of.joint, a, b);
    const JointFrames frames = frames_now(c, of.joint);
    const JointFunctions now =
        functions_of(c.model.joints[of.joint], frames, c.state.joints[of.joint].coordinate);
    for (int row = 0; row < c.scratch.problem.joints[k].rows; ++row) {
      const bool held = of.coordinate == JointScratch::kHeld;
      const auto r = static_cast<std::size_t>(row),
                 d = held ? r : static_cast<std::size_t>(of.coordinate);
      const JointFunction &from = held ? now.held[d] : now.free[d],
                          &to = held ? after.held[d] : after.free[d];
      const double scale = from.is_angle ? of.lever : 1;
      s.bends[k][r] =
          scale * ((to.value - from.value) / h - rate_of(from, frames, a, b)) - s.rows[k][r].wall;
    }
  }
}

/// The bias of each row: what it is asked for, what moves as prescribed, and the bend with such
/// motions. Set where Σ (change of the bias)² is within bounds, both excluded; returns that sum
/// [m²/s²].
template <class MotionOf>
double set_bias(StepContext& c, MotionOf&& motion_of, double least, double most) {
  JointScratch& s = c.scratch.joints;
  find_bends(c, motion_of);
  c.scratch.solver.joints().make_attainable(s.bends, c.pool);
  const auto for_each_row = [&](auto&& f) {
    for (std::size_t k = 0; k < s.blocks.size(); ++k) {
      JointBlock& block = c.scratch.problem.joints[k];
      for (int row = 0; row < block.rows; ++row) {
        const auto r = static_cast<std::size_t>(row);
        f(block.bias[row], s.rows[k][r].own + s.rows[k][r].wall + s.bends[k][r]);
      }
    }
  };
  double squared = 0;
  for_each_row([&](double before, double bias) { squared += (bias - before) * (bias - before); });
  if (squared > least && squared < most)
    for_each_row([](double& before, double bias) { before = bias; });
  return squared;
}

}  // namespace

bool ask_motors(StepContext& c) {
  const double h = c.model.step.h;
  auto& targets = c.scratch.joints.targets;
  targets.assign(c.model.joints.size(), {});
  for (std::uint32_t k = 0; k < c.model.joints.size(); ++k) {
    const auto& drives = c.model.joints[k].drives;
    for (std::size_t d = 0; d < drives.size(); ++d) {
      const Motor& motor = drives[d].motor;
      if (motor.kind == Motor::Kind::none) continue;
      const double t = motor.kind == Motor::Kind::velocity   ? c.state.time + h / 2
                       : motor.kind == Motor::Kind::position ? decimal_multiple(c.state.step + 1, h)
                                                             : c.state.time;
      const std::string fault = fault_of_asking([&] {
        targets[k][d] = motor.target(t);
        return std::isfinite(targets[k][d]) ? "" : "the target of its motor is not finite";
      });
      if (fault.empty()) continue;
      measure(c);
      c.report.converged = false;
      c.report.motion_fault = MotionFault{0, t, fault, k};
      return false;
    }
  }
  return true;
}

void prepare_joints(StepContext& c) {
  if (c.model.joints.empty()) return;
  find_joint_ends(c);
  slow_down(c);
}

void assemble_joints(StepContext& c, ExactSum& squared_q, ExactSum& squared_rounding) {
  JointScratch& s = c.scratch.joints;
  ContactProblem& problem = c.scratch.problem;
  problem.joints.clear();
  s.blocks.clear();
  s.rows.clear();
  s.push.clear();
  s.lasted = kick(c) * c.model.step.h;
  if (c.model.joints.empty()) return;
  for (std::uint32_t k = 0; k < s.ends.size(); ++k)
    if (s.ends[k].is_there) add_blocks(c, k);
  s.bend_change = std::numeric_limits<double>::infinity();
  c.scratch.solver.joints().prepare(problem, c.pool);
  set_bias(
      c, [&](BodyIndex end) { return motion_before(c, end); }, -1, s.bend_change);

  constexpr double kLastBit = std::numeric_limits<double>::epsilon() / 2, kSweeps = 16;
  for (std::size_t k = 0; k < problem.joints.size(); ++k) {
    const JointBlock& block = problem.joints[k];
    const JointScratch::Ends& ends = s.ends[s.blocks[k].joint];
    double place = 0, speed = 0;
    for (const BodyIndex end : {ends.a, ends.b}) {
      place += norm(pose_of_end(c, end).position);
      if (!is_free_body(end)) continue;
      speed += norm(problem.bodies[end].velocity) + norm(problem.bodies[end].spin);
      place += c.state.bodies.radius[end];
    }
    const double rounding = kLastBit * (place / c.model.step.h + kSweeps * speed);
    // As it is without its own percussion: what a spring asks is not asked of what is soft.
    JointBlock free = block;
    std::ranges::fill(free.percussion, 0.0);
    const kernels::JointVector q = kernels::relative_velocity(problem.bodies, free);
    for (int row = 0; row < block.rows; ++row) {
      const bool is_held = block.kind == JointBlock::Kind::held;
      const bool asks =
          is_held || (q[row] < 0 && block.most[row] > 0) || (q[row] > 0 && block.least[row] < 0);
      if (!asks) continue;
      squared_q.add(q[row] * q[row]);
      squared_rounding.add(rounding * rounding);
    }
  }
}

bool bend_joints(StepContext& c) {
  const ContactProblem& problem = c.scratch.problem;
  if (problem.joints.empty()) return false;
  // A part of what the solve may leave undone.
  constexpr double kPart = 1e-3;
  const double allowed =
      problem.residual_scale().allowed(kPart * std::min(c.model.solver.tolerance, 1e-3));
  // Next to a singular place velocities answer by more than they were changed: those that are there
  // are as good as any.
  double& last = c.scratch.joints.bend_change;
  const double squared = set_bias(
      c, [&](BodyIndex end) { return motion_of_record(c, end); }, allowed * allowed, last);
  const bool changed = squared > allowed * allowed && squared < last;
  last = squared;
  return changed;
}

}  // namespace scree
