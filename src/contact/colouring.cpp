#include "scree/contact/colouring.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "scree/math/random.hpp"

namespace scree {

std::uint64_t contact_hash(std::uint64_t a_id, std::uint64_t b_id) {
  return mix_bits(mix_bits(std::min(a_id, b_id)) + 0x9e3779b97f4a7c15ULL + std::max(a_id, b_id));
}

namespace {

constexpr std::size_t kEdgesPerBucket = std::size_t{1} << 16;

std::uint64_t hash_of(const Colouring::Edge& edge) { return contact_hash(edge.a_id, edge.b_id); }

}  // namespace

/// Buckets come in the order of their edges' hashes; inside, edges keep theirs. A bucket that holds
/// all needs no list.
void Colouring::share_out(FunctionRef<Edge(std::size_t)> edge, std::size_t edges) {
  members_.clear();
  const int bits = static_cast<int>(std::bit_width(edges / kEdgesPerBucket));
  if (bits == 0) {
    end_.assign(1, static_cast<std::uint32_t>(edges));
    return;
  }
  members_.resize(edges);
  bucket_.resize(edges);
  end_.assign(std::size_t{1} << bits, 0);
  for (std::size_t e = 0; e < edges; ++e) {
    bucket_[e] = static_cast<std::uint16_t>(hash_of(edge(e)) >> (64 - bits));
    ++end_[bucket_[e]];
  }
  std::uint32_t begin = 0;
  for (std::uint32_t& count : end_) begin += std::exchange(count, begin);
  for (std::size_t e = 0; e < edges; ++e)
    members_[end_[bucket_[e]]++] = static_cast<std::uint32_t>(e);
}

std::uint32_t Colouring::take_colour(const Edge& edge) {
  const bool a_free = edge.a < used_.size(), b_free = edge.b < used_.size();
  const std::uint64_t taken = (a_free ? used_[edge.a] : 0) | (b_free ? used_[edge.b] : 0);
  std::uint32_t c = static_cast<std::uint32_t>(std::countr_one(taken));
  if (c < 64) {
    if (a_free) used_[edge.a] |= std::uint64_t{1} << c;
    if (b_free) used_[edge.b] |= std::uint64_t{1} << c;
  } else {
    c = std::max(a_free ? next_[edge.a] : 64, b_free ? next_[edge.b] : 64);
    if (a_free) next_[edge.a] = c + 1;
    if (b_free) next_[edge.b] = c + 1;
  }
  return c;
}

std::uint32_t Colouring::operator()(FunctionRef<Edge(std::size_t)> edge, std::size_t free_bodies,
                                    std::span<std::uint32_t> colour) {
  share_out(edge, colour.size());
  used_.assign(free_bodies, 0);
  next_.assign(free_bodies, 64);
  std::uint32_t colours = 0, begin = 0;
  for (const std::uint32_t end : end_) {
    const auto member = [&](std::uint32_t k) {
      return members_.empty() ? begin + k : members_[begin + k];
    };
    bucket_edges_.resize(end - begin);
    order_.resize(end - begin);
    for (std::uint32_t k = 0; k < end - begin; ++k) {
      bucket_edges_[k] = edge(member(k));
      order_[k] = {hash_of(bucket_edges_[k]), k};
    }
    radix_sort(order_, buffer_);
    for (const SortItem& item : order_) {
      const std::uint32_t c = take_colour(bucket_edges_[item.value]);
      colour[member(item.value)] = c;
      colours = std::max(colours, c + 1);
    }
    begin = end;
  }
  return colours;
}

}  // namespace scree
