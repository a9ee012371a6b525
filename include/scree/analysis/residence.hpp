/// Residence times: how long bodies stay in a region.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/analysis/region.hpp"
#include "scree/geometry/domain.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// A stay of a body in the region, from one time to another [s].
struct Stay {
  BodyId id;
  double entered, left;
};

/// Of the stays that have a begin and an end.
struct StaySummary {
  std::uint64_t stays = 0;
  double mean = 0;     ///< [s]
  double scatter = 0;  ///< standard deviation of one [s]
  double error = 0;    ///< standard error of the mean, as if they were independent [s]
  double shortest = 0, longest = 0;  ///< [s]
  std::uint64_t returns = 0;         ///< begun by bodies that had been there before
  std::size_t from_the_start = 0;    ///< bodies that were there in the first frame: never counted
  std::size_t still_there = 0;       ///< bodies that came in and have not left
  double age = 0;                    ///< mean time since these came in [s]
};

/// Compares frames body by body. A body is in the region if its centre is. Between two frames its
/// path is taken as straight, at an even speed: that gives the times at which it came in and went
/// out, and what passed through in between. A body that is new, or gone, came or went half way
/// between the frames: it is known to half of that time. In a cell that repeats the image nearest
/// to the region's middle is looked at, and there is no way out along an axis that the region
/// fills. Throws InputError if the cell flows.
class ResidenceTimes {
 public:
  explicit ResidenceTimes(const Region& region) : region_(region) {}

  /// The stays that ended since the frame added before. `bodies` in ascending order of ids, `time`
  /// [s] later than before.
  std::vector<Stay> add(double time, const Bodies& bodies, const Domain& domain);

  StaySummary summary() const;

  /// All that is to be known of earlier frames, in numbers.
  std::vector<double> tally() const;
  void restore(std::span<const double> tally);  ///< throws InputError if it is none

 private:
  enum class Where : std::uint8_t { never_in, in, in_from_the_start, out_again };
  struct Seen {
    BodyId id;
    Vec3 position;  ///< [m]
    Where where;
    double entered;  ///< if it is in, and not from the start [s]
    bool is_in() const { return where == Where::in || where == Where::in_from_the_start; }
  };
  Seen moved(const Seen& was, const Vec3& position, double time, const Region& region,
             const Domain& domain, std::vector<Stay>& stays);
  Seen appeared(BodyId id, const Vec3& position, double time, bool is_in) const;
  /// Begins a stay.
  void enter(Seen& body, double time);
  /// Ends a stay; adds it to those that have a begin.
  void leave(Seen& body, double time, std::vector<Stay>& stays);

  Region region_;
  std::vector<Seen> last_;  ///< of the frame added last
  std::uint64_t frames_ = 0, stays_ = 0, returns_ = 0, from_the_start_ = 0;
  double last_time_ = 0;           ///< [s]
  double mean_ = 0, squares_ = 0;  ///< of stays; sum of squares about the mean
  double shortest_ = 0, longest_ = 0;
};

}  // namespace scree
