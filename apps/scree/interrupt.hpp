/// Signals that end a run after its step, with a checkpoint: SIGINT, SIGTERM, SIGHUP of a terminal
/// that closes, and SIGUSR1, which mpirun and Slurm pass on to ranks.
#pragma once

namespace scree::cli {

/// Records the first of these signals, for is_interrupted(); a second one ends the program at once,
/// unless it is SIGUSR1, which may be repeated. A further call changes nothing after the first
/// signal. Ignored signals, such as SIGHUP under nohup, stay ignored.
void catch_interrupts();
/// True after the first of these signals.
bool is_interrupted();
/// Ignores these signals: rank 0 receives them, too, and ends the run for all ranks.
void leave_interrupts_to_first_rank();

/// Turns a write to a closed pipe, or beyond a limit on file sizes, into an ordinary error; by
/// default a signal ends the program.
void ignore_broken_pipes();

}  // namespace scree::cli
