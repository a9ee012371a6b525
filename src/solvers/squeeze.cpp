#include "scree/solvers/squeeze.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "scree/solvers/factored_problem.hpp"
#include "solvers/kernels/turning_blocks.hpp"

namespace scree {
namespace {

/// What a unit percussion along a normal does to the body, and 1 for Σ s: rows of a problem of
/// least squares.
using Column = Eigen::Matrix<double, 7, 1>;

/// A loaded contact of the body in hand.
struct Loaded {
  ContactIndex contact;
  double gap;
  Column column;
  double pressed;    ///< r_n [N s]
  double available;  ///< what may be taken of it [N s]
  double taken;
  bool is_open;  ///< to be looked at

  double left() const { return available - taken; }
};

double attraction_of(const ContactProblem& problem, ContactIndex contact) {
  const std::size_t spheres = kBlock * problem.blocks.size(), lane = contact % kBlock;
  if (contact < spheres)
    return problem.attraction.empty() ? 0 : problem.attraction[contact / kBlock].percussion[lane];
  return problem.full_attraction.empty()
             ? 0
             : problem.full_attraction[(contact - spheres) / kBlock].percussion[lane];
}

/// Weights s ≥ 0, Σ s = 1 as near as may be, with which Σ s_k g_k is least: non-negative least
/// squares by active sets.
class LeastMotion {
 public:
  explicit LeastMotion(std::vector<Column> columns)
      : columns_(std::move(columns)), s_(columns_.size(), 0.0), is_in_(columns_.size(), false) {}

  const std::vector<double>& solve() {
    for (std::size_t round = 0; round < 3 * s_.size() && take_in_steepest(); ++round)
      while (!solve_those_in()) {
      }
    return s_;
  }

 private:
  /// False if no weight can grow to any use.
  bool take_in_steepest() {
    constexpr double kNoUse = 1e-12;
    Column left = Column::Unit(6);
    for (std::size_t k = 0; k < s_.size(); ++k) left -= s_[k] * columns_[k];
    std::size_t best = s_.size();
    double most = kNoUse;
    for (std::size_t k = 0; k < s_.size(); ++k) {
      const double use = is_in_[k] ? 0 : columns_[k].dot(left);
      if (use <= most) continue;
      best = k;
      most = use;
    }
    if (best == s_.size()) return false;
    is_in_[best] = true;
    return true;
  }

  /// Goes to the least squares of the weights that are in, or until some are 0, which go out: false
  /// then.
  bool solve_those_in() {
    std::vector<std::size_t> in;
    for (std::size_t k = 0; k < s_.size(); ++k)
      if (is_in_[k]) in.push_back(k);
    if (in.empty()) return true;
    const auto count = static_cast<Eigen::Index>(in.size());
    Eigen::MatrixXd A(7, count);
    for (Eigen::Index i = 0; i < count; ++i) A.col(i) = columns_[in[static_cast<std::size_t>(i)]];
    const Eigen::VectorXd aim = A.colPivHouseholderQr().solve(Eigen::VectorXd(Column::Unit(6)));
    const auto way = [&](std::size_t i) { return aim[static_cast<Eigen::Index>(i)] - s_[in[i]]; };
    double step = 1;
    for (std::size_t i = 0; i < in.size(); ++i)
      if (s_[in[i]] + way(i) <= 0) step = std::min(step, -s_[in[i]] / way(i));
    bool all_stay = true;
    for (std::size_t i = 0; i < in.size(); ++i) {
      const bool goes = s_[in[i]] + way(i) <= 0 && s_[in[i]] <= -step * way(i);
      s_[in[i]] = goes ? 0 : s_[in[i]] + step * way(i);
      is_in_[in[i]] = !goes;
      all_stay = all_stay && !goes;
    }
    return all_stay;
  }

  std::vector<Column> columns_;
  std::vector<double> s_;
  std::vector<bool> is_in_;
};

/// The squeeze of one body.
class Release {
 public:
  Release(ContactProblem& problem, std::span<const TightContact> contacts) : problem_(problem) {
    for (const TightContact& tight : contacts) add(tight);
  }

  bool take() {
    while (take_some()) {
    }
    bool any = false;
    for (const Loaded& of : loaded_) {
      if (of.taken > 0) shrink(of);
      any = any || of.taken > 0;
    }
    return any;
  }

 private:
  void add(const TightContact& tight) {
    const FullContact c = full_contact(problem_, tight.contact);
    const double available = c.percussion.x - attraction_of(problem_, tight.contact);
    if (!(available > 0)) return;
    const Vec3 push = without(c.axis[0], c.locked_a);
    const Vec3 turn = problem_.bodies[c.a].inverse_inertia > 0 ? c.turn_a[0] : Vec3{};
    Column column;
    column << push.x, push.y, push.z, turn.x, turn.y, turn.z, 1;
    loaded_.push_back({tight.contact, tight.gap, column, c.percussion.x, available, 0, true});
  }

  /// Takes one squeeze, until a contact has no more to give, or leaves out a contact of one that is
  /// jammed. False if there is none.
  bool take_some() {
    constexpr double kMoves = 1e-9;  // against what one contact does alone
    std::vector<Loaded*> open;
    std::vector<Column> columns;
    for (Loaded& of : loaded_)
      if (of.is_open) {
        open.push_back(&of);
        columns.push_back(of.column);
      }
    if (open.empty()) return false;
    const std::vector<double> s = LeastMotion(std::move(columns)).solve();
    Column sum = Column::Zero();
    double gap = 0, times = std::numeric_limits<double>::infinity();
    Loaded* deepest = nullptr;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (s[i] == 0) continue;
      sum += s[i] * open[i]->column;
      gap += s[i] * open[i]->gap;
      times = std::min(times, open[i]->left() / s[i]);
      if (deepest == nullptr || open[i]->gap < deepest->gap) deepest = open[i];
    }
    if (deepest == nullptr || !(sum.head<6>().norm() <= kMoves)) return false;
    if (gap < -kJammed) {
      deepest->is_open = false;
      return true;
    }
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (s[i] == 0) continue;
      Loaded& of = *open[i];
      const bool is_last = of.left() / s[i] <= times;
      of.taken = is_last ? of.available : std::min(of.taken + times * s[i], of.available);
      of.is_open = of.taken < of.available;
    }
    return true;
  }

  void shrink(const Loaded& of) {
    const double part = 1 - of.taken / of.pressed;
    const FullContact c = full_contact(problem_, of.contact);
    const Vec3 r = part * c.percussion;
    set_percussions(problem_, {&of.contact, 1}, Eigen::Vector3d(r.x, r.y, r.z));
    const std::size_t spheres = kBlock * problem_.blocks.size();
    if (of.contact < spheres) return;
    const FullBlock& block = problem_.full[(of.contact - spheres) / kBlock];
    if (block.turning == FullBlock::kNone) return;
    const int lane = static_cast<int>(of.contact % kBlock);
    const kernels::TurningContact turning(problem_, block, lane);
    turning.add_percussion(problem_.bodies, problem_.free_bodies,
                           (part - 1) * turning.percussion());
    for (auto& row : problem_.turning[block.turning].percussion) row[lane] *= part;
  }

  ContactProblem& problem_;
  std::vector<Loaded> loaded_;
};

}  // namespace

bool release_squeeze(ContactProblem& problem) {
  bool any = false;
  const std::span<const TightContact> tight = problem.tight;
  for (std::size_t begin = 0, end = 0; begin < tight.size(); begin = end) {
    while (end < tight.size() && tight[end].body == tight[begin].body) ++end;
    any = Release(problem, tight.subspan(begin, end - begin)).take() || any;
  }
  return any;
}

}  // namespace scree
