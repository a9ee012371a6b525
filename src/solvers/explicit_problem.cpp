#include "scree/solvers/explicit_problem.hpp"

#include <array>
#include <type_traits>

#include "scree/contact/tangents.hpp"

namespace scree {
namespace {

/// A contact's side on one body: how its rows move with the body's velocity and spin.
struct Side {
  BodyIndex body;
  double sign;
  Vec3 lever[3];  ///< arm × axis of each row
};

struct Contact {
  Vec3 axis[3];  ///< n, t1, t2
  std::array<Side, 2> side;
  Vec3 r, u;  ///< in the frame
  AnyLaw law;
};

Contact contact_of(const ContactProblem& problem, const Vec3& n, const Vec3& t1, const Vec3& t2, BodyIndex a,
                   BodyIndex b, const Vec3& arm_a, const Vec3& arm_b, double bias, const Vec3& r, const AnyLaw& law) {
  Contact c{{n, t1, t2}, {Side{a, -1, {}}, Side{b, 1, {}}}, r, {bias, 0, 0}, law};
  for (Side& side : c.side) {
    const BodyRecord& body = problem.bodies[side.body];
    for (int k = 0; k < 3; ++k) {
      side.lever[k] = cross(side.sign < 0 ? arm_a : arm_b, c.axis[k]);
      c.u[k] += side.sign * (dot(c.axis[k], body.velocity) + dot(side.lever[k], body.spin));
    }
  }
  return c;
}

std::vector<Contact> contacts_of(const ContactProblem& problem) {
  std::vector<Contact> contacts;
  for (const DiagonalBlock& block : problem.blocks)
    for (int k = 0; k < kBlock; ++k) {
      if (block.a[k] == problem.at_rest() && block.b[k] == problem.at_rest()) continue;  // nobody's place
      const Vec3 n{block.normal[0][k], block.normal[1][k], block.normal[2][k]};
      const Vec3 r{block.percussion[0][k], block.percussion[1][k], block.percussion[2][k]};
      Vec3 t1, t2;
      tangents(n, t1, t2);
      contacts.push_back(contact_of(problem, n, t1, t2, block.a[k], block.b[k], n, -n, block.bias[k],
                                    {dot(r, n), dot(r, t1), dot(r, t2)}, Coulomb{block.friction[k]}));
    }
  for (const GeneralContact& g : problem.general)
    contacts.push_back(
        contact_of(problem, g.n, g.t1, g.t2, g.a, g.b, g.arm_a, g.arm_b, g.bias, g.percussion, problem.laws[g.law]));
  return contacts;
}

Vec3 turned(const ContactProblem& problem, BodyIndex body, const Vec3& lever) {
  const double isotropic = problem.bodies[body].inverse_inertia;
  return isotropic > 0 || problem.inverse_inertia.empty() ? isotropic * lever : problem.inverse_inertia[body] * lever;
}

}  // namespace

FrictionContactProblem explicit_problem(const ContactProblem& problem, Vector& r) {
  const std::vector<Contact> contacts = contacts_of(problem);
  std::vector<std::vector<std::pair<int, const Side*>>> of_body(problem.free_bodies);
  for (std::size_t i = 0; i < contacts.size(); ++i)
    for (const Side& side : contacts[i].side)
      if (side.body < problem.free_bodies) of_body[side.body].emplace_back(static_cast<int>(i), &side);

  std::vector<Eigen::Triplet<double>> entries;
  for (BodyIndex body = 0; body < problem.free_bodies; ++body)
    for (const auto& [i, left] : of_body[body])
      for (const auto& [j, right] : of_body[body])
        for (int l = 0; l < 3; ++l) {
          const Vec3 velocity = (right->sign * problem.bodies[body].inverse_mass) * contacts[j].axis[l];
          const Vec3 spin = right->sign * turned(problem, body, right->lever[l]);
          for (int k = 0; k < 3; ++k)
            entries.emplace_back(3 * i + k, 3 * j + l,
                                 left->sign * (dot(contacts[i].axis[k], velocity) + dot(left->lever[k], spin)));
        }

  FrictionContactProblem result;
  const int rows = 3 * static_cast<int>(contacts.size());
  result.W.resize(rows, rows);
  result.W.setFromTriplets(entries.begin(), entries.end());
  r.resize(rows), result.q.resize(rows);
  for (int i = 0; i < rows; ++i) r[i] = contacts[i / 3].r[i % 3], result.q[i] = contacts[i / 3].u[i % 3];
  result.q -= result.W * r;
  for (const Contact& c : contacts)
    std::visit(
        [&]<class Law>(const Law& law) {
          if (result.laws.empty() || !std::holds_alternative<std::vector<Law>>(result.laws.back()))
            result.laws.emplace_back(std::vector<Law>{});
          std::get<std::vector<Law>>(result.laws.back()).push_back(law);
        },
        c.law);
  return result;
}

}  // namespace scree
