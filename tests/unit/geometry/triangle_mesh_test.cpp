#include "scree/geometry/triangle_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <stdexcept>

#include "scree/math/random.hpp"
#include "unit/geometry/meshes.hpp"
#include "unit/geometry/random_point.hpp"

namespace scree {
namespace {

using test::random_point;

/// Crumpled: no symmetry helps.
TriangleMesh crumpled_square(std::uint32_t n) {
  TriangleSoup soup = test::square_soup(1, n);
  RandomStream random{7, 0};
  for (Vec3& v : soup.vertices) v = v + random_point(random, 0.4 / n);
  return test::mesh_of(soup, Sides::two);
}

TEST(TriangleMesh, FindsTheClosestPointThatAllFacetsHave) {
  const TriangleMesh mesh = crumpled_square(20);
  ASSERT_EQ(mesh.facets().size(), 800U);
  RandomStream random{1, 0};
  for (int k = 0; k < 2000; ++k) {
    const Vec3 p = random_point(random, 1.5);
    double min_value = 1e300;
    std::set<std::uint32_t> near;
    for (std::uint32_t f = 0; f < mesh.facets().size(); ++f) {
      const double d = norm(p - mesh.closest_on(f, p).point);
      min_value = std::min(min_value, d);
      if (d < 0.2) near.insert(f);
    }
    EXPECT_EQ(norm(p - mesh.closest(p).point), min_value);
    EXPECT_EQ(mesh.is_near(p, min_value * (1 + 1e-12)), true);
    EXPECT_EQ(mesh.is_near(p, min_value * (1 - 1e-12)), false);
    std::set<std::uint32_t> found;
    mesh.for_each_near(p, 0.2, [&](std::uint32_t f, const TriangleMesh::SurfacePoint&) {
      return found.insert(f).second;
    });
    EXPECT_EQ(found, near);
  }
}

TEST(TriangleMesh, OfAnySizeAndAnywhereFindsFacetsInTheirOrder) {
  const TriangleSoup all = test::square_soup(1, 8);
  RandomStream random{8, 0};
  for (std::size_t count = 1; count <= all.triangles.size(); ++count)
    for (const double away : {0.0, 1e6, 1e30}) {
      TriangleSoup soup{
          {}, {all.triangles.begin(), all.triangles.begin() + static_cast<std::ptrdiff_t>(count)}};
      const double size = away == 1e30 ? 1e40 : 1;  // beyond the range of single precision
      for (const Vec3& v : all.vertices)
        soup.vertices.push_back(size * (v + random_point(random, 0.05)) + Vec3{away, -away, away});
      const TriangleMesh mesh(soup.vertices, soup.triangles, Sides::two);
      for (int k = 0; k < 10; ++k) {
        const Vec3 p = size * random_point(random, 1.2) + Vec3{away, -away, away};
        std::vector<std::uint32_t> near, found;
        double min_value = 1e300;
        for (std::uint32_t f = 0; f < mesh.facets().size(); ++f) {
          const double d2 = squared_norm(p - mesh.closest_on(f, p).point);
          min_value = std::min(min_value, std::sqrt(d2));
          if (d2 < 0.16 * size * size) near.push_back(f);
        }
        mesh.for_each_near(p, 0.4 * size, [&](std::uint32_t f, const TriangleMesh::SurfacePoint&) {
          found.push_back(f);
          return true;
        });
        EXPECT_EQ(found, near);
        EXPECT_EQ(norm(p - mesh.closest(p).point), min_value);
      }
    }
}

TEST(TriangleMesh, ClosestPointOfAFacetIsThatOfManySamples) {
  const TriangleMesh mesh = crumpled_square(2);
  RandomStream random{2, 0};
  for (int k = 0; k < 200; ++k) {
    const Vec3 p = random_point(random, 2);
    const auto f = static_cast<std::uint32_t>(k % mesh.facets().size());
    const auto& [a, b, c] = mesh.facets()[f].corner;
    double min_value = 1e300;
    constexpr int kSamples = 100;
    for (int i = 0; i <= kSamples; ++i)
      for (int j = 0; i + j <= kSamples; ++j)
        min_value = std::min(min_value, norm(p - (a + double(i) / kSamples * (b - a) +
                                                  double(j) / kSamples * (c - a))));
    const double found = norm(p - mesh.closest_on(f, p).point);
    EXPECT_LE(found, min_value + 1e-14);
    EXPECT_NEAR(found, min_value, 0.02);
  }
}

TEST(TriangleMesh, OfABoxHasTheSignedDistanceOfTheBox) {
  const Vec3 half{0.3, 0.5, 0.8};
  const TriangleMesh mesh = test::mesh_of(test::box_soup(half, 5), Sides::one);
  EXPECT_TRUE(mesh.is_closed());
  RandomStream random{3, 0};
  for (int k = 0; k < 3000; ++k) {
    const Vec3 p = random_point(random, 1);
    const SurfaceDistance of_mesh = signed_distance(Mesh{&mesh, 1}, p),
                          of_box = signed_distance(Box{half}, p);
    EXPECT_NEAR(of_mesh.distance, of_box.distance, 1e-14);
    if (of_box.distance > 1e-9) {
      EXPECT_NEAR(norm(of_mesh.normal - of_box.normal), 0, 1e-12);
    }
  }
  EXPECT_NEAR(bounding_radius(Mesh{&mesh, 2}), 2 * norm(half), 1e-14);
  EXPECT_NEAR(support(Mesh{&mesh, 2}, {}, {0, 0, 1}), 1.6, 1e-15);
  EXPECT_NEAR(reach(Mesh{&mesh, 2}, {}).y, 1.0, 1e-15);
  EXPECT_THROW(volume_properties(Mesh{&mesh, 1}), std::domain_error);
}

TEST(TriangleMesh, OfTwoSidesHasNoBehind) {
  const TriangleMesh mesh = test::mesh_of(test::square_soup(1, 3), Sides::two);
  EXPECT_FALSE(mesh.is_closed());
  const SurfaceDistance below = mesh.signed_distance({0.1, 0.2, -0.3});
  EXPECT_EQ(below.distance, 0.3);
  EXPECT_EQ(below.normal, (Vec3{0, 0, -1}));
  const TriangleMesh one = test::mesh_of(test::square_soup(1, 3), Sides::one);
  EXPECT_EQ(one.signed_distance({0.1, 0.2, -0.3}).distance, -0.3);
  EXPECT_EQ(one.signed_distance({0.1, 0.2, -0.3}).normal, (Vec3{0, 0, 1}));
}

TEST(TriangleMesh, SharpCornersTellInsideFromOutside) {
  // A thin tetrahedron: the mean of its facets' normals at a corner is not to be trusted, the one
  // weighted by angles is.
  const std::vector<Vec3> v{{0, 0, 0}, {1, 0, 0}, {0, 0.02, 0}, {0, 0, 0.05}};
  const std::vector<TriangleMesh::Corners> t{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  const TriangleMesh mesh(v, t, Sides::one);
  RandomStream random{4, 0};
  for (int k = 0; k < 5000; ++k) {
    const Vec3 p = random_point(random, 1.2);
    const bool inside = p.x >= 0 && p.y >= 0 && p.z >= 0 && p.x + p.y / 0.02 + p.z / 0.05 <= 1;
    EXPECT_EQ(mesh.signed_distance(p).distance < 0, inside);
  }
}

TEST(TriangleMesh, RefusesWhatIsNoSurface) {
  const std::vector<Vec3> v{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  EXPECT_THROW(TriangleMesh(v, {}, Sides::one), std::invalid_argument);
  const std::vector<TriangleMesh::Corners> t{{0, 1, 3}};
  EXPECT_THROW(TriangleMesh(v, t, Sides::one), std::invalid_argument);
}

TEST(Hollow, DistanceIsThatOfManySamples) {
  const Hollow shell{
      .bottom_radius = 0.2, .top_radius = 0.7, .bottom = -0.5, .top = 0.4, .closed_bottom = true};
  RandomStream random{5, 0};
  for (int k = 0; k < 300; ++k) {
    const Vec3 p = random_point(random, 1);
    const double l = std::hypot(p.x, p.y);
    double min_value = 1e300;
    constexpr int kSamples = 20000;
    for (int i = 0; i <= kSamples; ++i) {
      const double s = double(i) / kSamples;
      min_value = std::min({min_value, std::hypot(l - (0.2 + 0.5 * s), p.z - (-0.5 + 0.9 * s)),
                            std::hypot(l - 0.2 * s, p.z + 0.5)});
    }
    const SurfaceDistance found = signed_distance(shell, p);
    EXPECT_NEAR(found.distance, min_value, 1e-4);
    EXPECT_LE(found.distance, min_value + 1e-14);
    EXPECT_NEAR(signed_distance(shell, p - found.distance * found.normal).distance, 0, 1e-14);
  }
}

}  // namespace
}  // namespace scree
