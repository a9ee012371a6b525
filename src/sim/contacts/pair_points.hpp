/// Points of pairs: as found, and as stored for a step.
#pragma once

#include <cassert>
#include <cstdint>
#include <limits>

#include "scree/core/aligned.hpp"
#include "scree/core/unset_array.hpp"
#include "scree/math/vec3.hpp"
#include "scree/sim/state.hpp"
#include "sim/contacts/tight_storage.hpp"

namespace scree {

/// Point at which a pair touches, or may come to touch.
struct PairPoint {
  std::uint32_t feature;
  Vec3 point;            ///< midway between the surfaces [m]
  Vec3 normal;           ///< from A, the body of lower id, to B
  double gap;            ///< [m]
  double remaining_gap;  ///< see SeparatingPlane [m]
  double turn_cosine;
  Vec3 wall;  ///< velocity of an obstacle's surface there [m/s]
};

/// Points of one pair.
struct PairPoints {
  int count = 0;
  std::uint32_t sharing = 0;  ///< see OverlapPoints; 0: as by share_of_point()
  UnsetArray<PairPoint, Neighbours::kMaxSurfacePoints> points;  ///< the first `count` are set

  void add(const PairPoint& point) {
    assert(count < static_cast<int>(Neighbours::kMaxSurfacePoints));
    points[static_cast<std::size_t>(count++)] = point;
  }
  PairPoint* begin() { return points.data(); }
  PairPoint* end() { return begin() + count; }
  const PairPoint* begin() const { return points.data(); }
  const PairPoint* end() const { return begin() + count; }
};

/// Points of many pairs. Most have a remaining gap equal to the gap, a normal that does not rotate,
/// and no moving obstacle: the other data of a point are stored apart.
class FullPoints {
 public:
  struct Point {
    Vec3 point;   ///< midway between the surfaces [m]
    Vec3 normal;  ///< from A, the body of lower id, to B
    double gap;   ///< [m]
    std::uint32_t feature;
    std::uint32_t more;  ///< its index in more_, or kNone
  };
  std::size_t size() const { return points_.size(); }
  const Point& operator[](std::size_t k) const { return points_[k]; }
  PairPoint pair_point(std::size_t k) const {
    const Point& p = points_[k];
    if (p.more == kNone) return {p.feature, p.point, p.normal, p.gap, p.gap, 1, {}};
    const More& more = more_[p.more];
    return {p.feature, p.point, p.normal, p.gap, more.remaining_gap, more.turn_cosine, more.wall};
  }

  /// Appends points; `moving`: the pair has an obstacle that moves.
  void append(const PairPoints& points, bool moving) {
    reserve_for_growth(points_, points_.size() + static_cast<std::size_t>(points.count));
    for (const PairPoint& p : points) {
      const bool plain = !moving && p.remaining_gap == p.gap && p.turn_cosine == 1;
      std::uint32_t more = kNone;
      if (!plain) {
        more = static_cast<std::uint32_t>(more_.size());
        reserve_for_growth(more_, more_.size() + 1);
        more_.push_back({p.remaining_gap, p.turn_cosine, p.wall});
      }
      points_.push_back({p.point, p.normal, p.gap, p.feature, more});
    }
  }
  void clear() {
    points_.clear();
    more_.clear();
  }
  std::size_t bytes() const {
    return points_.capacity() * sizeof(Point) + more_.capacity() * sizeof(More);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  struct More {
    double remaining_gap, turn_cosine;
    Vec3 wall;
  };
  AlignedVector<Point> points_;
  AlignedVector<More> more_;
};

/// Direction that need not be exact; it may be unknown, or known to be useless.
struct RoughDirection {
  float x = 0, y = 0, z = 0;

  static RoughDirection of(const Vec3& v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
  }
  static RoughDirection of_no_use() { return {std::numeric_limits<float>::infinity(), 0, 0}; }
  bool is_of_use() const { return x != of_no_use().x; }
  bool is_known() const { return is_of_use() && (x != 0 || y != 0 || z != 0); }
  operator Vec3() const { return {x, y, z}; }
};

}  // namespace scree
