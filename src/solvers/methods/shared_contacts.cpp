/// Divides the contacts of a problem among ranks, and moves bodies between them. Our own.
#include "scree/solvers/shared_contacts.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace scree {
namespace {

enum class Kind { spheres, contacts, rolling };

/// Consecutive blocks of a chunk that a rank takes.
struct Piece {
  std::uint32_t group;
  int rank;
  Kind kind;
  std::uint32_t chunk;  ///< index in the list of its kind
  Chunk blocks;
};

/// Calls f(piece) for the chunks of a group, which are cut into as many runs as there are ranks.
template <class F>
void for_each_run(std::span<const Chunk> chunks, std::span<const std::uint32_t> first_chunk,
                  Kind kind, std::uint32_t group, int ranks, F&& f) {
  if (first_chunk.empty()) return;
  const std::size_t first = first_chunk[group], count = first_chunk[group + 1] - first;
  const auto size = static_cast<std::size_t>(ranks);
  for (std::size_t rank = 0; rank < size; ++rank)
    for (std::size_t c = rank * count / size; c < (rank + 1) * count / size; ++c)
      f(Piece{group, static_cast<int>(rank), kind, static_cast<std::uint32_t>(first + c),
              chunks[first + c]});
}

/// Calls f(piece) for the rolling rows of a group: each is with its contacts, so chunks are cut
/// where the contacts of the next rank begin.
template <class F>
void for_each_rolling_run(const ContactProblem& problem, std::uint32_t group, int ranks, F&& f) {
  if (problem.first_rolling_chunk.empty()) return;
  const std::uint32_t first = problem.first_contact_chunk[group],
                      count = problem.first_contact_chunk[group + 1] - first;
  const auto size = static_cast<std::uint32_t>(ranks);
  std::uint32_t rank = 0;
  // First contact block of the next rank
  const auto end_of = [&](std::uint32_t of) {
    const auto end = static_cast<std::uint32_t>(std::uint64_t{of + 1} * count / size);
    return end == 0 ? 0 : problem.contact_chunks[first + end - 1].end;
  };
  for (std::uint32_t c = problem.first_rolling_chunk[group];
       c < problem.first_rolling_chunk[group + 1]; ++c) {
    const Chunk& chunk = problem.rolling_chunks[c];
    for (std::uint32_t begin = chunk.begin, end = begin; begin < chunk.end; begin = end) {
      while (problem.rolling[begin].contacts >= end_of(rank)) ++rank;
      while (end < chunk.end && problem.rolling[end].contacts < end_of(rank)) ++end;
      f(Piece{group, static_cast<int>(rank), Kind::rolling, c, {begin, end}});
    }
  }
}

/// Calls f(piece) for all blocks, group by group.
template <class F>
void for_each_piece(const ContactProblem& problem, int ranks, F&& f) {
  for (std::uint32_t group = 0; group < problem.groups(); ++group) {
    for_each_run(std::span(problem.chunks), std::span(problem.first_chunk), Kind::spheres, group,
                 ranks, f);
    for_each_run(std::span(problem.contact_chunks), std::span(problem.first_contact_chunk),
                 Kind::contacts, group, ranks, f);
    for_each_rolling_run(problem, group, ranks, f);
  }
}

void pack(const BodyRecord& body, double* numbers) {
  for (int k = 0; k < 3; ++k) {
    numbers[k] = body.velocity[k];
    numbers[3 + k] = body.spin[k];
  }
}
void unpack(const double* numbers, BodyRecord& body) {
  body.velocity = {numbers[0], numbers[1], numbers[2]};
  body.spin = {numbers[3], numbers[4], numbers[5]};
}

/// Numbers of a block in what is gathered: impulses, and residuals of all but rolling rows.
constexpr std::size_t numbers_of(Kind kind) {
  return (kind == Kind::rolling ? 3 : 4) * std::size_t{kBlock};
}

/// Copies the numbers of a block to `numbers`, or from there.
template <class Block>
void copy_block(Block& block, double* squared, double* numbers, bool out) {
  const auto copy = [&](double* of_block, double* there) {
    if (out)
      std::copy_n(of_block, kBlock, there);
    else
      std::copy_n(there, kBlock, of_block);
  };
  for (int k = 0; k < 3; ++k) copy(block.impulse[k], numbers + k * kBlock);
  if (squared) copy(squared, numbers + 3 * kBlock);
}

}  // namespace

void SharedContacts::Lists::swap_with(ContactProblem& problem) {
  std::swap(chunks, problem.chunks);
  std::swap(contact_chunks, problem.contact_chunks);
  std::swap(rolling_chunks, problem.rolling_chunks);
  std::swap(first_chunk, problem.first_chunk);
  std::swap(first_contact_chunk, problem.first_contact_chunk);
  std::swap(first_rolling_chunk, problem.first_rolling_chunk);
  std::swap(part_bodies, problem.part_bodies);
}

void SharedContacts::Route::add(std::uint32_t group, int rank, BodyIndex body) {
  travels.push_back(
      {group, static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(travels.size()), body});
}

void SharedContacts::Route::sort(std::uint32_t groups) {
  std::ranges::sort(travels, {}, [](const Travel& travel) {
    return std::tuple(travel.group, travel.rank, travel.order);
  });
  runs.clear();
  first_run.clear();
  std::size_t longest = 0;
  for (std::size_t begin = 0, group = 0; group < groups; ++group) {
    first_run.push_back(runs.size());
    const std::size_t first = begin;
    while (begin < travels.size() && travels[begin].group == group) {
      std::size_t end = begin;
      while (end < travels.size() && travels[end].group == group &&
             travels[end].rank == travels[begin].rank)
        ++end;
      runs.push_back({static_cast<int>(travels[begin].rank), begin, end});
      begin = end;
    }
    longest = std::max(longest, begin - first);
  }
  first_run.push_back(runs.size());
  numbers.resize(std::max(numbers.size(), kNumbersOfBody * longest));
}

void SharedContacts::Route::set_messages(std::uint32_t group) {
  messages.clear();
  std::span<double> left = numbers;
  for (std::size_t k = first_run[group]; k < first_run[group + 1]; ++k) {
    const std::size_t count = kNumbersOfBody * (runs[k].end - runs[k].begin);
    messages.push_back({runs[k].rank, left.first(count)});
    left = left.subspan(count);
  }
}

bool SharedContacts::take(ContactProblem& problem, Ranks& ranks) {
  const auto size = static_cast<std::size_t>(ranks.size());
  if (size == 1 || !problem.joints.empty() || !problem.tight.empty()) return false;
  if (problem.chunks.size() + problem.contact_chunks.size() < ranks.min_chunks * size) return false;
  ranks_ = &ranks;
  find_travels(problem);
  cut_lists(problem);
  lists_.swap_with(problem);
  return true;
}

template <class Block>
void SharedContacts::touch(const Block& block, std::uint32_t group, int rank,
                           BodyIndex free_bodies) {
  const int mine = ranks_->rank();
  for (const auto& bodies : {block.a, block.b})
    for (int lane = 0; lane < kBlock; ++lane) {
      const BodyIndex body = bodies[lane];
      if (body >= free_bodies) continue;
      LastTouch& last = last_[body];
      if (last.rank != kNobody && last.rank != rank) {
        if (last.rank == mine) sent_.add(last.group, rank, body);
        if (rank == mine) received_.add(last.group, last.rank, body);
        touchers_.push_back({body, last.rank});
        touchers_.push_back({body, rank});
      }
      last = {rank, group};
    }
}

/// A body goes from each rank to the next one that touches it, and from the last one to all others.
void SharedContacts::find_travels(const ContactProblem& problem) {
  sent_.clear();
  received_.clear();
  touchers_.clear();
  last_.assign(problem.free_bodies, {kNobody, 0});
  for_each_piece(problem, ranks_->size(), [&](const Piece& piece) {
    for (std::uint32_t b = piece.blocks.begin; b < piece.blocks.end; ++b)
      if (piece.kind == Kind::spheres)
        touch(problem.blocks[b], piece.group, piece.rank, problem.free_bodies);
      else if (piece.kind == Kind::contacts)
        touch(problem.contact_blocks[b], piece.group, piece.rank, problem.free_bodies);
  });
  std::ranges::sort(touchers_);
  touchers_.erase(std::unique(touchers_.begin(), touchers_.end()), touchers_.end());
  const std::uint32_t groups = problem.groups();
  for (const Toucher& toucher : touchers_) {
    const int last = last_[toucher.body].rank;
    if (toucher.rank == last) continue;
    if (last == ranks_->rank()) sent_.add(groups, toucher.rank, toucher.body);
    if (toucher.rank == ranks_->rank()) received_.add(groups, last, toucher.body);
  }
  sent_.sort(groups + 1);
  received_.sort(groups + 1);
}

/// Makes the lists of this rank, in lists_.
void SharedContacts::cut_lists(const ContactProblem& problem) {
  lists_.chunks.clear();
  lists_.contact_chunks.clear();
  lists_.rolling_chunks.clear();
  lists_.first_chunk.assign(problem.first_chunk.size(), 0);
  lists_.first_contact_chunk.assign(problem.first_contact_chunk.size(), 0);
  lists_.first_rolling_chunk.assign(problem.first_rolling_chunk.size(), 0);
  numbers_.clear();
  const auto take_piece = [&](const Piece& piece, AlignedVector<Chunk>& chunks,
                              AlignedVector<std::uint32_t>& first) {
    chunks.push_back(piece.blocks);
    ++first[piece.group + 1];
  };
  const auto for_each_of_mine = [&](Kind kind, auto&& f) {
    for_each_piece(problem, ranks_->size(), [&](const Piece& piece) {
      if (piece.rank == ranks_->rank() && piece.kind == kind) f(piece);
    });
  };
  for_each_of_mine(Kind::spheres, [&](const Piece& piece) {
    take_piece(piece, lists_.chunks, lists_.first_chunk);
    numbers_.push_back(piece.chunk);
  });
  for_each_of_mine(Kind::contacts, [&](const Piece& piece) {
    take_piece(piece, lists_.contact_chunks, lists_.first_contact_chunk);
    numbers_.push_back(static_cast<std::uint32_t>(problem.chunks.size()) + piece.chunk);
  });
  for_each_of_mine(Kind::rolling, [&](const Piece& piece) {
    take_piece(piece, lists_.rolling_chunks, lists_.first_rolling_chunk);
  });
  for (auto* first :
       {&lists_.first_chunk, &lists_.first_contact_chunk, &lists_.first_rolling_chunk})
    std::partial_sum(first->begin(), first->end(), first->begin());

  // Every rank extrapolates the bodies that it touches, and those that nobody does.
  lists_.part_bodies.clear();
  const bool is_part = !problem.part_bodies.empty();
  auto toucher = touchers_.begin();
  for (BodyIndex body = 0; body < problem.free_bodies; ++body) {
    bool mine = last_[body].rank == ranks_->rank() || (last_[body].rank == kNobody && !is_part);
    for (; toucher != touchers_.end() && toucher->body == body; ++toucher)
      mine = mine || toucher->rank == ranks_->rank();
    if (mine) lists_.part_bodies.push_back(body);
  }
}

void SharedContacts::after_group(ContactProblem& problem, std::uint32_t group) {
  if (!is_taken()) return;
  const auto travel = [&](std::uint32_t after) {
    sent_.set_messages(after);
    received_.set_messages(after);
    if (sent_.messages.empty() && received_.messages.empty()) return;
    double* out = sent_.numbers.data();
    for (std::size_t k = sent_.first_run[after]; k < sent_.first_run[after + 1]; ++k)
      for (std::size_t t = sent_.runs[k].begin; t < sent_.runs[k].end; ++t, out += kNumbersOfBody)
        pack(problem.bodies[sent_.travels[t].body], out);
    ranks_->exchange(sent_.messages, received_.messages);
    const double* in = received_.numbers.data();
    for (std::size_t k = received_.first_run[after]; k < received_.first_run[after + 1]; ++k)
      for (std::size_t t = received_.runs[k].begin; t < received_.runs[k].end;
           ++t, in += kNumbersOfBody)
        unpack(in, problem.bodies[received_.travels[t].body]);
  };
  travel(group);
  const std::uint32_t groups = problem.groups();
  if (group + 1 == groups) travel(groups);
}

double SharedContacts::largest(double of_this_rank) {
  gather(of_this_rank, largest_of_ranks_);
  double largest = 0;
  for (const double of_rank : largest_of_ranks_) largest = std::max(largest, of_rank);
  return largest;
}

Votes SharedContacts::sum(const Votes& of_this_rank) {
  gather(of_this_rank, votes_of_ranks_);
  Votes votes;
  for (const Votes& of_rank : votes_of_ranks_) votes += of_rank;
  return votes;
}

void SharedContacts::give_back(ContactProblem& problem, std::span<double> squared) {
  lists_.swap_with(problem);
  gather_bodies(problem);
  gather_blocks(problem, squared);
  ranks_ = nullptr;
}

/// The last rank that touches a body in a sweep has its velocity.
void SharedContacts::gather_bodies(ContactProblem& problem) {
  const auto size = static_cast<std::size_t>(ranks_->size());
  first_.assign(size + 1, 0);
  for (const LastTouch& last : last_)
    if (last.rank != kNobody) ++first_[static_cast<std::size_t>(last.rank) + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  by_rank_.resize(first_.back());
  next_.assign(first_.begin(), first_.end() - 1);
  for (BodyIndex body = 0; body < last_.size(); ++body)
    if (last_[body].rank != kNobody)
      by_rank_[next_[static_cast<std::size_t>(last_[body].rank)]++] = body;
  gathered_.resize(kNumbersOfBody * by_rank_.size());
  const auto mine = static_cast<std::size_t>(ranks_->rank());
  for (std::size_t k = first_[mine]; k < first_[mine + 1]; ++k)
    pack(problem.bodies[by_rank_[k]], &gathered_[kNumbersOfBody * k]);
  const std::size_t begin_of_mine = first_[mine], end_of_mine = first_[mine + 1];
  for (std::size_t& first : first_) first *= kNumbersOfBody;
  ranks_->gather(gathered_, first_);
  for (std::size_t k = 0; k < by_rank_.size(); ++k)
    if (k < begin_of_mine || k >= end_of_mine)
      unpack(&gathered_[kNumbersOfBody * k], problem.bodies[by_rank_[k]]);
}

void SharedContacts::gather_blocks(ContactProblem& problem, std::span<double> squared) {
  const auto size = static_cast<std::size_t>(ranks_->size());
  first_.assign(size + 1, 0);
  for_each_piece(problem, ranks_->size(), [&](const Piece& piece) {
    first_[static_cast<std::size_t>(piece.rank) + 1] +=
        numbers_of(piece.kind) * (piece.blocks.end - piece.blocks.begin);
  });
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  gathered_.resize(first_.back());
  const std::size_t first_full = kBlock * problem.blocks.size();
  const auto copy_pieces = [&](bool out) {
    next_.assign(first_.begin(), first_.end() - 1);
    for_each_piece(problem, ranks_->size(), [&](const Piece& piece) {
      const bool is_mine = piece.rank == ranks_->rank();
      std::size_t& next = next_[static_cast<std::size_t>(piece.rank)];
      for (std::uint32_t b = piece.blocks.begin; b < piece.blocks.end;
           ++b, next += numbers_of(piece.kind)) {
        if (is_mine != out) continue;
        double* numbers = &gathered_[next];
        if (piece.kind == Kind::spheres)
          copy_block(problem.blocks[b], &squared[std::size_t{kBlock} * b], numbers, out);
        else if (piece.kind == Kind::contacts)
          copy_block(problem.contact_blocks[b], &squared[first_full + std::size_t{kBlock} * b],
                     numbers, out);
        else
          copy_block(problem.rolling[b], nullptr, numbers, out);
      }
    });
  };
  copy_pieces(true);
  ranks_->gather(gathered_, first_);
  copy_pieces(false);
}

std::size_t SharedContacts::bytes() const {
  const auto of = [](const auto&... lists) {
    return ((lists.capacity() * sizeof(lists[0])) + ...);
  };
  const auto of_route = [&](const Route& route) {
    return of(route.travels, route.runs, route.first_run, route.numbers, route.messages);
  };
  return of(lists_.chunks, lists_.contact_chunks, lists_.rolling_chunks, lists_.first_chunk,
            lists_.first_contact_chunk, lists_.first_rolling_chunk, lists_.part_bodies, numbers_,
            last_, touchers_, by_rank_, first_, next_, gathered_) +
         of_route(sent_) + of_route(received_);
}

}  // namespace scree
