/// Algebra of the second-order cone L = { x : x_0 ≥ |(x_1, x_2)| }, and of the half-line where
/// N = 1 [NesterovTodd97].
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::soc {

template <int N>
using Vec = Eigen::Matrix<double, N, 1>;
template <int N>
using Mat = Eigen::Matrix<double, N, N>;

template <int N>
double tail(const Vec<N>& x) {
  if constexpr (N == 1)
    return 0;
  else
    return x.template tail<N - 1>().norm();
}

/// Determinant x_0² − |tail|²: positive inside.
template <int N>
double determinant(const Vec<N>& x) {
  if constexpr (N == 1) return x[0] * x[0];
  const double t = tail<N>(x);
  return (x[0] - t) * (x[0] + t);
}

/// Jordan product a ∘ b = (a·b, a_0 b' + b_0 a').
template <int N>
Vec<N> product(const Vec<N>& a, const Vec<N>& b) {
  Vec<N> c = a[0] * b + b[0] * a;
  c[0] = a.dot(b);
  return c;
}

/// x with l ∘ x = b.
template <int N>
Vec<N> quotient(const Vec<N>& b, const Vec<N>& l) {
  Vec<N> x;
  if constexpr (N == 1) {
    x[0] = b[0] / l[0];
  } else {
    x[0] =
        (l[0] * b[0] - l.template tail<N - 1>().dot(b.template tail<N - 1>())) / determinant<N>(l);
    x.template tail<N - 1>() = (b.template tail<N - 1>() - x[0] * l.template tail<N - 1>()) / l[0];
  }
  return x;
}

/// The longest step a with x + a d in the cone, x inside it; infinite if d points into it.
template <int N>
double longest_step(const Vec<N>& x, const Vec<N>& d) {
  double longest = std::numeric_limits<double>::infinity();
  if constexpr (N == 1) return d[0] < 0 ? -x[0] / d[0] : longest;
  // Roots of A a² + 2 B a + C.
  const auto minor = [](const Vec<N>& a, const Vec<N>& b) { return 2 * a[0] * b[0] - a.dot(b); };
  const double A = minor(d, d), B = minor(x, d), C = determinant<N>(x),
               discriminant = B * B - A * C;
  if (discriminant >= 0) {
    const double q = -(B + std::copysign(std::sqrt(discriminant), B));
    for (const double root : {A != 0 ? q / A : -1.0, q != 0 ? C / q : -1.0})
      if (root > 0) longest = std::min(longest, root);
  }
  return d[0] < 0 ? std::min(longest, -x[0] / d[0]) : longest;
}

/// Nesterov and Todd's scaling of x and z inside the cone: H symmetric, H x = H⁻¹ z = λ.
template <int N>
struct Scaling {
  Mat<N> H, inverse;

  Scaling(const Vec<N>& x, const Vec<N>& z) {
    const double dx = std::sqrt(determinant<N>(x)), dz = std::sqrt(determinant<N>(z)),
                 size = std::sqrt(dz / dx);
    Vec<N> w = z / dz - x / dx;  // tail of z̄ + J x̄
    w[0] = z[0] / dz + x[0] / dx;
    w /= std::sqrt(2 * (1 + x.dot(z) / (dx * dz)));
    H = Mat<N>::Identity();
    if constexpr (N > 1) {
      const auto t = w.template tail<N - 1>();
      H.template bottomRightCorner<N - 1, N - 1>() += t * t.transpose() / (1 + w[0]);
      H(0, 0) = w[0];
      H.template bottomLeftCorner<N - 1, 1>() = t;
      H.template topRightCorner<1, N - 1>() = t.transpose();
      inverse = H;
      inverse.template bottomLeftCorner<N - 1, 1>() = -t;
      inverse.template topRightCorner<1, N - 1>() = -t.transpose();
    } else {
      inverse = H;
    }
    H *= size;
    inverse /= size;
  }
};

}  // namespace scree::soc
