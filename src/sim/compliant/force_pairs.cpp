/// Sorts pairs with compliant laws, so that steps evaluate them in lanes.
#include <algorithm>
#include <limits>

#include "sim/compliant/force_filling.hpp"
#include "sim/compliant/forces.hpp"
#include "sim/neighbours/neighbours.hpp"
#include "solvers/step_settings.hpp"

namespace scree {
namespace {

using Blocks = ForceContacts::Blocks;
using SpherePairs = ForceContacts::SpherePairs;

class ForceList {
 public:
  explicit ForceList(StepContext& c)
      : c_(c), f_(c.scratch.forces), list_(c.state.neighbours), bodies_(c.state.bodies) {}

  /// Sorts the list after a rebuild.
  void make() {
    cut_bodies();
    count_rows();
    pairs_of_law_.assign(f_.laws(), 0);
    for (std::uint32_t p = 0; p < list_.first.back(); ++p) add(p);
    f_.main_law =
        static_cast<std::uint32_t>(std::ranges::max_element(pairs_of_law_) - pairs_of_law_.begin());
    std::uint32_t block = 0;
    for (ForceContacts::Chunk& chunk : f_.chunks) block = finish(chunk, block);
    f_.first_block_alone = block;
    f_.alone = empty_chunk();
    f_.listed = list_.first.back();
    f_.blocks.clear();
    f_.moment_blocks.clear();
  }

  /// Adds the pairs that were added to the list since; they are part of the state.
  void extend() {
    for (SpherePairs& pairs : f_.alone.spheres) {
      pairs.a.resize(pairs.count);
      pairs.b.resize(pairs.count);
    }
    for (; f_.listed < list_.pairs.size(); ++f_.listed) add(static_cast<std::uint32_t>(f_.listed));
    make_room(finish(f_.alone, f_.first_block_alone));
  }

 private:
  ForceContacts::Chunk empty_chunk() const {
    const std::size_t laws = f_.numbers.size() / 2;
    ForceContacts::Chunk chunk;
    chunk.spheres.resize(laws);
    chunk.others.resize(laws);
    for (std::uint32_t law = 0; law < laws; ++law)
      chunk.spheres[law].law = chunk.others[law].law = law;
    return chunk;
  }

  void cut_bodies() {
    const std::size_t n = bodies_.size();
    f_.chunks.assign(std::clamp<std::size_t>(n / kForceBodiesPerChunk, 1, kMaxForceChunks),
                     empty_chunk());
    for (std::size_t k = 0; k < f_.chunks.size(); ++k) {
      f_.chunks[k].begin = static_cast<BodyIndex>(n * k / f_.chunks.size());
      f_.chunks[k].end = static_cast<BodyIndex>(n * (k + 1) / f_.chunks.size());
    }
  }

  std::size_t chunk_of(BodyIndex i) const {
    // Chunk by equal sizes, rounded down: at most one too low.
    const std::size_t k = i * f_.chunks.size() / bodies_.size();
    return i < f_.chunks[k].end ? k : k + 1;
  }

  /// True if the other body of a pair is in another chunk than its owner.
  bool crosses(const BodyPair& pair) const {
    if (is_obstacle(pair.other)) return false;
    const ForceContacts::Chunk& chunk = f_.chunks[chunk_of(pair.owner)];
    return pair.other < chunk.begin || pair.other >= chunk.end;
  }

  void count_rows() {
    const std::size_t n = bodies_.size();
    f_.first_row.assign(n + 1, 0);
    for (std::uint32_t p = 0; p < list_.first.back(); ++p) {
      const BodyPair& pair = list_.pairs[p];
      if (crosses(pair) && compliant_law(c_, pair) != ForceContacts::kRigid)
        ++f_.first_row[pair.other + 1];
    }
    f_.first_row[0] = static_cast<std::uint32_t>(n);
    for (std::size_t i = 0; i < n; ++i) f_.first_row[i + 1] += f_.first_row[i];
    f_.rows.assign(f_.first_row.back(), {});
    f_.torque_rows.assign(f_.moments || !c_.scratch.all_spheres ? f_.rows.size() : 0, {});
    next_row_.assign(f_.first_row.begin(), f_.first_row.end() - 1);
  }

  void add(std::uint32_t p) {
    const BodyPair& pair = list_.pairs[p];
    const std::uint32_t law = compliant_law(c_, pair);
    if (law == ForceContacts::kRigid) return;
    const bool alone = list_.is_added(p);
    if (!alone) ++pairs_of_law_[law];
    ForceContacts::Chunk& chunk = alone ? f_.alone : f_.chunks[chunk_of(pair.owner)];
    const std::uint32_t of_other = !alone && crosses(pair) ? next_row_[pair.other]++ : pair.other;
    const auto [a, b] = in_order(c_, pair);
    const std::uint32_t row_a = a == pair.owner ? a : of_other,
                        row_b = a == pair.owner ? of_other : b;
    const ForceTouch touch = force_touch(c_, {a, b});
    if (touch != ForceTouch::spheres) {
      ForceContacts::OtherPairs& pairs = chunk.others[law];
      Blocks& blocks = touch == ForceTouch::on_surface  ? pairs.on_surfaces
                       : touch == ForceTouch::of_clumps ? pairs.of_clumps
                                                        : pairs.at_points;
      blocks.max_contacts += static_cast<std::uint32_t>(list_.places(p).count());
      pairs.pairs.push_back({p, row_a, row_b});
      return;
    }
    SpherePairs& pairs = chunk.spheres[law];
    const std::size_t k = pairs.count++;
    pairs.a.push_back(a);
    pairs.b.push_back(b);
    pairs.pair.push_back(p);
    pairs.row_a.push_back(row_a);
    pairs.row_b.push_back(row_b);
    if (k % kBlock == 0) pairs.touched.push_back(0);
    if (list_.force_memory[list_.places(p).begin].is_contact())
      pairs.touched[k / kBlock] |= static_cast<std::uint8_t>(1U << k % kBlock);
  }

  /// Pads arrays, and reserves blocks for possible contacts from `block` on; returns their end.
  std::uint32_t finish(ForceContacts::Chunk& chunk, std::uint32_t block) const {
    const auto place = [&](Blocks& blocks) {
      blocks.first = block;
      block += (blocks.max_contacts + kBlock - 1) / kBlock;
    };
    for (SpherePairs& pairs : chunk.spheres) {
      const std::size_t whole = kBlock * pairs.touched.size();
      pairs.a.resize(whole, static_cast<BodyIndex>(bodies_.size()));
      pairs.b.resize(whole, static_cast<BodyIndex>(bodies_.size()));
      pairs.touching.resize(pairs.touched.size());
      pairs.blocks.max_contacts = static_cast<std::uint32_t>(pairs.count);
      place(pairs.blocks);
    }
    for (ForceContacts::OtherPairs& pairs : chunk.others) {
      place(pairs.on_surfaces);
      place(pairs.of_clumps);
      place(pairs.at_points);
    }
    return block;
  }

  void make_room(std::uint32_t blocks) {
    const std::size_t before = f_.blocks.empty() ? 0 : f_.first_block_alone;
    resize_tightly(f_.blocks, blocks);
    for (std::size_t b = before; b < blocks; ++b)
      std::ranges::fill(f_.blocks[b].slot, ForceBlock::kNoSlot);
    if (f_.moments) {
      f_.moment_blocks.resize(before);
      f_.moment_blocks.resize(blocks);
    }
    if (c_.scratch.all_spheres) return;
    resize_tightly(f_.points, std::size_t{kBlock} * blocks);
  }

  StepContext& c_;
  ForceContacts& f_;
  const Neighbours& list_;
  const Bodies& bodies_;
  std::vector<std::uint32_t> next_row_;  ///< one per body
  std::vector<std::size_t> pairs_of_law_;
};

}  // namespace

std::uint32_t compliant_law(const StepContext& c, const Neighbours::Pair& pair) {
  const ForceContacts& f = c.scratch.forces;
  if (!f.any) return ForceContacts::kRigid;
  const Bodies& bodies = c.state.bodies;
  const MaterialId b = is_obstacle(pair.other) ? c.model.obstacles[obstacle_of(pair.other)].material
                                               : bodies.material[pair.other];
  return f.law[bodies.material[pair.owner] * c.model.materials.size() + b];
}

void list_force_pairs(StepContext& c) {
  ForceContacts& f = c.scratch.forces;
  const Neighbours& list = c.state.neighbours;
  const bool made = f.first_row.size() == c.state.bodies.size() + 1;
  if (made && !c.report.neighbours_rebuilt && f.listed == list.pairs.size()) return;
  ForceList pairs(c);
  if (!made || c.report.neighbours_rebuilt) pairs.make();
  pairs.extend();
}

}  // namespace scree
