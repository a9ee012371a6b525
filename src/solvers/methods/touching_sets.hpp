/// Bodies that are solved with an island which they touch, such as an object in a gripper.
/// Our own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scree/solvers/contact_problem.hpp"

namespace scree {

/// A set of free bodies that joints and contacts connect is solved as one where it has joints,
/// contacts between its bodies, and no more than so many contacts, all of them by rows and none
/// that resists turning. All others are no set here.
class TouchingSets {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  void find(const ContactProblem& problem, std::size_t max_contacts);

  /// Set of a free body: the same number for all bodies of a set.
  std::uint32_t set_of(BodyIndex body) const { return any_ ? set_[body] : kNone; }
  /// The same where the set brings together what joints alone do not, else kNone: bodies of one
  /// island may touch each other without another island for it.
  std::uint32_t merged_set_of(BodyIndex body) const {
    const std::uint32_t set = set_of(body);
    return set != kNone && counts_[set].merges ? set : kNone;
  }
  /// A body without joints and its set, in an order independent of storage.
  struct UnjointedMember {
    std::uint64_t key;  ///< the sum of those of its contacts
    BodyIndex body;
    std::uint32_t set;
  };
  const std::vector<UnjointedMember>& guests() const { return guests_; }

 private:
  bool any_joint_touches(const ContactProblem& problem);
  void connect(const ContactProblem& problem);
  void judge(const ContactProblem& problem, std::size_t max_contacts);
  void find_guests(const ContactProblem& problem);
  std::uint32_t root_of(BodyIndex body);
  void join(BodyIndex one, BodyIndex other);

  static constexpr std::uint8_t kJointed = 1, kOfSet = 2;
  bool any_ = false;
  std::vector<std::uint8_t> marks_;
  std::vector<std::uint32_t> set_, by_joints_;  ///< of bodies, by all and by joints alone
  /// Properties of a set, stored at its root.
  struct Count {
    std::size_t contacts = 0;
    std::uint32_t first = kNone;  ///< of by_joints_ of its bodies
    bool has_joint = false, has_pair = false, has_others = false, merges = false;
  };
  std::vector<Count> counts_;
  std::vector<UnjointedMember> guests_;
};

}  // namespace scree
