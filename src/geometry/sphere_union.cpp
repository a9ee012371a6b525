/// Moments of a union of spheres. A plane normal to z cuts it in a union of discs. Area and moments
/// follow from Green's theorem over the arcs of its rim that lie in no other disc. As functions of
/// z they are smooth, except at heights where the arcs change: at the poles of spheres, at the
/// highest and lowest points of the circles in which two spheres meet, and where three meet.
/// Between two such heights they behave like square roots at the ends; z = middle − half cos t
/// makes them smooth in t.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "geometry/union_moments.hpp"

namespace scree {
namespace {

using std::numbers::pi;

struct Ball {
  Vec3 centre;
  double radius;
};
struct Disc {
  double x, y, radius;
};

/// Area and moments of a slice, or their integrals over slices.
struct Slice {
  std::array<double, 10> of{};  ///< 1, x, y, z, xx, yy, zz, yz, zx, xy

  Slice& operator+=(const Slice& other) {
    for (std::size_t k = 0; k < of.size(); ++k) of[k] += other.of[k];
    return *this;
  }
  Slice& operator*=(double factor) {
    for (double& value : of) value *= factor;
    return *this;
  }
};

/// Adds the contribution of an arc of a rim, by Green's theorem.
void add_arc(const Disc& disc, double from, double to, Slice& sum) {
  const auto at = [](double t) {
    const double s = std::sin(t), c = std::cos(t);
    const double two = std::sin(2 * t) / 4, four = std::sin(4 * t) / 32;
    return std::array{s,         t / 2 + two,    s - s * s * s / 3, 3 * t / 8 + two + four,
                      -c,        t / 2 - two,    c * c * c / 3 - c, 3 * t / 8 - two + four,
                      s * s / 2, -c * c * c / 3, -c * c * c * c / 4};
  };
  const auto low = at(from), high = at(to);
  std::array<double, 11> integral{};
  for (std::size_t k = 0; k < integral.size(); ++k) integral[k] = high[k] - low[k];
  const auto& [c, cc, ccc, cccc, s, ss, sss, ssss, sc, scc, sccc] = integral;
  const double x = disc.x, y = disc.y, r = disc.radius;
  sum.of[0] += r / 2 * (x * c + y * s + r * (to - from));
  sum.of[1] += r / 2 * (x * x * c + 2 * x * r * cc + r * r * ccc);
  sum.of[2] += r / 2 * (y * y * s + 2 * y * r * ss + r * r * sss);
  sum.of[4] +=
      r / 3 * (x * x * x * c + 3 * x * x * r * cc + 3 * x * r * r * ccc + r * r * r * cccc);
  sum.of[5] +=
      r / 3 * (y * y * y * s + 3 * y * y * r * ss + 3 * y * r * r * sss + r * r * r * ssss);
  sum.of[9] += r / 2 *
               (y * (x * x * c + 2 * x * r * cc + r * r * ccc) +
                r * (x * x * sc + 2 * x * r * scc + r * r * sccc));
}

/// Rim of one disc, without the arcs that other discs cover.
class Rim {
 public:
  Rim(const std::vector<Disc>& discs, std::size_t own) : disc_(discs[own]) {
    for (std::size_t k = 0; k < discs.size() && !hidden_; ++k)
      if (k != own) cover(discs[k], k < own);
  }

  void add_to(Slice& sum) {
    if (hidden_) return;
    std::ranges::sort(covered_);
    double from = 0;
    for (const auto& [begin, end] : covered_) {
      if (begin > from) add_arc(disc_, from, begin, sum);
      from = std::max(from, end);
    }
    if (from < 2 * pi) add_arc(disc_, from, 2 * pi, sum);
  }

 private:
  /// Marks the arc that another disc covers. Of two equal discs, the first has the rim.
  void cover(const Disc& other, bool comes_first) {
    const double dx = other.x - disc_.x, dy = other.y - disc_.y, apart = std::hypot(dx, dy);
    if (apart >= disc_.radius + other.radius) return;
    if (apart + disc_.radius <= other.radius) {
      hidden_ = apart + disc_.radius < other.radius || apart > 0 || comes_first;
      return;
    }
    if (apart + other.radius <= disc_.radius) return;
    const double half = std::acos(
        std::clamp((apart * apart + disc_.radius * disc_.radius - other.radius * other.radius) /
                       (2 * apart * disc_.radius),
                   -1.0, 1.0));
    double begin = std::atan2(dy, dx) - half;
    if (begin < 0) begin += 2 * pi;
    const double end = begin + 2 * half;
    covered_.emplace_back(begin, std::min(end, 2 * pi));
    if (end > 2 * pi) covered_.emplace_back(0, end - 2 * pi);
  }

  Disc disc_;
  bool hidden_ = false;
  std::vector<std::pair<double, double>> covered_;
};

Slice slice_at(const std::vector<Ball>& balls, double z) {
  std::vector<Disc> discs;
  for (const Ball& ball : balls) {
    const double above = z - ball.centre.z;
    const double squared = (ball.radius - above) * (ball.radius + above);
    if (squared > 0) discs.push_back({ball.centre.x, ball.centre.y, std::sqrt(squared)});
  }
  Slice slice;
  for (std::size_t k = 0; k < discs.size(); ++k) Rim(discs, k).add_to(slice);
  slice.of[3] = z * slice.of[0];
  slice.of[6] = z * z * slice.of[0];
  slice.of[7] = z * slice.of[2];
  slice.of[8] = z * slice.of[1];
  return slice;
}

/// Circle in which two spheres meet.
struct Circle {
  Vec3 centre, normal;
  double radius = -1;  ///< < 0: the spheres do not meet
};
Circle circle_of(const Ball& a, const Ball& b) {
  const Vec3 apart = b.centre - a.centre;
  const double distance = norm(apart);
  if (!(distance > 0) || distance >= a.radius + b.radius ||
      distance <= std::abs(a.radius - b.radius))
    return {};
  const double along =
      (distance * distance + (a.radius - b.radius) * (a.radius + b.radius)) / (2 * distance);
  const Vec3 normal = apart / distance;
  return {a.centre + along * normal, normal,
          std::sqrt(std::max(0.0, (a.radius - along) * (a.radius + along)))};
}

/// Heights at which the arcs of slices change.
std::vector<double> heights_of(const std::vector<Ball>& balls) {
  std::vector<double> heights;
  for (const Ball& ball : balls) {
    heights.push_back(ball.centre.z - ball.radius);
    heights.push_back(ball.centre.z + ball.radius);
  }
  for (std::size_t i = 0; i < balls.size(); ++i)
    for (std::size_t j = i + 1; j < balls.size(); ++j) {
      const Circle circle = circle_of(balls[i], balls[j]);
      if (circle.radius < 0) continue;
      const double rise = circle.radius * std::hypot(circle.normal.x, circle.normal.y);
      heights.push_back(circle.centre.z - rise);
      heights.push_back(circle.centre.z + rise);
      for (std::size_t k = j + 1; k < balls.size(); ++k) {
        // The third sphere cuts a chord out of the circle.
        const Vec3 to_third = balls[k].centre - circle.centre;
        const double across = dot(to_third, circle.normal);
        const Vec3 in_plane = to_third - across * circle.normal;
        const double distance = norm(in_plane);
        const double squared = (balls[k].radius - across) * (balls[k].radius + across);
        if (!(distance > 0) || squared <= 0) continue;
        const double along =
            (distance * distance + circle.radius * circle.radius - squared) / (2 * distance);
        if (std::abs(along) >= circle.radius) continue;
        const Vec3 direction = in_plane / distance;
        const double half = std::sqrt((circle.radius - along) * (circle.radius + along));
        const double middle = circle.centre.z + along * direction.z,
                     rise_of_chord = half * cross(circle.normal, direction).z;
        heights.push_back(middle - rise_of_chord);
        heights.push_back(middle + rise_of_chord);
      }
    }
  std::ranges::sort(heights);
  return heights;
}

/// Nodes and weights of Gauss and Legendre on [−1, 1], by Newton's method.
struct Gauss {
  static constexpr int kNodes = 20;
  std::array<double, kNodes> node{}, weight{};

  Gauss() {
    for (int k = 0; k < kNodes; ++k) {
      double x = std::cos(pi * (k + 0.75) / (kNodes + 0.5)), slope = 1;
      for (int step = 0; step < 50; ++step) {
        double before = 1, p = x;
        for (int n = 2; n <= kNodes; ++n) {
          const double next = ((2 * n - 1) * x * p - (n - 1) * before) / n;
          before = p;
          p = next;
        }
        slope = kNodes * (x * p - before) / (x * x - 1);
        const double change = p / slope;
        x -= change;
        if (std::abs(change) < 1e-16) break;
      }
      node[static_cast<std::size_t>(k)] = x;
      weight[static_cast<std::size_t>(k)] = 2 / ((1 - x * x) * slope * slope);
    }
  }
};

/// Integral over the heights from `low` to `high`, in t from 0 to π.
class SliceSum {
 public:
  SliceSum(const std::vector<Ball>& balls, double low, double high, double scale)
      : balls_(balls), middle_((low + high) / 2), half_((high - low) / 2), scale_(scale) {}

  Slice operator()() const { return refined(0, pi, over(0, pi), 0); }

 private:
  Slice over(double from, double to) const {
    static const Gauss gauss;
    Slice sum;
    for (std::size_t k = 0; k < gauss.node.size(); ++k) {
      const double t = (from + to) / 2 + (to - from) / 2 * gauss.node[k];
      Slice slice = slice_at(balls_, middle_ - half_ * std::cos(t));
      slice *= gauss.weight[k] * (to - from) / 2 * half_ * std::sin(t);
      sum += slice;
    }
    return sum;
  }
  Slice refined(double from, double to, const Slice& known, int depth) const {
    constexpr int kMaxDepth = 14;
    constexpr double kSliceTolerance = 1e-14;
    const double middle = (from + to) / 2;
    const Slice low = over(from, middle), high = over(middle, to);
    Slice both = low;
    both += high;
    double change = 0;
    for (std::size_t k = 0; k < both.of.size(); ++k) {
      const double power = k == 0 ? 1 : k < 4 ? scale_ : scale_ * scale_;
      change = std::max(change, std::abs(both.of[k] - known.of[k]) / power);
    }
    if (depth == kMaxDepth || change <= kSliceTolerance * scale_ * scale_ * scale_) return both;
    both = refined(from, middle, low, depth + 1);
    both += refined(middle, to, high, depth + 1);
    return both;
  }

  const std::vector<Ball>& balls_;
  double middle_, half_, scale_;
};

}  // namespace

MassMoments moments_of_spheres(std::span<const ClumpPart> spheres) {
  // Moments are taken about the mean position, which loses fewer digits.
  Vec3 middle;
  double scale = 0;
  for (const ClumpPart& part : spheres)
    middle += 1.0 / static_cast<double>(spheres.size()) * part.pose.position;
  std::vector<Ball> balls;
  for (const ClumpPart& part : spheres) {
    balls.push_back({part.pose.position - middle, std::get<Sphere>(part.shape).radius});
    scale = std::max(scale, norm(balls.back().centre) + balls.back().radius);
  }
  const std::vector<double> heights = heights_of(balls);
  Slice sum;
  for (std::size_t k = 0; k + 1 < heights.size(); ++k)
    if (heights[k + 1] - heights[k] > 1e-15 * scale)
      sum += SliceSum(balls, heights[k], heights[k + 1], scale)();

  const auto& [one, x, y, z, xx, yy, zz, yz, zx, xy] = sum.of;
  const Vec3& m = middle;
  return {one,
          Vec3{x, y, z} + one * m,
          {xx + 2 * m.x * x + one * m.x * m.x, yy + 2 * m.y * y + one * m.y * m.y,
           zz + 2 * m.z * z + one * m.z * m.z},
          {yz + m.y * z + m.z * y + one * m.y * m.z, zx + m.z * x + m.x * z + one * m.z * m.x,
           xy + m.x * y + m.y * x + one * m.x * m.y}};
}

}  // namespace scree
