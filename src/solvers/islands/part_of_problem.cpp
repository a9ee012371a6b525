/// Contacts of some islands: lists of chunks, and lanes that are hidden meanwhile.
#include "solvers/islands/part_of_problem.hpp"

#include <algorithm>
#include <utility>

#include "solvers/step_settings.hpp"

namespace scree {
namespace {

bool is_chosen(std::span<const std::uint8_t> chosen, BodyIndex a, BodyIndex b) {
  return (a < chosen.size() && chosen[a] != 0) || (b < chosen.size() && chosen[b] != 0);
}

template <class Block>
bool any_chosen(const Block& block, std::span<const std::uint8_t> chosen) {
  for (int lane = 0; lane < kBlock; ++lane)
    if (is_chosen(chosen, block.a[lane], block.b[lane])) return true;
  return false;
}

/// Blocks [begin, end) of a group.
Chunk blocks_of(const AlignedVector<Chunk>& chunks, std::span<const std::uint32_t> first_chunk,
                std::uint32_t group) {
  const std::uint32_t first = first_chunk[group], end = first_chunk[group + 1];
  return first == end ? Chunk{0, 0} : Chunk{chunks[first].begin, chunks[end - 1].end};
}

/// Appends blocks to the chunks of the last group, which begins with chunk `first`.
void append(AlignedVector<Chunk>& chunks, std::uint32_t first, const Chunk& blocks,
            std::uint32_t most) {
  const bool continues = chunks.size() > first && chunks.back().end == blocks.begin &&
                         chunks.back().end - chunks.back().begin < most;
  if (continues)
    chunks.back().end = blocks.end;
  else
    chunks.push_back(blocks);
}

/// b of a lane: along the normal alone between spheres.
double& bias_of(SphereContactBlock& block, int, std::size_t lane) { return block.bias[lane]; }
template <class Block>
double& bias_of(Block& block, int row, std::size_t lane) {
  return block.bias[row][lane];
}
constexpr int bias_rows(const SphereContactBlock&) { return 1; }
template <class Block>
constexpr int bias_rows(const Block&) {
  return 3;
}

/// Empties the lanes of other bodies and appends what they held; returns the contacts left.
template <class Block, class Hidden>
std::uint32_t hide_others(Block& block, std::uint32_t number, std::span<const std::uint8_t> chosen,
                          std::vector<std::uint8_t>& has_contact, std::vector<Hidden>& hidden) {
  std::uint32_t left = 0;
  const auto at_rest = static_cast<BodyIndex>(chosen.size());
  for (std::uint32_t lane = 0; lane < kBlock; ++lane) {
    BodyIndex &a = block.a[lane], &b = block.b[lane];
    if (!holds_contact(block, lane, at_rest)) continue;
    if (is_chosen(chosen, a, b)) {
      ++left;
      for (const BodyIndex body : {a, b})
        if (body < at_rest) has_contact[body] = 1;
      continue;
    }
    Hidden& of = hidden.emplace_back(Hidden{number, lane, a, b, {}, {}});
    a = b = at_rest;
    for (int k = 0; k < 3; ++k) of.impulse[k] = std::exchange(block.impulse[k][lane], 0.0);
    for (int k = 0; k < bias_rows(block); ++k)
      of.bias[k] = std::exchange(bias_of(block, k, lane), 0.0);
  }
  return left;
}

template <class Blocks, class Hidden>
void show(Blocks& blocks, const std::vector<Hidden>& hidden) {
  for (const Hidden& of : hidden) {
    auto& block = blocks[of.block];
    block.a[of.lane] = of.a;
    block.b[of.lane] = of.b;
    for (int k = 0; k < 3; ++k) block.impulse[k][of.lane] = of.impulse[k];
    for (int k = 0; k < bias_rows(block); ++k) bias_of(block, k, of.lane) = of.bias[k];
  }
}

}  // namespace

void PartOfProblem::Lists::swap_with(ContactProblem& problem) {
  std::swap(chunks, problem.chunks);
  std::swap(contact_chunks, problem.contact_chunks);
  std::swap(rolling_chunks, problem.rolling_chunks);
  std::swap(first_chunk, problem.first_chunk);
  std::swap(first_contact_chunk, problem.first_contact_chunk);
  std::swap(first_rolling_chunk, problem.first_rolling_chunk);
  std::swap(joints, problem.joints);
  std::swap(missed, problem.missed);
  std::swap(tight, problem.tight);
  std::swap(part_bodies, problem.part_bodies);
  std::swap(undone, problem.undone);
  std::swap(rounding, problem.rounding);
  std::swap(contacts, problem.contacts);
}

void PartOfProblem::take(ContactProblem& problem, std::span<const std::uint8_t> chosen,
                         const ContactProblem::Undone& undone, double rounding) {
  lists_.joints.clear();
  lists_.missed.clear();
  lists_.contacts = 0;
  lists_.undone = undone;
  lists_.rounding = rounding;
  has_contact_.assign(problem.free_bodies, 0);
  choose_spheres(problem, chosen);
  choose_contacts(problem, chosen);
  lists_.tight.clear();
  std::ranges::copy_if(problem.tight, std::back_inserter(lists_.tight),
                       [&](const TightContact& contact) { return chosen[contact.body] != 0; });
  lists_.part_bodies.clear();
  for (BodyIndex body = 0; body < problem.free_bodies; ++body)
    if (has_contact_[body] != 0) lists_.part_bodies.push_back(body);
  lists_.swap_with(problem);
}

void PartOfProblem::choose_spheres(ContactProblem& problem, std::span<const std::uint8_t> chosen) {
  spheres_.clear();
  lists_.chunks.clear();
  lists_.first_chunk.clear();
  for (std::uint32_t group = 0; group < problem.groups(); ++group) {
    const auto first = static_cast<std::uint32_t>(lists_.chunks.size());
    lists_.first_chunk.push_back(first);
    const auto [begin, end] = blocks_of(problem.chunks, problem.first_chunk, group);
    for (std::uint32_t b = begin; b < end; ++b) {
      if (!any_chosen(problem.blocks[b], chosen)) continue;
      append(lists_.chunks, first, {b, b + 1}, kBlocksPerChunk);
      lists_.contacts += hide_others(problem.blocks[b], b, chosen, has_contact_, spheres_);
    }
  }
  lists_.first_chunk.push_back(static_cast<std::uint32_t>(lists_.chunks.size()));
}

void PartOfProblem::choose_contacts(ContactProblem& problem, std::span<const std::uint8_t> chosen) {
  contacts_.clear();
  rolling_.clear();
  lists_.contact_chunks.clear();
  lists_.rolling_chunks.clear();
  lists_.first_contact_chunk.clear();
  lists_.first_rolling_chunk.clear();
  const std::size_t ends = problem.first_contact_chunk.size();
  for (std::uint32_t group = 0; group + 1 < ends; ++group) {
    begin_group(problem);
    const auto [begin, end] = blocks_of(problem.contact_chunks, problem.first_contact_chunk, group);
    for (std::uint32_t b = begin, next = b; b < end; b = next) {
      next = b + problem.contact_blocks[b].stack;
      choose_stack(problem, chosen, b, next);
    }
  }
  if (ends > 0) begin_group(problem);
}

/// Also ends the last group.
void PartOfProblem::begin_group(const ContactProblem& problem) {
  lists_.first_contact_chunk.push_back(static_cast<std::uint32_t>(lists_.contact_chunks.size()));
  if (!problem.first_rolling_chunk.empty())
    lists_.first_rolling_chunk.push_back(static_cast<std::uint32_t>(lists_.rolling_chunks.size()));
}

void PartOfProblem::choose_stack(ContactProblem& problem, std::span<const std::uint8_t> chosen,
                                 std::uint32_t begin, std::uint32_t end) {
  const auto blocks = std::span(problem.contact_blocks).subspan(begin, end - begin);
  if (std::ranges::none_of(blocks,
                           [&](const ContactBlock& block) { return any_chosen(block, chosen); }))
    return;
  append(lists_.contact_chunks, lists_.first_contact_chunk.back(), {begin, end},
         kContactBlocksPerChunk);
  for (std::uint32_t b = begin; b < end; ++b)
    lists_.contacts += hide_others(problem.contact_blocks[b], b, chosen, has_contact_, contacts_);
  const std::uint32_t rolling = blocks.front().rolling;
  if (rolling == ContactBlock::kNone) return;
  append(lists_.rolling_chunks, lists_.first_rolling_chunk.back(), {rolling, rolling + end - begin},
         kContactBlocksPerChunk);
  for (std::uint32_t b = rolling; b < rolling + end - begin; ++b)
    hide_others(problem.rolling[b], b, chosen, has_contact_, rolling_);
}

void PartOfProblem::give_back(ContactProblem& problem) {
  lists_.swap_with(problem);
  show(problem.blocks, spheres_);
  show(problem.contact_blocks, contacts_);
  show(problem.rolling, rolling_);
}

std::size_t PartOfProblem::bytes() const {
  const auto of = [](const auto&... lists) {
    return ((lists.capacity() * sizeof(lists[0])) + ...);
  };
  return of(lists_.chunks, lists_.contact_chunks, lists_.rolling_chunks, lists_.first_chunk,
            lists_.first_contact_chunk, lists_.first_rolling_chunk, lists_.tight,
            lists_.part_bodies, has_contact_, spheres_, contacts_, rolling_);
}

}  // namespace scree
