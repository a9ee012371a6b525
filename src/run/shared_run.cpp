/// Orders of rank 0 to the others, and what ranks agree on.
#include "scree/run/shared_run.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <vector>

#include "run/run_stages.hpp"
#include "scree/io/build_info.hpp"
#include "scree/io/state_bytes.hpp"
#include "scree/run/exit_status.hpp"

namespace scree {
namespace {

struct Order {
  enum class Kind : std::int32_t { start, step, stage, compare, end };
  Kind kind = Kind::end;
  std::int32_t exit_status = 0;  ///< of end
};

std::vector<std::uint64_t> hashes(Ranks& ranks, const Simulation& simulation) {
  std::vector<std::uint64_t> all(static_cast<std::size_t>(ranks.size()));
  all[static_cast<std::size_t>(ranks.rank())] = state_hash(simulation.state());
  ranks.gather(std::span(all));
  return all;
}

/// A rank other than 0.
class Follower {
 public:
  Follower(Scene scene, Ranks& ranks, int threads, InstructionSet instructions)
      : scene_(std::move(scene)),
        ranks_(ranks),
        threads_(threads_of(ranks, threads)),
        instructions_(instructions) {}

  int run() {
    Order order;
    while (true) {
      ranks_.broadcast(order);
      switch (order.kind) {
        case Order::Kind::start:
          start();
          break;
        case Order::Kind::step:
          simulation_->step();
          break;
        case Order::Kind::stage:
          begin_stage();
          break;
        case Order::Kind::compare:
          hashes(ranks_, *simulation_);
          break;
        case Order::Kind::end:
          return order.exit_status;
      }
    }
  }

 private:
  void start() {
    std::string state, begun;
    ranks_.broadcast(state);
    ranks_.broadcast(begun);
    for (const nlohmann::json& stage : nlohmann::json::parse(begun))
      begun_.push_back(stage_begin_from(stage));
    simulation_.emplace(model(), state_of_bytes(state), threads_, instructions_);
    simulation_->share_steps(ranks_);
  }
  void begin_stage() {
    begun_.push_back(begin_of(scene_.stages[begun_.size()], simulation_->state()));
    simulation_->change_model(model());
  }
  Model model() const { return begun_.empty() ? scene_.model : model_in_stage(scene_, begun_); }

  Scene scene_;
  Ranks& ranks_;
  int threads_;
  InstructionSet instructions_;
  std::vector<StageBegin> begun_;
  std::optional<Simulation> simulation_;
};

}  // namespace

RankAgreement agree(Ranks& ranks, const RankFailure& own, std::uint64_t identity) {
  struct Word {
    std::int32_t status;
    InstructionSet instructions;
    std::uint64_t identity;
    std::array<char, 1000> message;  ///< ends with a 0
  };
  Word mine{own.status, widest_instruction_set(), identity, {}};
  own.message.copy(mine.message.data(), mine.message.size() - 1);
  std::vector<Word> all(static_cast<std::size_t>(ranks.size()), mine);
  ranks.gather(std::span(all));
  RankAgreement agreed;
  agreed.instructions = std::ranges::min(all, {}, &Word::instructions).instructions;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const auto number = static_cast<int>(rank);
    if (all[rank].status != kDone) {
      agreed.failure = {number, all[rank].status, all[rank].message.data()};
      break;
    }
    if (all[rank].identity != all.front().identity) {
      agreed.failure = {number, kBadInput,
                        "it has read another scene than rank 0, or is another version of scree; "
                        "files must be the same on all machines"};
      break;
    }
  }
  return agreed;
}

void Leader::start(Simulation& simulation, const std::string& begun) {
  if (ranks_.size() == 1) return;
  Order order{Order::Kind::start};
  ranks_.broadcast(order);
  std::string state = state_bytes(simulation.state()), stages = begun;
  ranks_.broadcast(state);
  ranks_.broadcast(stages);
  simulation.share_steps(ranks_);
}

const Report& Leader::step(Simulation& simulation) {
  Order order{Order::Kind::step};
  ranks_.broadcast(order);
  is_within_step_ = true;
  const Report& report = simulation.step();
  is_within_step_ = false;
  return report;
}

void Leader::begin_stage() {
  Order order{Order::Kind::stage};
  ranks_.broadcast(order);
}

void Leader::compare(const Simulation& simulation) {
  if (ranks_.size() == 1) return;
  Order order{Order::Kind::compare};
  ranks_.broadcast(order);
  const std::vector<std::uint64_t> all = hashes(ranks_, simulation);
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all.front())
      throw std::runtime_error(fmt::format(
          "rank {} has another state than rank 0 after step {}; do all machines have the same "
          "processor and the same C library?",
          rank, simulation.state().step));
}

void Leader::end(int exit_status) {
  Order order{Order::Kind::end, exit_status};
  ranks_.broadcast(order);
}

int follow(Scene scene, Ranks& ranks, int threads, InstructionSet instructions) {
  return Follower(std::move(scene), ranks, threads, instructions).run();
}

int threads_of(const Ranks& ranks, int asked) {
  if (asked > 0) return asked;
  return ranks.share_of_cores(static_cast<int>(machine_info().cores));
}

}  // namespace scree
