/// Assembly of a contact with a contact block: rows, W, bias, and rolling rows.
#pragma once

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "scree/solvers/tangents.hpp"
#include "sim/cell/cell.hpp"
#include "sim/contacts/assemble.hpp"
#include "sim/contacts/contact_sums.hpp"
#include "sim/contacts/narrow_phase.hpp"
#include "sim/motion/body_motion.hpp"
#include "sim/motion/motion.hpp"
#include "sim/neighbours/neighbours.hpp"
#include "solvers/kernels/contact_kernels.hpp"
#include "solvers/step_settings.hpp"

namespace scree {

/// Assembles a contact's rows, W and bias: a point between two records, with the law of its
/// materials.
class FullAssembler {
 public:
  explicit FullAssembler(const StepContext& c)
      : c_(c), s_(c.scratch), bodies_(c.state.bodies), settings_(term_settings(c.model)) {}

  struct Result {
    ContactRows contact;  ///< without impulse
    Vec3 u;               ///< free velocity in the frame, with the flow, without the bias [m/s]
    Vec3 u_minus;         ///< the same before external forces [m/s]
    Vec3 flow;            ///< flow between the bodies, in the frame; to be added to the bias [m/s]
    double suppressed_restitution, rounding;
    double turn_cosine;  ///< see SeparatingPlane [-]
    bool rebounds;
    double correction_gap;  ///< see CorrectionBlock [m/s]
    double depth;           ///< overlap over the smaller inscribed radius [-]
    bool touches;           ///< cohesion may act
    RollingRows rolling;    ///< without impulse; unset where no law resists
  };

  Result operator()(const Neighbours::Pair& pair, const PairPoint& point, std::uint32_t law,
                    BodyIndex b_record) const {
    const bool obstacle = pair.other & Neighbours::kObstacle;
    const auto [a, b] = in_order(c_, pair);
    Result result{.contact = {.a = a, .b = obstacle ? b_record : b, .law = law},
                  .u = {},
                  .u_minus = {},
                  .flow = {},
                  .suppressed_restitution = 0,
                  .rounding = 0,
                  .turn_cosine = point.turn_cosine,
                  .rebounds = false,
                  .correction_gap = 0,
                  .depth = 0,
                  .touches = false,
                  .rolling = {}};
    ContactRows& contact = result.contact;
    contact.axis[0] = point.normal;
    tangents(contact.axis[0], contact.axis[1], contact.axis[2]);
    set_angular_rows(a, arm(a, point, 1), contact.axis, -1, contact.jw_a);
    if (!obstacle) set_angular_rows(b, arm(b, point, -1), contact.axis, 1, contact.jw_b);
    contact.locked_a = s_.kinds[bodies_.prototype[a]].locked.ways;
    if (!obstacle) contact.locked_b = s_.kinds[bodies_.prototype[b]].locked.ways;
    contact.W = delassus_block(contact);

    const BodyRecord &of_a = s_.problem.bodies[a], &of_b = s_.problem.bodies[contact.b];
    result.u = kernels::relative_velocity(std::span<const BodyRecord>(s_.problem.bodies), contact);
    if (!obstacle && s_.domain.flows()) {
      result.flow = contact.to_frame(flow_between(c_, a, b));
      result.u += result.flow;
    }
    // External forces change both free bodies alike.
    result.u_minus = result.u;
    if (obstacle) result.u_minus += contact.to_frame(s_.problem.increment);
    if (!s_.problem.own_increment.empty()) result.u_minus -= gain(contact, obstacle);
    const double radius =
        obstacle ? bodies_.radius[a] : std::min(bodies_.radius[a], bodies_.radius[b]);
    const PairLaw& pair_law = law_of_pair(pair);
    const double e = pair_law.restitution;
    const bool one_point = has_spheres_points(c_, pair);
    const double slop = one_point ? 0 : kPenetrationSlop * radius;
    const double closed =
        one_point || traits(pair_law.kind).separates_by_sliding ? 0 : kClosedGapOfRadius * radius;
    const ContactTerms<1> terms(settings_);
    const auto term =
        terms.normal_term(e, point.gap, point.remaining_gap, result.u.x, squared_norm(result.u),
                          result.u_minus.x, radius, slop, closed);
    contact.bias = {term.bias, 0, 0};
    result.rebounds = term.rebounds;
    result.touches = point.gap <= kPenetrationSlop * radius && !term.rebounds;
    if (s_.law_resists_rolling[law]) result.rolling = rolling_rows(pair, contact, pair_law, radius);
    result.correction_gap = terms.correction_gap(point.gap, point.remaining_gap, radius);
    const double inner_a = inscribed_radius(c_, a);
    result.depth = -point.gap / (obstacle ? inner_a : std::min(inner_a, inscribed_radius(c_, b)));
    // The normal of a shape other than a sphere rotates with it.
    if (point.remaining_gap + c_.model.step.h * result.u.x <= 0)
      result.turn_cosine =
          std::min(point.turn_cosine, std::cos(std::min(std::numbers::pi, rotation_in_step(pair))));
    result.suppressed_restitution = term.suppressed_restitution;
    const Vec3& place_b =
        obstacle ? c_.state.obstacles[pair.other & ~Neighbours::kObstacle].pose.position
                 : bodies_.position[b];
    result.rounding = terms.rounding(
        point.gap, size(bodies_.position[a]) + size(place_b),
        obstacle ? bodies_.radius[a] : bodies_.radius[a] + bodies_.radius[b], size(result.u),
        size(of_a.velocity) + size(of_a.spin) + (size(of_b.velocity) + size(of_b.spin)) +
            size(contact.bias));
    return result;
  }

  /// Where W couples normal and tangential motion, a bias along the normal alone could create
  /// energy: see newton_velocity. The points of a pair that rebound get the velocities that
  /// impulses along their normals cause in all of them, N ρ = b_n, b_i = Σ W_ij n ρ_j. One point
  /// alone gets (b_n / W_nn) W n; four points under a box that lands flat get none along the floor.
  /// The same holds for rolling rows.
  void rebound_together(std::span<Result> points) const {
    std::array<Result*, Neighbours::kMaxSurfacePoints> those{};
    int count = 0;
    for (Result& point : points)
      if (point.rebounds) those[static_cast<std::size_t>(count++)] = &point;
    if (count == 0) return;
    SmallVector rho(count);
    if (count == 1) {
      ContactRows& contact = those[0]->contact;
      const SymMat3& W = contact.W;
      rho[0] = contact.bias.x / W.xx;
      contact.bias = rho[0] * Vec3{W.xx, W.xy, W.xz};
    } else {
      rho = impulses_of_rebound(std::span(those.data(), static_cast<std::size_t>(count)));
      for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j)
          for (const int row : {1, 2})
            those[i]->contact.bias[row] +=
                rho[j] * coupling(those[i]->contact, row, those[j]->contact, 0);
    }
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j)
        for (int row = 0; row < 3; ++row)
          those[i]->rolling.bias[row] += rho[j] * coupling(*those[i], row, those[j]->contact);
  }

  const PairLaw& law_of_pair(const Neighbours::Pair& pair) const {
    return c_.model.laws(bodies_.material[pair.owner],
                         pair.other & Neighbours::kObstacle
                             ? c_.model.obstacles[pair.other & ~Neighbours::kObstacle].material
                             : bodies_.material[pair.other]);
  }

 private:
  static constexpr int kMax = Neighbours::kMaxSurfacePoints;
  using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMax, kMax>;
  using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMax, 1>;

  /// Velocity of row i of one point per impulse along row j of another of the same pair [1/kg].
  double coupling(const ContactRows& p, int i, const ContactRows& q, int j) const {
    const BodyRecord &a = s_.problem.bodies[p.a], &b = s_.problem.bodies[p.b];
    return inverse_mass_of_axes(p, i, q, j) + a.inverse_inertia * dot(p.jw_a[i], q.jw_a[j]) +
           b.inverse_inertia * dot(p.jw_b[i], q.jw_b[j]);
  }

  /// Velocity of rolling row i per impulse along the normal of q [1/kg].
  double coupling(const Result& p, int i, const ContactRows& q) const {
    const BodyRecord &a = s_.problem.bodies[q.a], &b = s_.problem.bodies[q.b];
    return a.inverse_inertia * dot(p.rolling.jw_a[i], q.jw_a[0]) +
           b.inverse_inertia * dot(p.rolling.jw_b[i], q.jw_b[0]);
  }

  /// ρ of the points that rebound; their biases are still along their normals.
  SmallVector impulses_of_rebound(std::span<Result* const> those) const {
    // Four points of a face have only three independent motions: the component of ρ that N leaves
    // free has no effect.
    const auto count = static_cast<Eigen::Index>(those.size());
    SmallMatrix N(count, count);
    SmallVector wanted(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      for (Eigen::Index j = 0; j < count; ++j)
        N(i, j) = coupling(those[i]->contact, 0, those[j]->contact, 0);
      wanted[i] = those[i]->contact.bias.x;
    }
    N.diagonal() *= 1 + kReboundRegularisation;
    return N.ldlt().solve(wanted);
  }

  /// Rolling rows of a contact with this lever, without bias and impulse. The record of an obstacle
  /// has L ω as its spin.
  RollingRows rolling_rows(const Neighbours::Pair& pair, const ContactRows& contact,
                           const PairLaw& law, double lever) const {
    const bool obstacle = pair.other & Neighbours::kObstacle;
    const BodyIndex a = contact.a, b = contact.b;
    RollingRows rows{};
    for (int k = 0; k < 3; ++k) {
      const Vec3& axis = contact.axis[k];
      rows.jw_a[k] = along_spin(c_, a, -lever / bodies_.radius[a] * axis);
      rows.jw_b[k] = obstacle ? axis : along_spin(c_, b, lever / bodies_.radius[b] * axis);
    }
    const auto W = [&](int i, int j) {
      return s_.problem.bodies[a].inverse_inertia * dot(rows.jw_a[i], rows.jw_a[j]) +
             s_.problem.bodies[b].inverse_inertia * dot(rows.jw_b[i], rows.jw_b[j]);
    };
    rows.W_nn = W(0, 0);
    rows.W_yy = W(1, 1);
    rows.W_yz = W(1, 2);
    rows.W_zz = W(2, 2);
    rows.spinning = law.spinning_friction / lever;
    rows.rolling = law.rolling_friction / lever;
    rows.lever = lever;
    return rows;
  }

  /// Relative rotation of the two shapes in the step; 0 for spheres [rad].
  double rotation_in_step(const Neighbours::Pair& pair) const {
    double speed =
        s_.kinds[bodies_.prototype[pair.owner]].sphere ? 0 : norm(angular_velocity(c_, pair.owner));
    if (!(pair.other & Neighbours::kObstacle) && !s_.kinds[bodies_.prototype[pair.other]].sphere)
      speed += norm(angular_velocity(c_, pair.other));
    return c_.model.step.h * speed;
  }

  /// Arm from the centre to the surface; `side` is 1 for A, −1 for B. For spheres that pass each
  /// other the point is off the line of centres.
  Vec3 arm(BodyIndex i, const PairPoint& point, double side) const {
    if (s_.kinds[bodies_.prototype[i]].sphere) return side * bodies_.radius[i] * point.normal;
    return c_.scratch.domain.separation(bodies_.position[i],
                                        point.point - side * point.gap / 2 * point.normal);
  }

  /// Sets ± (arm × e_k) in the coordinates of the body's spin. A spin of a surface of revolution
  /// about its axis moves it along itself, and normal forces have no moment about this axis: arm ×
  /// n would have one at points beside the line or point where the surfaces meet.
  void set_angular_rows(BodyIndex i, const Vec3& arm, const Vec3 (&axis)[3], double sign,
                        Vec3 (&rows)[3]) const {
    Vec3 moment[3] = {cross(arm, axis[0]), cross(arm, axis[1]), cross(arm, axis[2])};
    if (s_.kinds[bodies_.prototype[i]].of_revolution)
      moment[0] = along(moment[0], rotate(bodies_.orientation[i], {0, 0, 1}));
    for (int k = 0; k < 3; ++k) rows[k] = along_spin(c_, i, sign / bodies_.radius[i] * moment[k]);
  }

  /// Increment of u by external forces on the two bodies.
  Vec3 gain(const ContactRows& contact, bool obstacle) const {
    const auto& increment = s_.problem.own_increment;
    const VelocityIncrement &a = increment[contact.a],
                            b = obstacle ? VelocityIncrement{} : increment[contact.b];
    const auto row = [&](int k) {
      return dot(contact.axis[k], b.velocity - a.velocity) + dot(contact.jw_a[k], a.spin) +
             dot(contact.jw_b[k], b.spin);
    };
    return {row(0), row(1), row(2)};
  }

  SymMat3 delassus_block(const ContactRows& contact) const {
    const BodyRecord &a = s_.problem.bodies[contact.a], &b = s_.problem.bodies[contact.b];
    const bool locked = contact.locked_a || contact.locked_b;
    const auto entry = [&](int i, int j) {
      return a.inverse_inertia * dot(contact.jw_a[i], contact.jw_a[j]) +
             b.inverse_inertia * dot(contact.jw_b[i], contact.jw_b[j]) +
             (locked   ? inverse_mass_of_axes(contact, i, contact, j)
              : i == j ? a.inverse_mass + b.inverse_mass
                       : 0);
    };
    const SymMat3 W{entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
    return has_locks(contact) ? made_regular(W, a.inverse_mass + b.inverse_mass) : W;
  }

  /// Velocity of the two centres along an axis of one point per impulse along an axis of another.
  double inverse_mass_of_axes(const ContactRows& p, int i, const ContactRows& q, int j) const {
    const BodyRecord &a = s_.problem.bodies[p.a], &b = s_.problem.bodies[p.b];
    if (!p.locked_a && !p.locked_b)
      return (a.inverse_mass + b.inverse_mass) * dot(p.axis[i], q.axis[j]);
    return a.inverse_mass * dot(without(p.axis[i], p.locked_a), q.axis[j]) +
           b.inverse_mass * dot(without(p.axis[i], p.locked_b), q.axis[j]);
  }

  bool has_locks(const ContactRows& contact) const {
    const auto is_locked = [&](BodyIndex i) {
      return i < s_.problem.free_bodies && s_.kinds[bodies_.prototype[i]].locked.any();
    };
    return is_locked(contact.a) || is_locked(contact.b);
  }

  /// Fills in W along directions in which no impulse moves anything: W is 0 and u constant there,
  /// so any W gives the same solution. `whole` is the size of W without locks.
  static SymMat3 made_regular(SymMat3 W, double whole) {
    if (W.xx <= kLockedDelassusFraction * whole) W = {whole, 0, 0, W.yy, W.yz, W.zz};
    if (W.yy * W.zz - W.yz * W.yz > kLockedDelassusFraction * whole * whole) return W;
    // At least one tangential direction has no motion: that perpendicular to the most mobile one.
    const Vec3 most = W.yy >= W.zz ? Vec3{0, W.yy, W.yz} : Vec3{0, W.yz, W.zz};
    const double length = norm(most);
    if (length <= kLockedDelassusFraction * whole) return {W.xx, 0, 0, whole, 0, whole};
    const double y = -most.z / length, z = most.y / length;
    W.yy += whole * y * y;
    W.yz += whole * y * z;
    W.zz += whole * z * z;
    return W;
  }

  const StepContext& c_;
  const Scratch& s_;
  const Bodies& bodies_;
  const TermSettings settings_;
};

}  // namespace scree
