/// Joints that hang together, solved as one: what sweeps from joint to joint do not reach, long
/// chains and loads that are heavy against them, takes no longer than a light and short one. Our
/// own.
///
/// An island is all joints that share free bodies, or of which bodies touch in a set of few
/// contacts, as the fingers of a gripper do by what they hold: see TouchingSets. Of its rows those
/// that hold with any impulse, f, are eliminated by a sparse LDLᵀ of their W; what is left for
/// the driven ones, d, which have bounds and softness c, is small and dense:
///
///     S = W_dd + c − W_df W_ff⁻¹ W_fd
///
/// Rows that follow from each other make W_ff singular. So its diagonal is made larger by a part ε,
/// and each solve starts from the velocities that the one before has left: rows hold to rounding
/// after two or three. What no impulses can bring about is left out of the solve, so that joints
/// that contradict each other do not press ever harder.
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
  /// ε, see above [-].
  static constexpr double kShift = 1e-10;

  JointElimination();
  ~JointElimination();
  JointElimination(JointElimination&&) noexcept;
  JointElimination& operator=(JointElimination&&) noexcept;

  /// Takes up the joints of a problem as they stand; nothing is done if their stamp is that of the
  /// last call, and nothing is allocated if the same bodies hang together and touch as then. After
  /// each island then(its number) is called, on any thread, while what it is made of is at hand.
  void prepare(
      const ContactProblem& problem, ThreadPool& pool,
      FunctionRef<void(std::size_t)> then = [](std::size_t) {});

  /// Makes all rows hold, impulses of contacts that are not solved with them kept. Those that
  /// are have sqrt(Σ e²) ≤ `allowed` [m/s] then, if they can. Returns the largest residual of
  /// joints that it found, squared [m²/s²]. Same bits on any number of threads.
  double solve(ContactProblem& problem, ThreadPool& pool, double allowed);
  /// Makes all rows hold, impulses of all contacts kept.
  void solve_rows(ContactProblem& problem, ThreadPool& pool);
  /// Whether all contacts and joints of the problem are solved so, and no sweep has to bring them
  /// together.
  bool has_all(const ContactProblem& problem) const;

  /// Of rows that are held, with u given by joint and row [m/s]: adds what undoes it to motions of
  /// the free bodies, scaled as in ContactProblem [m/s]. A driven row takes part unless its u is
  /// kLetBe: it ends with u = 0, or at a bound of its impulse and on the side that this allows.
  static constexpr double kLetBe = std::numeric_limits<double>::infinity();
  struct Motion {
    Vec3 velocity, spin;
  };
  using RowVelocities = std::array<double, JointBlock::kMaxRows>;
  void move(const ContactProblem& problem, std::span<const RowVelocities> u,
            AlignedVector<Motion>& motion, ThreadPool& pool);

  /// Takes out of u, of rows of an island that are held, what no impulses can bring about: where
  /// rows follow from each other, so must the velocities asked of them.
  void make_attainable(std::size_t island, std::span<RowVelocities> u) const;

  /// Of driven rows, by joint and row: velocities that impulses p give them with the held rows
  /// kept, without softness, S p [m/s]. Others of `u` are left as they are.
  void respond(const ContactProblem& problem, std::span<const RowVelocities> p,
               std::span<RowVelocities> u) const;
  /// Of two free bodies, or one and the same: the velocities (v, s) of the record of `to` that unit
  /// impulses on `from` along each of these axes give, with held rows kept [1/kg].
  using Mobility = std::array<std::array<double, 6>, 6>;
  void find_mobility(const ContactProblem& problem, BodyIndex from, BodyIndex to,
                     Mobility& mobility) const;
  /// Whether joints connect two free bodies.
  bool are_connected(BodyIndex one, BodyIndex other) const;
  /// Of driven rows of an island: what a unit impulse on it alone gives a row so, S_kk [1/kg].
  void find_compliances(std::size_t island, const ContactProblem& problem,
                        std::span<RowVelocities> W) const;

  std::size_t islands() const { return islands_.size(); }
  /// Joints of an island in the problem, in rising order, and its free bodies.
  std::span<const std::uint32_t> joints_of(std::size_t island) const;
  std::span<const BodyIndex> bodies_of(std::size_t island) const;

 private:
  /// Of a free body: its island, and its place among the bodies there.
  struct Place {
    std::uint32_t island = kNowhere;
    std::size_t of_body = 0;
  };
  static constexpr std::uint32_t kNowhere = 0xffffffff;
  Place place_of(BodyIndex body) const;
  /// What the islands and their products follow from.
  struct Link {
    std::array<BodyIndex, 4> bodies;  ///< free ones, else JointBlock::kNobody
    int rows;
    JointBlock::Kind kind;
    std::uint32_t set;  ///< of its bodies, see TouchingSets
    bool operator==(const Link&) const = default;
  };

  /// Takes links_now_ of the problem's joints.
  void find_links(const ContactProblem& problem);
  void find_islands(const ContactProblem& problem);
  /// Contacts between one of their bodies and what does not move, and those of sets, to the
  /// islands.
  void share_out_contacts(const ContactProblem& problem);

  std::vector<Link> links_, links_now_;  ///< of joints, then of guests
  std::uint64_t stamp_ = 0;
  std::unique_ptr<TouchingSets> sets_;
  std::vector<std::unique_ptr<JointIsland>> islands_;
  std::vector<Place> places_;  ///< of free bodies that there were when islands were found
};

}  // namespace scree
