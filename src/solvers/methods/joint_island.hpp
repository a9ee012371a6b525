/// One island: connected joints, and the contacts that are solved with them. JointElimination does
/// its work here. Our own.
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
#include "solvers/step_settings.hpp"

namespace scree {

/// Block of W between the directions of two joints, over their common free bodies; the lower
/// triangle for a joint and itself [1/kg].
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
      for (int row = 0; row < j.directions(); ++row) {
        const Vec3 axis = mobility * without(at_j.axis[row], at_j.locked),
                   jw = body.inverse_inertia * at_j.jw[row];
        const int columns = &j == &k ? row + 1 : k.directions();
        for (int other = 0; other < columns; ++other)
          W[static_cast<std::size_t>(row)][static_cast<std::size_t>(other)] +=
              dot(axis, at_k.axis[other]) + dot(jw, at_k.jw[other]);
      }
    });
  });
  return W;
}

class JointIsland {
 public:
  using RowVelocities = JointElimination::RowVelocities;

  /// A joint of the island, and the index of its first row among the held or the driven rows.
  struct Member {
    std::uint32_t joint;
    std::uint32_t first;
  };

  // Layout, once for connected joints: these calls in this order, joints in rising order.
  Member add_joint(const ContactProblem& problem, std::uint32_t joint);
  /// Adds a pair of joints that share a free body, or a joint and itself; each pair once, the joint
  /// added later first.
  void add_pair(const ContactProblem& problem, const Member& of, const Member& with);
  /// Adds a free body; then add its joints in rising order. Returns its index among the bodies.
  std::size_t add_body(BodyIndex body);
  void add_joint_of_body(const ContactProblem& problem, std::size_t of_body, const Member& joint);
  void lay_out(const ContactProblem& problem);

  // Values, in each step.
  void clear_contacts() { candidates_.clear(); }
  /// Adds a contact between a body and another one, or a fixed obstacle: kNone.
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  void add_contact(const ContactProblem& problem, std::uint32_t block, int lane,
                   std::size_t of_body, std::size_t with_body = kNone);
  /// Factorises the present masses and rows of joints and contacts.
  void prepare(const ContactProblem& problem, const kernels::DenseKernels& dense);
  /// Solves all rows, and contacts to sqrt(Σ e²) ≤ `allowed` [m/s] if possible, with all other
  /// impulses fixed.
  void relax(ContactProblem& problem, double allowed);
  /// Solves all rows with the impulses of contacts fixed.
  void relax_rows(ContactProblem& problem);
  /// Largest squared residual of a joint before the last solve [m²/s²].
  double largest_residual() const { return largest_; }
  /// Number of contacts that are solved with the island.
  std::size_t contacts() const { return contacts_.size(); }
  /// Indices of its joints in the problem, in rising order.
  std::span<const std::uint32_t> joints() const { return joints_; }
  std::span<const BodyIndex> free_bodies() const { return free_bodies_; }

  // The same as in JointElimination, for its own joints.
  void make_attainable(std::span<RowVelocities> u);
  void respond(const ContactProblem& problem, std::span<const RowVelocities> p,
               std::span<RowVelocities> u);
  /// Adds the effect of joints to a body's mobility M⁻¹; and to the response of body `to` to
  /// impulses on body `from`.
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
  /// A pair of joints that share a body, or a joint and itself, with the indices of their rows.
  struct Product {
    Member of, with;
  };
  /// A free body of the island, its joints, and the rows at which L⁻¹ of their columns is not zero.
  struct OfBody {
    BodyIndex body;
    std::vector<Member> held{}, driven{};
    std::vector<int> reach{};  ///< empty before the first contact
  };
  /// A contact with the data by which contacts are chosen and sorted.
  struct Candidate {
    std::uint32_t block;
    int lane;
    std::size_t of_body, with_body;  ///< in rising order
    std::uint64_t key;               ///< see ContactProblem::contact_keys
    double last_normal_impulse;      ///< normal impulse in the last step [N s]
  };
  /// A body with chosen contacts. Its motion has coordinates, written as rows of a joint: those of
  /// its only contact, or v and s if it has several.
  struct ContactBody {
    std::size_t of_body;  ///< in `bodies_`
    JointBlock rows;
  };
  /// A chosen contact.
  struct Contact {
    std::uint32_t block;
    int lane;
    ContactRows rows;  ///< in the last prepare()
    Vec3 before;       ///< impulse before relax()
    std::size_t contact_body = kNone,
                with_contact_body = kNone;  ///< the second: kNone for a fixed obstacle
  };

  /// Position of a held row in the order of the elimination.
  std::size_t position_of(int row) const { return static_cast<std::size_t>(W_.position_of(row)); }
  /// Entry of W at two rows of a product; for a joint and itself row ≥ column.
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
               W[static_cast<std::size_t>(of.direction_of(i))]
                [static_cast<std::size_t>(with.direction_of(k))]});
  }
  Eigen::Index coordinate_of(const Member& driven) const {
    return bounded_.coordinate_of(static_cast<Eigen::Index>(driven.first));
  }
  std::size_t coordinates() const { return static_cast<std::size_t>(bounded_.coordinates()); }

  /// Calls f(held row, its linear and its angular Jacobian) for all held rows of a body.
  template <class F>
  static void for_each_held_row(const ContactProblem& problem, const OfBody& of, F&& f) {
    for (const Member& member : of.held) {
      const JointBlock& joint = problem.joints[member.joint];
      joint.for_each_side([&](const JointBlock::Side& side) {
        if (side.body != of.body) return;
        for (int row = 0; row < joint.rows; ++row)
          f(member.first + static_cast<std::size_t>(row),
            side.sign * without(side.axis[row], side.locked), side.jw[row]);
      });
    }
  }

  void lay_out_held(const ContactProblem& problem);
  void lay_out_driven(const ContactProblem& problem);
  void lay_out_together(const ContactProblem& problem);
  void lay_out_reach(const ContactProblem& problem, OfBody& of) const;

  double mobility_of_bodies(const ContactProblem& problem) const;
  /// Shift of the diagonal of a driven row [1/kg].
  static double shift_of(double W, double max_mobility);
  void fill(const ContactProblem& problem);
  void reduce(const ContactProblem& problem);
  bool is_dense() const { return driven_.size() <= kMaxDenseDrives; }
  /// Calls f(row, column, value) for the entries of W of all rows, in the order of `together_`.
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
  /// Fills W of all rows, with shifts and softness on its diagonal.
  void fill_together(const ContactProblem& problem);
  /// Sets d_all_ and r_ to the changes of impulses that undo u_f_ and u_d_.
  void undo_together();
  void relax_together(ContactProblem& problem);
  // Sparse variants; compliances only for springs, because each takes a solve.
  void respond_sparsely(const ContactProblem& problem, std::span<const RowVelocities> p,
                        std::span<RowVelocities> u);
  void find_compliances_sparsely(const ContactProblem& problem, std::span<RowVelocities> W);
  /// d_f_ = −W⁻¹ u_f_, without the fraction of u that no impulses can cause.
  void undo();
  /// x = W⁻¹ u, and half_solved_ = Lᵀ x
  void solve(const Vector& u, Vector& x);
  void gather_held(std::span<const RowVelocities> u);
  void gather(const ContactProblem& problem);
  /// Sets q_ of the driven rows after the change d_f_ of the held ones, by undo().
  void reduce_driven();
  /// Sets change_ to that of r_, and sums_ to its sums.
  void find_change();
  /// Adds to d_f_ the answer of the held rows to the changes of driven rows and contact bodies.
  void answer_driven();
  /// Solves the driven rows of move(), and adds the answer of the held rows; false if none takes
  /// part.
  bool move_driven(const ContactProblem& problem, std::span<const RowVelocities> u);
  void add(ContactProblem& problem, const std::vector<Row>& rows, std::span<const double> change);

  // Contacts: island_contacts.cpp.
  /// Chooses the contacts that are solved with the island, in an order independent of storage.
  void choose_contacts(const ContactProblem& problem);
  /// Finds the bodies of chosen contacts, each once in rising order, and their rows.
  void find_contact_bodies(const ContactProblem& problem);
  std::size_t contact_body_of(std::size_t of_body) const;
  /// Jacobian of a body in its only contact, as rows of a joint.
  static JointBlock rows_of_body(const ContactProblem& problem, const ContactRows& contact,
                                 bool is_b);
  /// Lays out the coordinates of contact bodies, and the Jacobians of contacts in them.
  void lay_out_contacts(const ContactProblem& problem);
  /// Eliminates the held rows from the mobility of contact bodies.
  void reduce_contacts(const ContactProblem& problem);
  void add_contact_body(const ContactProblem& problem, std::size_t contact_body);
  /// Gathers impulses of contacts, and their velocities after the change d_f_ of the held rows.
  void gather_contacts(const ContactProblem& problem);
  /// Solves drives and contacts together, from q_ and velocities of contacts: sets r_ and impulses.
  void relax_driven(double allowed);
  /// Solves them as one problem: bounds of drives that change with the impulses of contacts.
  void relax_with_drives(double allowed);
  void lay_out_with_drives();
  /// Computes what follows from Y, with the compliance of dense_.
  void prepare(DenseContacts& dense) const;
  /// Eliminates the drives that are at no bound from the mobility of contacts.
  void keep_drives();
  /// Sets body_impulse_ to Σ Jᵀ (change of impulses).
  void find_body_impulse();
  void add_contacts(ContactProblem& problem) const;

  std::vector<std::uint32_t> joints_;
  std::vector<BodyIndex> free_bodies_;  ///< in the order of `bodies_`
  std::vector<Row> held_, driven_;
  std::vector<Product> held_held_, driven_held_, driven_driven_;
  std::vector<OfBody> bodies_;
  SparseElimination W_;                ///< held rows, shifted; entries in the order of products
  bool inverted_ = false;              ///< True if W_ was inverted since its factorisation
  std::vector<std::size_t> diagonal_;  ///< index of each held row's diagonal entry in W
  Vector shift_;                       ///< added to the diagonal of each held row [1/kg]
  EliminationPanel of_drives_;         ///< L⁻¹ W_fd, a column for each coordinate
  BoundedRows bounded_;                ///< driven rows; its matrix is S
  SparseDrives together_;              ///< all rows, if not is_dense()
  Vector u_all_, d_all_;               ///< held rows, then driven ones
  /// For each driven row, the indices of its entries with held rows
  std::vector<std::vector<std::size_t>> held_entries_;

  // Vectors of held rows, the last two in the order of the elimination; then of driven rows.
  Vector u_f_, d_f_, left_, work_, half_solved_;
  Eigen::VectorXd u_d_, q_, lower_, upper_, r_, change_;
  Eigen::VectorXd sums_, u_c_;  ///< of coordinates: impulses, velocities
  double largest_ = 0;

  std::vector<Candidate> candidates_;
  std::vector<std::pair<std::size_t, std::size_t>> ends_;  ///< a body, and one of its candidates
  std::vector<Contact> contacts_;
  std::vector<ContactBody> contact_bodies_;
  /// Contacts with held rows, and drives that are at no bound, kept at rest
  DenseContacts dense_;
  DenseContacts with_drives_;           ///< the same contacts, with all drives as rows of their own
  EliminationPanel of_contact_bodies_;  ///< L⁻¹ W_fz
  /// Contact bodies, and coordinates of drives with them; held rows kept at rest
  Vector Y_zz_, Y_dz_;
  Vector body_impulse_;  ///< Σ Jᵀ (change of impulses of contacts)
  Eigen::VectorXd q_now_, start_;
  int solved_ = 0;  ///< solves of dense_ since contacts were reduced
  /// Factorisation of the drives to which dense_ belongs; empty: none
  std::optional<std::uint64_t> kept_for_;
};

}  // namespace scree
