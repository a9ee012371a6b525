/// Order of the stages in a step.
#include "sim/step.hpp"

#include <chrono>

#include "sim/cell/cell.hpp"
#include "sim/compliant/forces.hpp"
#include "sim/contacts/assemble.hpp"
#include "sim/contacts/narrow_phase.hpp"
#include "sim/contacts/solve.hpp"
#include "sim/contacts/store.hpp"
#include "sim/events/events.hpp"
#include "sim/impacts/impacts.hpp"
#include "sim/motion/motion.hpp"
#include "sim/neighbours/neighbours.hpp"
#include "sim/overlaps/overlaps.hpp"
#include "sim/sleep/sleep.hpp"

namespace scree {
namespace {

/// Adds the time since its last call to a stage's time.
class StageClock {
 public:
  explicit StageClock(Report& report) : report_(report) {}
  void end_of(StepStage stage) {
    const auto now = std::chrono::steady_clock::now();
    report_.stage_seconds[static_cast<std::size_t>(stage)] +=
        std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  Report& report_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

void step(StepContext& context) {
  context.report = Report{};
  context.scratch.rounds = 0;
  StageClock clock(context.report);

  predict(context);
  if (context.report.motion_fault) return;
  clock.end_of(StepStage::predict);

  for (bool again = true; again;) {
    broad_phase(context);
    clock.end_of(StepStage::broad_phase);

    do narrow_phase(context);
    while (wake_met(context));
    clock.end_of(StepStage::narrow_phase);

    forces(context);
    look_for_excessive_rotations(context);
    clock.end_of(StepStage::forces);

    assemble(context);
    resolve_events(context);
    find_tight_contacts(context);
    clock.end_of(StepStage::assemble);

    compress(context);
    clock.end_of(StepStage::solve);

    warm_start(context);
    clock.end_of(StepStage::warm_start);

    solve(context);
    expand(context);
    again = resolve_missed_contacts(context);
    clock.end_of(StepStage::solve);
  }

  count_passed_images(context);
  certify(context);
  clock.end_of(StepStage::certify);

  correct(context);
  clock.end_of(StepStage::correct);

  advance(context);
  clock.end_of(StepStage::advance);

  store(context);
  clock.end_of(StepStage::store);
}

}  // namespace scree
