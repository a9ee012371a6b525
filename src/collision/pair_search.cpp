/// Broad phase: hierarchical grid of hashed cells in Morton order.
#include "scree/collision/pair_search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace scree {
namespace {

constexpr int kBitsPerAxis = 19;
constexpr std::int32_t kLastCell = (1 << kBitsPerAxis) - 1;
constexpr std::uint32_t kMaxLevel = 30;
constexpr std::size_t kCellChunks = 64;  ///< chunks of cells, for any number of threads

/// Spreads the low 19 bits of x so that two zero bits follow each.
constexpr std::uint64_t spread_bits(std::uint64_t x) {
  x = (x | x << 32) & 0x1f00000000ffff;
  x = (x | x << 16) & 0x1f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  return (x | x << 2) & 0x1249249249249249;
}

/// Bits of each axis in a key; those of x are the highest.
constexpr std::uint64_t kBitsOfX = spread_bits(kLastCell) << 2,
                        kBitsOfY = spread_bits(kLastCell) << 1, kBitsOfZ = spread_bits(kLastCell),
                        kBitsOfLevel = ~(kBitsOfX | kBitsOfY | kBitsOfZ);

/// Key bits of the next or the previous cell along an axis: the carry runs through the bits of the
/// other axes. Only valid if that cell exists.
constexpr std::uint64_t next_along(std::uint64_t axis, std::uint64_t at) {
  return ((at | ~axis) + 1) & axis;
}
constexpr std::uint64_t last_along(std::uint64_t axis, std::uint64_t at) { return (at - 1) & axis; }

std::uint64_t key_of(std::uint32_t level, std::int32_t x, std::int32_t y, std::int32_t z) {
  const auto bits = [](std::int32_t c) { return spread_bits(static_cast<std::uint64_t>(c)); };
  return std::uint64_t{level} << (3 * kBitsPerAxis) | bits(x) << 2 | bits(y) << 1 | bits(z);
}

/// Cell number of a coordinate; positions outside the addressable range share the outermost cells
/// (slow there, never wrong).
std::int32_t cell_number(double x) {
  // NaN counts as 0; its body is reported elsewhere.
  return x > 0 ? static_cast<std::int32_t>(std::min(x, static_cast<double>(kLastCell))) : 0;
}

/// First slot of a key in a table of 2^bits slots (Fibonacci hashing).
std::size_t first_slot(std::uint64_t key, int bits) {
  return (key * 0x9e3779b97f4a7c15ULL) >> (64 - bits);
}

}  // namespace

inline bool PairSearch::overlap(const Spheres& spheres, const Image& owner, BodyIndex other) const {
  const Vec3 &a = spheres.position[owner.body], &b = spheres.position[other];
  const double reach = spheres.reach[owner.body] + spheres.reach[other];
  return squared_norm(domain_.separation(a, b)) < reach * reach &&
         (!domain_.repeats() || domain_.nearest_shift(a, b) == owner.shift);
}

double PairSearch::cell_size(std::uint32_t level) const {
  return std::ldexp(finest_, static_cast<int>(level));
}

PairSearch::Coordinates PairSearch::coordinates(std::uint32_t level, const Vec3& p) const {
  const double inverse = 1 / cell_size(level);
  const Vec3 c = inverse * (p - origin_);
  return {cell_number(c.x), cell_number(c.y), cell_number(c.z)};
}

std::span<const SortItem> PairSearch::order(std::span<const Vec3> position,
                                            std::span<const double> reach) {
  const double infinity = std::numeric_limits<double>::infinity();
  double smallest = infinity;
  Vec3 low{infinity, infinity, infinity};
  for (std::size_t i = 0; i < position.size(); ++i) {
    smallest = std::min(smallest, reach[i]);
    const Vec3 home = domain_.home(position[i]);
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], home[k]);
  }
  origin_ = low;
  finest_ = 2 * smallest;
  levels_ = 0;
  items_.resize(position.size());
  for (std::size_t i = 0; i < position.size(); ++i) {
    // Find the finest level whose cells hold the sphere: cell size ≥ 2 reach.
    std::uint32_t level = 0;
    while (cell_size(level) < 2 * reach[i] && level < kMaxLevel) ++level;
    levels_ |= 1u << level;
    const Coordinates at = coordinates(level, domain_.home(position[i]));
    items_[i] = {key_of(level, at.x, at.y, at.z), static_cast<std::uint32_t>(i)};
  }
  AlignedVector<SortItem> buffer;
  radix_sort(items_, buffer);
  return items_;
}

void PairSearch::make_cells(std::size_t bodies) {
  const auto begins_cell = [&](std::size_t i) {
    return i == 0 || items_[i].key != items_[i - 1].key;
  };
  std::size_t cells = 0;
  for (std::size_t i = 0; i < bodies; ++i) cells += begins_cell(i);
  cells_.clear();
  cells_.reserve(cells);
  for (std::size_t i = 0; i < bodies; ++i) {
    if (begins_cell(i)) cells_.push_back({items_[i].key, static_cast<BodyIndex>(i), 0});
    cells_.back().end = static_cast<BodyIndex>(i + 1);
  }
  table_bits_ = static_cast<int>(std::bit_width(2 * cells_.size() + 1));
  table_.assign(std::size_t{1} << table_bits_, 0);
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    std::size_t slot = first_slot(cells_[c].key, table_bits_);
    while (table_[slot] != 0) slot = (slot + 1) & (table_.size() - 1);
    table_[slot] = static_cast<std::uint32_t>(c + 1);
  }
}

const PairSearch::Cell* PairSearch::find_cell(std::uint64_t key) const {
  for (std::size_t slot = first_slot(key, table_bits_); table_[slot] != 0;
       slot = (slot + 1) & (table_.size() - 1)) {
    const Cell& cell = cells_[table_[slot] - 1];
    if (cell.key == key) return &cell;
  }
  return nullptr;
}

void PairSearch::pairs_with_level(std::uint32_t level, const Image& owner, const Spheres& spheres,
                                  std::vector<Pair>& out) const {
  // No body of the level has a reach of more than half its cell size.
  const double r = spheres.reach[owner.body] + 0.5 * cell_size(level);
  const Coordinates low = coordinates(level, owner.position - Vec3{r, r, r});
  const Coordinates high = coordinates(level, owner.position + Vec3{r, r, r});
  for (std::int32_t x = low.x; x <= high.x; ++x)
    for (std::int32_t y = low.y; y <= high.y; ++y)
      for (std::int32_t z = low.z; z <= high.z; ++z) {
        const Cell* cell = find_cell(key_of(level, x, y, z));
        if (!cell) continue;
        for (BodyIndex j = cell->begin; j < cell->end; ++j)
          if (overlap(spheres, owner, j)) out.push_back({owner.body, j});
      }
}

void PairSearch::pairs_of_images(std::uint32_t level, BodyIndex owner, const Spheres& spheres,
                                 std::vector<Pair>& out) const {
  const double coarsest = cell_size(static_cast<std::uint32_t>(std::bit_width(levels_)) - 1);
  domain_.for_each_image(
      spheres.position[owner], spheres.reach[owner] + 0.5 * coarsest,
      [&](const Vec3& position, const Vec3& shift) {
        if (shift == Vec3{}) return;
        const std::size_t before = out.size();
        pairs_with_level(level, {owner, position, shift}, spheres, out);
        // The other body finds this pair from the opposite image.
        out.erase(std::remove_if(out.begin() + static_cast<std::ptrdiff_t>(before), out.end(),
                                 [](const Pair& pair) { return pair.other <= pair.owner; }),
                  out.end());
        for (std::uint32_t coarser = level + 1; levels_ >> coarser; ++coarser)
          if (levels_ >> coarser & 1)
            pairs_with_level(coarser, {owner, position, shift}, spheres, out);
      });
}

void PairSearch::pairs_of_cell(const Cell& cell, const Spheres& spheres,
                               FunctionRef<void(BodyIndex, std::vector<Pair>&)> extra_pairs,
                               std::vector<Pair>& out, std::span<std::uint32_t> count) const {
  // Only half of the 26 neighbours: those after this cell in x, y, z order.
  std::array<const Cell*, 13> neighbours;
  int neighbour_count = 0;
  const std::uint64_t x = cell.key & kBitsOfX, y = cell.key & kBitsOfY, z = cell.key & kBitsOfZ;
  const std::uint64_t along_x[2] = {x, next_along(kBitsOfX, x)};
  const std::uint64_t along_y[3] = {last_along(kBitsOfY, y), y, next_along(kBitsOfY, y)};
  const std::uint64_t along_z[3] = {last_along(kBitsOfZ, z), z, next_along(kBitsOfZ, z)};
  for (int code = 14; code < 27; ++code) {
    const int i = code / 9 - 1, j = code / 3 % 3, k = code % 3;
    if ((i == 1 && x == kBitsOfX) || (j == 0 && y == 0) || (j == 2 && y == kBitsOfY) ||
        (k == 0 && z == 0) || (k == 2 && z == kBitsOfZ))
      continue;
    const std::uint64_t key = (cell.key & kBitsOfLevel) | along_x[i] | along_y[j] | along_z[k];
    if (const Cell* found = find_cell(key)) neighbours[neighbour_count++] = found;
  }
  const std::uint32_t cell_level = static_cast<std::uint32_t>(cell.key >> (3 * kBitsPerAxis));
  for (BodyIndex i = cell.begin; i < cell.end; ++i) {
    const std::size_t before = out.size();
    const Image at_home{i, domain_.home(spheres.position[i]), {}};
    for (BodyIndex j = i + 1; j < cell.end; ++j)
      if (overlap(spheres, at_home, j)) out.push_back({i, j});
    for (int k = 0; k < neighbour_count; ++k)
      for (BodyIndex j = neighbours[k]->begin; j < neighbours[k]->end; ++j)
        if (overlap(spheres, at_home, j)) out.push_back({i, j});
    for (std::uint32_t level = cell_level + 1; levels_ >> level; ++level)
      if (levels_ >> level & 1) pairs_with_level(level, at_home, spheres, out);
    if (domain_.repeats()) pairs_of_images(cell_level, i, spheres, out);
    extra_pairs(i, out);
    count[i] = static_cast<std::uint32_t>(out.size() - before);
  }
}

void PairSearch::find(std::span<const Vec3> position, std::span<const double> reach,
                      FunctionRef<void(BodyIndex, std::vector<Pair>&)> extra_pairs,
                      AlignedVector<Pair>& pairs, AlignedVector<std::uint32_t>& first,
                      ThreadPool& pool) {
  const std::size_t bodies = position.size();
  make_cells(bodies);
  // Each chunk of cells is a run of bodies and fills its own list; the lists are joined in order.
  first.resize(bodies + 1);
  std::vector<std::vector<Pair>> chunk_pairs(kCellChunks);
  const std::span<std::uint32_t> count(first.data() + 1, bodies);
  const auto chunk_begin = [&](std::size_t chunk) { return cells_.size() * chunk / kCellChunks; };
  pool.for_each_chunk(kCellChunks, [&](std::size_t chunk) {
    for (std::size_t c = chunk_begin(chunk); c < chunk_begin(chunk + 1); ++c)
      pairs_of_cell(cells_[c], {position, reach}, extra_pairs, chunk_pairs[chunk], count);
  });
  first[0] = 0;
  for (std::size_t i = 0; i < bodies; ++i) first[i + 1] += first[i];
  pairs.resize(first[bodies]);
  pool.for_each_chunk(kCellChunks, [&](std::size_t chunk) {
    const std::vector<Pair> list = std::move(chunk_pairs[chunk]);
    if (!list.empty()) std::ranges::copy(list, pairs.begin() + first[list.front().owner]);
  });
}

}  // namespace scree
