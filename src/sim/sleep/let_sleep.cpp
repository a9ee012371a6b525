/// Bodies that fall asleep, and the report of sleeping bodies. docs/theory/sleep.md
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

#include "scree/core/exact_sum.hpp"
#include "sim/compliant/wrench_sum.hpp"
#include "sim/motion/body_motion.hpp"
#include "sim/motion/motion.hpp"
#include "sim/simulation_internals.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

double steps_to_sleep(const Model& model, double diameter) {
  const double g = norm(model.gravity);
  return g > 0 ? std::max(kMinCalmSteps, kMinCalmTime * std::sqrt(diameter / g) / model.step.h)
               : kMinCalmSteps;
}

/// Counts steps of bodies that are awake and stay in position.
void count_calm_steps(StepContext& c) {
  const Bodies& bodies = c.state.bodies;
  Sleep& sleep = c.state.sleep;
  c.pool.for_each_range(bodies.size(), kBodiesPerChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (c.state.neighbours.has_left(i) || sleep.sleeps(i)) continue;
      // For a small rotation, |q − q₀| is half the angle.
      const Quaternion &q = bodies.orientation[i], &kept = sleep.orientation[i];
      const double rotation =
          2 * norm(Quaternion{q.w - kept.w, q.x - kept.x, q.y - kept.y, q.z - kept.z});
      const double displacement =
          norm(bodies.position[i] - sleep.position[i]) + bodies.radius[i] * rotation;
      if (displacement <= kCalmTravel * 2 * inscribed_radius(c, i)) {
        ++sleep.calm_steps[i];
        continue;
      }
      sleep.position[i] = bodies.position[i];
      sleep.orientation[i] = bodies.orientation[i];
      sleep.calm_steps[i] = 0;
    }
  });
}

/// Islands of bodies that contacts connect; an island is restless if a member is.
class Islands {
 public:
  explicit Islands(std::size_t bodies) : parent_(bodies), restless_(bodies, 0) {
    std::iota(parent_.begin(), parent_.end(), BodyIndex{0});
  }
  BodyIndex root(BodyIndex i) {
    for (; parent_[i] != i; i = parent_[i]) parent_[i] = parent_[parent_[i]];
    return i;
  }
  void connect(BodyIndex a, BodyIndex b) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    parent_[b] = a;
    restless_[a] |= restless_[b];
  }
  void disquiet(BodyIndex i) { restless_[root(i)] = 1; }
  bool is_restless(BodyIndex i) { return restless_[root(i)] != 0; }

 private:
  std::vector<BodyIndex> parent_;
  std::vector<std::uint8_t> restless_;
};

SleepingContact asleep(const ContactRecord& record, BodyId island, double depth) {
  return {.a = record.a,
          .b = record.b,
          .island = island,
          .point = record.point,
          .normal = record.normal,
          .impulse = record.impulse,
          .angular_impulse = record.angular_impulse,
          .gap = record.gap,
          .depth = depth,
          .residual = record.residual,
          .cone_violation = record.cone_violation,
          .complementarity_violation = record.complementarity_violation,
          .painleve_number = record.painleve_number,
          .kind = static_cast<std::uint64_t>(record.kind)};
}

bool bears_load(const Neighbours& neighbours, std::size_t pair) {
  const auto [begin, end] = neighbours.places(pair);
  return std::any_of(neighbours.impulse.begin() + static_cast<std::ptrdiff_t>(begin),
                     neighbours.impulse.begin() + static_cast<std::ptrdiff_t>(end),
                     [](const Vec3& impulse) { return impulse != Vec3{}; });
}

/// Energies of all bodies [J].
struct Energies {
  double kinetic = 0, potential = 0;
};
Energies energies_of(const StepContext& c) {
  ExactSum kinetic, potential;
  for (std::size_t i = 0; i < c.state.bodies.size(); ++i) {
    if (c.state.neighbours.has_left(i)) continue;
    kinetic.add(kinetic_energy(c.model, c.state.bodies, i));
    potential.add(potential_energy(c.model, c.state.bodies, i));
  }
  return {kinetic.value(), potential.value()};
}

/// Adds sleeping contacts to the report and to the loads of obstacles, with the values of their
/// last step.
void report_sleeping_contacts(StepContext& c) {
  Report& report = c.report;
  std::map<std::uint64_t, WrenchSum> on_obstacles;
  for (const SleepingContact& contact : c.state.sleep.contacts) {
    const auto kind = static_cast<ContactClass>(contact.kind);
    report.contacts_touching += contact.gap < 0;
    report.contacts_loaded += kind != ContactClass::separating;
    report.contacts_sliding += kind == ContactClass::sliding;
    report.max_penetration = std::max(report.max_penetration, -contact.gap);
    report.max_relative_penetration = std::max(report.max_relative_penetration, contact.depth);
    if (!is_obstacle(contact.b)) continue;
    const std::uint64_t obstacle = contact.b.value - kFirstObstacleId;
    const Pose& pose = c.state.obstacles[obstacle].pose;
    const Vec3 pivot = pose.position + rotate(pose.orientation, c.model.obstacles[obstacle].pivot),
               on_b = contact.point + contact.gap / 2 * contact.normal;
    on_obstacles[obstacle].add(contact.impulse, c.scratch.domain.separation(pivot, on_b),
                               contact.angular_impulse);
  }
  report.contacts_asleep = c.state.sleep.contacts.size();
  report.contacts += report.contacts_asleep;
  for (const auto& [obstacle, sum] : on_obstacles) load_obstacle(c, obstacle, sum.value());
}

}  // namespace

bool Simulation::Internals::name_islands(std::vector<BodyId>& island) {
  StepContext c = context();
  const std::size_t n = state.bodies.size();
  const auto is_ready = [&](BodyIndex i) {
    return static_cast<double>(state.sleep.calm_steps[i]) >=
           steps_to_sleep(model, 2 * state.bodies.radius[i]);
  };
  Islands islands(n);
  bool any = false;
  for (BodyIndex i = 0; i < n; ++i) {
    if (state.neighbours.has_left(i) || state.sleep.sleeps(i)) continue;
    if (is_ready(i))
      any = true;
    else
      islands.disquiet(i);
  }
  if (!any) return false;
  std::vector<std::uint8_t> held(n, 0);  // by a contact: a slowly flying body continues
  for (std::size_t p = 0; p < scratch.slot.size(); ++p) {
    if (!is_contact(p)) continue;
    const auto [owner, other] = state.neighbours.pairs[p];
    const bool on_obstacle = other & Neighbours::kObstacle, bears = bears_load(state.neighbours, p);
    held[owner] |= bears;
    if (!on_obstacle) held[other] |= bears;
    if (!on_obstacle)
      islands.connect(owner, other);
    else if (surface_moves(c, other & ~Neighbours::kObstacle))
      islands.disquiet(owner);
  }
  for (BodyIndex i = 0; i < n; ++i)
    if (!held[i]) islands.disquiet(i);
  island.assign(n, Sleep::kAwake);
  any = false;
  for (BodyIndex i = 0; i < n; ++i) {
    if (state.neighbours.has_left(i) || state.sleep.sleeps(i) || islands.is_restless(i)) continue;
    BodyId& name = island[islands.root(i)];
    name = std::min(name, state.bodies.id[i]);
    any = true;
  }
  for (BodyIndex i = 0; i < n; ++i) island[i] = island[islands.root(i)];
  return any;
}

void Simulation::Internals::fall_asleep() {
  std::vector<BodyId> island;
  if (!name_islands(island)) return;
  StepContext c = context();
  std::vector<ContactRecord> records;
  for (std::size_t p = 0; p < scratch.slot.size(); ++p) {
    const auto [owner, other] = state.neighbours.pairs[p];
    if (!is_contact(p) || island[owner] == Sleep::kAwake) continue;
    records.clear();
    append_records(p, records);
    const double inner = other & Neighbours::kObstacle
                             ? inscribed_radius(c, owner)
                             : std::min(inscribed_radius(c, owner), inscribed_radius(c, other));
    for (const ContactRecord& record : records)
      state.sleep.contacts.push_back(asleep(record, island[owner], -record.gap / inner));
  }
  std::ranges::stable_sort(state.sleep.contacts, {},
                           [](const SleepingContact& k) { return std::tuple(k.a, k.b); });
  certifier.reset();

  const Energies before = energies_of(c);
  for (std::size_t i = 0; i < island.size(); ++i) {
    if (island[i] == Sleep::kAwake) continue;
    state.sleep.island[i] = island[i];
    state.bodies.velocity[i] = {};
    state.bodies.angular_velocity[i] = {};
  }
  const Energies after = energies_of(c);
  state.ledger.dissipated +=
      (before.kinetic - after.kinetic) + (before.potential - after.potential);
  report.kinetic_energy = after.kinetic;
  report.potential_energy = after.potential;
  report.dissipated_energy = state.ledger.dissipated;
}

void Simulation::Internals::let_sleep() {
  StepContext c = context();
  report_sleeping_contacts(c);
  count_calm_steps(c);
  if (state.step % kStepsBetweenSleepChecks == 0) fall_asleep();
  count_sleepers();
}

void Simulation::Internals::count_sleepers() {
  report.bodies_asleep = 0;
  for (std::size_t i = 0; i < state.bodies.size(); ++i)
    report.bodies_asleep += !state.neighbours.has_left(i) && state.sleep.sleeps(i);
}

}  // namespace scree
