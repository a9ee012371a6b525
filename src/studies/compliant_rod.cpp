/// Integrates Painlevé's rod on a compliant contact from branch to branch of the law.
#include "scree/studies/compliant_rod.hpp"

#include <array>
#include <cmath>

#include "studies/dormand_prince.hpp"

namespace scree::studies {
namespace {

/// The gap is a separate coordinate: in stiff contact it is too small for a difference of heights.
enum Component : std::size_t {
  kGap,
  kAngle,
  kVelocityX,
  kGapVelocity,
  kSpin,
  kImpulseN,
  kImpulseT
};
using Y = StateVector<7>;

struct Branch {
  NormalBranch normal;
  TangentialBranch tangential;
};

struct Forces {
  double n, t;
};

class CompliantRod {
 public:
  CompliantRod(const Rod& rod, const Loads& loads, const Compliance& compliance, bool frozen)
      : rod_(rod), loads_(frozen ? Loads{} : loads), c_(compliance), frozen_(frozen) {}

  double slip(const Y& y) const {
    return y[kVelocityX] + 0.5 * rod_.length * std::sin(y[kAngle]) * y[kSpin];
  }

  Forces forces(const Y& y, const Branch& branch) const {
    if (branch.normal == NormalBranch::open) return {0, 0};
    double n = -c_.stiffness * y[kGap];
    if (branch.normal == NormalBranch::approaching) n -= c_.normal_damping * y[kGapVelocity];
    switch (branch.tangential) {
      case TangentialBranch::slip_left:
        return {n, rod_.friction * n};
      case TangentialBranch::slip_right:
        return {n, -rod_.friction * n};
      case TangentialBranch::viscous:
        break;
    }
    return {n, -c_.tangential_damping * slip(y)};
  }

  Y derivative(const Y& y, const Branch& branch) const {
    const Forces f = forces(y, branch);
    const double c = 0.5 * rod_.length * std::cos(y[kAngle]),
                 d = 0.5 * rod_.length * std::sin(y[kAngle]);
    const double spin_rate = (d * f.t - c * f.n + loads_.torque) / rod_.inertia;
    const double centripetal = frozen_ ? 0 : d * y[kSpin] * y[kSpin];
    Y rate;
    rate[kGap] = y[kGapVelocity];
    rate[kAngle] = frozen_ ? 0 : y[kSpin];
    rate[kVelocityX] = (f.t + loads_.force_x) / rod_.mass;
    rate[kGapVelocity] = (f.n + loads_.force_y) / rod_.mass + centripetal - c * spin_rate;
    rate[kSpin] = spin_rate;
    rate[kImpulseN] = f.n;
    rate[kImpulseT] = f.t;
    return rate;
  }

  /// Positive inside the branch, negative beyond its end: of the normal law, then of friction.
  std::array<double, 2> margins(const Y& y, const Branch& branch) const {
    if (branch.normal == NormalBranch::open) return {y[kGap], 1};
    const double velocity = y[kGapVelocity];
    const double normal =
        branch.normal == NormalBranch::approaching ? -velocity : std::min(velocity, -y[kGap]);
    if (rod_.friction == 0) return {normal, 1};  // only one branch
    const double n = forces(y, branch).n, viscous = c_.tangential_damping * slip(y),
                 limit = rod_.friction * n;
    switch (branch.tangential) {
      case TangentialBranch::slip_left:
        return {normal, -viscous - limit};
      case TangentialBranch::slip_right:
        return {normal, viscous - limit};
      case TangentialBranch::viscous:
        break;
    }
    return {normal, limit - std::abs(viscous)};
  }

  /// The branch on the other side of margin `which`, at its zero.
  Branch beyond(const Y& y, Branch branch, std::size_t which) const {
    if (which == 1) {
      const bool slipped = branch.tangential != TangentialBranch::viscous;
      branch.tangential = slipped ? TangentialBranch::viscous : slipping(y);
      return branch;
    }
    switch (branch.normal) {
      case NormalBranch::open:
        return closed(y);
      case NormalBranch::approaching:
        branch.normal = NormalBranch::receding;
        break;
      case NormalBranch::receding:
        branch.normal = y[kGapVelocity] < -y[kGap] ? NormalBranch::approaching : NormalBranch::open;
        break;
    }
    return branch;
  }

  Branch closed(const Y& y) const {
    Branch branch{y[kGapVelocity] < 0 ? NormalBranch::approaching : NormalBranch::receding,
                  slipping(y)};
    if (c_.tangential_damping * std::abs(slip(y)) < rod_.friction * forces(y, branch).n)
      branch.tangential = TangentialBranch::viscous;
    return branch;
  }

  /// Initial branch: if ġ_n is zero, its rate decides; a gap of zero closes or opens by the same
  /// rule.
  Branch initial(const Y& y) const {
    if (y[kGap] > 0) return {NormalBranch::open, slipping(y)};
    Branch branch = closed(y);
    if (y[kGapVelocity] == 0 && derivative(y, branch)[kGapVelocity] < 0)
      branch.normal = NormalBranch::approaching;
    return branch;
  }

  /// Velocity of the rod's end, and the velocity that the spring can still add [m/s].
  double liveliness(const Y& y) const {
    return std::abs(y[kGapVelocity]) + std::abs(slip(y)) +
           std::abs(y[kGap]) * std::sqrt(c_.stiffness / rod_.mass);
  }

  /// Scale of each component's error; the scale of the gap is a velocity over the fastest rate.
  Y scales(const Y& y) const {
    const double w = 1 / rod_.mass + 0.25 * rod_.length * rod_.length / rod_.inertia;
    const double rate =
        w * std::max(c_.normal_damping, c_.tangential_damping) + std::sqrt(w * c_.stiffness);
    const double velocity = std::abs(slip(y)) + std::abs(y[kVelocityX]) +
                            std::abs(y[kGapVelocity]) + rod_.length * std::abs(y[kSpin]) + 1e-3;
    Y scale{};
    scale[kGap] = std::abs(y[kGap]) + velocity / rate;
    scale[kAngle] = 1;
    scale[kVelocityX] = scale[kGapVelocity] = velocity;
    scale[kSpin] = velocity / rod_.length;
    scale[kImpulseN] = scale[kImpulseT] = velocity * rod_.mass;
    return scale;
  }

 private:
  TangentialBranch slipping(const Y& y) const {
    return slip(y) < 0 ? TangentialBranch::slip_left : TangentialBranch::slip_right;
  }

  const Rod& rod_;
  Loads loads_;
  Compliance c_;
  bool frozen_;
};

/// Each of the two laws can change branch once, and once more after a change of the other; more is
/// chatter.
constexpr int kMaxSwitchesAtOneTime = 8;

class Integration {
 public:
  Integration(const CompliantRod& model, const Y& start, const CompliantSettings& settings,
              const ForceRecorder& record)
      : model_(model),
        settings_(settings),
        record_(record),
        y_(start),
        branch_(model.initial(start)) {}

  CompliantRun run() {
    h_ = 1e-9 * settings_.until;
    record();
    while (time_ < settings_.until && run_.steps < settings_.max_steps) {
      if (!step()) break;
      if ((run_.broke && settings_.stop_at_break) || has_settled()) break;
    }
    run_.settled = has_settled();
    run_.finished =
        !(time_ < settings_.until) || (run_.broke && settings_.stop_at_break) || run_.settled;
    run_.end = impulse();
    run_.branch = branch_.normal;
    run_.friction = branch_.tangential;
    run_.gap = y_[kGap];
    run_.angle = y_[kAngle];
    run_.gap_velocity = {y_[kGapVelocity], model_.slip(y_)};
    return run_;
  }

 private:
  Y advanced(double h) const { return trial(h).end; }
  TrialStep<7> trial(double h) const {
    return dormand_prince_step([this](const Y& y) { return model_.derivative(y, branch_); }, y_, h);
  }
  bool has_settled() const { return run_.stick && model_.liveliness(y_) <= settings_.settled; }
  Impulse impulse() const { return {time_, y_[kImpulseN], y_[kImpulseT]}; }
  void record() {
    const Forces f = model_.forces(y_, branch_);
    run_.largest_force = std::max(run_.largest_force, f.n);
    if (record_) record_(time_, f.n, f.t);
  }

  /// False if the motion stalled.
  bool step() {
    const double left = settings_.until - time_;
    const double h = std::min(h_, left);
    const TrialStep<7> attempt = trial(h);
    const Y scale = model_.scales(y_);
    double error = 0;
    for (std::size_t i = 0; i < y_.size(); ++i)
      error = std::max(error, std::abs(attempt.error[i]) / (settings_.tolerance * scale[i]));
    if (!std::isfinite(error)) return false;
    h_ = h * step_factor(error);
    ++run_.steps;
    if (error > 1) return time_ + h_ > time_;
    const std::array<double, 2> before = model_.margins(y_, branch_),
                                after = model_.margins(attempt.end, branch_);
    if (after[0] >= 0 && after[1] >= 0) {
      y_ = attempt.end;
      time_ = h == left ? settings_.until : time_ + h;
      record();
      return true;
    }
    const double start = time_;
    cross(before, after, h);
    switches_at_one_time_ = time_ > start ? 0 : switches_at_one_time_ + 1;
    return switches_at_one_time_ < kMaxSwitchesAtOneTime;
  }

  /// Steps to the first end of the branch within a step of length h, and across it.
  void cross(const std::array<double, 2>& before, const std::array<double, 2>& after, double h) {
    double first = h;
    std::size_t which = after[0] < 0 ? 0 : 1;
    for (std::size_t k = 0; k < 2; ++k) {
      if (after[k] >= 0) continue;
      const double at = before[k] <= 0 ? 0 : crossing(k, h);
      if (at < first) {
        first = at;
        which = k;
      }
    }
    if (first > 0) {
      y_ = advanced(first);
      time_ += first;
    }
    branch_ = model_.beyond(y_, branch_, which);
    ++run_.switches;
    h_ = std::max(0.1 * h, 1e-3 * first);
    if (which == 1 && branch_.tangential == TangentialBranch::viscous && !run_.stick)
      run_.stick = impulse();
    if (which == 0 && branch_.normal == NormalBranch::open) run_.broke = impulse();
    record();
  }

  /// Shortest step after which margin k is negative, by bisection: the margin is positive at 0 and
  /// negative at h.
  double crossing(std::size_t k, double h) const {
    double low = 0, high = h;
    for (int i = 0; i < 60 && high - low > 1e-15 * h; ++i) {
      const double middle = 0.5 * (low + high);
      (model_.margins(advanced(middle), branch_)[k] < 0 ? high : low) = middle;
    }
    return high;
  }

  const CompliantRod& model_;
  const CompliantSettings& settings_;
  const ForceRecorder& record_;
  Y y_;
  Branch branch_;
  double time_ = 0, h_ = 0;
  int switches_at_one_time_ = 0;
  CompliantRun run_;
};

}  // namespace

CompliantRun run_compliant(const Rod& rod, const RodState& start, double gap, const Loads& loads,
                           const Compliance& compliance, const CompliantSettings& settings,
                           const ForceRecorder& record) {
  const CompliantRod model(rod, loads, compliance, settings.frozen);
  Y y{};
  y[kGap] = gap;
  y[kAngle] = start.angle;
  y[kVelocityX] = start.velocity_x;
  y[kGapVelocity] = gap_velocity(rod, start).n;
  y[kSpin] = start.spin;
  return Integration(model, y, settings, record).run();
}

}  // namespace scree::studies
