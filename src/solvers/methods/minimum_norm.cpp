#include "solvers/methods/minimum_norm.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <limits>

#include "solvers/operators/cones.hpp"
#include "solvers/operators/islands.hpp"

namespace scree {
namespace {

/// What the velocity of a block leaves to its impulse, in coordinates y of its own: r = B y.
struct Room {
  enum class Kind : std::uint8_t { ray, cone, free } kind;
  int block, first, size;
  Vec3 direction;  ///< of a ray, of length 1
};

/// The impulses of one island that go with its velocities.
class SolutionSet {
 public:
  SolutionSet(const MatrixOperator& island, const Vector& r, double still) : island_(island) {
    const Vector u = island.velocity(r);
    island.for_each_block([&]<class Law>(const Law& law, int block) {
      const int row = island.first_row(block);
      if constexpr (std::is_same_v<Law, JointRows>) {
        add({Room::Kind::free, block, size_, law.rows, {}});
      } else {
        const Vec3 x = MatrixOperator::at(r, row), v = MatrixOperator::at(u, row);
        const bool slides = tangential_norm(v) > still;
        if (v.x > still || (slides && !(x.x > 0))) return;  // open
        add({slides ? Room::Kind::ray : Room::Kind::cone, block, size_, slides ? 1 : 3,
             slides ? x / norm(x) : Vec3{}});
      }
    });
    y_ = coordinates(r);
    find_null_space();
  }

  int dimension() const { return static_cast<int>(null_.cols()); }

  /// Alternating directions: half the square of the norm on the flat set, its copy in the rooms.
  /// False if the two do not come within `tolerance` of each other within the limits.
  bool least(double tolerance, const Limits& limits, Vector& r) {
    constexpr int kMax = 50000;
    constexpr double kPenalty = 1, kRelaxation = 1.6;
    Vector y, z = Vector::Zero(size_), last, xi = Vector::Zero(size_);
    for (int k = 0; k < kMax && !limits.stopped() && !limits.out_of_time(); ++k) {
      const Vector drawn = kPenalty / (1 + kPenalty) * (z - xi);
      y = y_ + null_ * (null_.transpose() * (drawn - y_));
      last = z;
      const Vector relaxed = kRelaxation * y + (1 - kRelaxation) * z;
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

  /// How far each block's normal impulse can go both ways from the last point found along the
  /// line in the set that moves it most [N s].
  void spread(std::span<const int> blocks, std::vector<double>& result) const {
    for (const Room& room : rooms_) {
      Vector d = null_ * null_.row(room.first).transpose();
      if (!(d.norm() > 1e-9)) continue;
      d /= d.norm();
      result[blocks[room.block]] = std::abs(d[room.first]) * (reach(d) + reach(-d));
    }
  }

 private:
  void add(const Room& room) {
    rooms_.push_back(room);
    size_ += room.size;
  }

  Vector coordinates(const Vector& r) const {
    Vector y(size_);
    for (const Room& room : rooms_) {
      const int row = island_.first_row(room.block);
      if (room.kind == Room::Kind::ray)
        y[room.first] = dot(room.direction, MatrixOperator::at(r, row));
      else
        y.segment(room.first, room.size) = r.segment(row, room.size);
    }
    return y;
  }
  Vector impulse(const Vector& y) const {
    Vector r = Vector::Zero(island_.rows());
    for (const Room& room : rooms_) {
      const int row = island_.first_row(room.block);
      if (room.kind == Room::Kind::ray)
        MatrixOperator::put(r, row, y[room.first] * room.direction);
      else
        r.segment(row, room.size) = y.segment(room.first, room.size);
    }
    return r;
  }

  /// Of y ↦ W B y.
  void find_null_space() {
    Eigen::MatrixXd transposed = Eigen::MatrixXd::Zero(size_, island_.rows());
    std::vector<const Room*> room_of(island_.rows(), nullptr);
    for (const Room& room : rooms_)
      for (int k = 0; k < island_.rows_of(room.block); ++k)
        room_of[island_.first_row(room.block) + k] = &room;
    for (int block = 0; block < island_.blocks(); ++block)
      island_.for_each_column(block, [&](int column, const double* value) {
        const Room* room = room_of[column];
        if (room == nullptr) return;
        const int k = column - island_.first_row(room->block);
        for (int i = 0; i < island_.rows_of(block); ++i) {
          const int row = island_.first_row(block) + i;
          if (room->kind == Room::Kind::ray)
            transposed(room->first, row) += room->direction[k] * value[i];
          else
            transposed(room->first + k, row) += value[i];
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
      if (next == rooms_.size() || rooms_[next].block != block) return;
      const Room& room = rooms_[next++];
      if (room.kind == Room::Kind::ray) y[room.first] = std::max(0.0, y[room.first]);
      if constexpr (!std::is_same_v<Law, JointRows>)
        if (room.kind == Room::Kind::cone)
          MatrixOperator::put(y, room.first, law.project(MatrixOperator::at(y, room.first)));
    });
  }

  /// The longest t with y + t d in every room, by bisection: the rooms are convex, and laws know
  /// projections alone.
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
  std::vector<Room> rooms_;
  Vector y_;
  Eigen::MatrixXd null_;
};

}  // namespace

Vector minimum_norm(const MatrixOperator& system, const Vector& r, double tolerance,
                    const Limits& limits, Hyperstatic& hyperstatic) {
  // Velocities below what the tolerance leaves open are none.
  const double still = tolerance * system.speed() / std::sqrt(system.blocks());
  const double precise = std::clamp(0.1 * tolerance, 1e-14, 1e-10);
  hyperstatic = {};
  hyperstatic.spread.assign(system.blocks(), 0);
  Vector least = r;
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
    if (Vector x; set.least(precise, limits, x))
      scatter(system, blocks, island, x, least);
    else
      hyperstatic.minimum_norm = false;
    set.spread(blocks, hyperstatic.spread);
  }
  return least;
}

}  // namespace scree
