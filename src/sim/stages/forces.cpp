/// Contacts with compliant laws: which there are, their forces, and what bodies get of them.
#include <algorithm>
#include <cmath>

#include "laws/small_rotations.hpp"
#include "sim/body_motion.hpp"

namespace scree {
namespace {

bool is_obstacle(BodyIndex i) { return i & Neighbours::kObstacle; }
std::uint32_t obstacle_of(BodyIndex i) { return i & ~Neighbours::kObstacle; }

bool is_sphere(const StepContext& c, BodyIndex i) {
  return !is_obstacle(i) &&
         (c.scratch.all_spheres || c.scratch.kinds[c.state.bodies.prototype[i]].sphere);
}

bool has_left(const Neighbours& list, const Neighbours::Pair& pair) {
  return list.has_left(pair.owner) || (!is_obstacle(pair.other) && list.has_left(pair.other));
}

/// R* of Hertz' law for a sphere on an obstacle, from the two curvatures of the surface where they
/// touch; edges count as flat [m].
double radius_on(double radius, const Obstacle& obstacle, const Pose& pose, const Vec3& centre) {
  const auto effective = [radius](double first, double second) {
    return 1 / std::sqrt((1 / radius + first) * (1 / radius + second));
  };
  if (const auto* sphere = std::get_if<Sphere>(&obstacle.shape))
    return force::effective_radius(radius, 1 / sphere->radius);
  const Vec3 at = rotate_back(pose.orientation, centre - pose.position);
  if (const auto* capsule = std::get_if<Capsule>(&obstacle.shape)) {
    const bool shaft = std::abs(at.z) < capsule->half_length;
    return shaft ? effective(1 / capsule->radius, 0)
                 : force::effective_radius(radius, 1 / capsule->radius);
  }
  if (const auto* cylinder = std::get_if<Cylinder>(&obstacle.shape)) {
    const bool side = std::abs(at.z) < cylinder->half_length;
    return side ? effective(1 / cylinder->radius, 0) : radius;
  }
  return radius;
}

/// How far apart two surfaces may be and still be in touch: the length of a neck, if there was one
/// [m].
double neck(const StepContext& c, std::uint32_t law, std::size_t pair, double radius) {
  const force::Numbers& numbers = c.scratch.forces.numbers[2 * law];
  const Neighbours& list = c.state.neighbours;
  if (!(numbers.adhesion > 0) || list.force_memory.empty() ||
      !list.force_memory[list.places(pair).begin].is_contact())
    return 0;
  return -force::least_overlap(numbers, radius);
}

bool spheres_touch(const StepContext& c, std::uint32_t law, std::size_t p) {
  const auto [i, j] = c.state.neighbours.pairs[p];
  const Bodies& bodies = c.state.bodies;
  const double reach =
      bodies.radius[i] + bodies.radius[j] +
      neck(c, law, p, force::effective_radius(bodies.radius[i], 1 / bodies.radius[j]));
  return squared_norm(c.model.domain.separation(bodies.position[i], bodies.position[j])) <=
         reach * reach;
}

/// Of a sphere and an obstacle: the surface, as a point whose normal goes from the sphere to it.
bool touches_surface(const StepContext& c, std::uint32_t law, std::size_t p, PairPoint& point) {
  const auto [i, other] = c.state.neighbours.pairs[p];
  const Obstacle& obstacle = c.model.obstacles[obstacle_of(other)];
  const Bodies& bodies = c.state.bodies;
  const Pose& pose = c.state.obstacles[obstacle_of(other)].pose;
  const auto surface = signed_distance(obstacle.shape, pose,
                                       c.model.domain.nearest(pose.position, bodies.position[i]));
  const double gap = surface.distance - bodies.radius[i];
  const double reach =
      neck(c, law, p, radius_on(bodies.radius[i], obstacle, pose, bodies.position[i]));
  if (gap > reach) return false;
  point = {.feature = 0,
           .point = bodies.position[i] - (bodies.radius[i] + gap / 2) * surface.normal,
           .normal = -surface.normal,
           .gap = gap,
           .room = gap,
           .turn_cosine = 1,
           .wall = {}};
  return true;
}

/// Fills batches with the contacts of a chunk, and has them evaluated when they are full.
class ForceFiller {
 public:
  ForceFiller(StepContext& c, ForceContacts::Chunk& chunk)
      : c_(c),
        f_(c.scratch.forces),
        list_(c.state.neighbours),
        chunk_(chunk),
        kernels_(kernels::force_kernels_of(c.pool.instruction_set())),
        filled_(chunk.count.size(), 0) {
    for (std::size_t bucket = 0; bucket < filled_.size(); ++bucket)
      chunk_.batches[bucket].is_plain = is_of_spheres(bucket);
  }

  void add(const ForceContacts::Found& found) {
    const Neighbours::Pair& pair = list_.pairs[found.pair];
    const std::size_t begin = list_.places(found.pair).begin;
    c_.scratch.slot[found.pair] = Scratch::kForce | next_id(found.bucket);
    if (found.first == ForceContacts::kSpheres) {
      add_spheres(found, pair, static_cast<std::uint32_t>(begin));
      return;
    }
    // Places are written when forces are kept: all points read what there was before.
    for (std::uint32_t k = 0; k < found.count; ++k)
      add_surface(found, pair, static_cast<std::uint32_t>(begin + k),
                  chunk_.points[found.first + k]);
  }

  void finish() {
    for (std::uint32_t bucket = 0; bucket < filled_.size(); ++bucket)
      if (filled_[bucket] % kBlock != 0) evaluate(bucket);
  }

 private:
  std::uint32_t next_id(std::uint32_t bucket) const {
    return kBlock * chunk_.count[bucket] + filled_[bucket];
  }

  void add_spheres(const ForceContacts::Found& found, const Neighbours::Pair& pair,
                   std::uint32_t place) {
    ForceBatch& batch = chunk_.batches[found.bucket];
    const std::uint32_t lane = filled_[found.bucket] % kBlock;
    const auto [a, b] = in_order(c_, pair);
    batch.a[lane] = a;
    batch.b[lane] = b;
    batch.is_surface[lane] = batch.is_point[lane] = 0;
    batch.share[lane] = 1;
    set(batch.way, lane, {});
    if (c_.model.domain.repeats()) {
      const Vec3 &at_a = c_.state.bodies.position[a], &at_b = c_.state.bodies.position[b];
      set(batch.way, lane, c_.model.domain.separation(at_a, at_b) - (at_b - at_a));
    }
    if (!f_.features.empty()) f_.features[next_id(found.bucket)] = 0;
    recall(batch, lane, found.pair, 0);
    close(batch, lane, found.bucket, place, {});
  }

  void add_surface(const ForceContacts::Found& found, const Neighbours::Pair& pair,
                   std::uint32_t place, const PairPoint& point) {
    ForceBatch& batch = chunk_.batches[found.bucket];
    const std::uint32_t lane = filled_[found.bucket] % kBlock;
    const auto [a, b] = in_order(c_, pair);
    const bool at_point = !is_of_spheres(found.bucket);
    batch.a[lane] = a;
    batch.b[lane] = is_obstacle(b) ? c_.scratch.problem.free_bodies : b;
    batch.is_surface[lane] = 1;
    batch.is_point[lane] = at_point ? 1 : 0;
    batch.share[lane] = 1.0 / most_points(c_.model, c_.state.bodies, pair);
    set(batch.normal, lane, point.normal);
    batch.overlap[lane] = -point.gap;
    batch.radius[lane] = radius_of(a, b);
    batch.inner[lane] =
        is_obstacle(b) ? inner_radius(c_, a) : std::min(inner_radius(c_, a), inner_radius(c_, b));
    batch.is_plain = batch.is_plain && is_obstacle(b) && !moves_at_all(obstacle_of(b));
    recall(batch, lane, found.pair, point.feature);
    const ForceMemory& memory = *batch.memory[lane];
    const Vec3 before = memory.is_contact() ? memory.normal : point.normal;
    set(batch.way, lane,
        at_point ? way_of(b, point.point) - way_of(a, point.point)
                 : way_of_surface(a, obstacle_of(b), before));
    set(batch.turn_b, lane, turn_of(b));
    if (!f_.features.empty()) f_.features[next_id(found.bucket)] = point.feature;
    close(batch, lane, found.bucket, place, point.point);
  }

  static void set(double (&of)[3][kBlock], std::uint32_t lane, const Vec3& v) {
    of[0][lane] = v.x;
    of[1][lane] = v.y;
    of[2][lane] = v.z;
  }

  /// R* of Hertz' law [m]: a sphere on a face has its own radius; of shapes without a sphere that
  /// of the spheres inside.
  double radius_of(BodyIndex a, BodyIndex b) const {
    if (is_obstacle(b)) {
      const Obstacle& obstacle = c_.model.obstacles[obstacle_of(b)];
      if (!is_sphere(c_, a)) return inner_radius(c_, a);
      const Pose& pose = c_.state.obstacles[obstacle_of(b)].pose;
      return radius_on(inner_radius(c_, a), obstacle, pose,
                       c_.model.domain.nearest(pose.position, c_.state.bodies.position[a]));
    }
    if (is_sphere(c_, a)) return inner_radius(c_, a);
    if (is_sphere(c_, b)) return inner_radius(c_, b);
    return force::effective_radius(inner_radius(c_, a), 1 / inner_radius(c_, b));
  }

  Vec3 turn_of(BodyIndex i) const {
    const double h = c_.model.step.h;
    return is_obstacle(i) ? h * f_.twist_before[obstacle_of(i)].angular
                          : h * c_.state.bodies.angular_velocity[i];
  }

  /// Of the material point of a body, or of an obstacle, that is at a point now: since the last
  /// step [m].
  Vec3 way_of(BodyIndex i, const Vec3& point) const {
    const double h = c_.model.step.h;
    const Vec3 centre = is_obstacle(i) ? c_.state.obstacles[obstacle_of(i)].pose.position
                                       : c_.state.bodies.position[i];
    const Vec3 velocity =
        is_obstacle(i) ? f_.twist_before[obstacle_of(i)].linear : c_.state.bodies.velocity[i];
    return h * velocity - turned_less(c_.model.domain.separation(centre, point), -turn_of(i));
  }

  /// See PairMotion::wall_way: `before` is the normal of the step before.
  Vec3 way_of_surface(BodyIndex a, std::uint32_t k, const Vec3& before) const {
    const double h = c_.model.step.h;
    const Bodies& bodies = c_.state.bodies;
    const Vec3 way = h * bodies.velocity[a];
    const Twist& twist = f_.twist_before[k];
    if (!moves(twist)) return -way;
    const Vec3 was = bodies.position[a] - way + bodies.radius[a] * before;
    const Vec3 centre_was = c_.state.obstacles[k].pose.position - h * twist.linear;
    return h * twist.linear +
           turned_less(c_.model.domain.separation(centre_was, was), h * twist.angular) - way;
  }

  static Vec3 turned_less(const Vec3& v, const Vec3& turn) {
    const Vec3Lanes<1> change = force::turned_less<1>({v.x, v.y, v.z}, {turn.x, turn.y, turn.z});
    return {change.x, change.y, change.z};
  }

  /// In this step or, as far as the velocities of t − h/2 go, the one before.
  bool moves_at_all(std::uint32_t obstacle) const {
    return moves(f_.twist_before[obstacle]) || moves(c_.state.obstacles[obstacle].twist);
  }

  /// What a point of a pair remembers.
  void recall(ForceBatch& batch, std::uint32_t lane, std::size_t pair,
              std::uint32_t feature) const {
    batch.memory[lane] = &kNothing;
    if (f_.moments) batch.moment[lane] = {};
    for (auto [place, end] = list_.places(pair); place < end; ++place) {
      if (!list_.force_memory[place].is_contact()) continue;
      if (end - place > 1 && list_.feature[place] != feature) continue;
      batch.memory[lane] = &list_.force_memory[place];
      if (f_.moments) batch.moment[lane] = list_.force_moment[place];
      return;
    }
  }

  void close(ForceBatch& batch, std::uint32_t lane, std::uint32_t bucket, std::uint32_t place,
             const Vec3& point) {
    batch.place[lane] = place;
    batch.filled[lane] = 1;
    if (!f_.points.empty()) f_.points[next_id(bucket)] = point;
    if (++filled_[bucket] % kBlock == 0) evaluate(bucket);
  }

  static bool is_of_spheres(std::size_t bucket) { return bucket % 2 == 0; }

  /// The body at rest and an image of it that it just touches: forces are finite and do no work.
  void empty(ForceBatch& batch, std::uint32_t lane) const {
    batch.a[lane] = batch.b[lane] = c_.scratch.problem.free_bodies;
    batch.is_surface[lane] = batch.is_point[lane] = batch.filled[lane] = 0;
    batch.share[lane] = 1;
    set(batch.way, lane, {2 * f_.bodies.back().radius, 0, 0});
    batch.memory[lane] = &kNothing;
    batch.moment[lane] = {};
    batch.place[lane] = ForceBlock::kNoPlace;
  }

  void evaluate(std::uint32_t bucket) {
    ForceBatch& batch = chunk_.batches[bucket];
    for (std::uint32_t lane = (filled_[bucket] - 1) % kBlock + 1; lane < kBlock; ++lane)
      empty(batch, lane);
    const std::uint32_t block = chunk_.count[bucket] + (filled_[bucket] - 1) / kBlock;
    MomentBlock* moments = f_.numbers[bucket].has_moment() ? &f_.moment_blocks[block] : nullptr;
    if (f_.moments && !moments) f_.moment_blocks[block] = {};
    kernels_.evaluate(batch, f_.bodies.data(), f_.numbers[bucket], f_.blocks[block], moments,
                      &f_.on_pairs[kBlock * block], chunk_.sums);
    if (!is_of_spheres(bucket)) turn_about_points(block);
    batch.is_plain = is_of_spheres(bucket);
  }

  /// Forces at points have no arms: their torques about the centres.
  void turn_about_points(std::uint32_t block_index) {
    const ForceBlock& block = f_.blocks[block_index];
    for (std::uint32_t lane = 0; lane < kBlock; ++lane) {
      if (block.place[lane] == ForceBlock::kNoPlace) continue;
      PairForce& on = f_.on_pairs[kBlock * block_index + lane];
      const Vec3& point = f_.points[kBlock * block_index + lane];
      const auto arm = [&](BodyIndex i) {
        return c_.model.domain.separation(c_.state.bodies.position[i], point);
      };
      on.torque_a -= cross(arm(block.a[lane]), on.on_b);
      if (block.b[lane] != c_.scratch.problem.free_bodies)
        on.torque_b += cross(arm(block.b[lane]), on.on_b);
    }
  }

  static constexpr ForceMemory kNothing{};
  StepContext& c_;
  ForceContacts& f_;
  const Neighbours& list_;
  ForceContacts::Chunk& chunk_;
  const kernels::ForceKernels& kernels_;
  std::vector<std::uint32_t> filled_;  ///< contacts of each bucket so far
};

void set_bodies(StepContext& c) {
  const Bodies& bodies = c.state.bodies;
  auto& records = c.scratch.forces.bodies;
  const double h = c.model.step.h;
  resize_tightly(records, bodies.size() + 1);
  c.pool.for_each_range(bodies.size(), kBodiesPerChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double inverse_mass = 1 / bodies.mass[i], r = bodies.radius[i];
      const double moment = c.model.prototypes[bodies.prototype[i]].inertia.x;
      records[i] = {bodies.position[i],
                    r,
                    bodies.velocity[i],
                    inverse_mass,
                    h * bodies.angular_velocity[i],
                    inverse_mass / (moment * r * r)};
    }
  });
  records[bodies.size()] = {{}, 1, {}, 0, {}, 0};
}

/// The pairs with compliant laws of each body, by the id of the other body.
void list_incident_pairs(StepContext& c) {
  const Neighbours& list = c.state.neighbours;
  const Bodies& bodies = c.state.bodies;
  ForceContacts& f = c.scratch.forces;
  f.first_incident.assign(bodies.size() + 1, 0);
  const auto for_each_end = [&](auto&& take) {
    for (std::uint32_t p = 0; p < list.pairs.size(); ++p) {
      if (compliant_law(c, list.pairs[p]) == ForceContacts::kRigid) continue;
      take(list.pairs[p].owner, p);
      if (!is_obstacle(list.pairs[p].other)) take(list.pairs[p].other, p);
    }
  };
  for_each_end([&](BodyIndex i, std::uint32_t) { ++f.first_incident[i + 1]; });
  for (std::size_t i = 0; i < bodies.size(); ++i) f.first_incident[i + 1] += f.first_incident[i];
  resize_tightly(f.incident, f.first_incident.back());
  std::vector<std::uint32_t> end(f.first_incident.begin(), f.first_incident.end() - 1);
  for_each_end([&](BodyIndex i, std::uint32_t p) { f.incident[end[i]++] = p; });
  const auto id_beside = [&](BodyIndex i, std::uint32_t p) {
    const auto [owner, other] = list.pairs[p];
    if (is_obstacle(other)) return obstacle_id(obstacle_of(other));
    return bodies.id[owner == i ? other : owner];
  };
  c.pool.for_each_range(bodies.size(), kBodiesPerChunk, [&](std::size_t begin, std::size_t stop) {
    for (std::size_t i = begin; i < stop; ++i)
      std::sort(f.incident.begin() + f.first_incident[i],
                f.incident.begin() + f.first_incident[i + 1],
                [&](std::uint32_t p, std::uint32_t q) {
                  return id_beside(static_cast<BodyIndex>(i), p) <
                         id_beside(static_cast<BodyIndex>(i), q);
                });
  });
}

/// The sum of a body's contacts, in the order of the ids of the others.
Wrench force_on(const StepContext& c, BodyIndex body) {
  const ForceContacts& f = c.scratch.forces;
  Wrench sum;
  for (std::uint32_t k = f.first_incident[body]; k < f.first_incident[body + 1]; ++k) {
    const std::uint32_t p = f.incident[k], slot = c.scratch.slot[p];
    if (!Scratch::is_force(slot)) continue;
    for_each_force_point(f, c.state.neighbours, p, slot, [&](std::uint32_t block, int lane) {
      const PairForce& pair = f.on_pairs[block * kBlock + static_cast<std::uint32_t>(lane)];
      const bool is_a = f.blocks[block].a[lane] == body;
      sum.force += is_a ? -pair.on_b : pair.on_b;
      sum.torque += is_a ? pair.torque_a : pair.torque_b;
    });
  }
  return sum;
}

/// What Cundall's damping adds to what a step gives a body: by component −λ of it where it speeds
/// the body up, and λ where it slows it down.
BodyGain local_damping(const StepContext& c, std::size_t i, const BodyGain& force) {
  const double part = c.model.step.local_damping;
  const auto damped = [part](const Vec3& before, const Vec3& gain) {
    Vec3 change;
    for (int axis = 0; axis < 3; ++axis) {
      const double power = gain[axis] * (before[axis] + gain[axis] / 2);
      change[axis] = power > 0 ? -part * gain[axis] : power < 0 ? part * gain[axis] : 0;
    }
    return change;
  };
  BodyGain all = force;
  all.velocity += c.scratch.problem.gain;
  if (const auto& own = c.scratch.problem.own_gain; !own.empty()) {
    all.velocity += own[i].velocity;
    all.spin += own[i].spin;
  }
  return {damped(c.state.bodies.velocity[i], all.velocity), damped(scaled_spin(c, i), all.spin)};
}

/// What a rigid contact will do to a body is not known before the solve: such bodies are not
/// damped.
void mark_rigid_contacts(StepContext& c) {
  std::vector<std::uint8_t>& marks = c.scratch.forces.has_rigid;
  marks.assign(c.state.bodies.size(), 0);
  if (!c.scratch.forces.any_rigid) return;
  const auto& pairs = c.state.neighbours.pairs;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const std::uint32_t slot = c.scratch.slot[p];
    if (slot == Scratch::kNoContact || Scratch::is_force(slot)) continue;
    marks[pairs[p].owner] = 1;
    if (!is_obstacle(pairs[p].other)) marks[pairs[p].other] = 1;
  }
}

}  // namespace

std::uint32_t compliant_law(const StepContext& c, const Neighbours::Pair& pair) {
  const ForceContacts& f = c.scratch.forces;
  if (!f.any) return ForceContacts::kRigid;
  const Bodies& bodies = c.state.bodies;
  const MaterialId b = is_obstacle(pair.other) ? c.model.obstacles[obstacle_of(pair.other)].material
                                               : bodies.material[pair.other];
  return f.law[bodies.material[pair.owner] * c.model.materials.size() + b];
}

bool find_force_contact(StepContext& c, std::uint32_t p, std::uint32_t law,
                        ForceContacts::Chunk& chunk) {
  const Neighbours& list = c.state.neighbours;
  const Neighbours::Pair& pair = list.pairs[p];
  if (has_left(list, pair)) return false;
  const bool obstacle = is_obstacle(pair.other);
  const std::uint32_t bucket = 2 * law;
  if (is_sphere(c, pair.owner) && (obstacle || is_sphere(c, pair.other))) {
    if (!obstacle) {
      if (!spheres_touch(c, law, p)) return false;
      chunk.pairs.push_back({p, bucket, ForceContacts::kSpheres, 1});
    } else {
      PairPoint point;
      if (!touches_surface(c, law, p, point)) return false;
      chunk.pairs.push_back({p, bucket, static_cast<std::uint32_t>(chunk.points.size()), 1});
      chunk.points.push_back(point);
    }
    ++chunk.count[bucket];
    return true;
  }
  const PairPoints points = overlaps_of(c, pair);
  if (points.count == 0) return false;
  const auto count = static_cast<std::uint32_t>(points.count);
  chunk.pairs.push_back({p, bucket + 1, static_cast<std::uint32_t>(chunk.points.size()), count});
  chunk.points.insert(chunk.points.end(), points.points.begin(), points.points.begin() + count);
  chunk.count[bucket + 1] += count;
  return true;
}

void place_forces(StepContext& c) {
  ForceContacts& f = c.scratch.forces;
  if (!f.any) return;
  std::uint32_t block = 0;
  c.report.force_contacts = 0;
  for (ForceContacts::Chunk& chunk : f.chunks) {
    chunk.batches.resize(f.numbers.size());
    for (std::uint32_t& count : chunk.count) {
      c.report.force_contacts += count;
      const std::uint32_t blocks = (count + kBlock - 1) / kBlock;
      count = block;
      block += blocks;
    }
  }
  resize_tightly(f.blocks, block);
  resize_tightly(f.on_pairs, kBlock * block);
  if (f.moments) resize_tightly(f.moment_blocks, block);
  if (c.scratch.all_spheres) return;
  resize_tightly(f.points, kBlock * block);
  resize_tightly(f.features, kBlock * block);
}

void forces(StepContext& c) {
  ForceContacts& f = c.scratch.forces;
  if (!f.any) return;
  const std::size_t places = c.state.neighbours.percussion.size();
  c.state.neighbours.force_memory.resize(places);
  if (f.moments) c.state.neighbours.force_moment.resize(places);
  if (c.report.neighbours_rebuilt || c.report.neighbours_extended ||
      f.first_incident.size() != c.state.bodies.size() + 1)
    list_incident_pairs(c);
  set_bodies(c);
  for (force::Numbers& numbers : f.numbers) numbers.scheme.at_start = c.state.step == 0;
  c.pool.for_each_chunk(kPairChunks, [&](std::size_t k) {
    ForceContacts::Chunk& chunk = f.chunks[k];
    chunk.sums = {};
    if (chunk.pairs.empty()) return;
    ForceFiller filler(c, chunk);
    for (const ForceContacts::Found& found : chunk.pairs) filler.add(found);
    filler.finish();
  });

  const std::size_t n = c.state.bodies.size();
  resize_tightly(f.gain, n);
  if (c.model.step.local_damping > 0) {
    f.local.resize(n);
    mark_rigid_contacts(c);
  }
  c.pool.for_each_range(n, kBodiesPerChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      f.gain[i] = gain_of(c, i, force_on(c, static_cast<BodyIndex>(i)));
      f.gain[i] *= kick(c);
      if (c.model.step.local_damping > 0)
        f.local[i] = f.has_rigid[i] ? BodyGain{} : local_damping(c, i, f.gain[i]);
      if (!c.state.neighbours.has_left(i)) set_free_velocity(c, i);
    }
  });
}

void keep_forces(StepContext& c) {
  const ForceContacts& f = c.scratch.forces;
  Neighbours& list = c.state.neighbours;
  const auto& slots = c.scratch.slot;
  constexpr std::size_t kPairsPerChunk = 4096, kBlocksPerTask = 512;
  c.pool.for_each_range(slots.size(), kPairsPerChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      auto [place, last] = list.places(p);
      if (Scratch::is_force(slots[p]) && last - place == 1) continue;
      for (; place < last; ++place) {
        if (list.force_memory[place].is_contact()) list.force_memory[place] = {};
        if (f.moments) list.force_moment[place] = {};
        if (Scratch::is_force(slots[p])) list.feature[place] = Neighbours::kNoFeature;
      }
    }
  });
  const auto remember = kernels::force_kernels_of(c.pool.instruction_set()).remember;
  c.pool.for_each_range(f.blocks.size(), kBlocksPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      remember(f.blocks[b], list.force_memory.data());
      if (!f.moments && list.feature.empty()) continue;
      for (int k = 0; k < kBlock; ++k) {
        const std::uint32_t place = f.blocks[b].place[k];
        if (place == ForceBlock::kNoPlace) continue;
        if (!list.feature.empty())
          list.feature[place] = f.features[kBlock * b + static_cast<std::size_t>(k)];
        if (!f.moments) continue;
        const auto& spring = f.moment_blocks[b].spring;
        list.force_moment[place] = {spring[0][k], spring[1][k], spring[2][k]};
      }
    }
  });
}

}  // namespace scree
