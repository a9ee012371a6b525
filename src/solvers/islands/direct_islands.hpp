/// Direct solve of small islands of free bodies: docs/theory/islands.md. Our own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scree/core/threads.hpp"
#include "scree/solvers/factored_problem.hpp"
#include "solvers/islands/contact_islands.hpp"

namespace scree {

/// True if a direct solve of this island pays: it is small, and several impulses may give the same
/// motion.
bool suits_direct(const ContactIsland& island);

class DirectIslands {
 public:
  /// Solves the islands for which `chosen` is not 0, each to E_s ≤ `tolerance` if possible, with
  /// the answer of least norm. Contacts with bodies of other islands stay as they are.
  void solve(ContactProblem& problem, const ContactIslands& islands,
             std::span<const std::uint8_t> chosen, double tolerance, ThreadPool& pool);

  std::size_t bytes() const;  ///< held [byte]

 private:
  struct Contact {
    std::uint32_t island;
    ContactIndex index;
  };
  void find_contacts(const ContactProblem& problem, const ContactIslands& islands,
                     std::span<const std::uint8_t> chosen);

  std::vector<Contact> contacts_;  ///< by island
  std::vector<Chunk> runs_;        ///< those of each island
};

}  // namespace scree
