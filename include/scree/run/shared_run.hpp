/// A run of several ranks. All of them step the same simulation; rank 0 alone decides, writes files
/// and reports. The others follow its orders.
#pragma once

#include <cstdint>
#include <string>

#include "scree/core/instruction_set.hpp"
#include "scree/core/ranks.hpp"
#include "scree/scene/scene.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {

/// Failure of a rank before a run; none: status 0.
struct RankFailure {
  int rank = 0;
  int status = 0;  ///< see ExitStatus
  std::string message;
};

struct RankAgreement {
  RankFailure failure;                                     ///< the first one
  InstructionSet instructions = widest_instruction_set();  ///< narrowest of all ranks
};

/// Tells all ranks whether each has read the scene, and is called by all: `own` is the failure of
/// this one, and `identity` the checksum of its scene and its program. A rank with another one than
/// rank 0 has failed, too.
RankAgreement agree(Ranks& ranks, const RankFailure& own, std::uint64_t identity);

/// Rank 0 of a run: what it does to its simulation, all ranks do.
class Leader {
 public:
  explicit Leader(Ranks& ranks, InstructionSet instructions = widest_instruction_set())
      : ranks_(ranks), instructions_(instructions) {}

  Ranks& ranks() const { return ranks_; }
  InstructionSet instructions() const { return instructions_; }  ///< of all ranks

  /// Gives the others this simulation, in the stages that have begun; they need its model from the
  /// scene. `begun` is JSON.
  void start(Simulation& simulation, const std::string& begun);
  /// One step of all ranks. After an exception in it, which there is if memory runs out, the ranks
  /// can only be aborted: others wait within the step.
  const Report& step(Simulation& simulation);
  bool is_within_step() const { return is_within_step_; }
  /// The next stage begins for the others.
  void begin_stage();
  /// Throws std::runtime_error if a rank has another state than this one.
  void compare(const Simulation& simulation);
  /// The others leave follow() with this exit status.
  void end(int exit_status);

 private:
  Ranks& ranks_;
  InstructionSet instructions_;
  bool is_within_step_ = false;
};

/// Follows rank 0 through a run of this scene to its end; returns the exit status. `threads`: 0 for
/// all cores of this rank. An exception must end all ranks: rank 0 does not know of it.
int follow(Scene scene, Ranks& ranks, int threads, InstructionSet instructions);

/// Threads of this rank: `asked`, or its share of the cores if that is 0.
int threads_of(const Ranks& ranks, int asked);

}  // namespace scree
