/// Parts of two shapes, clumps or not, and the search for pairs of near parts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <variant>
#include <vector>

#include "scree/geometry/clump.hpp"
#include "scree/geometry/shape.hpp"

namespace scree {

/// Part of a shape, placed in space.
struct PlacedPart {
  std::uint32_t index;
  Vec3 position;
  double reach;
};

/// Shape as a set of parts: a clump, or a single part.
class PlacedParts {
 public:
  PlacedParts(const Shape& shape, const Pose& pose)
      : shape_(shape), pose_(pose), clump_(std::get_if<Clump>(&shape)) {}

  std::uint32_t count() const {
    return clump_ ? static_cast<std::uint32_t>(clump_->parts->parts().size()) : 1;
  }
  PlacedPart placed(std::uint32_t k) const {
    if (!clump_) return {k, pose_.position, bounding_radius(shape_)};
    return {k, pose_.position + rotate(pose_.orientation, clump_->scale * part(k).pose.position),
            clump_->scale * clump_->parts->reaches()[k]};
  }
  Shape shape(const PlacedPart& at) const {
    return clump_ ? scaled(part(at.index).shape, clump_->scale) : shape_;
  }
  Pose pose(const PlacedPart& at) const {
    if (!clump_) return pose_;
    return {at.position, pose_.orientation * part(at.index).pose.orientation};
  }
  bool is_sphere(std::uint32_t k) const {
    return std::holds_alternative<Sphere>(clump_ ? part(k).shape : shape_);
  }
  /// Sphere of a part that is a sphere.
  Sphere sphere(const PlacedPart& at) const {
    const Sphere& own = std::get<Sphere>(clump_ ? part(at.index).shape : shape_);
    return clump_ ? Sphere{clump_->scale * own.radius} : own;
  }
  bool is_round(std::uint32_t k) const {
    return is_sphere(k) || std::holds_alternative<Superellipsoid>(clump_ ? part(k).shape : shape_);
  }
  /// Twist of a part of a shape that moves by `twist`.
  Twist twist(const PlacedPart& at, const Twist& twist) const {
    return clump_ ? Twist{velocity_at(pose_, twist, at.position), twist.angular} : twist;
  }
  /// True if a point [m] of part k's surface lies inside other parts.
  bool hides(std::uint32_t k, const Vec3& point) const {
    constexpr double kInside = 1e-6;
    if (!clump_ || clump_->parts->covers(k).empty()) return false;
    const Vec3 at = rotate_back(pose_.orientation, point - pose_.position) / clump_->scale;
    return std::ranges::any_of(clump_->parts->covers(k), [&](std::uint16_t other) {
      const ClumpPart& cover = part(other);
      if (const auto* sphere = std::get_if<Sphere>(&cover.shape))
        return norm(at - cover.pose.position) - sphere->radius < -kInside;
      return signed_distance(cover.shape, cover.pose, at).distance < -kInside;
    });
  }
  bool is_clump() const { return clump_; }
  bool is_surface() const { return !clump_ && scree::is_surface(shape_); }
  const Vec3& middle() const { return pose_.position; }
  double size() const { return bounding_radius(shape_); }

 private:
  const ClumpPart& part(std::uint32_t k) const { return clump_->parts->parts()[k]; }

  const Shape& shape_;
  const Pose& pose_;
  const Clump* clump_;
};

/// Parts near the other shape, with those of B sorted along an axis; one pair of shapes at a time
/// in a thread.
class NearParts {
 public:
  NearParts(const PlacedParts& a, const PlacedParts& b, double margin) : margin_(margin) {
    take(a, b, of_a_);
    take(b, a, of_b_);
    for (PlacedPart& part : of_b_) max_reach_ = std::max(max_reach_, part.reach);
    if (!sorts()) return;
    axis_ = longest_axis();
    std::ranges::sort(of_b_, {}, [this](const auto& p) { return along(p); });
  }

  /// Calls f(part of A, part of B) for pairs whose bounding spheres are closer than the margin, in
  /// the order of their indices.
  template <class F>
  void for_each(F&& f) {
    for (const PlacedPart& of_a : of_a_) {
      near_.clear();
      const double max_distance = of_a.reach + max_reach_ + margin_;
      const auto from = sorts()
                            ? std::ranges::lower_bound(of_b_, along(of_a) - max_distance, {},
                                                       [this](const auto& p) { return along(p); })
                            : of_b_.begin();
      for (auto of_b = from; of_b != of_b_.end(); ++of_b) {
        if (sorts() && along(*of_b) > along(of_a) + max_distance) break;
        if (is_near(of_a, *of_b, of_a.reach + of_b->reach + margin_)) near_.push_back(*of_b);
      }
      if (sorts()) std::ranges::sort(near_, {}, &PlacedPart::index);
      for (const PlacedPart& of_b : near_) f(of_a, of_b);
    }
  }

 private:
  struct Buffers {
    std::vector<PlacedPart> of_a, of_b, near;
  };
  static Buffers& buffers() {
    thread_local Buffers all;
    return all;
  }
  static bool is_near(const PlacedPart& p, const PlacedPart& q, double reach) {
    return squared_norm(q.position - p.position) < reach * reach;
  }

  void take(const PlacedParts& from, const PlacedParts& other, std::vector<PlacedPart>& to) const {
    to.clear();
    for (std::uint32_t k = 0; k < from.count(); ++k) {
      const PlacedPart part = from.placed(k);
      if (is_near(part, {0, other.middle(), 0}, part.reach + other.size() + margin_))
        to.push_back(part);
    }
  }
  /// True if sorting pays: for few pairs it is faster to test all.
  bool sorts() const { return of_a_.size() * of_b_.size() > 64; }
  int longest_axis() const {
    Vec3 low, high;
    for (int axis = 0; axis < 3 && !of_b_.empty(); ++axis) {
      const auto at = [axis](const PlacedPart& part) { return part.position[axis]; };
      low[axis] = std::ranges::min(of_b_, {}, at).position[axis];
      high[axis] = std::ranges::max(of_b_, {}, at).position[axis];
    }
    const Vec3 size = high - low;
    return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  }
  double along(const PlacedPart& part) const { return part.position[axis_]; }

  double margin_, max_reach_ = 0;
  int axis_ = 0;
  std::vector<PlacedPart>&of_a_ = buffers().of_a, &of_b_ = buffers().of_b, &near_ = buffers().near;
};

}  // namespace scree
