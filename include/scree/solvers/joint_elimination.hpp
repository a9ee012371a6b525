/// Direct solution of connected joints. Sweeps from joint to joint converge slowly for long chains
/// and heavy loads; elimination takes the same time for all of them. Our own.
///
/// An island is all joints that share free bodies, or whose bodies touch in a set of few contacts,
/// such as the fingers of a gripper and the grasped object: see TouchingSets. A sparse LDLᵀ
/// eliminates its held rows f. The remaining matrix of the driven rows d, which have bounds and
/// softness c, is small and dense:
///
///     S = W_dd + c − W_df W_ff⁻¹ W_fd
///
/// Dependent rows make W_ff singular. So its diagonal is larger by a fraction ε, and each solve
/// starts from the remaining velocities of the one before: rows hold to rounding after two or three
/// solves. The solve leaves out velocities that no impulses can cause, so that the impulses of
/// contradictory joints do not grow without bound.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "scree/core/threads.hpp"
#include "scree/solvers/contact_problem.hpp"

namespace scree {

class JointIsland;
class TouchingSets;

class JointElimination {
 public:
  JointElimination();
  ~JointElimination();
  JointElimination(JointElimination&&) noexcept;
  JointElimination& operator=(JointElimination&&) noexcept;

  /// Factorises the present joints of a problem. Does nothing if their stamp is that of the last
  /// call, and allocates nothing if the same bodies are connected and touch. Calls then(index)
  /// after each island, on any thread, while its data are in the cache.
  void prepare(
      const ContactProblem& problem, ThreadPool& pool,
      FunctionRef<void(std::size_t)> then = [](std::size_t) {});

  /// Solves all rows and the contacts of islands; the impulses of all other contacts stay fixed.
  /// Contacts of islands get sqrt(Σ e²) ≤ `allowed` [m/s], if possible. Returns the largest squared
  /// residual of a joint before the solve [m²/s²]. Same bits on any number of threads.
  double solve(ContactProblem& problem, ThreadPool& pool, double allowed);
  /// Solves all rows; the impulses of all contacts stay fixed.
  void solve_rows(ContactProblem& problem, ThreadPool& pool);
  /// True if islands solve all contacts and joints of the problem, so that no sweeps are needed.
  bool has_all(const ContactProblem& problem) const;

  /// Adds to `motion` of the free bodies, scaled as in ContactProblem, the motion that undoes the
  /// velocities u of held rows, by joint and row [m/s]. A driven row is ignored if its u is kLetBe;
  /// else it ends with u = 0, or at a bound of its impulse with u on the admissible side.
  static constexpr double kLetBe = std::numeric_limits<double>::infinity();
  struct Motion {
    Vec3 velocity, spin;
  };
  using RowVelocities = std::array<double, JointBlock::kMaxRows>;
  void move(const ContactProblem& problem, std::span<const RowVelocities> u,
            AlignedVector<Motion>& motion, ThreadPool& pool);

  /// Removes from u, of the held rows of an island, the fraction that no impulses can cause: the
  /// velocities of dependent rows must be consistent.
  void make_attainable(std::size_t island, std::span<RowVelocities> u) const;

  /// Sets u of driven rows, by joint and row, to the response to impulses p with held rows kept at
  /// rest and without softness, S p [m/s]. Other entries of `u` do not change.
  void respond(const ContactProblem& problem, std::span<const RowVelocities> p,
               std::span<RowVelocities> u) const;
  /// Velocities (v, s) of the record of free body `to` after unit impulses on `from` along each of
  /// these axes, with held rows kept at rest [1/kg]. The bodies may be the same.
  using Mobility = std::array<std::array<double, 6>, 6>;
  void find_mobility(const ContactProblem& problem, BodyIndex from, BodyIndex to,
                     Mobility& mobility) const;
  /// True if joints connect two free bodies.
  bool are_connected(BodyIndex one, BodyIndex other) const;
  /// Compliances S_kk of the driven rows of an island: response of a row to its own unit impulse
  /// [1/kg].
  void find_compliances(std::size_t island, const ContactProblem& problem,
                        std::span<RowVelocities> W) const;

  std::size_t islands() const { return islands_.size(); }
  /// Joints of an island in the problem, in rising order, and its free bodies.
  std::span<const std::uint32_t> joints_of(std::size_t island) const;
  std::span<const BodyIndex> bodies_of(std::size_t island) const;

 private:
  /// Island of a free body, and its index among the bodies there.
  struct BodySlot {
    std::uint32_t island = kNowhere;
    std::size_t of_body = 0;
  };
  static constexpr std::uint32_t kNowhere = 0xffffffff;
  BodySlot slot_of(BodyIndex body) const;
  /// Properties of a joint or guest that determine the islands and their products.
  struct Link {
    std::array<BodyIndex, 4> bodies;  ///< free ones, else JointBlock::kNobody
    int rows;
    JointBlock::Kind kind;
    std::uint32_t set;  ///< set of its bodies, see TouchingSets
    bool operator==(const Link&) const = default;
  };

  /// Sets links_now_ from the problem's joints.
  void find_links(const ContactProblem& problem);
  void find_islands(const ContactProblem& problem);
  /// Assigns to the islands the contacts of their bodies with fixed obstacles, and those of sets.
  void assign_contacts(const ContactProblem& problem);

  std::vector<Link> links_, links_now_;  ///< joints, then guests
  std::uint64_t stamp_ = 0;
  std::unique_ptr<TouchingSets> sets_;
  std::vector<std::unique_ptr<JointIsland>> islands_;
  std::vector<BodySlot> slots_;  ///< one per free body when islands were found
};

}  // namespace scree
