/// Moments of tetrahedra and placed shapes, and the principal frame of a sum of moments.
#include "geometry/principal_axes.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace scree {
namespace {

using Matrix = Eigen::Matrix3d;

Matrix matrix_of(const Vec3& square, const Vec3& product) {
  Matrix m;
  m << square.x, product.z, product.y, product.z, square.y, product.x, product.y, product.x,
      square.z;
  return m;
}
Matrix rotation_matrix(const Quaternion& q) {
  return Eigen::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
}
Eigen::Vector3d vector_of(const Vec3& v) { return {v.x, v.y, v.z}; }

}  // namespace

MassMoments& MassMoments::operator+=(const MassMoments& other) {
  volume += other.volume;
  first += other.first;
  square += other.square;
  product += other.product;
  return *this;
}

MassMoments& MassMoments::operator*=(double factor) {
  volume *= factor;
  first *= factor;
  square *= factor;
  product *= factor;
  return *this;
}

MassMoments tetrahedron_moments(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double volume = dot(a, cross(b, c)) / 6;
  const Vec3 sum = a + b + c;
  const auto second = [&](int i, int j) {  // ∫ x_i x_j dV
    return volume / 20 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + sum[i] * sum[j]);
  };
  return {volume,
          volume / 4 * sum,
          {second(0, 0), second(1, 1), second(2, 2)},
          {second(1, 2), second(2, 0), second(0, 1)}};
}

MassMoments moments_of(const VolumeProperties& properties, const Pose& pose) {
  const Vec3& inertia = properties.inertia;
  const double half = (inertia.x + inertia.y + inertia.z) / 2;
  const Matrix rotation = rotation_matrix(pose.orientation);
  const Vec3 centre = pose.position + rotate(pose.orientation, properties.centre);
  const Matrix second =
      rotation * vector_of({half - inertia.x, half - inertia.y, half - inertia.z}).asDiagonal() *
          rotation.transpose() +
      properties.volume * vector_of(centre) * vector_of(centre).transpose();
  return {properties.volume,
          properties.volume * centre,
          {second(0, 0), second(1, 1), second(2, 2)},
          {second(1, 2), second(2, 0), second(0, 1)}};
}

PrincipalFrame principal_frame(const MassMoments& moments) {
  constexpr double kRounding = 1e-13;
  const Vec3 centre = moments.first / moments.volume;
  Matrix second = matrix_of(moments.square, moments.product);
  second -= moments.volume * vector_of(centre) * vector_of(centre).transpose();
  const double largest = second.diagonal().maxCoeff();
  const double off_diagonal =
      std::max({std::abs(second(0, 1)), std::abs(second(1, 2)), std::abs(second(0, 2))});
  Quaternion axes;
  Eigen::Vector3d along = second.diagonal();
  if (off_diagonal > kRounding * largest) {
    Eigen::SelfAdjointEigenSolver<Matrix> solver(second);
    Matrix rotation = solver.eigenvectors();
    if (rotation.determinant() < 0) rotation.col(0) *= -1;
    const Eigen::Quaterniond q(rotation);
    axes = normalised({q.w(), q.x(), q.y(), q.z()});
    along = solver.eigenvalues();
  }
  return {{centre, axes},
          moments.volume,
          {along[1] + along[2], along[2] + along[0], along[0] + along[1]}};
}

}  // namespace scree
