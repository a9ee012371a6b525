/// Strained cell: its stress, its work and its flow. docs/theory/periodic_cell.md
#include "sim/cell/cell.hpp"

#include <algorithm>
#include <cmath>

#include "sim/contacts/solved_points.hpp"
#include "sim/motion/body_motion.hpp"
#include "sim/motion/motion.hpp"
#include "sim/neighbours/neighbours.hpp"

namespace scree {
namespace {

/// Adds the contacts of a pair to the sums.
class CellLoader {
 public:
  explicit CellLoader(const StepContext& c)
      : c_(c), points_(c.model, c.state, c.scratch, CentreAtStart{c.state.bodies}) {}

  void add(std::size_t pair, Scratch::CellSums& sums) const {
    const auto [a, b] = in_order(c_, c_.state.neighbours.pairs[pair]);
    const Bodies& bodies = c_.state.bodies;
    const Vec3 between = c_.scratch.domain.separation(bodies.position[a], bodies.position[b]),
               flow = c_.scratch.domain.gradient() * between;
    points_.for_each(pair, [&](const SolvedPoint& point) {
      const Vec3 impulse = (point.force ? half_step_factor(c_) : 1) * point.impulse;
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
          sums.virial[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)].add(
              between[row] * impulse[column]);
      (point.force ? sums.soft_work : sums.rigid_work).add(-dot(impulse, flow));
      if (point.force) add_power(point, flow, sums);
    });
  }

 private:
  /// Same sums as for bodies.
  void add_power(const SolvedPoint& point, const Vec3& flow, Scratch::CellSums& sums) const {
    const ForcePower power = power_of(c_.state, point, {flow, {}}, c_.model.step.h);
    sums.elastic.add(power.elastic);
    sums.damping.add(power.damping);
    sums.shear.add(power.shear);
  }

  const StepContext& c_;
  SolvedPoints<CentreAtStart> points_;
};

/// Sum of m c ⊗ c over bodies [J], and the work in the step that keeps them in the flow [J].
struct KineticSums {
  std::array<Vec3, 3> energy{};
  double work = 0;
};
KineticSums kinetic_sums(const StepContext& c) {
  const Bodies& bodies = c.state.bodies;
  const double time = half_step_factor(c) * c.model.step.h;
  std::array<std::array<ExactSum, 3>, 3> energy;
  ExactSum work;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (c.state.neighbours.has_left(i)) continue;
    const Vec3 &before = bodies.velocity[i], &after = c.scratch.problem.bodies[i].velocity;
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column)
        energy[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)].add(
            bodies.mass[i] * before[row] * before[column]);
    work.add(-0.5 * time * bodies.mass[i] *
             dot(c.scratch.domain.gradient() * before, before + after));
  }
  KineticSums sums;
  for (std::size_t row = 0; row < 3; ++row)
    sums.energy[row] = {energy[row][0].value(), energy[row][1].value(), energy[row][2].value()};
  sums.work = work.value();
  return sums;
}

/// Strain rate of a servo along an axis [1/s].
double rate_of_servo(const CellStrain& strain, double smooth, double pressure) {
  const double rate = (smooth - pressure) / strain.viscosity;
  return std::clamp(rate, -strain.max_rate, strain.max_rate);
}

/// Keeps the lattice, with shears reduced to half a period at most.
void straighten(UpperTriangle& edges) {
  const double of_y = std::round(edges.xy / edges.xx);
  edges.xy -= of_y * edges.xx;
  const double y_of_z = std::round(edges.yz / edges.yy);
  edges.yz -= y_of_z * edges.yy;
  edges.xz -= y_of_z * edges.xy;
  edges.xz -= std::round(edges.xz / edges.xx) * edges.xx;
}

}  // namespace

void load_cell(StepContext& c) {
  if (!c.model.strain.any()) return;
  Scratch& s = c.scratch;
  s.cell_sums.resize(kPairChunks);
  const auto& pairs = c.state.neighbours.pairs;
  const CellLoader loader(c);
  c.pool.for_each_chunk(kPairChunks, [&](std::size_t chunk) {
    Scratch::CellSums& sums = s.cell_sums[chunk];
    sums.for_each_sum([](ExactSum& sum) { sum.clear(); });
    for (std::size_t p = pairs.size() * chunk / kPairChunks;
         p < pairs.size() * (chunk + 1) / kPairChunks; ++p)
      if (s.slot[p] != Scratch::kNoContact) loader.add(p, sums);
  });
  Scratch::CellSums& total = s.cell_sums.front();
  for (std::size_t chunk = 1; chunk < kPairChunks; ++chunk) {
    Scratch::CellSums& sums = s.cell_sums[chunk];
    for (std::size_t row = 0; row < 3; ++row)
      for (std::size_t column = 0; column < 3; ++column)
        total.virial[row][column] += sums.virial[row][column];
    total.rigid_work += sums.rigid_work;
    total.soft_work += sums.soft_work;
    total.elastic += sums.elastic;
    total.damping += sums.damping;
    total.shear += sums.shear;
  }

  const Vec3 period = s.domain.period();
  const double volume = period.x * period.y * period.z;
  const KineticSums kinetic = kinetic_sums(c);
  CellState& cell = c.state.cell;
  const double per_time = 1 / (c.model.step.h * volume);
  for (std::size_t row = 0; row < 3; ++row) {
    const auto& virial = total.virial[row];
    cell.contact_stress[row] =
        per_time * Vec3{virial[0].value(), virial[1].value(), virial[2].value()};
    cell.kinetic_stress[row] = 1 / volume * kinetic.energy[row];
  }
  s.cell_rigid_work = total.rigid_work.value();
  s.cell_soft_work = total.soft_work.value();
  cell.work += s.cell_rigid_work + s.cell_soft_work + kinetic.work;
  s.on_cell = {total.elastic.value(), total.damping.value(), total.shear.value(), 0};
}

void advance_cell(StepContext& c) {
  const CellStrain& strain = c.model.strain;
  CellState& cell = c.state.cell;
  const double h = c.model.step.h;
  const UpperTriangle& flow = cell.gradient;
  const UpperTriangle step{1 + h * flow.xx, 1 + h * flow.yy, 1 + h * flow.zz,
                           h * flow.xy,     h * flow.xz,     h * flow.yz};
  cell.edges = step * cell.edges;
  straighten(cell.edges);

  const double fraction = h / (h + strain.smoothing);
  for (std::size_t row = 0; row < 3; ++row)
    cell.smooth_stress[row] +=
        fraction * (cell.contact_stress[row] + cell.kinetic_stress[row] - cell.smooth_stress[row]);
  double* const rate[] = {&cell.gradient.xx, &cell.gradient.yy, &cell.gradient.zz};
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (const auto& pressure = strain.pressure[axis])
      *rate[axis] =
          rate_of_servo(strain, cell.smooth_stress[axis][static_cast<int>(axis)], *pressure);
}

bool cell_holds_bodies(StepContext& c) {
  const CellState& cell = c.state.cell;
  const double h = c.model.step.h;
  const Vec3 edge = cell.edges.diagonal(), rate = cell.gradient.diagonal();
  double largest = 0;
  for (const double radius : c.state.bodies.radius) largest = std::max(largest, radius);
  for (int axis = 0; axis < 3; ++axis) {
    const double after = (1 + h * rate[axis]) * edge[axis];
    if (after > 4 * largest) continue;
    measure(c);
    c.report.converged = false;
    c.report.motion_fault =
        MotionFault{.time = c.state.time,
                    .what = std::string("the cell would be shorter than two diameters along ") +
                            "xyz"[axis] + ": bodies would meet their own images",
                    .is_cell = true};
    return false;
  }
  return true;
}

}  // namespace scree
