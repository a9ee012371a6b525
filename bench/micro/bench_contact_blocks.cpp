// Sweeps over contacts with full 3×3 blocks and over contacts of spheres in lanes, in relaxations
// per second.
#include <benchmark/benchmark.h>
#include <string>

#include "scree/math/random.hpp"
#include "scree/solvers/gauss_seidel.hpp"
#include "scree/solvers/tangents.hpp"

namespace scree {
namespace {

constexpr std::uint32_t kContacts = 20'000;

/// Bodies in a row, two colours. Each contact has a load and a slip, and is solved by a hundred
/// sweeps, as at the start of a step.
class Row {
 public:
  explicit Row(const AnyLaw* law) : random_{1, 0} {
    problem_.free_bodies = kContacts + 1;
    for (std::uint32_t i = 0; i <= kContacts; ++i) {
      const double inverse_mass = random_.uniform(0.5, 2);
      problem_.bodies.push_back(
          {vector(), vector(), inverse_mass, (law ? 1.0 : 2.5) * inverse_mass});
    }
    problem_.bodies.push_back({});
    if (law) problem_.laws = {*law};
    problem_.first_chunk = problem_.first_contact_chunk = {0};
    for (std::uint32_t colour = 0; colour < 2; ++colour)
      law ? add_full(colour) : add_spheres(colour);
    problem_.contacts = kContacts;
    ThreadPool pool(1);
    for (int k = 0; k < 100; ++k) solver_.sweep(problem_, pool);
  }

  void sweep(ThreadPool& pool) { solver_.sweep(problem_, pool); }

 private:
  Vec3 vector() { return {random_.normal(), random_.normal(), random_.normal()}; }
  Vec3 normal() {
    const Vec3 v = vector();
    return v / norm(v);
  }

  void add_spheres(std::uint32_t colour) {
    const auto first = static_cast<std::uint32_t>(problem_.blocks.size());
    for (std::uint32_t i = colour, lane = 0; i < kContacts; i += 2, lane = (lane + 1) % kBlock) {
      if (lane == 0) problem_.blocks.emplace_back();
      SphereContactBlock& block = problem_.blocks.back();
      const Vec3 n = normal();
      for (int k = 0; k < 3; ++k) block.normal[k][lane] = n[k];
      block.bias[lane] = random_.uniform(-1, 0);
      block.friction[lane] = 0.4;
      block.a[lane] = i;
      block.b[lane] = i + 1;
    }
    close(problem_.chunks, problem_.first_chunk, first,
          static_cast<std::uint32_t>(problem_.blocks.size()), 32);
    problem_.first_contact_chunk.push_back(0);
  }

  /// Arms differ from normals, so that W couples all directions, as in contacts of corners.
  void add_full(std::uint32_t colour) {
    const auto first = static_cast<std::uint32_t>(problem_.contact_blocks.size());
    for (std::uint32_t i = colour, lane = 0; i < kContacts; i += 2, lane = (lane + 1) % kBlock) {
      if (lane == 0)
        problem_.contact_blocks.push_back(ContactBlock::empty(0, 1, problem_.at_rest()));
      ContactRows c{.a = i, .b = i + 1, .law = 0};
      c.axis[0] = normal();
      tangents(c.axis[0], c.axis[1], c.axis[2]);
      const Vec3 arm_a = normal(), arm_b = normal(), scale{0.4, 0.5, 0.6};
      const auto turned = [&](const Vec3& v) {
        return Vec3{v.x / scale.x, v.y / scale.y, v.z / scale.z};
      };
      for (int k = 0; k < 3; ++k) {
        c.jw_a[k] = turned(-cross(arm_a, c.axis[k]));
        c.jw_b[k] = turned(cross(arm_b, c.axis[k]));
      }
      const double of_a = problem_.bodies[i].inverse_inertia,
                   of_b = problem_.bodies[i + 1].inverse_inertia;
      const auto entry = [&](int j, int k) {
        return of_a * dot(c.jw_a[j], c.jw_a[k]) + of_b * dot(c.jw_b[j], c.jw_b[k]) +
               (j == k) * (of_a + of_b);
      };
      c.W = {entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
      c.bias = {random_.uniform(-1, 0), 0, 0};
      problem_.contact_blocks.back().set(static_cast<int>(lane), c);
    }
    close(problem_.contact_chunks, problem_.first_contact_chunk, first,
          static_cast<std::uint32_t>(problem_.contact_blocks.size()), 8);
    problem_.first_chunk.push_back(0);
  }

  static void close(AlignedVector<Chunk>& chunks, AlignedVector<std::uint32_t>& first_chunk,
                    std::uint32_t begin, std::uint32_t end, std::uint32_t size) {
    for (; begin < end; begin += size) chunks.push_back({begin, std::min(begin + size, end)});
    first_chunk.push_back(static_cast<std::uint32_t>(chunks.size()));
  }

  RandomStream random_;
  ContactProblem problem_;
  GaussSeidel solver_;
};

void sweep(benchmark::State& state, const AnyLaw* law) {
  Row row(law);
  ThreadPool pool(1);
  for (auto _ : state) row.sweep(pool);
  state.SetItemsProcessed(state.iterations() * kContacts);
  state.SetLabel(name(widest_instruction_set()).data());
}

}  // namespace
}  // namespace scree

int main(int argc, char** argv) {
  using namespace scree;
  benchmark::Initialize(&argc, argv);
  benchmark::RegisterBenchmark("spheres", sweep, nullptr);
  static const AnyLaw laws[] = {Frictionless{}, Coulomb{0.4}, MaxDissipation{0.4},
                                ConeComplementarity{0.4}, Polyhedral{0.4, 8}};
  for (const AnyLaw& law : laws) {
    const auto name = std::visit(
        []<class Law>(const Law&) { return std::string(LawTraits(Law::traits).name); }, law);
    benchmark::RegisterBenchmark(("full/" + name).c_str(), sweep, &law);
  }
  benchmark::RunSpecifiedBenchmarks();
}
