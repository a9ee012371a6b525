// Included once for each instruction set.
#include "collision/narrow/kernels/hulls.hpp"
#include "collision/narrow/kernels/packs.inl"

namespace scree::kernels {
namespace {

std::uint64_t first_bits(int count) { return (std::uint64_t{1} << count) - 1; }

void faces_above(const double* height, int faces, double least, std::uint64_t* above) {
  for (int first = 0; first < faces; first += kBits) {
    const int count = faces - first < kBits ? faces - first : kBits;
    std::uint64_t bits = 0;
    for (int k = 0; k < count; k += N)
      bits |= std::uint64_t{lane_bits<N>(load<N>(height + first + k) > least)} << k;
    above[first / kBits] = count < kBits ? bits & first_bits(count) : bits;
  }
}

/// Feature in columns, with its edges viewed along a direction.
struct FeatureColumns {
  static constexpr int kMax = SeenFeature::kMax;

  double corner[3][kMax + 1], edge[3][kMax], outward[3][kMax];
  double length[kMax], tolerance[kMax];  ///< length of an edge; slack times the length of outward()

  FeatureColumns(const SeenFeature& feature, const Vec3& n, double slack) {
    const int count = static_cast<int>(feature.corners.size());
    for (int k = 0; k <= kMax; ++k) {
      const Vec3& p = feature.corners[k < count ? k : 0];
      corner[0][k] = p.x;
      corner[1][k] = p.y;
      corner[2][k] = p.z;
    }
    for (int k = 0; k < count; k += N) {
      const Packs along = pack(corner, k + 1) - pack(corner, k),
                  out = scaled<N>(cross<N>(along, all(n)), feature.side - Pack{});
      put(edge, k, along);
      put(outward, k, out);
      store<N>(length + k, norm<N>(along));
      store<N>(tolerance + k, slack * norm<N>(out));
    }
  }
  template <int M>
  static Packs pack(const double (&from)[3][M], int k) {
    return {load<N>(from[0] + k), load<N>(from[1] + k), load<N>(from[2] + k)};
  }

 private:
  static void put(double (&to)[3][kMax], int k, const Packs& v) {
    store<N>(to[0] + k, v.x);
    store<N>(to[1] + k, v.y);
    store<N>(to[2] + k, v.z);
  }
};

void lay_over(const SeenFeature& a, const SeenFeature& b, const Vec3& n, double slack,
              FeatureOverlay& overlay) {
  constexpr double kParallel = 1e-6;  // sine; their ends are found as corners over the other
  const FeatureColumns of_b(b, n, slack);
  const int count_a = static_cast<int>(a.corners.size()),
            count_b = static_cast<int>(b.corners.size());
  const std::uint64_t edges_of_b = first_bits(b.edges);
  const Packs along_n = all(n);
  std::uint64_t beside_a = 0;
  overlay.of_a = overlay.crossings = 0;
  for (int k = 0; k < count_a; ++k) {
    const Vec3 p = a.corners[k], edge = a.corners[k + 1 < count_a ? k + 1 : 0] - p,
               out = a.side * cross(edge, n);
    const bool is_edge = k < a.edges;
    const double tolerance = slack * norm(out), length = norm(edge);
    const Packs e = all(edge);
    std::uint64_t beside_b = 0, crossing = 0;
    for (int l = 0; l < count_b; l += N) {
      const Packs displacement = FeatureColumns::pack(of_b.corner, l) - all(p),
                  f = FeatureColumns::pack(of_b.edge, l);
      beside_b |= std::uint64_t{lane_bits<N>(dot<N>(FeatureColumns::pack(of_b.outward, l),
                                                    -displacement) > load<N>(of_b.tolerance + l))}
                  << l;
      const std::uint64_t out_of_a = lane_bits<N>(dot<N>(all(out), displacement) > tolerance);
      beside_a |= is_edge ? out_of_a << l : 0;
      const Pack sine = dot<N>(along_n, cross<N>(e, f)),
                 s = dot<N>(along_n, cross<N>(displacement, f)) / sine,
                 t = dot<N>(along_n, cross<N>(displacement, e)) / sine,
                 size = sine < 0 ? -sine : sine;
      crossing |=
          std::uint64_t{lane_bits<N>((size >= kParallel * length * load<N>(of_b.length + l)) &
                                     (s >= 0) & (s <= 1) & (t >= 0) & (t <= 1))}
          << l;
    }
    overlay.of_a |= std::uint64_t{(beside_b & edges_of_b) == 0} << k;
    overlay.crossings |= (is_edge ? crossing & edges_of_b : 0) << k * SeenFeature::kMax;
  }
  overlay.of_b = first_bits(count_b) & ~beside_a;
}

constexpr HullKernels kHullKernels{faces_above, lay_over};

}  // namespace
}  // namespace scree::kernels
