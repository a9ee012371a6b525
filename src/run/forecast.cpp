/// Estimates the memory and disk that a run needs, from the contacts of its first step.
#include "scree/run/forecast.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <span>

#include "scree/core/error.hpp"
#include "scree/io/frames.hpp"
#include "scree/sim/run_summary.hpp"
#include "scree/sim/simulation.hpp"
#include "scree/sim/steps.hpp"
#include "scree/solvers/contact_problem.hpp"

namespace scree {
namespace {

// Memory is counted: the arrays that exist together when the peak may occur. Output was measured:
// sizes of packed arrays by row. docs/guide/output.md, "What a run takes", has the figures.

struct Counts {
  double bodies = 0, pairs = 0, contacts = 0;
  double loaded = 0;  ///< fraction of the contacts [-]
};

/// Per body: pairs of the neighbour list, and contacts.
struct Neighbourhood {
  double pairs, contacts, loaded;
};
/// Density of a settled bed, as in scenes/settled_bed.yaml.
constexpr Neighbourhood kInABed{4, 3, 0.7};
/// Density of bodies pushed by an inflow, as in scenes/channel_quick.yaml after 35 ms.
constexpr Neighbourhood kInAFlow{2.2, 1.4, 0.37};

Neighbourhood at_least(const Neighbourhood& a, const Neighbourhood& b) {
  return {std::max(a.pairs, b.pairs), std::max(a.contacts, b.contacts),
          std::max(a.loaded, b.loaded)};
}

constexpr double kProgram = 26.3e6;  ///< of a run without bodies [byte]
/// Arrays that grow while bodies enter fragment the memory: 1.1 to 1.5 times the arrays were
/// measured for 24 000 to 426 000 bodies.
constexpr double kGrown = 1.3;
/// Rows of a frame of contacts in memory at a time, as records and as arrays, packed and unpacked.
constexpr double kRowsHeld = 16384, kRowHeld = 390;  // [-], [byte]

/// A body in the state: identity, position, orientation, two velocities, radius, mass, prototype,
/// material.
constexpr double kBody = sizeof(BodyId) + sizeof(Vec3) * 3 + sizeof(Quaternion) +
                         2 * sizeof(double) + sizeof(PrototypeId) + sizeof(MaterialId);
/// Per body and step: the solver's record, margin, skin, first pair, island. Measured for islands
/// of a few bodies each.
constexpr double kOfIslands = 120;
constexpr double kBodyInStep = kBody + sizeof(BodyRecord) + sizeof(float) + sizeof(double) +
                               sizeof(std::uint32_t) + kOfIslands;
/// Per contact: what it must undo, and its residual.
constexpr double kMeasure = sizeof(ClosingBlock) / double{kBlock} + sizeof(double);
// with group and impulse
constexpr double kListedPair = sizeof(BodyPair) + sizeof(std::uint32_t) + sizeof(Vec3);
// its slot
constexpr double kPairInStep = kListedPair + sizeof(std::uint32_t);
constexpr double kSphereContact =
    sizeof(SphereContactBlock) / double{kBlock} + sizeof(float) + kMeasure;
// with its point, its elastic force and its position
constexpr double kContact = sizeof(ContactBlock) / double{kBlock} + 100 + kMeasure;
/// Memory of a point.
constexpr double kContactMemory = sizeof(Vec3) + sizeof(std::uint32_t);
/// Additional memory of a pair that can have several points: its first index, and a displacement
/// between the two, but no impulse.
constexpr double kPairOfPoints = 1.0 * sizeof(std::uint32_t) + 3 * sizeof(float) - sizeof(Vec3);

double memory_of_step(const Scene& scene, const Counts& n) {
  const Model& model = scene.model;
  const bool all_spheres = std::ranges::all_of(model.laws.all(), is_coulombs_for_spheres) &&
                           std::ranges::all_of(model.prototypes, [](const Prototype& p) {
                             return p.is_isotropic() && p.is_sphere();
                           });
  double bytes = n.bodies * kBodyInStep + n.pairs * kPairInStep +
                 n.contacts * (all_spheres ? kSphereContact : kContact);
  if (!all_spheres) {
    const bool compliant = std::ranges::any_of(model.laws.all(), is_compliant);
    const double points = compliant ? n.pairs * Neighbours::kMaxManifoldPoints : n.contacts;
    bytes += n.pairs * kPairOfPoints + points * kContactMemory;
  }
  const bool rolling = std::ranges::any_of(model.laws.all(), resists_rolling);
  if (rolling) bytes += n.contacts * sizeof(RollingBlock) / double{kBlock} + n.pairs * sizeof(Vec3);
  // Previous velocities of the momentum method, and impulses.
  if (model.solver.acceleration == Acceleration::nesterov)
    bytes += n.bodies * 2 * sizeof(Vec3) + n.contacts * (rolling ? 2 : 1) * sizeof(Vec3);
  return bytes;
}

/// While the neighbour list is made, the contacts need no memory.
double memory_of_list(const Counts& n) {
  constexpr double kSortItem = 16, kReach = sizeof(double), kOrigin = sizeof(std::uint32_t);
  // Order of bodies, and records in the old and the new order.
  const double sorting =
      n.bodies * (kBodyInStep + kSortItem + kReach + kOrigin + sizeof(BodyRecord));
  // Previous list with its impulses, and the new list.
  const double joining = n.bodies * (kBodyInStep + kReach + kOrigin) +
                         n.pairs * (kListedPair + sizeof(BodyPair) + sizeof(Vec3));
  return std::max(sorting, joining);
}

double memory_of_output(const Scene& scene, const Counts& n) {
  // Velocities half way through the step, for the dissipation of contacts; their order.
  const double certified = n.bodies * (sizeof(BodyRecord) + 3 * sizeof(std::uint32_t)) +
                           n.contacts * sizeof(std::uint32_t);
  double bytes = n.bodies * sizeof(std::uint32_t);
  if (scene.output.contacts) bytes = certified;
  // An analysis copies all bodies, in another order.
  if (!scene.output.analyses.empty())
    bytes = std::max(bytes, n.bodies * (kBody + sizeof(Quaternion)) + certified +
                                n.contacts * sizeof(ContactRecord));
  return bytes + kRowHeld * std::min(n.contacts, kRowsHeld);
}

double memory_of(const Scene& scene, const Counts& n) {
  const double arrays =
      std::max(memory_of_list(n), memory_of_step(scene, n) + memory_of_output(scene, n));
  return kProgram + (scene.model.inflows.empty() ? 1 : kGrown) * arrays;
}

/// An array of a file: bytes of a row as it is, and packed. Short arrays are not packed.
struct FileArray {
  double plain, packed;
  double size(double rows) const { return rows * (rows * plain < 65536 ? plain : packed); }
};

double size_of(std::span<const FileArray> arrays, double rows) {
  double bytes = 0;
  for (const FileArray& array : arrays) bytes += array.size(rows);
  return bytes;
}

constexpr double kEmptyFrame = 12e3, kRowOfStatistics = 310, kRowOfObstacles = 190,
                 kOtherFiles = 30e3;  // [byte]

/// A body that is not a sphere is a cell of several points; its frame also has the centres and
/// edges of all bodies.
struct BodyMix {
  bool one_size, cells;
  double points, names;  ///< of a body in a frame, and by its cell [-]
};

BodyMix mix_of(const Scene& scene) {
  const Model& model = scene.model;
  const Bodies& bodies = scene.state.bodies;
  const bool one_size =
      std::ranges::adjacent_find(bodies.radius, std::not_equal_to<>()) == bodies.radius.end();
  std::vector<CellSize> sizes;  // of each prototype
  for (const Prototype& prototype : model.prototypes) sizes.push_back(cell_size(prototype));
  double points = 0, names = 0;
  for (const PrototypeId prototype : bodies.prototype) {
    points += static_cast<double>(sizes[prototype].points);
    names += static_cast<double>(sizes[prototype].names);
  }
  const double count = std::max(1.0, static_cast<double>(bodies.size()));
  return {one_size, !std::ranges::all_of(model.prototypes, &Prototype::is_sphere), points / count,
          names / count};
}

double frame_of_grains(double bodies, const BodyMix& mix) {
  const double length = mix.one_size ? 0.05 : 7.3;
  const FileArray arrays[] = {{24, 24},  {24, 24},    {24, 24},    {32, 32},  {8, 0.1}, {8, 0.06},
                              {1, 0.01}, {8, length}, {8, length}, {8, 0.06}, {4, 0.02}};
  const double bytes = kEmptyFrame + size_of(arrays, bodies);
  if (!mix.cells) return bytes;
  const FileArray of_points[] = {{24, 24}}, of_bodies[] = {{24, 24}, {24, 3 * length}};
  // Boxes name their points in order, other bodies alternate.
  const bool in_order = mix.names <= mix.points;
  const FileArray of_names[] = {{8, in_order ? 0.01 : 0.35}};
  return bytes + size_of(of_points, (mix.points - 1) * bodies) +
         size_of(of_names, (mix.names - 1) * bodies) + size_of(of_bodies, bodies);
}

/// Impulses of unloaded contacts are zero, and so are most of their certificates.
FileArray impulses(double loaded) { return {24, std::min(24.0, 30 * loaded)}; }

double frame_of_contacts(double contacts, double loaded) {
  const FileArray certificate{8, std::min(8.0, 12 * loaded)}, cone{8, 2 * loaded};
  const FileArray arrays[] = {{24, 24},    {24, 24},  impulses(loaded), certificate, certificate,
                              certificate, cone,      {8, 3.8},         {4, 0.3},    {8, 0.04},
                              {8, 0.2},    {8, 0.33}, {8, 0.06},        {8, 0.06},   {1, 0.01}};
  return kEmptyFrame + size_of(arrays, contacts);
}

/// Shapes without facets have few triangles.
double frame_of_obstacles(const Scene& scene) {
  double bytes = kEmptyFrame;
  for (const Obstacle& obstacle : scene.model.obstacles) {
    const auto* mesh = std::get_if<Mesh>(&obstacle.shape);
    const bool flat = std::holds_alternative<HalfSpace>(obstacle.shape) ||
                      std::holds_alternative<Box>(obstacle.shape);
    const double triangles = mesh   ? static_cast<double>(mesh->mesh->facets().size())
                             : flat ? 12
                                    : 1000;
    const double points = mesh ? static_cast<double>(mesh->mesh->vertices().size()) : triangles / 2;
    const FileArray of_points[] = {{24, 24}},
                    of_triangles[] = {{24, 8},   {8, 0.1},  {1, 0.01}, {4, 0.02},
                                      {24, 0.1}, {24, 0.1}, {8, 0.06}, {16, 8}};
    bytes += size_of(of_points, points) + size_of(of_triangles, triangles);
  }
  return bytes;
}

double checkpoint_of(const Counts& n, bool one_size) {
  const double length = one_size ? 0.05 : 7.3;
  const FileArray of_bodies[] = {{24, 24},    {24, 24},    {24, 24},  {32, 32}, {8, 0.66},
                                 {8, length}, {8, length}, {4, 0.02}, {8, 6.4}, {4, 0.2}};
  const FileArray of_pairs[] = {{8, 1.7}, {4, 0.5}, impulses(n.loaded)};
  return kEmptyFrame + size_of(of_bodies, n.bodies) + size_of(of_pairs, n.pairs);
}

/// Number of samples in a run of so many steps, including its end.
double samples(double interval, double h, double steps, double if_zero) {
  if (interval <= 0) return if_zero;
  const double apart = std::max(1.0, interval / h), whole = std::floor(steps / apart + 1e-9);
  return 1 + whole + (steps > std::round(whole * apart) ? 1 : 0);
}

/// Output of a run that has `mean` on average and `last` at its end.
double output_of(const Scene& scene, const Counts& mean, const Counts& last) {
  const BodyMix mix = mix_of(scene);
  const double h = scene.model.step.h, steps = static_cast<double>(steps_until(scene.until, h));
  const OutputSettings& out = scene.output;
  const double frames = samples(out.frame_interval, h, steps, 2);
  double bytes =
      kOtherFiles + kRowOfStatistics * samples(out.statistics_interval, h, steps, steps + 1);
  bytes += frames * frame_of_grains(mean.bodies, mix);
  // Before the first step there are no contacts.
  if (out.contacts)
    bytes += kEmptyFrame + (frames - 1) * frame_of_contacts(mean.contacts, mean.loaded);
  if (out.obstacles && !scene.model.obstacles.empty())
    bytes += frames * frame_of_obstacles(scene) +
             kRowOfObstacles * static_cast<double>(scene.model.obstacles.size()) *
                 samples(out.statistics_interval, h, steps, steps + 1);
  const bool several = out.checkpoint_interval > 0 && out.checkpoint_interval < scene.until;
  return bytes + (several ? 2 : 1) * checkpoint_of(last, mix.one_size);
}

/// Distance that a layer moves until it is deleted [m]; ∞ if it never is.
double distance_to_exit(const Model& model, const Inflow& inflow) {
  double distance = std::numeric_limits<double>::infinity();
  if (inflow.layer.empty()) return distance;
  const Vec3 from = inflow.layer.front();
  for (int k = 0; k < 3; ++k)
    for (const Outflow& outflow : model.outflows) {
      const double along = inflow.velocity[k] / norm(inflow.velocity);
      const double apart = along > 0 ? outflow.min[k] - from[k] : from[k] - outflow.max[k];
      if (apart > 0 && std::abs(along) > 0.5)
        distance = std::min(distance, apart / std::abs(along));
    }
  return distance;
}

/// Mean mass of the bodies of a filling [kg].
double mean_mass(const Model& model, const Filling& filling) {
  double mass = 0, shares = 0;
  for (const Filling::Kind& kind : filling.kinds) {
    // Mean of r³ for r uniform in [a, b]: (a + b)(a² + b²)/4
    const double a = kind.low, b = kind.high, mean_cube = (a + b) * (a * a + b * b) / 4;
    const Shape shape = scaled(model.prototypes[kind.prototype].shape, std::cbrt(mean_cube));
    mass += kind.share * kind.density * volume_properties(shape).volume;
    shares += kind.share;
  }
  return mass / shares;
}

/// Bodies at the end if all move with their inflow: initial bodies that have not left, and bodies
/// that have entered.
double bodies_at_end(const Scene& scene) {
  const double start = static_cast<double>(scene.state.bodies.size());
  double entered = 0, left = 0;
  for (const Inflow& inflow : scene.model.inflows) {
    const double speed = norm(inflow.velocity), distance = distance_to_exit(scene.model, inflow);
    const double travelled = std::min(scene.until * speed, distance);
    entered += std::floor(travelled / inflow.advance) * static_cast<double>(inflow.layer.size());
    left = std::max(left, travelled / distance);
  }
  for (const Filling& filling : scene.model.fillings) {
    const double time = std::max(0.0, std::min(scene.until, filling.until) - filling.from);
    entered += filling.number_rate > 0 ? filling.number_rate * time
                                       : filling.mass_rate * time / mean_mass(scene.model, filling);
  }
  return start * (1 - left) + entered;
}

/// Counts after a step.
Neighbourhood neighbourhood(const Simulation& simulation) {
  const Report& report = simulation.report();
  const double bodies = static_cast<double>(report.bodies),
               contacts = static_cast<double>(report.contacts);
  if (report.bodies == 0) return kInABed;
  return {static_cast<double>(simulation.state().neighbours.pairs.size()) / bodies,
          contacts / bodies,
          report.contacts > 0 ? static_cast<double>(report.contacts_loaded) / contacts : 0};
}

/// The model with just enough sweeps to find the loaded contacts.
Model with_few_sweeps(const Model& model) {
  Model quick = model;
  quick.solver.method = SolverKind::gauss_seidel;
  quick.solver.max_sweeps = 10;
  return quick;
}

/// Counts for bodies in layers, as an inflow inserts them.
Neighbourhood in_layers(const Scene& scene, const Inflow& inflow) {
  constexpr double kEnough = 20000, kMaxLayers = 20;  // bodies, layers
  const double ahead =
      std::min(scene.until * norm(inflow.velocity), distance_to_exit(scene.model, inflow)) /
      inflow.advance;
  const double laid =
      std::clamp(kEnough / static_cast<double>(inflow.layer.size()), 2.0, kMaxLayers);
  Model model = with_few_sweeps(scene.model);
  model.obstacles.clear();
  model.inflows.clear();
  model.outflows.clear();
  State state = initial_state(model);
  const double mass =
      model.materials[inflow.material].density * volume_properties(Sphere{inflow.radius}).volume;
  for (int k = 0; k < static_cast<int>(std::min(laid, ahead)); ++k)
    for (const Vec3& centre : inflow.layer) {
      const Vec3 shift = k * inflow.advance / norm(inflow.velocity) * inflow.velocity;
      state.bodies.push_back({.id = {state.next_id++},
                              .position = centre + shift,
                              .velocity = inflow.velocity,
                              .radius = inflow.radius,
                              .mass = mass,
                              .prototype = inflow.prototype,
                              .material = inflow.material});
    }
  Simulation trial(std::move(model), std::move(state), 1);
  trial.step();
  return neighbourhood(trial);
}

}  // namespace

Forecast forecast(const Scene& scene) {
  Simulation trial(with_few_sweeps(scene.model), scene.state, 1);
  if (const auto& fault = trial.step().motion_fault)
    throw InputError(fmt::format("at t = {:.9g} s {} is invalid: {}", fault->time,
                                 name_of(*fault, scene.model), fault->what));

  Forecast f;
  const double start = static_cast<double>(scene.state.bodies.size()), end = bodies_at_end(scene);
  const double largest = std::max(start, end), mean = (start + end) / 2;
  const Neighbourhood found = neighbourhood(trial);
  Neighbourhood later = found;
  for (const Inflow& inflow : scene.model.inflows) {
    later = at_least(later, kInAFlow);
    if (!inflow.layer.empty()) later = at_least(later, in_layers(scene, inflow));
  }
  const auto needs = [&](const Neighbourhood& of_each) {
    const auto counts = [&](double bodies) {
      return Counts{bodies, of_each.pairs * bodies, of_each.contacts * bodies, of_each.loaded};
    };
    return RunNeeds{memory_of(scene, counts(largest)), output_of(scene, counts(mean), counts(end))};
  };
  f.bodies = static_cast<std::size_t>(largest);
  f.frames = static_cast<std::size_t>(
      samples(scene.output.frame_interval, scene.model.step.h,
              static_cast<double>(steps_until(scene.until, scene.model.step.h)), 2));
  f.as_it_starts = needs(later);
  f.dense = needs(at_least(later, kInABed));
  return f;
}

}  // namespace scree
