/// Discharge: number and mass of the bodies that pass a plane between frames.
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
  Vec3 normal{0, 0, 1};  ///< unit vector in the forward direction
};

/// Regions where bodies enter a running simulation, and where they are deleted.
struct OpenEnds {
  std::vector<Region> entries;  ///< boxes that hold the centres of new bodies [m]; may be flat
  /// Bodies with their centre there are deleted [m]; ±infinity allowed
  std::vector<Region> exits;
};

/// Bodies that passed a plane.
struct Passage {
  std::uint64_t forward = 0, backward = 0;  ///< bodies
  double mass = 0;                          ///< forward minus backward [kg]
  /// Bodies that appeared or left between the frames, so that it is unknown if they passed.
  std::uint64_t unknown = 0;
};

/// Compares frames body by body: a body that was before the plane and is now beyond it has passed,
/// whatever its path; a body that passed and came back in between has not. A missing body has been
/// deleted in an exit: if all exits are beyond the plane, it has passed if it was before the plane;
/// if all exits are before the plane, the reverse holds; with exits on both sides it is unknown.
/// New bodies are treated in the same way, by entries. Gaps in the ids show bodies that both
/// entered and left between two frames: they are unknown if they may have passed, because their
/// mass is unknown. A gap after the largest id of the later frame cannot be seen: choose frames so
/// close that no body enters and leaves between two of them.
class Discharge {
 public:
  Discharge(const Plane& plane, const OpenEnds& ends);

  /// Compares with the previous frame; nothing for the first. `bodies` in ascending order of ids,
  /// `time` [s] later than before.
  std::optional<Passage> add(double time, const Bodies& bodies);

  /// Sum over all frames.
  const Passage& total() const { return total_; }
  /// Time from the first frame to the last [s].
  double duration() const { return last_time_ - first_time_; }

  /// Data of earlier frames as numbers, for restore().
  std::vector<double> tally() const;
  void restore(std::span<const double> tally);  ///< throws InputError if it is invalid

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
  std::vector<Seen> last_;     ///< of the last frame
  std::uint64_t next_id_ = 0;  ///< after the largest id so far
  Passage total_;
  std::size_t frames_ = 0;
  double first_time_ = 0, last_time_ = 0;
};

}  // namespace scree
