/// Joints that hang together, and contacts that are solved with them: the work of JointElimination
/// on one island. Our own.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "scree/solvers/joint_elimination.hpp"
#include "solvers/methods/bounded_rows.hpp"
#include "solvers/methods/dense_contacts.hpp"
#include "solvers/methods/sparse_drives.hpp"
#include "solvers/methods/sparse_elimination.hpp"

namespace scree {

/// Of each row of one joint and each of another, over the free bodies that both have; of a joint
/// and itself the lower triangle [1/kg].
using DelassusBlock = std::array<std::array<double, JointBlock::kMaxRows>, JointBlock::kMaxRows>;
inline DelassusBlock delassus(const ContactProblem& problem, const JointBlock& j,
                              const JointBlock& k) {
  DelassusBlock W{};
  j.for_each_side([&](const JointBlock::Side& at_j) {
    if (at_j.body >= problem.free_bodies) return;
    k.for_each_side([&](const JointBlock::Side& at_k) {
      if (at_k.body != at_j.body) return;
      const BodyRecord& body = problem.bodies[at_j.body];
      const double mobility = at_j.sign * at_k.sign * body.inverse_mass;
      for (int row = 0; row < j.rows; ++row) {
        const Vec3 axis = without(at_j.axis[row], at_j.locked);
        for (int other = 0; other < (&j == &k ? row + 1 : k.rows); ++other)
          W[static_cast<std::size_t>(row)][static_cast<std::size_t>(other)] +=
              mobility * dot(axis, at_k.axis[other]) +
              body.inverse_inertia * dot(at_j.turn[row], at_k.turn[other]);
      }
    });
  });
  return W;
}

class JointIsland {
 public:
  using RowVelocities = JointElimination::RowVelocities;

  /// That are solved with the island: W of all of them is dense. Sweeps take the others.
  static constexpr std::size_t kMaxContacts = 64;
  /// Driven rows whose S is dense. An island with more has them eliminated with the held ones, and
  /// its contacts are swept.
  static constexpr std::size_t kMaxDense = 128;

  /// A joint of the island, and where its rows begin among those that hold, or that are driven.
  struct Member {
    std::uint32_t joint;
    std::uint32_t first;
  };

  // Once for joints that hang together, in this order; joints in rising order.
  Member add_joint(const ContactProblem& problem, std::uint32_t joint);
  /// Two joints share a free body, or are the same; each such pair once, the one added later first.
  void add_pair(const ContactProblem& problem, const Member& of, const Member& with);
  /// A free body, and then its joints in rising order, if it has any. Returns its place among the
  /// bodies.
  std::size_t add_body(BodyIndex body);
  void add_joint_of_body(const ContactProblem& problem, std::size_t of_body, const Member& joint);
  void lay_out(const ContactProblem& problem);

  // In each step.
  void clear_contacts() { candidates_.clear(); }
  /// A contact between a body and another, or something that does not move: kNone.
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  void add_contact(const ContactProblem& problem, std::uint32_t block, int lane,
                   std::size_t of_body, std::size_t with_body = kNone);
  /// Takes up masses and rows as they stand, of joints and of contacts.
  void prepare(const ContactProblem& problem, const kernels::DenseKernels& dense);
  /// Makes all its rows hold and its contacts obey their laws to sqrt(Σ e²) ≤ `allowed` [m/s], as
  /// far as others let them.
  void relax(ContactProblem& problem, double allowed);
  /// Makes its rows hold, with contacts as they are.
  void relax_rows(ContactProblem& problem);
  /// Squared, of joints, that was found last [m²/s²].
  double largest_residual() const { return largest_; }
  /// That are solved with the island.
  std::size_t contacts() const { return contacts_.size(); }
  /// Of the problem, in rising order.
  std::span<const std::uint32_t> joints() const { return joints_; }
  std::span<const BodyIndex> free_bodies() const { return free_bodies_; }

  // As JointElimination has them, for its own joints.
  void make_attainable(std::span<RowVelocities> u);
  void respond(const ContactProblem& problem, std::span<const RowVelocities> p,
               std::span<RowVelocities> u);
  /// M⁻¹ and what joints make of it, of a body; and what a push on one gives another.
  void add_mobility_by_joints(const ContactProblem& problem, std::size_t of_body,
                              JointElimination::Mobility& mobility);
  void add_mobility_by_joints(const ContactProblem& problem, std::size_t from, std::size_t to,
                              JointElimination::Mobility& mobility);
  void find_compliances(const ContactProblem& problem, std::span<RowVelocities> W);
  void move(const ContactProblem& problem, std::span<const RowVelocities> u,
            AlignedVector<JointElimination::Motion>& motion);

 private:
  using Vector = std::vector<double>;

  struct Row {
    std::uint32_t joint;
    int row;
  };
  /// Rows of two joints that share a body, or of one, and where they begin in their lists.
  struct Product {
    Member of, with;
  };
  /// A free body of the island: the joints that it has, and where L⁻¹ of their rows is not zero.
  struct OfBody {
    BodyIndex body;
    std::vector<Member> held{}, driven{};
    std::vector<int> reach{};  ///< empty before the first contact
  };
  /// What contacts are chosen and put in order by.
  struct Candidate {
    std::uint32_t block;
    int lane;
    std::size_t of_body, with_body;  ///< the first one first
    std::uint64_t key;               ///< of ContactProblem::full_keys
    double last_normal_impulse;      ///< normal impulse in the last step [N s]
  };
  /// A body with chosen contacts, and what its motion is told by, as rows of a joint: those of its
  /// contact, or v and s where it has several.
  struct ContactBody {
    std::size_t of_body;  ///< in `bodies_`
    JointBlock rows;
  };
  /// A chosen contact.
  struct Contact {
    std::uint32_t block;
    int lane;
    FullContact rows;  ///< as prepare() found them
    Vec3 before;       ///< impulse before relax()
    std::size_t contact_body = kNone,
                with_contact_body = kNone;  ///< the second: kNone where it does not move
  };

  std::size_t place_of(int row) const { return static_cast<std::size_t>(W_.place_of(row)); }
  /// Rows of the two lists of a product, and what they have of W; of a joint and itself the row is
  /// not above the column.
  struct Pair {
    int of, with;
    double value;
  };
  template <class F>
  static void for_each_row_pair(const ContactProblem& problem, const Product& product, F&& f) {
    const JointBlock &of = problem.joints[product.of.joint],
                     &with = problem.joints[product.with.joint];
    const DelassusBlock W = delassus(problem, of, with);
    for (int i = 0; i < of.rows; ++i)
      for (int k = 0; k < (&of == &with ? i + 1 : with.rows); ++k)
        f(Pair{static_cast<int>(product.of.first) + i, static_cast<int>(product.with.first) + k,
               W[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)]});
  }

  /// f(held row, its axis and its turn on a body) for all that a body has.
  template <class F>
  static void for_each_held_row(const ContactProblem& problem, const OfBody& of, F&& f) {
    for (const Member& member : of.held) {
      const JointBlock& joint = problem.joints[member.joint];
      joint.for_each_side([&](const JointBlock::Side& side) {
        if (side.body != of.body) return;
        for (int row = 0; row < joint.rows; ++row)
          f(member.first + static_cast<std::size_t>(row),
            side.sign * without(side.axis[row], side.locked), side.turn[row]);
      });
    }
  }

  void lay_out_held(const ContactProblem& problem);
  void lay_out_driven(const ContactProblem& problem);
  void lay_out_together(const ContactProblem& problem);
  void lay_out_reach(const ContactProblem& problem, OfBody& of) const;

  double mobility_of_bodies(const ContactProblem& problem) const;
  /// The diagonal of a driven row [1/kg].
  static double with_shift(double W, double max_mobility);
  void fill(const ContactProblem& problem);
  void reduce(const ContactProblem& problem);
  bool is_dense() const { return driven_.size() <= kMaxDense; }
  /// Entries of W of all rows in the order in which `together_` has them: f(row, column, value).
  template <class F>
  void for_each_entry(const ContactProblem& problem, F&& f) const {
    const int held = static_cast<int>(held_.size());
    for (const Product& product : held_held_)
      for_each_row_pair(problem, product,
                        [&](const Pair& pair) { f(pair.of, pair.with, pair.value); });
    for (const Product& product : driven_held_)
      for_each_row_pair(problem, product,
                        [&](const Pair& pair) { f(held + pair.of, pair.with, pair.value); });
    for (const Product& product : driven_driven_)
      for_each_row_pair(problem, product,
                        [&](const Pair& pair) { f(held + pair.of, held + pair.with, pair.value); });
  }
  /// W of all rows, with shifts and softness on its diagonal.
  void fill_together(const ContactProblem& problem);
  /// All changes of impulses that undo u_f_ and u_d_, to d_all_, and r_.
  void undo_together();
  void relax_together(ContactProblem& problem);
  // As their namesakes; compliances of springs alone, each of which takes a solve.
  void respond_sparsely(const ContactProblem& problem, std::span<const RowVelocities> p,
                        std::span<RowVelocities> u);
  void find_compliances_sparsely(const ContactProblem& problem, std::span<RowVelocities> W);
  /// d_f_ = −W⁻¹ u_f_, but for the part of u that no impulses bring about.
  void undo();
  /// x = W⁻¹ u
  void solve(const Vector& u, Vector& x);
  void gather_held(std::span<const RowVelocities> u);
  void gather(const ContactProblem& problem);
  /// What is left for the driven rows once the held ones are undone: q_, and Lᵀ d_f to work_.
  void reduce_driven();
  /// And what changes of driven rows and of feet ask of the held ones.
  void answer_driven();
  /// Driven rows that take part in move(), and what they ask of the held ones; false if there are
  /// none.
  bool move_driven(const ContactProblem& problem, std::span<const RowVelocities> u);
  void add(ContactProblem& problem, const std::vector<Row>& rows, std::span<const double> change);

  // Contacts: island_contacts.cpp.
  /// Those that are solved with the island, in an order that storage has no part in.
  void choose_contacts(const ContactProblem& problem);
  /// Bodies of chosen contacts, each once in rising order, and their rows.
  void find_contact_bodies(const ContactProblem& problem);
  std::size_t contact_body_of(std::size_t of_body) const;
  /// What a body does to its one contact, as rows of a joint.
  static JointBlock rows_of_body(const ContactProblem& problem, const FullContact& contact,
                                 bool is_b);
  /// Coordinates of feet, and what these make of contacts.
  void lay_out_contacts(const ContactProblem& problem);
  /// What the rows of the island make of feet.
  void reduce_contacts(const ContactProblem& problem);
  void add_contact_body(const ContactProblem& problem, std::size_t contact_body);
  /// Velocities of contacts once the held rows are undone, and their impulses.
  void gather_contacts(const ContactProblem& problem);
  /// Drives and contacts together, from q_ and velocities of contacts: changes r_ and impulses.
  void relax_driven(double allowed);
  /// Contacts answer with drives that are at no bound keeping their velocities.
  void keep_drives();
  /// Σ Jᵀ (change of impulses), to push_.
  void find_push();
  void add_contacts(ContactProblem& problem) const;

  std::vector<std::uint32_t> joints_;
  std::vector<BodyIndex> free_bodies_;  ///< as `bodies_` has them
  std::vector<Row> held_, driven_;
  std::vector<Product> held_held_, driven_held_, driven_driven_;
  std::vector<OfBody> bodies_;
  SparseElimination W_;                ///< of held rows, shifted; entries in the order of products
  bool inverted_ = false;              ///< W_, since it was factorised
  std::vector<std::size_t> diagonal_;  ///< of each held row, its entry in W
  Vector shift_;                       ///< of its diagonal
  EliminationPanel of_drives_;         ///< L⁻¹ W_fd
  BoundedRows bounded_;                ///< its matrix is S
  SparseDrives together_;              ///< where it is not dense
  Vector u_all_, d_all_;               ///< of held rows, then driven ones
  std::vector<std::vector<std::size_t>> beside_;  ///< of each driven row, its entries of held ones

  // Of held rows, `work_` in the order of the elimination; then of driven ones.
  Vector u_f_, d_f_, left_, work_;
  Eigen::VectorXd u_d_, q_, least_, most_, r_, change_;
  double largest_ = 0;

  std::vector<Candidate> candidates_;
  std::vector<std::pair<std::size_t, std::size_t>> ends_;  ///< a body, and a candidate that it has
  std::vector<Contact> contacts_;
  std::vector<ContactBody> contact_bodies_;
  /// Of those, with held rows kept, and drives that are at no bound.
  DenseContacts dense_;
  EliminationPanel of_contact_bodies_;  ///< L⁻¹ W_fz
  Vector Y_zz_, Y_dz_;                  ///< of feet and drives, held rows kept
  Vector push_;
  Eigen::VectorXd q_now_, start_;
  int solved_ = 0;  ///< times that dense_ was solved since contacts were reduced
  /// dense_ is of this factorisation of the drives; empty: of none
  std::optional<std::uint64_t> kept_for_;
};

}  // namespace scree
