/// Greedy colouring of contacts in the order of hashed keys, bucket by bucket.
#include "scree/solvers/colouring.hpp"

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

/// Sorts edges into buckets by the leading bits of their hash; edges keep their order in a bucket.
/// A single bucket needs no list.
void Colouring::fill_buckets(FunctionRef<Edge(std::size_t)> edge, std::size_t edges) {
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

void Colouring::reserve(BodyIndex body, std::uint32_t colour) {
  if (body >= used_.size()) return;
  if (colour < 64) {
    used_[body] |= std::uint64_t{1} << colour;
    return;
  }
  if (next_.empty()) next_.assign(used_.size(), 64);
  next_[body] = std::max(next_[body], colour + 1);
}

std::uint32_t Colouring::choose_colour(const Edge& edge) {
  const auto used = [&](BodyIndex body) { return body < used_.size() ? used_[body] : 0; };
  const auto next = [&](BodyIndex body) { return body < next_.size() ? next_[body] : 64; };
  std::uint32_t c = static_cast<std::uint32_t>(std::countr_one(used(edge.a) | used(edge.b)));
  if (c == 64) c = std::max(next(edge.a), next(edge.b));
  reserve(edge.a, c);
  reserve(edge.b, c);
  return c;
}

std::uint32_t Colouring::operator()(FunctionRef<Edge(std::size_t)> edge, std::size_t free_bodies,
                                    std::span<std::uint32_t> colour, std::size_t known) {
  used_.assign(free_bodies, 0);
  next_.clear();
  std::uint32_t colours = 0, begin = 0;
  for (std::size_t e = 0; e < known; ++e) {
    const Edge taken = edge(e);
    reserve(taken.a, colour[e]);
    reserve(taken.b, colour[e]);
    colours = std::max(colours, colour[e] + 1);
  }
  const std::span<std::uint32_t> unknown = colour.subspan(known);
  const auto unknown_edge = [&](std::size_t e) { return edge(known + e); };
  fill_buckets(unknown_edge, unknown.size());
  for (const std::uint32_t end : end_) {
    const auto member = [&](std::uint32_t k) {
      return members_.empty() ? begin + k : members_[begin + k];
    };
    bucket_edges_.resize(end - begin);
    order_.resize(end - begin);
    for (std::uint32_t k = 0; k < end - begin; ++k) {
      bucket_edges_[k] = unknown_edge(member(k));
      order_[k] = {hash_of(bucket_edges_[k]), k};
    }
    radix_sort(order_, buffer_);
    for (const SortItem& item : order_) {
      const std::uint32_t c = choose_colour(bucket_edges_[item.value]);
      unknown[member(item.value)] = c;
      colours = std::max(colours, c + 1);
    }
    begin = end;
  }
  return colours;
}

}  // namespace scree
