#include <algorithm>
#include <utility>

#include "sim/step.hpp"

namespace scree {
namespace {

/// Has a pair W = diag(W_n, W_t, W_t), and a law that is Coulomb's then?
class DiagonalTest {
 public:
  explicit DiagonalTest(const StepContext& c) : c_(c) {}

  bool operator()(const Neighbours::Pair& pair) const {
    return is_isotropic(pair.owner) && is_isotropic(pair.other) &&
           is_coulombs_for_spheres(c_.model.laws(material_of(pair.owner), material_of(pair.other)));
  }

 private:
  bool is_isotropic(BodyIndex i) const {
    return i & Neighbours::kObstacle || c_.scratch.problem.bodies[i].inverse_inertia > 0;
  }
  MaterialId material_of(BodyIndex i) const {
    return i & Neighbours::kObstacle ? c_.model.obstacles[i & ~Neighbours::kObstacle].material
                                     : c_.state.bodies.material[i];
  }

  const StepContext& c_;
};

/// From counts per chunk and group to places; cuts colours into blocks and chunks of blocks.
void place_blocks(Scratch& s, std::uint32_t groups) {
  ContactProblem& problem = s.problem;
  const std::uint32_t row = groups + 1;
  problem.chunks.clear();
  problem.first_chunk.resize(groups + 1);
  std::uint32_t block = 0;
  for (std::uint32_t group = 0; group < groups; ++group) {
    problem.first_chunk[group] = static_cast<std::uint32_t>(problem.chunks.size());
    std::uint32_t place = kBlock * block;
    for (std::size_t chunk = 0; chunk < kPairChunks; ++chunk)
      place += std::exchange(s.chunk_count[chunk * row + group], place);
    const std::uint32_t end = (place + kBlock - 1) / kBlock;
    for (; block < end; block = std::min(block + kBlocksPerChunk, end))
      problem.chunks.push_back({block, std::min(block + kBlocksPerChunk, end)});
  }
  problem.first_chunk[groups] = static_cast<std::uint32_t>(problem.chunks.size());
  resize_tightly(problem.blocks, block);
  resize_tightly(s.gap, kBlock * block);

  // Records of moving obstacles stand behind the body at rest, one for each of their contacts of spheres.
  std::uint32_t record = problem.free_bodies + 1;
  for (std::size_t chunk = 0; chunk < kPairChunks; ++chunk)
    record += std::exchange(s.chunk_count[chunk * row + groups], record);
  resize_tightly(problem.bodies, record);
}

/// Whether an outflow has deleted a body of a pair.
bool has_left(const Neighbours& list, const Neighbours::Pair& pair) {
  return list.has_left(pair.owner) || (!(pair.other & Neighbours::kObstacle) && list.has_left(pair.other));
}

}  // namespace

bool is_within_margin(const StepContext& c, const Neighbours::Pair& pair) {
  if (!c.model.outflows.empty() && has_left(c.state.neighbours, pair)) return false;
  const Bodies& bodies = c.state.bodies;
  if (pair.other & Neighbours::kObstacle) {
    const std::uint32_t k = pair.other & ~Neighbours::kObstacle;
    const double reach = bodies.radius[pair.owner] + c.scratch.margin[pair.owner] + c.scratch.obstacle_margin[k];
    return signed_distance(c.model.obstacles[k].shape, c.state.obstacles[k].pose, bodies.position[pair.owner])
               .distance < reach;
  }
  const double reach = bodies.radius[pair.owner] + bodies.radius[pair.other] +
                       (double{c.scratch.margin[pair.owner]} + double{c.scratch.margin[pair.other]});
  return squared_norm(bodies.position[pair.other] - bodies.position[pair.owner]) < reach * reach;
}

void narrow_phase(StepContext& c) {
  Scratch& s = c.scratch;
  const Neighbours& neighbours = c.state.neighbours;
  const std::size_t pairs = neighbours.pairs.size();
  const std::uint32_t row = neighbours.group_count + 1;
  resize_tightly(s.slot, pairs);
  s.chunk_count.assign(kPairChunks * row, 0);
  const DiagonalTest is_diagonal(c);

  c.pool.for_each_chunk(kPairChunks, [&](std::size_t chunk) {
    std::uint32_t* count = &s.chunk_count[chunk * row];
    for (std::size_t p = pairs * chunk / kPairChunks; p < pairs * (chunk + 1) / kPairChunks; ++p) {
      const Neighbours::Pair pair = neighbours.pairs[p];
      s.slot[p] = Scratch::kNoContact;
      if (!is_within_margin(c, pair)) continue;
      const bool diagonal = s.all_diagonal || is_diagonal(pair);
      s.slot[p] = diagonal ? 0 : Scratch::kGeneral;
      if (!diagonal) continue;
      ++count[neighbours.group[p]];
      if (pair.other & Neighbours::kObstacle && moves(c.state.obstacles[pair.other & ~Neighbours::kObstacle].twist))
        ++count[row - 1];
    }
  });
  place_blocks(s, neighbours.group_count);
}

}  // namespace scree
