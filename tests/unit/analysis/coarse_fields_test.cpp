/// Fields against the exact totals, sums by brute force, and the balance of momentum.
#include "scree/analysis/coarse_fields.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "scree/core/error.hpp"
#include "scree/math/random.hpp"
#include "unit/analysis/lattices.hpp"

namespace scree {
namespace {

constexpr double kDifference = 1e-3;

Vec3 random_vector(RandomStream& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

/// Bodies strewn in a box about the origin, each with a mass and a velocity of its own.
Bodies strewn(std::size_t count, double half, RandomStream& random) {
  std::vector<Vec3> places;
  for (std::size_t i = 0; i < count; ++i) places.push_back(random_vector(random, half));
  Bodies bodies = spheres_at(places, 0.1);
  for (std::size_t i = 0; i < count; ++i) {
    bodies.mass[i] = random.uniform(0.5, 2);
    bodies.velocity[i] = random_vector(random, 3);
  }
  return bodies;
}

/// Between one body and the next, and of the last with an obstacle.
std::vector<ContactRecord> chain(const Bodies& bodies, RandomStream& random) {
  std::vector<ContactRecord> contacts;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyId b = i + 1 < bodies.size() ? bodies.id[i + 1] : BodyId{kFirstObstacleId};
    const Vec3 point = bodies.position[i] + random_vector(random, 0.1);
    contacts.push_back({bodies.id[i],
                        b,
                        point,
                        {0, 0, 1},
                        kDifference * random_vector(random, 10),
                        0,
                        0,
                        ContactClass::sticking});
  }
  return contacts;
}

void add(Tensor& sum, double factor, const Vec3& a, const Vec3& b) {
  for (int i = 0; i < 3; ++i) sum[static_cast<std::size_t>(i)] += (factor * a[i]) * b;
}

/// Largest difference of entries.
double apart(const Tensor& a, const Tensor& b) {
  double max_value = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) max_value = std::max(max_value, std::abs(a[i][j] - b[i][j]));
  return max_value;
}

struct Sums {
  double mass = 0;
  Vec3 momentum;
  Tensor virial{}, flux{};  ///< l ⊗ f, m v ⊗ v
};

Sums sums_of(const CoarseFields& fields) {
  Sums sums;
  const double volume = fields.grid().region.volume() / static_cast<double>(fields.grid().size());
  for (const FieldCell& cell : fields.cells()) {
    sums.mass += volume * cell.density;
    sums.momentum += (volume * cell.density) * cell.velocity;
    add(sums.flux, volume * cell.density, cell.velocity, cell.velocity);
    for (std::size_t i = 0; i < 3; ++i) {
      sums.virial[i] += volume * cell.contact_stress[i];
      sums.flux[i] += volume * cell.kinetic_stress[i];
    }
  }
  return sums;
}

Sums sums_of(const Bodies& bodies) {
  Sums sums;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    sums.mass += bodies.mass[i];
    sums.momentum += bodies.mass[i] * bodies.velocity[i];
    add(sums.flux, bodies.mass[i], bodies.velocity[i], bodies.velocity[i]);
  }
  return sums;
}

TEST(CoarseFields, AddUpToTheExactTotalsWhateverTheCellsAndTheKernelAre) {
  RandomStream random{1};
  const Bodies bodies = strewn(40, 1, random);
  const auto contacts = chain(bodies, random);
  Sums exact = sums_of(bodies);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Vec3 to = i + 1 < bodies.size() ? bodies.position[i + 1] : contacts[i].point;
    add(exact.virial, 1 / kDifference, to - bodies.position[i], contacts[i].impulse);
  }
  for (const double width : {0.05, 0.3, 1.0}) {
    for (const std::array<std::uint32_t, 3>& cells :
         {std::array{1U, 1U, 1U}, std::array{7U, 1U, 40U}, std::array{20U, 20U, 20U}}) {
      const double side = 1.2 + CoarseFields::kKernelReach * width;
      CoarseFields fields({{{-side, -side, -side}, {side, side, side}}, cells}, width);
      fields.add(bodies);
      fields.add_contacts(bodies, contacts, kDifference);
      const Sums sums = sums_of(fields);
      EXPECT_NEAR(sums.mass, exact.mass, 1e-13 * exact.mass) << width;
      EXPECT_LT(norm(sums.momentum - exact.momentum), 1e-12);
      EXPECT_LT(apart(sums.flux, exact.flux), 1e-12);
      EXPECT_LT(apart(sums.virial, exact.virial), 1e-11);
      EXPECT_NEAR(fields.totals().mass, fields.totals().mass_centred, 1e-12);
    }
  }
}

/// The kernel about 0, cut off at its reach along each axis.
double kernel(const Vec3& x, double width) {
  double value = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (std::abs(x[axis]) > CoarseFields::kKernelReach * width) return 0;
    value *= std::exp(-0.5 * x[axis] * x[axis] / (width * width)) /
             (std::sqrt(2 * std::numbers::pi) * width) /
             std::erf(CoarseFields::kKernelReach / std::sqrt(2.0));
  }
  return value;
}

TEST(CoarseFields, HaveInEachCellTheMeanOfTheKernelAndOfItsLineIntegral) {
  const double width = 0.3;
  const Vec3 a{0.1, -0.2, 0.05}, b{0.7, 0.3, -0.4}, force{3, -1, 2};
  Bodies bodies = spheres_at({a, b}, 0.3);
  bodies.mass[0] = 2;
  bodies.mass[1] = 0;
  const std::vector contacts{ContactRecord{
      {0}, {1}, 0.5 * (a + b), {0, 0, 1}, kDifference * force, 0, 0, ContactClass::sticking}};
  CoarseFields fields({{{-1, -1, -1}, {1, 1, 1}}, {4, 2, 5}}, width);
  fields.add(bodies);
  fields.add_contacts(bodies, contacts, kDifference);
  const auto cells = fields.cells();
  constexpr int kPoints = 20, kAlong = 50;  // of a cell, along an axis; of the branch
  for (const std::size_t k : {0UL, 13UL, 17UL, 22UL, 39UL}) {
    const Region cell = fields.grid().cell(k);
    double density = 0, line = 0;
    for (int n = 0; n < kPoints * kPoints * kPoints; ++n) {
      const Vec3 share{(n % kPoints + 0.5) / kPoints, (n / kPoints % kPoints + 0.5) / kPoints,
                       (n / kPoints / kPoints + 0.5) / kPoints};
      const Vec3 e = cell.extent();
      const Vec3 x = cell.min + Vec3{share.x * e.x, share.y * e.y, share.z * e.z};
      density += 2 * kernel(x - a, width);
      for (int s = 0; s < kAlong; ++s)
        line += kernel(x - a - (s + 0.5) / kAlong * (b - a), width) / kAlong;
    }
    constexpr double kAll = kPoints * kPoints * kPoints;
    // The sum by points that are h = 0.05 apart is off by h² / 24 of the second derivative.
    const double max_value = 2 * kernel({}, width), allowed = 5e-4;
    EXPECT_NEAR(cells[k].density / max_value, density / kAll / max_value, allowed) << k;
    Tensor stress{};
    add(stress, line / kAll, b - a, force);
    EXPECT_LT(apart(cells[k].contact_stress, stress) / max_value,
              allowed * norm(b - a) * norm(force))
        << k;
  }
}

TEST(CoarseFields, OfACellThatRepeatsAndIsShearedAddUpToWhatIsInIt) {
  RandomStream random{3};
  const Domain domain({2, 2, 2, 0, 0.7, 0}, {0, 0, 0, 0, 0.5, 0});
  Bodies bodies = strewn(30, 3, random);  // some far from home
  std::vector<ContactRecord> contacts = chain(bodies, random);
  contacts.pop_back();
  Sums exact;
  for (const ContactRecord& contact : contacts) {
    const Vec3 &from = bodies.position[contact.a.value], &to = bodies.position[contact.b.value];
    add(exact.virial, 1 / kDifference, domain.separation(from, to), contact.impulse);
  }
  for (const double mass : bodies.mass) exact.mass += mass;
  for (const double width : {0.1, 0.6}) {
    CoarseFields fields({{{0, 0, 0}, {2, 2, 2}}, {5, 4, 3}}, width);
    fields.add(bodies, domain);
    fields.add_contacts(bodies, contacts, kDifference, domain);
    const Sums sums = sums_of(fields);
    EXPECT_NEAR(sums.mass, exact.mass, 1e-12 * exact.mass);
    EXPECT_LT(apart(sums.virial, exact.virial), 1e-10);
    EXPECT_NEAR(fields.totals().mass_centred, exact.mass, 1e-12 * exact.mass);
  }
}

TEST(CoarseFields, HaveTheTemperatureOfVelocitiesAboutTheMean) {
  Bodies bodies = spheres_at({{0, 0, 0}, {0, 0, 0}}, 0.3);
  bodies.mass[0] = bodies.mass[1] = 1.5;
  const Vec3 mean{5, 0, 1}, off{1, 2, -2};
  bodies.velocity[0] = mean + off;
  bodies.velocity[1] = mean - off;
  CoarseFields fields({{{-1, -1, -1}, {1, 1, 1}}, {3, 3, 3}}, 0.5);
  fields.add(bodies);
  for (const FieldCell& cell : fields.cells()) {
    EXPECT_LT(norm(cell.velocity - mean), 1e-13);
    EXPECT_NEAR(cell.temperature, 9.0 / 3, 1e-12);
    Tensor stress{};
    add(stress, cell.density, off, off);
    EXPECT_LT(apart(cell.kinetic_stress, stress), 1e-12);
    EXPECT_NEAR(cell.pressure(), cell.density * 3, 1e-12);
  }
}

TEST(CoarseFields, OverFramesAreMeansAndFluctuateAboutTheMeanOfAllOfThem) {
  Bodies bodies = spheres_at({{0, 0, 0}}, 0.3);
  bodies.mass[0] = 2;
  CoarseFields fields({{{-9, -9, -9}, {9, 9, 9}}, {1, 1, 1}}, 1);
  const std::vector contacts{ContactRecord{
      {0}, {kFirstObstacleId}, {0, 0, -1}, {0, 0, -1}, {0, 0, -6}, 0, 0, ContactClass::sticking}};
  for (const double speed : {1.0, 3.0}) {
    bodies.velocity[0] = {speed, 0, 0};
    fields.add(bodies);
  }
  fields.add_contacts(bodies, contacts, 0.5);
  const FieldCell cell = fields.cells()[0];
  const double volume = 18 * 18 * 18;
  EXPECT_NEAR(cell.density, 2 / volume, 1e-15);
  EXPECT_NEAR(cell.velocity.x, 2, 1e-14);
  EXPECT_NEAR(cell.temperature, 1.0 / 3, 1e-14);
  EXPECT_NEAR(cell.contact_stress[2].z, 12 / volume, 1e-15) << "of the one frame that had contacts";
}

TEST(CoarseFields, BalanceMomentumInAColumnAtRest) {
  // Balls on each other, the lowest one on a floor; each contact bears what is above.
  constexpr int kBalls = 20;
  const double radius = 0.5, weight = 3, width = 0.4;
  std::vector<Vec3> places;
  for (int k = 0; k < kBalls; ++k) places.push_back({0, 0, (2 * k + 1) * radius});
  Bodies bodies = spheres_at(places, radius);
  for (double& mass : bodies.mass) mass = weight / 9.81;
  std::vector<ContactRecord> contacts;
  for (int k = 0; k < kBalls; ++k) {
    const auto below = static_cast<std::uint64_t>(k);
    contacts.push_back({k == 0 ? BodyId{kFirstObstacleId} : BodyId{below - 1},
                        {below},
                        {0, 0, 2 * radius * k},
                        {0, 0, 1},
                        {0, 0, kDifference * weight * (kBalls - k)},
                        0,
                        0,
                        ContactClass::sticking});
  }
  constexpr std::uint32_t kLayers = 880;
  CoarseFields fields({{{-2, -2, -1}, {2, 2, 21}}, {1, 1, kLayers}}, width);
  fields.add(bodies);
  fields.add_contacts(bodies, contacts, kDifference);
  const auto cells = fields.cells();
  const double height = 22.0 / kLayers;
  for (std::size_t k = 200; k + 1 < kLayers; k += 7) {  // the kernel does not see the floor there
    const double slope =
        (cells[k + 1].contact_stress[2].z - cells[k - 1].contact_stress[2].z) / (2 * height);
    EXPECT_NEAR(slope, -9.81 * cells[k].density, 2e-3 * weight / (16 * 2 * radius)) << k;
  }
}

TEST(CoarseFields, LeaveOutWhatTheKernelSpreadsBeyondTheGrid) {
  Bodies bodies = spheres_at({{0, 0, 0}, {0, 0, 50}}, 0.3);
  bodies.mass[0] = 2;
  CoarseFields fields({{{0, -9, -9}, {9, 9, 9}}, {3, 3, 3}}, 1);
  fields.add(bodies);
  EXPECT_NEAR(fields.totals().mass, 1, 1e-14);
  EXPECT_EQ(fields.totals().mass_centred, 2);
}

TEST(CoarseFields, ThatAreNoneAreRefused) {
  const Region region{{0, 0, 0}, {1, 1, 1}};
  EXPECT_THROW(CoarseFields({{{0, 0, 0}, {1, 1, 0}}, {2, 2, 2}}, 0.1), InputError);
  EXPECT_THROW(CoarseFields({region, {2, 0, 2}}, 0.1), InputError);
  for (const double width : {0.0, -1.0, std::nan("")})
    EXPECT_THROW(CoarseFields({region, {2, 2, 2}}, width), InputError);
  CoarseFields fields({region, {2, 2, 2}}, 0.1);
  EXPECT_THROW(fields.add_contacts(Bodies{}, {}, 0), InputError);
  EXPECT_EQ(fields.cells()[0].density, 0);
  EXPECT_EQ(fields.totals().mass, 0);
}

}  // namespace
}  // namespace scree
