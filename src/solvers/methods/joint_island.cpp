/// Joints of one island: held rows by a sparse elimination, driven rows by a dense one. Our own.
#include "solvers/methods/joint_island.hpp"

#include <algorithm>

#include "solvers/kernels/joint_blocks.hpp"

namespace scree {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

std::uint32_t rows_of(const ContactProblem& problem, const JointIsland::Member& member) {
  return static_cast<std::uint32_t>(problem.joints[member.joint].rows);
}

bool is_held(const ContactProblem& problem, const JointIsland::Member& member) {
  return problem.joints[member.joint].kind == JointBlock::Kind::held;
}

}  // namespace

JointIsland::Member JointIsland::add_joint(const ContactProblem& problem, std::uint32_t joint) {
  std::vector<Row>& rows = is_held(problem, {joint, 0}) ? held_ : driven_;
  const Member member{joint, static_cast<std::uint32_t>(rows.size())};
  joints_.push_back(joint);
  for (int row = 0; row < problem.joints[joint].rows; ++row) rows.push_back({joint, row});
  return member;
}

void JointIsland::add_pair(const ContactProblem& problem, const Member& of, const Member& with) {
  const bool of_held = is_held(problem, of), with_held = is_held(problem, with);
  if (of_held && with_held)
    held_held_.push_back({of, with});
  else if (!of_held && !with_held)
    driven_driven_.push_back({of, with});
  else if (with_held)
    driven_held_.push_back({of, with});
  else
    driven_held_.push_back({with, of});
}

std::size_t JointIsland::add_body(BodyIndex body) {
  bodies_.push_back({.body = body});
  free_bodies_.push_back(body);
  return bodies_.size() - 1;
}

void JointIsland::add_joint_of_body(const ContactProblem& problem, std::size_t of_body,
                                    const Member& joint) {
  OfBody& of = bodies_[of_body];
  (is_held(problem, joint) ? of.held : of.driven).push_back(joint);
}

void JointIsland::lay_out(const ContactProblem& problem) {
  lay_out_held(problem);
  is_dense() ? lay_out_driven(problem) : lay_out_together(problem);
  for (Vector* v : {&shift_, &u_f_, &d_f_, &left_, &work_, &half_solved_})
    v->assign(held_.size(), 0.0);
  const auto rows = static_cast<Index>(driven_.size());
  for (VectorXd* v : {&u_d_, &q_, &lower_, &upper_, &r_, &change_, &start_, &q_now_})
    v->resize(rows);
}

/// Lays out the pattern of W, and the indices of its diagonal entries.
void JointIsland::lay_out_held(const ContactProblem& problem) {
  std::vector<SparseElimination::Entry> entries;
  diagonal_.resize(held_.size());
  for (const Product& product : held_held_)
    for_each_row_pair(problem, product, [&](const Pair& pair) {
      if (pair.of == pair.with) diagonal_[static_cast<std::size_t>(pair.of)] = entries.size();
      entries.push_back({pair.of, pair.with});
    });
  W_.lay_out(static_cast<int>(held_.size()), entries);
}

void JointIsland::lay_out_driven(const ContactProblem& problem) {
  std::vector<Index> coordinate;
  for (const Row& row : driven_)
    coordinate.push_back(coordinate.empty() ? 0 : coordinate.back() + (row.row == 0 ? 1 : 0));
  bounded_.lay_out(coordinate);
  sums_.resize(bounded_.coordinates());
  u_c_.resize(bounded_.coordinates());
  std::vector<std::vector<int>> positions(coordinates());
  for (const auto& [of, with] : driven_held_)
    for (std::uint32_t k = 0; k < rows_of(problem, with); ++k)
      positions[static_cast<std::size_t>(coordinate_of(of))].push_back(
          W_.position_of(static_cast<int>(with.first + k)));
  of_drives_.begin(held_.size());
  for (std::size_t c = 0; c < coordinates(); ++c)
    of_drives_.add_columns(W_.reach(positions[c]), c, 1);
  of_drives_.make_room();
}

/// Finds the reach of a body, for bodies with contacts alone: it is as long as the body's chain.
void JointIsland::lay_out_reach(const ContactProblem& problem, OfBody& of) const {
  if (!of.reach.empty()) return;
  std::vector<int> positions;
  for (const Member& joint : of.held)
    for (std::uint32_t k = 0; k < rows_of(problem, joint); ++k)
      positions.push_back(W_.position_of(static_cast<int>(joint.first + k)));
  of.reach = W_.reach(positions);
}

double JointIsland::shift_of(double W, double max_mobility) {
  if (W > kLockedMobility * max_mobility) return kHeldRowShift * W;
  return max_mobility > 0 ? max_mobility : 1;
}

/// Largest mobility of its bodies with joints, without their locks [1/kg].
double JointIsland::mobility_of_bodies(const ContactProblem& problem) const {
  double largest_of_all = 0;
  for (const OfBody& of : bodies_)
    if (!of.held.empty() || !of.driven.empty())
      largest_of_all = std::max(largest_of_all, problem.bodies[of.body].inverse_mass);
  return largest_of_all;
}

void JointIsland::fill(const ContactProblem& problem) {
  std::size_t entry = 0;
  for (const Product& product : held_held_)
    for_each_row_pair(problem, product, [&](const Pair& pair) { W_.value(entry++) = pair.value; });
  double max_mobility = mobility_of_bodies(problem);
  for (const std::size_t at_row : diagonal_)
    max_mobility = std::max(max_mobility, W_.value(at_row));
  for (std::size_t row = 0; row < held_.size(); ++row) {
    double& value = W_.value(diagonal_[row]);
    shift_[row] = shift_of(value, max_mobility);
    value += shift_[row];
  }
  W_.factorise();
  inverted_ = false;
}

/// Computes S, W_fd and L⁻¹ W_fd.
void JointIsland::reduce(const ContactProblem& problem) {
  Eigen::MatrixXd& S = bounded_.matrix();
  S.setZero();
  for (const auto& [of, with] : driven_driven_)
    S(coordinate_of(with), coordinate_of(of)) = S(coordinate_of(of), coordinate_of(with)) =
        delassus(problem, problem.joints[of.joint], problem.joints[with.joint])[0][0];
  // All driven rows have one coordinate, so that their mobilities can be compared.
  const double max_mobility =
      std::max(mobility_of_bodies(problem), S.rows() > 0 ? S.diagonal().maxCoeff() : 0.0);
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    const auto row = static_cast<Index>(k), c = bounded_.coordinate_of(row);
    bounded_.softness()[row] =
        shift_of(S(c, c), max_mobility) + problem.joints[driven_[k].joint].softness[driven_[k].row];
  }
  bounded_.changed();
  of_drives_.make_room();
  for (const auto& [of, with] : driven_held_) {
    const DelassusBlock W = delassus(problem, problem.joints[of.joint], problem.joints[with.joint]);
    for (std::uint32_t k = 0; k < rows_of(problem, with); ++k)
      of_drives_.at(position_of(static_cast<int>(with.first + k)),
                    static_cast<std::size_t>(coordinate_of(of))) = W[0][k];
  }
  W_.forward(of_drives_, *dense_.kernels);
  W_.take_products(of_drives_, of_drives_, S.data(), coordinates(), *dense_.kernels);
  // The same bits on both sides of the diagonal.
  S.triangularView<Eigen::StrictlyUpper>() = S.transpose();
}

void JointIsland::solve(const Vector& u, Vector& x) {
  for (int k = 0; k < W_.rows(); ++k) work_[position_of(k)] = u[static_cast<std::size_t>(k)];
  W_.forward(work_);
  for (std::size_t i = 0; i < work_.size(); ++i)
    half_solved_[i] = work_[i] / W_.pivot(static_cast<int>(i));
  W_.backward(work_);
  for (int k = 0; k < W_.rows(); ++k) x[static_cast<std::size_t>(k)] = work_[position_of(k)];
}

void JointIsland::undo() {
  solve(u_f_, d_f_);
  // The remainder of u is the shift times W⁻¹ u.
  double of_left = 0, of_all = 0;
  for (std::size_t k = 0; k < u_f_.size(); ++k) {
    left_[k] = shift_[k] * d_f_[k];
    of_left += left_[k] * left_[k];
    of_all += u_f_[k] * u_f_[k];
  }
  if (of_left > kUnattainableFraction * kUnattainableFraction * of_all) {
    for (std::size_t k = 0; k < u_f_.size(); ++k) left_[k] = u_f_[k] - left_[k];
    solve(left_, d_f_);
  }
  for (double& x : d_f_) x = -x;
}

void JointIsland::prepare(const ContactProblem& problem, const kernels::DenseKernels& dense) {
  dense_.kernels = &dense;
  if (!held_.empty()) fill(problem);
  if (!is_dense()) {
    fill_together(problem);
    candidates_.clear();
  } else if (!driven_.empty()) {
    reduce(problem);
  }
  choose_contacts(problem);
  reduce_contacts(problem);
}

/// Gathers velocities of the rows and the largest residual; impulses and bounds of driven rows.
void JointIsland::gather(const ContactProblem& problem) {
  largest_ = 0;
  const auto gather_rows = [&](const std::vector<Row>& rows, auto& u) {
    for (std::size_t k = 0; k < rows.size();) {
      const JointBlock& joint = problem.joints[rows[k].joint];
      const kernels::JointVector of_joint = kernels::relative_velocity(problem.bodies, joint);
      largest_ = std::max(largest_, kernels::residual(joint, problem.bodies, of_joint));
      for (int row = 0; row < joint.rows; ++row, ++k) u[static_cast<Index>(k)] = of_joint[row];
    }
  };
  Eigen::Map<VectorXd> of_held(u_f_.data(), static_cast<Index>(u_f_.size()));
  gather_rows(held_, of_held);
  gather_rows(driven_, u_d_);
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    const auto& [joint, row] = driven_[k];
    const auto i = static_cast<Index>(k);
    lower_[i] = problem.joints[joint].min_impulse[row];
    upper_[i] = problem.joints[joint].max_impulse[row];
    r_[i] = problem.joints[joint].impulse[row];
  }
}

/// Adds a change of impulses to joints and bodies.
void JointIsland::add(ContactProblem& problem, const std::vector<Row>& rows,
                      std::span<const double> change) {
  for (std::size_t k = 0; k < rows.size();) {
    JointBlock& joint = problem.joints[rows[k].joint];
    kernels::JointVector d{};
    for (int row = 0; row < joint.rows; ++row, ++k) {
      d[row] = change[k];
      joint.impulse[row] += d[row];
    }
    kernels::add_impulse(problem.bodies, problem.free_bodies, joint, d);
  }
}

void JointIsland::reduce_driven() {
  // W_df d_f are products of Lᵀ d_f with L⁻¹ W_fd, and so are those of contacts.
  bounded_.add_up(r_, sums_);
  u_c_.noalias() = -bounded_.matrix() * sums_;
  of_drives_.take_products(half_solved_, {u_c_.data(), coordinates()});
  for (Index k = 0; k < r_.size(); ++k)
    q_[k] = u_d_[k] + u_c_[bounded_.coordinate_of(k)] - bounded_.softness()[k] * r_[k];
  start_ = r_;
}

void JointIsland::find_change() {
  change_ = r_ - start_;
  bounded_.add_up(change_, sums_);
}

/// Adds −W_ff⁻¹ (W_fd Δr_d + W_fc Δr_c) to d_f_.
void JointIsland::answer_driven() {
  find_change();
  std::ranges::fill(work_, 0.0);
  of_drives_.add_columns_times({sums_.data(), coordinates()}, work_);
  if (!body_impulse_.empty()) of_contact_bodies_.add_columns_times(body_impulse_, work_);
  W_.backward(work_);
  for (int k = 0; k < W_.rows(); ++k) d_f_[static_cast<std::size_t>(k)] -= work_[position_of(k)];
}

void JointIsland::relax(ContactProblem& problem, double allowed) {
  if (contacts_.empty()) {
    relax_rows(problem);
    return;
  }
  gather(problem);
  if (!held_.empty()) undo();
  reduce_driven();
  gather_contacts(problem);
  relax_driven(allowed);
  find_body_impulse();
  answer_driven();
  add(problem, held_, d_f_);
  add(problem, driven_, {change_.data(), driven_.size()});
  add_contacts(problem);
}

void JointIsland::relax_rows(ContactProblem& problem) {
  if (!is_dense()) {
    relax_together(problem);
    return;
  }
  gather(problem);
  if (!held_.empty()) undo();
  if (!driven_.empty()) {
    reduce_driven();
    bounded_.solve(q_, lower_, upper_, r_);
    body_impulse_.clear();
    answer_driven();
  }
  add(problem, held_, d_f_);
  if (!driven_.empty()) add(problem, driven_, {change_.data(), driven_.size()});
}

void JointIsland::gather_held(std::span<const RowVelocities> u) {
  for (std::size_t k = 0; k < held_.size(); ++k)
    u_f_[k] = u[held_[k].joint][static_cast<std::size_t>(held_[k].row)];
}

void JointIsland::make_attainable(std::span<RowVelocities> u) {
  gather_held(u);
  solve(u_f_, d_f_);
  for (std::size_t k = 0; k < held_.size(); ++k)
    u[held_[k].joint][static_cast<std::size_t>(held_[k].row)] -= shift_[k] * d_f_[k];
}

void JointIsland::respond(const ContactProblem& problem, std::span<const RowVelocities> p,
                          std::span<RowVelocities> u) {
  if (!is_dense()) {
    respond_sparsely(problem, p, u);
    return;
  }
  for (std::size_t k = 0; k < driven_.size(); ++k)
    change_[static_cast<Index>(k)] = p[driven_[k].joint][static_cast<std::size_t>(driven_[k].row)];
  bounded_.add_up(change_, sums_);
  for (std::size_t k = 0; k < driven_.size(); ++k)
    u[driven_[k].joint][static_cast<std::size_t>(driven_[k].row)] =
        bounded_.matrix().col(bounded_.coordinate_of(static_cast<Index>(k))).dot(sums_);
}

void JointIsland::find_compliances(const ContactProblem& problem, std::span<RowVelocities> W) {
  if (!is_dense()) {
    find_compliances_sparsely(problem, W);
    return;
  }
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    const Index c = bounded_.coordinate_of(static_cast<Index>(k));
    W[driven_[k].joint][static_cast<std::size_t>(driven_[k].row)] =
        std::max(0.0, bounded_.matrix()(c, c));
  }
}

/// Adds −M⁻¹ Hᵀ W⁻¹ H M⁻¹. W has entries at all pairs of rows of one body, so invert() has found
/// those of its inverse.
void JointIsland::add_mobility_by_joints(const ContactProblem& problem, std::size_t of_body,
                                         JointElimination::Mobility& mobility) {
  if (!inverted_) W_.invert();
  inverted_ = true;
  const BodyRecord& body = problem.bodies[bodies_[of_body].body];
  struct HeldRow {
    int position;                    ///< in the order of the elimination
    std::array<double, 6> response;  ///< (v, s) of the body to a unit impulse
  };
  std::vector<HeldRow> rows;
  for_each_held_row(
      problem, bodies_[of_body], [&](std::size_t row, const Vec3& axis, const Vec3& jw) {
        const Vec3 v = body.inverse_mass * axis, s = body.inverse_inertia * jw;
        rows.push_back({W_.position_of(static_cast<int>(row)), {v.x, v.y, v.z, s.x, s.y, s.z}});
      });
  for (const HeldRow& row : rows)
    for (const HeldRow& other : rows) {
      const double z = W_.inverse(row.position, other.position);
      for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t k = 0; k < 6; ++k)
          mobility[i][k] -= row.response[i] * z * other.response[k];
    }
}

void JointIsland::add_mobility_by_joints(const ContactProblem& problem, std::size_t from,
                                         std::size_t to, JointElimination::Mobility& mobility) {
  const BodyRecord &pushed = problem.bodies[bodies_[from].body],
                   &moved = problem.bodies[bodies_[to].body];
  for (int axis = 0; axis < 6; ++axis) {
    std::ranges::fill(u_f_, 0.0);
    for_each_held_row(problem, bodies_[from],
                      [&](std::size_t row, const Vec3& linear, const Vec3& angular) {
                        u_f_[row] += axis < 3 ? pushed.inverse_mass * linear[axis]
                                              : pushed.inverse_inertia * angular[axis - 3];
                      });
    undo();
    auto& response = mobility[static_cast<std::size_t>(axis)];
    for_each_held_row(problem, bodies_[to],
                      [&](std::size_t row, const Vec3& linear, const Vec3& angular) {
                        for (int k = 0; k < 3; ++k) {
                          const auto component = static_cast<std::size_t>(k);
                          response[component] += d_f_[row] * moved.inverse_mass * linear[k];
                          response[component + 3] += d_f_[row] * moved.inverse_inertia * angular[k];
                        }
                      });
  }
}

bool JointIsland::move_driven(const ContactProblem& problem, std::span<const RowVelocities> u) {
  bool any = false;
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    const auto& [joint, row] = driven_[k];
    const auto i = static_cast<Index>(k);
    const double of_row = u[joint][static_cast<std::size_t>(row)];
    const bool takes_part = of_row != JointElimination::kLetBe;
    any = any || takes_part;
    u_d_[i] = takes_part ? of_row : 0;
    lower_[i] = takes_part ? problem.joints[joint].min_impulse[row] : 0;
    upper_[i] = takes_part ? problem.joints[joint].max_impulse[row] : 0;
    r_[i] = 0;
  }
  if (!any) return false;
  if (!is_dense()) {
    undo_together();
    std::copy_n(d_all_.begin(), held_.size(), d_f_.begin());
    return true;
  }
  reduce_driven();
  bounded_.solve(q_, lower_, upper_, r_);
  body_impulse_.clear();
  answer_driven();
  return true;
}

void JointIsland::move(const ContactProblem& problem, std::span<const RowVelocities> u,
                       AlignedVector<JointElimination::Motion>& motion) {
  const auto add_motion = [&](const Row& of, double impulse) {
    problem.joints[of.joint].for_each_side([&](const JointBlock::Side& side) {
      if (side.body >= problem.free_bodies) return;
      const BodyRecord& body = problem.bodies[side.body];
      JointElimination::Motion& moved = motion[side.body];
      moved.velocity +=
          impulse * side.sign * body.inverse_mass * without(side.axis[of.row], side.locked);
      moved.spin += impulse * body.inverse_inertia * side.jw[of.row];
    });
  };
  gather_held(u);
  undo();
  if (move_driven(problem, u))
    for (std::size_t k = 0; k < driven_.size(); ++k)
      if (r_[static_cast<Index>(k)] != 0) add_motion(driven_[k], r_[static_cast<Index>(k)]);
  for (std::size_t k = 0; k < held_.size(); ++k) add_motion(held_[k], d_f_[k]);
}

}  // namespace scree
