/// The program scree-mpi: a rank of a run.

#include "commands.hpp"
#include "distributed/mpi_ranks.hpp"
#include "interrupt.hpp"

int main(int argc, char** argv) {
  // Before MPI begins, which takes a second: mpirun may pass on a signal by then.
  scree::cli::catch_interrupts();
  scree::MpiRanks ranks(argc, argv);
  if (!ranks.is_first()) scree::cli::leave_interrupts_to_first_rank();
  return scree::cli::run_program(argc, argv, &ranks);
}
