/// Linear complementarity problems: find z with w = M z + q,  w ≥ 0,  z ≥ 0,  wᵀz = 0.
///
/// For small dense problems. Both functions allocate, so do not call them inside a batch of
/// contacts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace scree {

struct Lcp {
  std::vector<double> M;  ///< n × n, row by row
  std::vector<double> q;  ///< n

  std::size_t size() const { return q.size(); }
};

enum class LcpStatus : std::uint8_t {
  solved,
  /// Lemke's path ended on a ray, and no solution was found. This proves that there is none where M
  /// is copositive-plus: zᵀMz ≥ 0 for all z ≥ 0, and (M + Mᵀ)z = 0 where it vanishes. Every
  /// positive semi-definite M is copositive-plus. For any other M there may be solutions that the
  /// path does not reach.
  ray,
  iteration_limit,  ///< stopped early; solutions may or may not exist
  /// M is not n × n, a number is not finite, or n > kMaxToEnumerate for all_lcp_solutions
  bad_input,
};

struct LcpPoint {
  std::vector<double> z, w;
};

struct LemkeResult {
  LcpStatus status = LcpStatus::bad_input;
  LcpPoint point;  ///< empty unless solved
  int pivots = 0;
};

/// Lemke's algorithm with covering vector (1, …, 1)ᵀ. Lexicographic tie-breaking prevents cycles.
/// max_pivots = 0 stands for 50 n + 50: O(n) are usual, 2ⁿ the worst case.
LemkeResult solve_lemke(const Lcp& lcp, int max_pivots = 0, const std::function<bool()>& stop = {});

/// Solutions z = start + t direction, 0 ≤ t ≤ length, from a support whose singular basis leaves
/// one degree of freedom.
struct LcpSegment {
  std::vector<double> start, direction;
  double length = 0;  ///< may be infinite
};

/// Complete set of solutions, as far as it can be determined. For a contact problem the map to
/// impulses is not one to one: several z may stand for the same impulse.
struct LcpSolutions {
  LcpStatus status = LcpStatus::bad_input;
  std::vector<LcpPoint> isolated;  ///< points that lie on no segment
  /// A segment may be part of a larger one, or of a face that another support describes.
  std::vector<LcpSegment> continua;
  /// Supports (bit i: z_i may be > 0) with two or more degrees of freedom, left undecided.
  std::vector<std::uint32_t> unclear;

  bool finite() const { return status == LcpStatus::solved && continua.empty() && unclear.empty(); }
};

inline constexpr std::size_t kMaxToEnumerate = 12;

/// Tries all 2ⁿ supports. Numbers within `tolerance` times the scale of the data count as zero, so
/// problems closer to degeneracy than this are treated as degenerate.
LcpSolutions all_lcp_solutions(const Lcp& lcp, double tolerance = 1e-11);

}  // namespace scree
