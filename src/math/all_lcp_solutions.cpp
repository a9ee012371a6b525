/// Finds all solutions of a small linear complementarity problem by enumerating supports.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/dense_system.hpp"
#include "math/lcp_checks.hpp"

namespace scree {
namespace {

/// Thresholds below which values count as zero: in the units of z and of w.
struct Scales {
  double z, w;
};

double largest(const std::vector<double>& values) {
  double result = 0;
  for (const double v : values) result = std::max(result, std::abs(v));
  return result;
}

/// Clips a line to the range 0 ≤ t ≤ length on which z + t direction and its w stay non-negative,
/// and moves its start to t = 0. False if the range is empty.
bool clip_to_solutions(const Lcp& lcp, LcpSegment& line, const Scales& zero) {
  double low = -std::numeric_limits<double>::infinity(), high = -low;
  const auto clip = [&](double value, double rate, double tolerance) {
    if (std::abs(rate) <= tolerance / std::max(1.0, largest(line.start)))
      return value >= -tolerance;
    (rate > 0 ? low : high) =
        rate > 0 ? std::max(low, -value / rate) : std::min(high, -value / rate);
    return true;
  };
  std::vector<double> homogeneous = complement_of(lcp, line.direction);
  const std::vector<double> w = complement_of(lcp, line.start);
  for (std::size_t i = 0; i < lcp.size(); ++i) {
    homogeneous[i] -= lcp.q[i];
    if (!clip(line.start[i], line.direction[i], zero.z) || !clip(w[i], homogeneous[i], zero.w))
      return false;
  }
  if (low > high + zero.z) return false;
  if (!std::isfinite(low)) {  // z ≥ 0 bounds the line on at least one side
    for (double& d : line.direction) d = -d;
    low = std::exchange(high, std::numeric_limits<double>::infinity());
    low = -low;
  }
  for (std::size_t i = 0; i < lcp.size(); ++i) line.start[i] += low * line.direction[i];
  line.length = std::max(0.0, high - low);
  return true;
}

bool same(const std::vector<double>& a, const std::vector<double>& b, double zero) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::abs(a[i] - b[i]) > zero) return false;
  return true;
}

bool lies_on(const LcpSegment& line, const std::vector<double>& z, double zero) {
  double along = 0, length = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    along += (z[i] - line.start[i]) * line.direction[i];
    length += line.direction[i] * line.direction[i];
  }
  const double t = std::clamp(along / length, 0.0, line.length);
  std::vector<double> nearest = line.start;
  for (std::size_t i = 0; i < z.size(); ++i) nearest[i] += t * line.direction[i];
  return same(nearest, z, zero);
}

class Enumeration {
 public:
  Enumeration(const Lcp& lcp, double tolerance) : lcp_(lcp), tolerance_(tolerance) {}

  LcpSolutions run() {
    for (std::uint32_t support = 0; support < 1u << lcp_.size(); ++support) examine(support);
    std::erase_if(found_.isolated, [&](const LcpPoint& point) {
      return std::any_of(
          found_.continua.begin(), found_.continua.end(),
          [&](const LcpSegment& line) { return lies_on(line, point.z, 10 * zero_of(point.z).z); });
    });
    found_.status = LcpStatus::solved;
    return std::move(found_);
  }

 private:
  Scales zero_of(const std::vector<double>& z) const {
    const double size = largest(z);
    return {tolerance_ * (size > 0 ? size : 1),
            tolerance_ * std::max(largest(lcp_.q), largest(lcp_.M) * size)};
  }

  /// Solves M_SS z_S = −q_S, with the other z zero.
  void examine(std::uint32_t support) {
    std::vector<std::size_t> in;
    for (std::size_t i = 0; i < lcp_.size(); ++i)
      if (support >> i & 1) in.push_back(i);
    std::vector<double> block, load;
    for (const std::size_t i : in) {
      for (const std::size_t j : in) block.push_back(lcp_.M[i * lcp_.size() + j]);
      load.push_back(-lcp_.q[i]);
    }
    const DenseSolution local = solve_dense(std::move(block), std::move(load), tolerance_);
    if (!local.compatible) return;
    const auto scatter = [&](const std::vector<double>& values) {
      std::vector<double> z(lcp_.size(), 0);
      for (std::size_t k = 0; k < in.size(); ++k) z[in[k]] = values[k];
      return z;
    };
    if (local.null_space.size() > 1) return found_.unclear.push_back(support);
    if (local.null_space.empty()) return keep_point(scatter(local.x));
    LcpSegment line{scatter(local.x), scatter(local.null_space[0])};
    if (!clip_to_solutions(lcp_, line, zero_of(line.start))) return;
    if (line.length <= 10 * zero_of(line.start).z) return keep_point(std::move(line.start));
    found_.continua.push_back(std::move(line));
  }

  void keep_point(std::vector<double> z) {
    const Scales zero = zero_of(z);
    std::vector<double> w = complement_of(lcp_, z);
    for (std::size_t i = 0; i < z.size(); ++i) {
      if (z[i] < -zero.z || w[i] < -zero.w) return;
      z[i] = std::max(0.0, z[i]);
      w[i] = z[i] > zero.z ? 0 : std::max(0.0, w[i]);
    }
    for (const LcpPoint& known : found_.isolated)
      if (same(known.z, z, 10 * zero.z)) return;
    found_.isolated.push_back({std::move(z), std::move(w)});
  }

  const Lcp& lcp_;
  double tolerance_;
  LcpSolutions found_;
};

}  // namespace

LcpSolutions all_lcp_solutions(const Lcp& lcp, double tolerance) {
  if (!well_formed(lcp) || lcp.size() > kMaxToEnumerate) return {};
  return Enumeration(lcp, tolerance).run();
}

}  // namespace scree
