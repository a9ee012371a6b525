#include "scree/contact/colouring.hpp"

#include <algorithm>
#include <bit>

#include "scree/math/random.hpp"

namespace scree {

std::uint64_t contact_hash(std::uint64_t a_id, std::uint64_t b_id) {
  return mix_bits(mix_bits(std::min(a_id, b_id)) + 0x9e3779b97f4a7c15ULL + std::max(a_id, b_id));
}

std::uint32_t Colouring::operator()(std::span<const Edge> edges, std::size_t free_bodies,
                                    std::span<std::uint32_t> colour) {
  order_.resize(edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e)
    order_[e] = {contact_hash(edges[e].a_id, edges[e].b_id), static_cast<std::uint32_t>(e)};
  radix_sort(order_, buffer_);

  used_.assign(free_bodies, 0);
  next_.assign(free_bodies, 64);
  std::uint32_t colours = 0;
  for (const SortItem& item : order_) {
    const auto [a, b, a_id, b_id] = edges[item.value];
    const bool a_free = a < free_bodies, b_free = b < free_bodies;
    const std::uint64_t taken = (a_free ? used_[a] : 0) | (b_free ? used_[b] : 0);
    std::uint32_t c = static_cast<std::uint32_t>(std::countr_one(taken));
    if (c < 64) {
      if (a_free) used_[a] |= std::uint64_t{1} << c;
      if (b_free) used_[b] |= std::uint64_t{1} << c;
    } else {
      c = std::max(a_free ? next_[a] : 64, b_free ? next_[b] : 64);
      if (a_free) next_[a] = c + 1;
      if (b_free) next_[b] = c + 1;
    }
    colour[item.value] = c;
    colours = std::max(colours, c + 1);
  }
  return colours;
}

}  // namespace scree
