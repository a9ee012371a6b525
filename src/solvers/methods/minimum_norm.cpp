/// Set of impulses with the same velocities: its dimension, extent and point of least norm.
#include "solvers/methods/minimum_norm.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <limits>

#include "solvers/operators/cones.hpp"
#include "solvers/operators/islands.hpp"

namespace scree {
namespace {

/// Set that the velocity of a block allows to its impulse, in coordinates y: r = B y.
struct AllowedSet {
  enum class Kind : std::uint8_t { ray, cone, free } kind;
  int block, first, size;
  Vec3 direction;  ///< unit vector of a ray
};

/// Impulses of one island with the same velocities.
class SolutionSet {
 public:
  SolutionSet(const MatrixOperator& island, const Vector& r, double still) : island_(island) {
    const Vector u = island.velocity(r);
    island.for_each_block([&]<class Law>(const Law& law, int block) {
      const int row = island.first_row(block);
      if constexpr (std::is_same_v<Law, JointRows>) {
        add({AllowedSet::Kind::free, block, size_, law.rows, {}});
      } else {
        const Vec3 x = MatrixOperator::at(r, row), v = MatrixOperator::at(u, row);
        const double slip = tangential_weight(friction_coefficient(law)) * tangential_norm(v);
        const bool slides = slip > still;
        if (v.x > still || (slides && !(x.x > 0))) return;  // open
        add({slides ? AllowedSet::Kind::ray : AllowedSet::Kind::cone, block, size_, slides ? 1 : 3,
             slides ? x / norm(x) : Vec3{}});
      }
    });
    y_ = coordinates(r);
    find_null_space();
  }

  int dimension() const { return static_cast<int>(null_.cols()); }

  /// Finds r of least norm by alternating directions: y on the flat set minimises half the squared
  /// norm, z is its copy in the allowed sets. False if the two do not come within `tolerance` of
  /// each other within the limits.
  bool minimise_norm(double tolerance, const Limits& limits, Vector& r) {
    constexpr int kMaxNormSteps = 50000;
    constexpr double kNormPenalty = 1, kNormRelaxation = 1.6;
    Vector y, z = Vector::Zero(size_), last, xi = Vector::Zero(size_);
    for (int k = 0; k < kMaxNormSteps && !limits.stopped() && !limits.out_of_time(); ++k) {
      const Vector drawn = kNormPenalty / (1 + kNormPenalty) * (z - xi);
      y = y_ + null_ * (null_.transpose() * (drawn - y_));
      last = z;
      const Vector relaxed = kNormRelaxation * y + (1 - kNormRelaxation) * z;
      z = relaxed + xi;
      project(z);
      xi += relaxed - z;
      if ((y - z).norm() + (z - last).norm() <= tolerance * y_.norm()) {
        y_ = z;
        r = impulse(z);
        return true;
      }
    }
    return false;
  }

  /// Range of each block's normal impulse around the last point, along the line in the set that
  /// changes it most [N s].
  void spread(std::span<const int> blocks, std::vector<double>& result) const {
    for (const AllowedSet& set : sets_) {
      Vector d = null_ * null_.row(set.first).transpose();
      if (!(d.norm() > 1e-9)) continue;
      d /= d.norm();
      result[blocks[set.block]] = std::abs(d[set.first]) * (reach(d) + reach(-d));
    }
  }

 private:
  void add(const AllowedSet& set) {
    sets_.push_back(set);
    size_ += set.size;
  }

  Vector coordinates(const Vector& r) const {
    Vector y(size_);
    for (const AllowedSet& set : sets_) {
      const int row = island_.first_row(set.block);
      if (set.kind == AllowedSet::Kind::ray)
        y[set.first] = dot(set.direction, MatrixOperator::at(r, row));
      else
        y.segment(set.first, set.size) = r.segment(row, set.size);
    }
    return y;
  }
  Vector impulse(const Vector& y) const {
    Vector r = Vector::Zero(island_.rows());
    for (const AllowedSet& set : sets_) {
      const int row = island_.first_row(set.block);
      if (set.kind == AllowedSet::Kind::ray)
        MatrixOperator::put(r, row, y[set.first] * set.direction);
      else
        r.segment(row, set.size) = y.segment(set.first, set.size);
    }
    return r;
  }

  /// Finds the null space of y ↦ W B y.
  void find_null_space() {
    Eigen::MatrixXd transposed = Eigen::MatrixXd::Zero(size_, island_.rows());
    std::vector<const AllowedSet*> set_of(island_.rows(), nullptr);
    for (const AllowedSet& set : sets_)
      for (int k = 0; k < island_.rows_of(set.block); ++k)
        set_of[island_.first_row(set.block) + k] = &set;
    for (int block = 0; block < island_.blocks(); ++block)
      island_.for_each_column(block, [&](int column, const double* value) {
        const AllowedSet* set = set_of[column];
        if (set == nullptr) return;
        const int k = column - island_.first_row(set->block);
        for (int i = 0; i < island_.rows_of(block); ++i) {
          const int row = island_.first_row(block) + i;
          if (set->kind == AllowedSet::Kind::ray)
            transposed(set->first, row) += set->direction[k] * value[i];
          else
            transposed(set->first + k, row) += value[i];
        }
      });
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(transposed);
    qr.setThreshold(1e-10);
    const int rank = static_cast<int>(qr.rank());
    null_.setZero(size_, size_ - rank);
    if (null_.size() == 0) return;
    null_.bottomRows(size_ - rank).setIdentity();
    null_ = qr.householderQ() * null_;
  }

  void project(Vector& y) const {
    std::size_t next = 0;
    island_.for_each_block([&]<class Law>(const Law& law, int block) {
      if (next == sets_.size() || sets_[next].block != block) return;
      const AllowedSet& set = sets_[next++];
      if (set.kind == AllowedSet::Kind::ray) y[set.first] = std::max(0.0, y[set.first]);
      if constexpr (!std::is_same_v<Law, JointRows>)
        if (set.kind == AllowedSet::Kind::cone)
          MatrixOperator::put(y, set.first, law.project(MatrixOperator::at(y, set.first)));
    });
  }

  /// Largest t with y + t d in every allowed set, by bisection: the sets are convex, and laws offer
  /// only projections.
  double reach(const Vector& d) const {
    const double size = std::max(y_.norm(), std::numeric_limits<double>::min()),
                 rounding = 1e-9 * size;
    const auto inside = [&](double t) {
      const Vector y = y_ + t * d;
      Vector p = y;
      project(p);
      return (p - y).lpNorm<Eigen::Infinity>() <= rounding;
    };
    double in = 0, out = size;
    while (inside(out) && out < 1e6 * size) {
      in = out;
      out *= 2;
    }
    if (out >= 1e6 * size) return std::numeric_limits<double>::infinity();
    for (int k = 0; k < 40; ++k) {
      const double middle = (in + out) / 2;
      (inside(middle) ? in : out) = middle;
    }
    return in;
  }

  const MatrixOperator& island_;
  int size_ = 0;
  std::vector<AllowedSet> sets_;
  Vector y_;
  Eigen::MatrixXd null_;
};

}  // namespace

Vector minimum_norm(const MatrixOperator& system, const Vector& r, double tolerance,
                    const Limits& limits, Hyperstatic& hyperstatic) {
  // Velocities within the tolerance count as zero.
  const double still = tolerance * system.speed() / std::sqrt(system.blocks());
  // Of the impulses: their velocities must meet the tolerance, and friction counts over μ.
  double weight = 1;
  system.for_each_block([&](const auto& law, int) {
    weight = std::max(weight, tangential_weight(friction_coefficient(law)));
  });
  const double moved = weight * system.largest_diagonal() * r.norm();
  const double precise =
      moved > 0 ? std::clamp(0.1 * tolerance * system.speed() / moved, 1e-14, 1e-10) : 1e-10;
  hyperstatic = {};
  hyperstatic.spread.assign(system.blocks(), 0);
  Vector result = r;
  for (const std::vector<int>& blocks : islands_of(system)) {
    if (limits.stopped() || limits.out_of_time()) {
      hyperstatic.minimum_norm = false;
      return r;
    }
    const MatrixOperator island(system, blocks);
    const Vector here = gathered(system, blocks, island, r);
    SolutionSet set(island, here, still);
    if (set.dimension() == 0) continue;
    hyperstatic.dimension += set.dimension();
    if (Vector x; set.minimise_norm(precise, limits, x))
      scatter(system, blocks, island, x, result);
    else
      hyperstatic.minimum_norm = false;
    set.spread(blocks, hyperstatic.spread);
  }
  return result;
}

}  // namespace scree
