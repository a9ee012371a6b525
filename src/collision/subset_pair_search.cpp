/// Pair search of a subset of bodies with all bodies, by a grid of hashed cells.
#include "scree/collision/subset_pair_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace scree {
namespace {

/// Maximum number of cells of a body; larger bodies are compared with all.
constexpr double kMaxCells = 64;
constexpr std::size_t kBodiesPerTask = 4096;
constexpr double kMaxReachSum = 1e300;  // [m]; avoids 0/0

std::uint64_t hash_of_cell(std::int64_t x, std::int64_t y, std::int64_t z) {
  const auto mixed = [](std::int64_t c, std::uint64_t by) {
    return static_cast<std::uint64_t>(c) * by;
  };
  const std::uint64_t sum = mixed(x, 0x9e3779b97f4a7c15ULL) + mixed(y, 0xc2b2ae3d27d4eb4fULL) +
                            mixed(z, 0x165667b19e3779f9ULL);
  return (sum ^ sum >> 29) * 0xbf58476d1ce4e5b9ULL;
}

/// Cell number of a coordinate; far away, cells are shared (slow there, never wrong).
std::int64_t wide_cell_number(double x) {
  constexpr double kMaxCell = 1e15;
  return static_cast<std::int64_t>(std::floor(std::clamp(x, -kMaxCell, kMaxCell)));
}

double cells_in(const SubsetPairSearch::Box& box) {
  double cells = 1;
  for (int k = 0; k < 3; ++k) cells *= static_cast<double>(box.high[k] - box.low[k] + 1);
  return cells;
}

/// Calls f(hash, x, y, z) for each cell.
template <class F>
void for_each_cell(const SubsetPairSearch::Box& box, F&& f) {
  for (std::int64_t x = box.low[0]; x <= box.high[0]; ++x)
    for (std::int64_t y = box.low[1]; y <= box.high[1]; ++y)
      for (std::int64_t z = box.low[2]; z <= box.high[2]; ++z) f(hash_of_cell(x, y, z), x, y, z);
}

bool is_searchable(const Vec3& position, double reach) { return reach >= 0 && is_finite(position); }

}  // namespace

SubsetPairSearch::Box SubsetPairSearch::cells_of(const Vec3& position, double reach) const {
  Box box;
  for (int k = 0; k < 3; ++k) {
    box.low[k] = wide_cell_number(cells_per_metre_ * (position[k] - reach));
    box.high[k] = wide_cell_number(cells_per_metre_ * (position[k] + reach));
  }
  return box;
}

void SubsetPairSearch::make_cells(std::span<const BodyIndex> few, std::span<const Vec3> position,
                                  Reach reach) {
  double sum = 0;
  for (const BodyIndex i : few) {
    const double r = reach(i);
    if (is_searchable(position[i], r)) few_spheres_.push_back({position[i], r, {}, i}), sum += r;
  }
  // Cell size is four times the mean reach: a body touches few cells, and a cell few bodies of the
  // subset.
  cells_per_metre_ = static_cast<double>(few_spheres_.size()) / (4 * std::min(sum, kMaxReachSum));
  for (std::uint32_t k = 0; k < few_spheres_.size(); ++k) {
    Few& sphere = few_spheres_[k];
    sphere.box = cells_of(sphere.position, sphere.reach);
    if (!(cells_in(sphere.box) <= kMaxCells))
      large_.push_back(k);
    else
      for_each_cell(sphere.box, [&](std::uint64_t hash, auto...) { items_.push_back({hash, k}); });
  }
  AlignedVector<SortItem> buffer;
  radix_sort(items_, buffer);
  bits_ = static_cast<int>(std::bit_width(8 * items_.size() + 64));
  first_.assign((std::size_t{1} << bits_) + 1, 0);
  is_there_.assign((std::size_t{1} << bits_) / 64 + 1, 0);
  for (const SortItem& item : items_) {
    const std::size_t bit = bit_of(item.key);
    ++first_[bit + 1];
    is_there_[bit / 64] |= std::uint64_t{1} << bit % 64;
  }
  for (std::size_t k = 1; k < first_.size(); ++k) first_[k] += first_[k - 1];
}

void SubsetPairSearch::add_pairs_of(BodyIndex body, std::span<const BodyIndex> few,
                                    std::span<const Vec3> position, double reach,
                                    std::vector<BodyPair>& pairs) const {
  const Vec3& at = position[body];
  const auto compare = [&](const Few& sphere) {
    const double far = sphere.reach + reach;
    if (!(squared_norm(sphere.position - at) < far * far) || sphere.body == body) return;
    // Two bodies of the subset meet twice; report the pair once.
    if (body < sphere.body && std::ranges::binary_search(few, body)) return;
    pairs.push_back({sphere.body, body});
  };
  for (const std::uint32_t k : large_) compare(few_spheres_[k]);
  const Box box = cells_of(at, reach);
  if (!(cells_in(box) <= kMaxCells)) {
    std::vector<bool> is_large(few_spheres_.size());
    for (const std::uint32_t k : large_) is_large[k] = true;
    for (std::size_t k = 0; k < few_spheres_.size(); ++k)
      if (!is_large[k]) compare(few_spheres_[k]);
    return;
  }
  for_each_cell(box, [&](std::uint64_t hash, std::int64_t x, std::int64_t y, std::int64_t z) {
    const std::size_t bit = bit_of(hash);
    if (!(is_there_[bit / 64] >> bit % 64 & 1)) return;
    for (std::uint32_t item = first_[bit]; item < first_[bit + 1]; ++item) {
      if (items_[item].key != hash) continue;
      // Report a pair only in the first of the cells that both touch.
      const Few& sphere = few_spheres_[items_[item].value];
      if (x == std::max(box.low[0], sphere.box.low[0]) &&
          y == std::max(box.low[1], sphere.box.low[1]) &&
          z == std::max(box.low[2], sphere.box.low[2]))
        compare(sphere);
    }
  });
}

std::vector<BodyPair> SubsetPairSearch::operator()(std::span<const BodyIndex> few,
                                                   std::span<const Vec3> position, Reach reach,
                                                   ThreadPool& pool) {
  few_spheres_.clear(), large_.clear(), items_.clear();
  make_cells(few, position, reach);
  std::vector<std::vector<BodyPair>> found((position.size() + kBodiesPerTask - 1) / kBodiesPerTask);
  if (few_spheres_.empty()) return {};
  pool.for_each_range(position.size(), kBodiesPerTask, [&](std::size_t begin, std::size_t end) {
    std::vector<BodyPair>& pairs = found[begin / kBodiesPerTask];
    for (std::size_t i = begin; i < end; ++i) {
      const auto body = static_cast<BodyIndex>(i);
      const double r = reach(body);
      if (is_searchable(position[i], r)) add_pairs_of(body, few, position, r, pairs);
    }
  });
  std::vector<BodyPair> all;
  for (const std::vector<BodyPair>& pairs : found)
    all.insert(all.end(), pairs.begin(), pairs.end());
  return all;
}

}  // namespace scree
