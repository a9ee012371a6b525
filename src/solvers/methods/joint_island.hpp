/// Joints that hang together, and their contacts with what does not move: the work of
/// JointElimination on one island. Our own.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "scree/solvers/joint_elimination.hpp"
#include "solvers/methods/bounded_rows.hpp"
#include "solvers/methods/sparse_elimination.hpp"

namespace scree {

/// Of a row of one joint and a row of another, over the free bodies that both have [1/kg].
inline double delassus(const ContactProblem& problem, const JointBlock& j, int row,
                       const JointBlock& k, int other) {
  double W = 0;
  j.for_each_side([&](const JointBlock::Side& at_j) {
    if (at_j.body >= problem.free_bodies) return;
    const BodyRecord& body = problem.bodies[at_j.body];
    const Vec3 axis = without(at_j.axis[row], at_j.locked);
    k.for_each_side([&](const JointBlock::Side& at_k) {
      if (at_k.body != at_j.body) return;
      W += body.inverse_mass * at_j.sign * at_k.sign * dot(axis, at_k.axis[other]) +
           body.inverse_inertia * dot(at_j.turn[row], at_k.turn[other]);
    });
  });
  return W;
}

struct JointIsland {
  using Vector = std::vector<double>;

  struct Row {
    std::uint32_t joint;
    int row;
  };
  /// Rows of two joints that share a body, or of one, and where they begin in their lists.
  struct Product {
    std::uint32_t of, with;
    std::uint32_t first_of, first_with;
    std::uint32_t place = 0;  ///< of a driven and a held one: where the held one's rows are listed
  };
  std::vector<Row> held, driven;
  std::vector<Product> held_held, driven_held, driven_driven;
  std::vector<std::size_t> entry;  ///< of products of held rows, in W; kUpper: above the diagonal
  static constexpr std::size_t kUpper = static_cast<std::size_t>(-1);

  SparseElimination W;                ///< of held rows, shifted
  std::vector<std::size_t> diagonal;  ///< of each held row, its entry in W
  Vector shift;                       ///< of its diagonal
  /// Of a driven row: a row of W_df, and of (L⁻¹ W_fd)ᵀ
  struct Coupling {
    std::vector<int> held;
    Vector value;
    std::vector<int> reach;  ///< in the order of the elimination
    Vector half;
  };
  std::vector<Coupling> coupling;
  BoundedRows bounded;  ///< its matrix is S

  // Of held rows, `work` in the order of the elimination; then of driven ones.
  Vector u_f, d_f, left, work;
  Eigen::VectorXd u_d, q, least, most, r, change;
  double largest = 0;  ///< residual squared that solve() found

  void lay_out(const ContactProblem& problem);
  void fill(const ContactProblem& problem);
  void reduce(const ContactProblem& problem);
  /// d = −W⁻¹ u, but for the part of u that no percussions bring about.
  void undo(const Vector& u, Vector& d);
  /// x = W⁻¹ u
  void solve(const Vector& u, Vector& x);
  void relax(ContactProblem& problem);

  /// Forgets its contacts; takes up one, that has one of its bodies and no other free one.
  void clear_contacts() { contacts.clear(); }
  void add_contact(const ContactProblem& problem, std::uint32_t block, int lane,
                   std::size_t of_body);
  /// What its rows make of contacts: once they are all taken up.
  void reduce_contacts(const ContactProblem& problem);

  /// A free body of the island: the joints that it has, and where L⁻¹ of its rows is not zero.
  struct OfBody {
    BodyIndex body;
    std::vector<Row> held, driven;  ///< joints and where their rows begin in the lists above
    std::vector<int> reach;
  };
  std::vector<OfBody> bodies;  ///< in rising order

  /// A contact with something that does not move, as rows of a joint.
  struct Contact {
    std::uint32_t block;
    int lane;
    std::size_t of_body, first_half;  ///< in `bodies`, in `halves`
    JointBlock rows;
    Vec3 percussion;
  };
  std::vector<Contact> contacts;
  Vector halves;               ///< L⁻¹ W_fc, of each contact three runs as long as its reach
  Vector S_cc, S_cd, free_cc;  ///< W of contacts, with the held rows kept; with drives kept too
  Vector u_c, v_c, change_c;
  Eigen::VectorXd q_now, start;
  double largest_change = 0;   ///< of contacts, by a sweep since they were reduced [m/s]
  std::uint64_t kept_for = 0;  ///< free_cc is of this factorisation of the drives; 0: of none

 private:
  std::size_t place_of(int row) const { return static_cast<std::size_t>(W.place_of(row)); }
  /// Rows of the two lists of a product, a column of the second joint, and what they have of W.
  struct Pair {
    int of, with, column;
    double value;
  };
  template <class F>
  static void for_each_row_pair(const ContactProblem& problem, const Product& product, F&& f) {
    const JointBlock &of = problem.joints[product.of], &with = problem.joints[product.with];
    for (int i = 0; i < of.rows; ++i)
      for (int k = 0; k < with.rows; ++k)
        f(Pair{static_cast<int>(product.first_of) + i, static_cast<int>(product.first_with) + k, k,
               delassus(problem, of, i, with, k)});
  }
  double mobility_of_bodies(const ContactProblem& problem) const;
  void gather(const ContactProblem& problem);
  /// Velocities of contacts once the held rows are undone, and their percussions.
  void gather_contacts(const ContactProblem& problem);
  /// Drives and contacts together, from q and u_c: changes r, percussions and change_c.
  void relax_driven(const ContactProblem& problem);
  /// free_cc: W of contacts whose drives that are at no bound keep their velocities.
  void keep_drives();
  /// Each contact in turn; the largest change, as GaussSeidel::sweep has it [m/s].
  double sweep_contacts(const ContactProblem& problem);
  void add_contacts(ContactProblem& problem) const;
  void add(ContactProblem& problem, const std::vector<Row>& rows, const auto& change);
};

}  // namespace scree
