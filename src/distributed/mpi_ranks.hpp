/// Ranks by MPI. Only the program scree-mpi has it.
#pragma once

#include <memory>

#include "scree/core/ranks.hpp"

namespace scree {

/// The processes of MPI_COMM_WORLD. One object of a process, which initialises MPI and finalises
/// it. All calls come from one thread at a time. Errors of MPI end all processes.
class MpiRanks : public Ranks {
 public:
  MpiRanks(int& argc, char**& argv);
  ~MpiRanks() override;

  using Ranks::broadcast, Ranks::gather;
  int share_of_cores(int allowed) const override;
  void broadcast(std::span<std::byte> bytes) override;
  void gather(std::span<std::byte> all) override;
  void gather(std::span<double> all, std::span<const std::size_t> first) override;
  void exchange(std::span<const Message> sent, std::span<const Message> received) override;
  void abort(int exit_status) override;

 private:
  struct Requests;
  std::unique_ptr<Requests> requests_;
};

}  // namespace scree
