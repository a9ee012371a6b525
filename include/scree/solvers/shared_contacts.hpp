/// Contacts that the ranks of a run solve together: every rank has all bodies, but sweeps over a
/// piece of the contacts. The results have the bits of one process. Our own; in molecular dynamics
/// such a division is known as force decomposition.
///
/// The chunks of a group share no free body, and follow the order of bodies in space. They are cut
/// into as many runs as there are ranks, so the runs of one rank in all groups lie in about one
/// region. A body travels after a group to the rank that touches it next, and at the end of a sweep
/// to all ranks that touch it. All ranks compute these lists from the same problem: no rank asks
/// another one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scree/core/ranks.hpp"
#include "scree/solvers/contact_problem.hpp"
#include "scree/solvers/momentum.hpp"

namespace scree {

class SharedContacts {
 public:
  /// Leaves this rank's piece in the lists of chunks, until give_back(). False, with nothing
  /// changed, if all ranks compute the problem: it is small, or has joints or preload.
  bool take(ContactProblem& problem, Ranks& ranks);
  /// Gathers velocities and impulses of all ranks, and residuals `squared` as of
  /// GaussSeidel::squared_residuals(); the lists of chunks are whole again.
  void give_back(ContactProblem& problem, std::span<double> squared);
  bool is_taken() const { return ranks_ != nullptr; }

  /// Sends the bodies that this group, or the last group and the sweep, has left for other ranks.
  void after_group(ContactProblem& problem, std::uint32_t group);

  // Sums over all ranks; without a taken problem they return what they are given.

  double largest(double of_this_rank);
  Votes sum(const Votes& of_this_rank);
  /// Values of all ranks, in their order.
  template <class T>
  void gather(const T& of_this_rank, std::vector<T>& all) {
    all.resize(is_taken() ? static_cast<std::size_t>(ranks_->size()) : 1);
    all[is_taken() ? static_cast<std::size_t>(ranks_->rank()) : 0] = of_this_rank;
    if (is_taken()) ranks_->gather(std::span<T>(all));
  }
  /// Number in the whole problem of chunk `chunk` of this rank: those of sphere blocks, then those
  /// of contact blocks.
  std::uint32_t number_of(std::uint32_t chunk) const {
    return is_taken() ? numbers_[chunk] : chunk;
  }

  std::size_t bytes() const;  ///< held [byte]

 private:
  static constexpr int kNobody = -1;
  /// Numbers of a body in a message: velocity and spin.
  static constexpr std::size_t kNumbersOfBody = 6;

  /// Chunks of one rank, or of all.
  struct Lists {
    AlignedVector<Chunk> chunks, contact_chunks, rolling_chunks;
    AlignedVector<std::uint32_t> first_chunk, first_contact_chunk, first_rolling_chunk;
    std::vector<BodyIndex> part_bodies;
    void swap_with(ContactProblem& problem);
  };
  /// A body that travels after a group, to or from a rank.
  struct Travel {
    std::uint32_t group, rank, order;
    BodyIndex body;
  };
  /// Travels of all groups in one direction, as messages.
  struct Route {
    std::vector<Travel> travels;
    struct Run {
      int rank;
      std::size_t begin, end;  ///< of `travels`
    };
    std::vector<Run> runs;
    std::vector<std::size_t> first_run;  ///< one per group; size groups + 1
    std::vector<double> numbers;
    std::vector<Ranks::Message> messages;

    void clear() { travels.clear(); }
    void add(std::uint32_t group, int rank, BodyIndex body);
    void sort(std::uint32_t groups);
    /// Makes the messages of a group.
    void set_messages(std::uint32_t group);
  };
  struct Toucher {
    BodyIndex body;
    int rank;
    auto operator<=>(const Toucher&) const = default;
  };

  void find_travels(const ContactProblem& problem);
  template <class Block>
  void touch(const Block& block, std::uint32_t group, int rank, BodyIndex free_bodies);
  void cut_lists(const ContactProblem& problem);
  void gather_bodies(ContactProblem& problem);
  void gather_blocks(ContactProblem& problem, std::span<double> squared);

  Ranks* ranks_ = nullptr;  ///< null: nothing is taken
  Lists lists_;             ///< while taken, those of all ranks
  std::vector<std::uint32_t> numbers_;
  /// The last rank and group that touch each free body in a sweep, or kNobody
  struct LastTouch {
    int rank;
    std::uint32_t group;
  };
  std::vector<LastTouch> last_;
  std::vector<Toucher> touchers_;  ///< of bodies that several ranks touch
  Route sent_, received_;
  std::vector<BodyIndex> by_rank_;  ///< bodies by the last rank that touches them
  std::vector<std::size_t> first_;  ///< begin of each rank in what is gathered
  std::vector<std::size_t> next_;
  std::vector<double> gathered_;
  std::vector<double> largest_of_ranks_;
  std::vector<Votes> votes_of_ranks_;
};

}  // namespace scree
