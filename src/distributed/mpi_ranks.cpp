/// Ranks by the C interface of MPI.
#include "distributed/mpi_ranks.hpp"

#define OMPI_SKIP_MPICXX 1
#include <algorithm>
#include <climits>
#include <cstdlib>
#include <mpi.h>
#include <sched.h>
#include <vector>

namespace scree {
namespace {

struct Place {
  int rank, size;
};

/// Initialises MPI. Sweeps run in threads, but one of them sends at a time.
Place begin_mpi(int& argc, char**& argv) {
  int provided = 0;
  Place place{0, 1};
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &place.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &place.size);
  return place;
}

/// The base of MpiRanks needs rank and size before MPI can be initialised by a member.
const Place& place_of(int& argc, char**& argv) {
  static const Place place = begin_mpi(argc, argv);
  return place;
}

constexpr int kTag = 1;

}  // namespace

struct MpiRanks::Requests {
  std::vector<MPI_Request> open;
  std::vector<int> counts, begins;
};

MpiRanks::MpiRanks(int& argc, char**& argv)
    : Ranks(place_of(argc, argv).rank, place_of(argc, argv).size),
      requests_(std::make_unique<Requests>()) {
  // For measurements and tests; docs/guide/cluster.md has it.
  if (const char* chunks = std::getenv("SCREE_MIN_CHUNKS"))
    min_chunks = static_cast<std::size_t>(std::max(0, std::atoi(chunks)));
  broadcast(min_chunks);
}

MpiRanks::~MpiRanks() { MPI_Finalize(); }

int MpiRanks::share_of_cores(int allowed) const {
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank(), MPI_INFO_NULL, &machine);
  int neighbours = 1;
  MPI_Comm_size(machine, &neighbours);
  // The launcher may have bound each rank to cores of its own.
  cpu_set_t cores;
  CPU_ZERO(&cores);
  sched_getaffinity(0, sizeof cores, &cores);
  MPI_Allreduce(MPI_IN_PLACE, &cores, sizeof cores, MPI_BYTE, MPI_BOR, machine);
  MPI_Comm_free(&machine);
  return std::clamp(CPU_COUNT(&cores) / neighbours, 1, std::max(1, allowed));
}

void MpiRanks::broadcast(std::span<std::byte> bytes) {
  for (std::size_t begin = 0; begin < bytes.size(); begin += INT_MAX) {
    const std::size_t count = std::min<std::size_t>(INT_MAX, bytes.size() - begin);
    MPI_Bcast(bytes.data() + begin, static_cast<int>(count), MPI_BYTE, 0, MPI_COMM_WORLD);
  }
}

void MpiRanks::gather(std::span<std::byte> all) {
  const auto part = static_cast<int>(all.size() / static_cast<std::size_t>(size()));
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), part, MPI_BYTE, MPI_COMM_WORLD);
}

void MpiRanks::gather(std::span<double> all, std::span<const std::size_t> first) {
  Requests& r = *requests_;
  r.counts.clear();
  r.begins.clear();
  for (std::size_t rank = 0; rank + 1 < first.size(); ++rank) {
    r.counts.push_back(static_cast<int>(first[rank + 1] - first[rank]));
    r.begins.push_back(static_cast<int>(first[rank]));
  }
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), r.counts.data(), r.begins.data(),
                 MPI_DOUBLE, MPI_COMM_WORLD);
}

void MpiRanks::exchange(std::span<const Message> sent, std::span<const Message> received) {
  std::vector<MPI_Request>& open = requests_->open;
  open.clear();
  for (const Message& message : received)
    MPI_Irecv(message.numbers.data(), static_cast<int>(message.numbers.size()), MPI_DOUBLE,
              message.rank, kTag, MPI_COMM_WORLD, &open.emplace_back());
  for (const Message& message : sent)
    MPI_Isend(message.numbers.data(), static_cast<int>(message.numbers.size()), MPI_DOUBLE,
              message.rank, kTag, MPI_COMM_WORLD, &open.emplace_back());
  MPI_Waitall(static_cast<int>(open.size()), open.data(), MPI_STATUSES_IGNORE);
}

void MpiRanks::abort(int exit_status) { MPI_Abort(MPI_COMM_WORLD, exit_status); }

}  // namespace scree
