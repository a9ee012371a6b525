// Single contacts with a full 3×3 block, of each law, solved one by one and in lanes of each
// instruction set. One in ten separates; half of the others stick, half slide. The warm start is
// the answer to a velocity that is 1 % off.
#include <benchmark/benchmark.h>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>

#include "scree/math/random.hpp"
#include "solvers/kernels/local_solves.hpp"

namespace scree {
namespace {

using namespace kernels;

constexpr int kBatches = 512;
constexpr double kFriction = 0.4;

enum class Shape { sphere, box };

/// W of a contact between two spheres of random masses.
SymMat3 sphere_block(RandomStream& random) {
  const double inverse_mass = random.uniform(0.5, 2) + random.uniform(0.5, 2);
  return diagonal(inverse_mass, 3.5 * inverse_mass, 3.5 * inverse_mass);
}

/// Contribution of a box of random edges to W at a point of its face: 1/m + (arm ×)ᵀ I⁻¹ (arm ×).
SymMat3 box_share(RandomStream& random) {
  const Vec3 half{random.uniform(0.5, 1), random.uniform(0.5, 1), random.uniform(0.5, 1)};
  const double x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
  const Vec3 inverse_inertia{3 / (y + z), 3 / (x + z), 3 / (x + y)};  // m = 1
  const Vec3 arm{half.x, half.y * random.uniform(-1, 1), half.z * random.uniform(-1, 1)};
  const auto turn = [&](const Vec3& e) {
    const Vec3 a = cross(arm, e);
    return Vec3{inverse_inertia.x * a.x, inverse_inertia.y * a.y, inverse_inertia.z * a.z};
  };
  const Vec3 n{1, 0, 0}, t{0, 1, 0}, o{0, 0, 1};
  const Vec3 by_n = turn(n), by_t = turn(t), by_o = turn(o);
  return {1 + dot(cross(arm, n), by_n), dot(cross(arm, n), by_t), dot(cross(arm, n), by_o),
          1 + dot(cross(arm, t), by_t), dot(cross(arm, t), by_o), 1 + dot(cross(arm, o), by_o)};
}

SymMat3 random_block(Shape shape, RandomStream& random) {
  if (shape == Shape::sphere) return sphere_block(random);
  const SymMat3 a = box_share(random), b = box_share(random);
  return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}

template <class Law>
Law law_to_measure() {
  if constexpr (requires(Law law) { law.mu; })
    return Law{kFriction};
  else
    return Law{};
}

/// The same contacts in batches and one by one.
struct Contacts {
  using Row = double[kLocalBatch];
  alignas(64) Row W[6 * kBatches], q[3 * kBatches], warm[3 * kBatches], r[3 * kBatches];

  SymMat3 block(int batch, int k) const {
    const Row* w = &W[6 * batch];
    return {w[0][k], w[1][k], w[2][k], w[3][k], w[4][k], w[5][k]};
  }
  static Vec3 at(const Row* rows, int batch, int k) {
    return {rows[3 * batch][k], rows[3 * batch + 1][k], rows[3 * batch + 2][k]};
  }
};

/// q for which the contact separates, sticks or slides, as requested.
template <class Law>
Vec3 random_velocity(const Law& law, const SymMat3& W, ContactClass wanted, RandomStream& random) {
  while (true) {
    Vec3 q{random.normal(), random.normal(), random.normal()};
    if (wanted == ContactClass::sticking) q.x = -3 * std::abs(q.x);
    Vec3 r;
    law.solve(W, q, r);
    // A frictionless contact never sticks.
    if (law.classify(r) == wanted || (!Law::traits.has_friction() && r.x > 0)) return q;
  }
}

template <class Law>
std::unique_ptr<Contacts> random_contacts(const Law& law, Shape shape) {
  RandomStream random{1, 0};
  auto all = std::make_unique<Contacts>();
  Contacts& contacts = *all;
  for (int batch = 0; batch < kBatches; ++batch)
    for (int k = 0; k < kLocalBatch; ++k) {
      const SymMat3 W = random_block(shape, random);
      const double draw = random.uniform();
      const ContactClass wanted = draw < 0.1    ? ContactClass::separating
                                  : draw < 0.55 ? ContactClass::sticking
                                                : ContactClass::sliding;
      const Vec3 q = random_velocity(law, W, wanted, random);
      const Vec3 near =
          q + 0.01 * norm(q) * Vec3{random.normal(), random.normal(), random.normal()};
      Vec3 r;
      law.solve(W, near, r);
      const double entries[6] = {W.xx, W.xy, W.xz, W.yy, W.yz, W.zz};
      for (int j = 0; j < 6; ++j) contacts.W[6 * batch + j][k] = entries[j];
      for (int j = 0; j < 3; ++j)
        contacts.q[3 * batch + j][k] = q[j], contacts.warm[3 * batch + j][k] = r[j];
    }
  return all;
}

template <class Law>
void one_by_one(benchmark::State& state, Shape shape) {
  const auto law = law_to_measure<Law>();
  const auto contacts = random_contacts(law, shape);
  for (auto _ : state)
    for (int batch = 0; batch < kBatches; ++batch)
      for (int k = 0; k < kLocalBatch; ++k) {
        Vec3 r = Contacts::at(contacts->warm, batch, k);
        benchmark::DoNotOptimize(
            law.solve(contacts->block(batch, k), Contacts::at(contacts->q, batch, k), r));
        benchmark::DoNotOptimize(r);
      }
  state.SetItemsProcessed(state.iterations() * kBatches * kLocalBatch);
}

template <class Law>
void in_lanes(benchmark::State& state, Shape shape, InstructionSet set) {
  const AnyLaw law = law_to_measure<Law>();
  const auto contacts = random_contacts(law_to_measure<Law>(), shape);
  for (auto _ : state) {
    std::memcpy(contacts->r, contacts->warm, sizeof contacts->r);
    kernels::local_solves_of(set).solve(law, contacts->W, contacts->q, contacts->r, kBatches);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kBatches * kLocalBatch);
}

template <class Law>
void add() {
  for (const Shape shape : {Shape::sphere, Shape::box}) {
    const std::string title =
        std::string(Law::traits.name) + (shape == Shape::sphere ? "/sphere/" : "/box/");
    benchmark::RegisterBenchmark((title + "one_by_one").c_str(), one_by_one<Law>, shape);
    for (const InstructionSet set : instruction_sets())
      benchmark::RegisterBenchmark((title + std::string(name(set))).c_str(), in_lanes<Law>, shape,
                                   set);
  }
}

}  // namespace
}  // namespace scree

int main(int argc, char** argv) {
  using namespace scree;
  benchmark::Initialize(&argc, argv);
  add<Frictionless>();
  add<Coulomb>();
  add<MaxDissipation>();
  add<ConeComplementarity>();
  add<Polyhedral>();
  benchmark::RunSpecifiedBenchmarks();
}
