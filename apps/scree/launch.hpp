/// Starts scree-mpi: scree itself links no MPI.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace scree::cli {

/// Number of ranks that a launcher, mpirun or srun, has started this program with; 0: none has.
int launched_ranks();

/// Becomes scree-mpi with the same arguments. Throws InputError if there is none.
[[noreturn]] void become_rank(const std::vector<std::string>& command_line);

/// Runs `mpirun -n ranks scree-mpi` with these arguments but --ranks, and returns its exit status.
/// The first signal of interrupt.hpp ends the run with a checkpoint, a second one at once. Throws
/// InputError if mpirun or scree-mpi is missing.
int launch(int ranks, const std::vector<std::string>& command_line);

}  // namespace scree::cli
