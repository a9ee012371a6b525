/// Contacts of some islands as a problem of their own. Our own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scree/solvers/contact_problem.hpp"

namespace scree {

/// Restricts a problem to the contacts of chosen bodies without joints, and gives back the rest.
/// Data stay where they are: chunks skip blocks without such bodies, and other lanes of the blocks
/// that remain are empty meanwhile.
class PartOfProblem {
 public:
  /// Leaves in the problem the contacts with a free body for which `chosen` is not 0; `undone` and
  /// `rounding` are theirs.
  void take(ContactProblem& problem, std::span<const std::uint8_t> chosen,
            const ContactProblem::Undone& undone, double rounding);
  void give_back(ContactProblem& problem);

  std::size_t bytes() const;  ///< held [byte]

 private:
  /// What an empty lane held.
  struct HiddenLane {
    std::uint32_t block, lane;
    BodyIndex a, b;
    double impulse[3], bias[3];
  };
  /// Data that the problem has besides its blocks.
  struct Lists {
    AlignedVector<Chunk> chunks, contact_chunks, rolling_chunks;
    AlignedVector<std::uint32_t> first_chunk, first_contact_chunk, first_rolling_chunk;
    AlignedVector<JointBlock> joints;
    std::vector<JointMiss> missed;
    TightContacts tight;
    std::vector<BodyIndex> part_bodies;
    ContactProblem::Undone undone;
    double rounding = 0;
    std::uint32_t contacts = 0;

    void swap_with(ContactProblem& problem);
  };

  void choose_spheres(ContactProblem& problem, std::span<const std::uint8_t> chosen);
  void choose_contacts(ContactProblem& problem, std::span<const std::uint8_t> chosen);
  void choose_stack(ContactProblem& problem, std::span<const std::uint8_t> chosen,
                    std::uint32_t begin, std::uint32_t end);
  void begin_group(const ContactProblem& problem);

  Lists lists_;  ///< of the part; while it is taken, of the whole
  std::vector<HiddenLane> spheres_, contacts_, rolling_;
  std::vector<std::uint8_t> has_contact_;  ///< 1 for each free body with a contact of the part
};

}  // namespace scree
