/// Discharge: how many bodies, and what mass, pass a plane between frames.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scree/analysis/region.hpp"
#include "scree/sim/state.hpp"

namespace scree {

/// Points x with (x − point)·normal ≥ 0 are beyond the plane, others before it.
struct Plane {
  Vec3 point;            ///< [m]
  Vec3 normal{0, 0, 1};  ///< unit vector, the way that counts as forward
};

/// Where bodies come into being while a simulation runs, and where they are deleted.
struct OpenEnds {
  std::vector<Region> entries;  ///< boxes that hold the centres of new bodies [m]; may be flat
  /// Bodies with their centre there are deleted [m]; ±infinity allowed
  std::vector<Region> exits;
};

/// What passed a plane.
struct Passage {
  std::uint64_t forward = 0, backward = 0;  ///< bodies
  double mass = 0;                          ///< forward less backward [kg]
  /// Bodies that came or went between the frames, of which it cannot be said whether they passed.
  std::uint64_t unknown = 0;
};

/// Compares frames body by body: one that was before the plane and is beyond it now has passed,
/// whatever its way; one that went and came back in between has not. A body that is not there any
/// more has been deleted in an exit: if all exits are beyond the plane, it has passed if it was
/// before it; if all are before the plane, the other way round; if they are on both sides, it is
/// unknown. The same goes for bodies that are new, with entries. Bodies that both came and went
/// between two frames are known by the gap in the ids: they are unknown if they may have passed, as
/// their mass is not known. A gap after the largest id of the later frame cannot be seen: choose
/// frames so close that no body comes and goes between two of them.
class Discharge {
 public:
  Discharge(const Plane& plane, const OpenEnds& ends);

  /// Compares with the frame added before; nothing for the first. `bodies` in ascending order of
  /// ids, `time` [s] later than before.
  std::optional<Passage> add(double time, const Bodies& bodies);

  /// Of all frames added, in sum.
  const Passage& total() const { return total_; }
  /// From the first frame to the last [s]
  double duration() const { return last_time_ - first_time_; }

  /// All that is to be known of earlier frames, in numbers.
  std::vector<double> tally() const;
  void restore(std::span<const double> tally);  ///< throws InputError if it is none

 private:
  enum class Side : std::uint8_t { before, beyond, unknown };
  struct Seen {
    BodyId id;
    double mass;
    Side side;
  };
  Side side_of(const Vec3& point) const;
  Side side_of(const std::vector<Region>& boxes) const;
  static void count(Side from, Side to, double mass, Passage& passage);

  Plane plane_;
  Side entries_, exits_;
  std::vector<Seen> last_;     ///< of the frame added last
  std::uint64_t next_id_ = 0;  ///< after the largest id seen
  Passage total_;
  std::size_t frames_ = 0;
  double first_time_ = 0, last_time_ = 0;
};

}  // namespace scree
