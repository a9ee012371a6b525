/// Elimination of joints, island by island. Our own.
#include "scree/solvers/joint_elimination.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "solvers/kernels/joint_blocks.hpp"
#include "solvers/methods/bounded_rows.hpp"
#include "solvers/methods/sparse_elimination.hpp"

namespace scree {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using Vector = std::vector<double>;

using Side = JointBlock::Side;

/// Of a row of one joint and a row of another, over the free bodies that both have [1/kg].
double delassus(const ContactProblem& problem, const JointBlock& j, int row, const JointBlock& k,
                int other) {
  double W = 0;
  j.for_each_side([&](const Side& at_j) {
    if (at_j.body >= problem.free_bodies) return;
    const BodyRecord& body = problem.bodies[at_j.body];
    const Vec3 axis = without(at_j.axis[row], at_j.locked);
    k.for_each_side([&](const Side& at_k) {
      if (at_k.body != at_j.body) return;
      W += body.inverse_mass * at_j.sign * at_k.sign * dot(axis, at_k.axis[other]) +
           body.inverse_inertia * dot(at_j.turn[row], at_k.turn[other]);
    });
  });
  return W;
}

/// Calls f(joints of a body) for each free body that has some, in rising order of joints.
class JointsOfBodies {
 public:
  explicit JointsOfBodies(const ContactProblem& problem) {
    for (std::uint32_t j = 0; j < problem.joints.size(); ++j)
      problem.joints[j].for_each_side([&](const Side& side) {
        if (side.body < problem.free_bodies) ends_.push_back({side.body, j});
      });
    std::ranges::sort(ends_);
    // A gear may have a body twice.
    ends_.erase(std::unique(ends_.begin(), ends_.end()), ends_.end());
  }
  template <class F>
  void for_each_pair(F&& f) const {
    for (std::size_t first = 0; first < ends_.size();) {
      std::size_t end = first + 1;
      while (end < ends_.size() && ends_[end].first == ends_[first].first) ++end;
      for (std::size_t k = first; k < end; ++k)
        for (std::size_t i = first; i <= k; ++i) f(ends_[k].second, ends_[i].second);
      first = end;
    }
  }

 private:
  std::vector<std::pair<BodyIndex, std::uint32_t>> ends_;
};

}  // namespace

struct JointElimination::Island {
  struct Row {
    std::uint32_t joint;
    int row;
  };
  /// Rows of two joints that share a body, or of one, and where they begin in their lists.
  struct Product {
    std::uint32_t of, with;
    std::uint32_t first_of, first_with;
    std::uint32_t place = 0;  ///< of a driven and a held one: where the held one's rows are listed
  };
  std::vector<Row> held, driven;
  std::vector<Product> held_held, driven_held, driven_driven;
  std::vector<std::size_t> entry;  ///< of products of held rows, in W; kUpper: above the diagonal
  static constexpr std::size_t kUpper = static_cast<std::size_t>(-1);

  SparseElimination W;                ///< of held rows, shifted
  std::vector<std::size_t> diagonal;  ///< of each held row, its entry in W
  Vector shift;                       ///< of its diagonal
  /// Of a driven row: a row of W_df, and of (L⁻¹ W_fd)ᵀ
  struct Coupling {
    std::vector<int> held;
    Vector value;
    std::vector<int> reach;  ///< in the order of the elimination
    Vector half;
  };
  std::vector<Coupling> coupling;
  BoundedRows bounded;  ///< its matrix is S

  // Of held rows, `work` in the order of the elimination; then of driven ones.
  Vector u_f, d_f, left, work;
  VectorXd u_d, q, least, most, r, change;
  double largest = 0;  ///< residual squared that solve() found

  void lay_out(const ContactProblem& problem);
  void fill(const ContactProblem& problem);
  void reduce(const ContactProblem& problem);
  /// d = −W⁻¹ u, but for the part of u that no percussions bring about.
  void undo(const Vector& u, Vector& d);
  /// x = W⁻¹ u
  void solve(const Vector& u, Vector& x);
  void relax(ContactProblem& problem);

 private:
  std::size_t place_of(int row) const { return static_cast<std::size_t>(W.place_of(row)); }
  /// Rows of the two lists of a product, a column of the second joint, and what they have of W.
  struct Pair {
    int of, with, column;
    double value;
  };
  template <class F>
  static void for_each_row_pair(const ContactProblem& problem, const Product& product, F&& f) {
    const JointBlock &of = problem.joints[product.of], &with = problem.joints[product.with];
    for (int i = 0; i < of.rows; ++i)
      for (int k = 0; k < with.rows; ++k)
        f(Pair{static_cast<int>(product.first_of) + i, static_cast<int>(product.first_with) + k, k,
               delassus(problem, of, i, with, k)});
  }
  void gather(const ContactProblem& problem);
  void add(ContactProblem& problem, const std::vector<Row>& rows, const auto& change);
};

JointElimination::JointElimination() = default;
JointElimination::~JointElimination() = default;
JointElimination::JointElimination(JointElimination&&) noexcept = default;
JointElimination& JointElimination::operator=(JointElimination&&) noexcept = default;

void JointElimination::find_islands(const ContactProblem& problem) {
  const auto joints = static_cast<std::uint32_t>(problem.joints.size());
  const JointsOfBodies of_bodies(problem);
  std::vector<std::uint32_t> root(joints);
  std::iota(root.begin(), root.end(), 0U);
  const auto root_of = [&](std::uint32_t j) {
    while (root[j] != j) j = root[j] = root[root[j]];
    return j;
  };
  of_bodies.for_each_pair([&](std::uint32_t j, std::uint32_t k) {
    const std::uint32_t one = root_of(j), other = root_of(k);
    root[std::max(one, other)] = std::min(one, other);
  });

  islands_.clear();
  std::vector<std::uint32_t> island(joints), first(joints);
  const auto is_held = [&](std::uint32_t j) {
    return problem.joints[j].kind == JointBlock::Kind::held;
  };
  for (std::uint32_t j = 0; j < joints; ++j) {
    if (root_of(j) == j) {
      island[j] = static_cast<std::uint32_t>(islands_.size());
      islands_.push_back(std::make_unique<Island>());
    }
    island[j] = island[root_of(j)];
    auto& rows = is_held(j) ? islands_[island[j]]->held : islands_[island[j]]->driven;
    first[j] = static_cast<std::uint32_t>(rows.size());
    for (int row = 0; row < problem.joints[j].rows; ++row) rows.push_back({j, row});
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  of_bodies.for_each_pair([&](std::uint32_t j, std::uint32_t k) { pairs.push_back({j, k}); });
  // Two joints may share both bodies.
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (const auto& [j, k] : pairs) {
    Island& of = *islands_[island[j]];
    const Island::Product product{j, k, first[j], first[k]};
    if (is_held(j) && is_held(k))
      of.held_held.push_back(product);
    else if (!is_held(j) && !is_held(k))
      of.driven_driven.push_back(product);
    else if (is_held(k))
      of.driven_held.push_back(product);
    else
      of.driven_held.push_back({k, j, first[k], first[j]});
  }
  for (const auto& of : islands_) of->lay_out(problem);
}

void JointElimination::Island::lay_out(const ContactProblem& problem) {
  std::vector<SparseElimination::Entry> entries;
  entry.clear();
  diagonal.resize(held.size());
  const auto rows_of = [&](std::uint32_t joint) {
    return static_cast<std::uint32_t>(problem.joints[joint].rows);
  };
  for (const Product& product : held_held)
    for (std::uint32_t i = product.first_of; i < product.first_of + rows_of(product.of); ++i)
      for (std::uint32_t k = product.first_with; k < product.first_with + rows_of(product.with);
           ++k) {
        entry.push_back(i >= k ? entries.size() : kUpper);
        if (i < k) continue;
        if (i == k) diagonal[i] = entries.size();
        entries.push_back({static_cast<int>(i), static_cast<int>(k)});
      }
  W.lay_out(static_cast<int>(held.size()), entries);
  coupling.assign(driven.size(), {});
  for (Product& product : driven_held) {
    product.place = static_cast<std::uint32_t>(coupling[product.first_of].held.size());
    for (std::uint32_t i = 0; i < rows_of(product.of); ++i)
      for (std::uint32_t k = 0; k < rows_of(product.with); ++k)
        coupling[product.first_of + i].held.push_back(static_cast<int>(product.first_with + k));
  }
  for (Coupling& of : coupling) {
    of.value.assign(of.held.size(), 0.0);
    std::vector<int> places;
    for (const int row : of.held) places.push_back(W.place_of(row));
    of.reach = W.reach(places);
    of.half.assign(of.reach.size(), 0.0);
  }
  for (Vector* v : {&shift, &u_f, &d_f, &left, &work}) v->assign(held.size(), 0.0);
  const auto rows = static_cast<Index>(driven.size());
  for (VectorXd* v : {&u_d, &q, &least, &most, &r, &change}) v->resize(rows);
  bounded.resize(rows);
}

void JointElimination::Island::fill(const ContactProblem& problem) {
  const std::size_t* at = entry.data();
  for (const Product& product : held_held)
    for_each_row_pair(problem, product, [&](const Pair& pair) {
      if (*at != kUpper) W.value(*at) = pair.value;
      ++at;
    });
  for (std::size_t row = 0; row < held.size(); ++row) {
    double& value = W.value(diagonal[row]);
    shift[row] = kShift * value;
    value += shift[row];
  }
  W.factorize();
}

/// S, W_fd and L⁻¹ W_fd.
void JointElimination::Island::reduce(const ContactProblem& problem) {
  Eigen::MatrixXd& S = bounded.matrix();
  S.setZero();
  for (const Product& product : driven_driven)
    for_each_row_pair(problem, product, [&](const Pair& pair) {
      const Index i = pair.of, k = pair.with;
      S(i, k) = S(k, i) = pair.value;
    });
  // Rows of one coordinate are alike.
  for (Index k = 0; k < S.rows(); ++k) S(k, k) *= 1 + kShift;
  for (Index k = 0; k < S.rows(); ++k) {
    const Row& of = driven[static_cast<std::size_t>(k)];
    S(k, k) += problem.joints[of.joint].softness[of.row];
  }
  bounded.changed();
  for (const Product& product : driven_held)
    for_each_row_pair(problem, product, [&](const Pair& pair) {
      Coupling& of = coupling[static_cast<std::size_t>(pair.of)];
      of.value[product.place + static_cast<std::size_t>(pair.column)] = pair.value;
    });
  for (std::size_t d = 0; d < driven.size(); ++d) {
    Coupling& of = coupling[d];
    std::ranges::fill(work, 0.0);
    for (std::size_t k = 0; k < of.held.size(); ++k) work[place_of(of.held[k])] = of.value[k];
    W.forward_at(of.reach, work);
    for (std::size_t k = 0; k < of.reach.size(); ++k) {
      double& at = work[static_cast<std::size_t>(of.reach[k])];
      of.half[k] = at;
      at /= W.pivot(of.reach[k]);
    }
    for (std::size_t e = 0; e <= d; ++e) {
      const Coupling& other = coupling[e];
      double sum = 0;
      for (std::size_t k = 0; k < other.reach.size(); ++k)
        sum += other.half[k] * work[static_cast<std::size_t>(other.reach[k])];
      const auto i = static_cast<Index>(d), j = static_cast<Index>(e);
      S(i, j) -= sum;
      S(j, i) = S(i, j);
    }
  }
}

void JointElimination::prepare(const ContactProblem& problem, ThreadPool& pool) {
  if (problem.joints_stamp != 0 && problem.joints_stamp == stamp_) return;
  stamp_ = problem.joints_stamp;
  links_now_.clear();
  for (const JointBlock& joint : problem.joints) {
    Link& link = links_now_.emplace_back(Link{{}, joint.rows, joint.kind});
    link.bodies.fill(problem.at_rest());
    std::size_t sides = 0;
    joint.for_each_side(
        [&](const Side& side) { link.bodies[sides++] = std::min(side.body, problem.at_rest()); });
  }
  if (links_now_ != links_) {
    std::swap(links_, links_now_);
    find_islands(problem);
  }
  pool.for_each_chunk(islands_.size(), [&](std::size_t k) {
    Island& island = *islands_[k];
    if (!island.held.empty()) island.fill(problem);
    if (!island.driven.empty()) island.reduce(problem);
  });
}

void JointElimination::Island::solve(const Vector& u, Vector& x) {
  for (int k = 0; k < W.rows(); ++k) work[place_of(k)] = u[static_cast<std::size_t>(k)];
  W.forward(work);
  W.backward(work);
  for (int k = 0; k < W.rows(); ++k) x[static_cast<std::size_t>(k)] = work[place_of(k)];
}

void JointElimination::Island::undo(const Vector& u, Vector& d) {
  constexpr double kHardlyAny = 0.5;
  solve(u, d);
  // What is left of u: the shift times W⁻¹ u.
  double of_left = 0, of_all = 0;
  for (std::size_t k = 0; k < u.size(); ++k) {
    left[k] = shift[k] * d[k];
    of_left += left[k] * left[k];
    of_all += u[k] * u[k];
  }
  if (of_left > kHardlyAny * kHardlyAny * of_all) {
    for (std::size_t k = 0; k < u.size(); ++k) left[k] = u[k] - left[k];
    solve(left, d);
  }
  for (double& x : d) x = -x;
}

/// Velocities of the rows, and the largest residual; percussions and bounds of those with bounds.
void JointElimination::Island::gather(const ContactProblem& problem) {
  largest = 0;
  const auto gather_rows = [&](const std::vector<Row>& rows, auto& u) {
    for (std::size_t k = 0; k < rows.size();) {
      const JointBlock& joint = problem.joints[rows[k].joint];
      const kernels::JointVector of_joint = kernels::relative_velocity(problem.bodies, joint);
      largest = std::max(largest, kernels::residual(joint, problem.bodies, of_joint));
      for (int row = 0; row < joint.rows; ++row, ++k) u[static_cast<Index>(k)] = of_joint[row];
    }
  };
  Eigen::Map<VectorXd> of_held(u_f.data(), static_cast<Index>(u_f.size()));
  gather_rows(held, of_held);
  gather_rows(driven, u_d);
  for (std::size_t k = 0; k < driven.size(); ++k) {
    const auto& [joint, row] = driven[k];
    const auto i = static_cast<Index>(k);
    least[i] = problem.joints[joint].least[row];
    most[i] = problem.joints[joint].most[row];
    r[i] = problem.joints[joint].percussion[row];
  }
}

/// A change of percussions to joints and bodies.
void JointElimination::Island::add(ContactProblem& problem, const std::vector<Row>& rows,
                                   const auto& change_of_rows) {
  for (std::size_t k = 0; k < rows.size();) {
    JointBlock& joint = problem.joints[rows[k].joint];
    kernels::JointVector d(joint.rows);
    for (int row = 0; row < joint.rows; ++row, ++k) {
      d[row] = change_of_rows(k);
      joint.percussion[row] += d[row];
    }
    kernels::add_percussion(problem.bodies, problem.free_bodies, joint, d);
  }
}

void JointElimination::Island::relax(ContactProblem& problem) {
  gather(problem);
  if (!held.empty()) undo(u_f, d_f);
  if (!driven.empty()) {
    // What is left for the driven rows once the held ones are undone.
    q = u_d;
    q.noalias() -= bounded.matrix() * r;
    for (std::size_t d = 0; d < driven.size(); ++d)
      for (std::size_t k = 0; k < coupling[d].held.size(); ++k)
        q[static_cast<Index>(d)] +=
            coupling[d].value[k] * d_f[static_cast<std::size_t>(coupling[d].held[k])];
    change = -r;
    bounded.solve(q, least, most, r);
    change += r;
    // And what that asks of the held ones, −W_ff⁻¹ W_fd Δr.
    std::ranges::fill(work, 0.0);
    for (std::size_t d = 0; d < driven.size(); ++d)
      for (std::size_t k = 0; k < coupling[d].reach.size(); ++k)
        work[static_cast<std::size_t>(coupling[d].reach[k])] +=
            coupling[d].half[k] * change[static_cast<Index>(d)];
    W.backward(work);
    for (int k = 0; k < W.rows(); ++k) d_f[static_cast<std::size_t>(k)] -= work[place_of(k)];
  }
  add(problem, held, [&](std::size_t k) { return d_f[k]; });
  add(problem, driven, [&](std::size_t k) { return change[static_cast<Index>(k)]; });
}

double JointElimination::solve(ContactProblem& problem, ThreadPool& pool) {
  pool.for_each_chunk(islands_.size(), [&](std::size_t k) { islands_[k]->relax(problem); });
  double largest = 0;
  for (const auto& island : islands_) largest = std::max(largest, island->largest);
  return largest;
}

void JointElimination::make_attainable(std::span<RowVelocities> u, ThreadPool& pool) const {
  pool.for_each_chunk(islands_.size(), [&](std::size_t i) {
    Island& island = *islands_[i];
    for (std::size_t k = 0; k < island.held.size(); ++k)
      island.u_f[k] = u[island.held[k].joint][static_cast<std::size_t>(island.held[k].row)];
    island.solve(island.u_f, island.d_f);
    for (std::size_t k = 0; k < island.held.size(); ++k)
      u[island.held[k].joint][static_cast<std::size_t>(island.held[k].row)] -=
          island.shift[k] * island.d_f[k];
  });
}

void JointElimination::respond(const ContactProblem& problem, std::span<const RowVelocities> p,
                               std::span<RowVelocities> u) const {
  for (const auto& island : islands_) {
    const auto& driven = island->driven;
    for (std::size_t i = 0; i < driven.size(); ++i) {
      const auto& [joint, row] = driven[i];
      double sum = -problem.joints[joint].softness[row] * p[joint][row];
      for (std::size_t k = 0; k < driven.size(); ++k)
        sum += island->bounded.matrix()(static_cast<Index>(i), static_cast<Index>(k)) *
               p[driven[k].joint][driven[k].row];
      u[joint][row] = sum;
    }
  }
}

void JointElimination::find_compliances(const ContactProblem& problem,
                                        std::span<RowVelocities> W) const {
  for (const auto& island : islands_)
    for (std::size_t i = 0; i < island->driven.size(); ++i) {
      const auto& [joint, row] = island->driven[i];
      const auto k = static_cast<Index>(i);
      W[joint][row] =
          std::max(0.0, island->bounded.matrix()(k, k) - problem.joints[joint].softness[row]);
    }
}

void JointElimination::move(const ContactProblem& problem, std::span<const RowVelocities> u,
                            AlignedVector<Motion>& motion, ThreadPool& pool) {
  pool.for_each_chunk(islands_.size(), [&](std::size_t i) {
    Island& island = *islands_[i];
    for (std::size_t k = 0; k < island.held.size(); ++k)
      island.u_f[k] = u[island.held[k].joint][static_cast<std::size_t>(island.held[k].row)];
    island.undo(island.u_f, island.d_f);
    for (std::size_t k = 0; k < island.held.size(); ++k) {
      const auto& [joint, row] = island.held[k];
      const double push = island.d_f[k];
      problem.joints[joint].for_each_side([&, row = row](const Side& side) {
        if (side.body >= problem.free_bodies) return;
        const BodyRecord& body = problem.bodies[side.body];
        Motion& moved = motion[side.body];
        moved.velocity +=
            push * side.sign * body.inverse_mass * without(side.axis[row], side.locked);
        moved.spin += push * body.inverse_inertia * side.turn[row];
      });
    }
  });
}

}  // namespace scree
