/// Residence times of bodies in a region.
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

/// Statistics of complete stays, with a known begin and end.
struct StaySummary {
  std::uint64_t stays = 0;
  double mean = 0;     ///< [s]
  double scatter = 0;  ///< standard deviation of one [s]
  double error = 0;    ///< standard error of the mean, as if they were independent [s]
  double shortest = 0, longest = 0;  ///< [s]
  std::uint64_t returns = 0;         ///< stays of bodies that had been in before
  std::size_t from_the_start = 0;    ///< bodies in the region in the first frame: never counted
  std::size_t still_there = 0;       ///< bodies that entered and have not left
  double age = 0;                    ///< mean time since these entered [s]
};

/// Compares frames body by body. A body is in the region if its centre is. Between two frames its
/// path is taken as straight, at constant speed: this gives the times of entry and exit, also of
/// bodies that pass through in between. A new or missing body is assumed to enter or leave half way
/// between the frames: the error is half of that time. In a periodic cell the image nearest to the
/// region's middle counts, and bodies cannot leave along an axis that the region fills. Throws
/// InputError if the cell flows.
class ResidenceTimes {
 public:
  explicit ResidenceTimes(const Region& region) : region_(region) {}

  /// Stays that ended since the previous frame. `bodies` in ascending order of ids, `time` [s]
  /// later than before.
  std::vector<Stay> add(double time, const Bodies& bodies, const Domain& domain);

  StaySummary summary() const;

  /// Data of earlier frames as numbers, for restore().
  std::vector<double> tally() const;
  void restore(std::span<const double> tally);  ///< throws InputError if it is invalid

 private:
  enum class Where : std::uint8_t { never_in, in, in_from_the_start, out_again };
  struct Seen {
    BodyId id;
    Vec3 position;  ///< [m]
    Where where;
    double entered;  ///< if in, and not from the start [s]
    bool is_in() const { return where == Where::in || where == Where::in_from_the_start; }
  };
  Seen moved(const Seen& was, const Vec3& position, double time, const Region& region,
             const Domain& domain, std::vector<Stay>& stays);
  Seen appeared(BodyId id, const Vec3& position, double time, bool is_in) const;
  /// Begins a stay.
  void enter(Seen& body, double time);
  /// Ends a stay; adds it to the complete ones if its begin is known.
  void leave(Seen& body, double time, std::vector<Stay>& stays);

  Region region_;
  std::vector<Seen> last_;  ///< of the last frame
  std::uint64_t frames_ = 0, stays_ = 0, returns_ = 0, from_the_start_ = 0;
  double last_time_ = 0;           ///< [s]
  double mean_ = 0, squares_ = 0;  ///< of stays; sum of squares about the mean
  double shortest_ = 0, longest_ = 0;
};

}  // namespace scree
