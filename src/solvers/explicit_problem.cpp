#include "scree/solvers/explicit_problem.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "scree/contact/tangents.hpp"
#include "scree/solvers/solve_problem.hpp"

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
};

Contact contact_of(const ContactProblem& problem, const GeneralContact& g) {
  Contact c{{g.n, g.t1, g.t2}, {Side{g.a, -1, {}}, Side{g.b, 1, {}}}, g.percussion, {g.bias, 0, 0}};
  for (Side& side : c.side) {
    const BodyRecord& body = problem.bodies[side.body];
    for (int k = 0; k < 3; ++k) {
      side.lever[k] = cross(side.sign < 0 ? g.arm_a : g.arm_b, c.axis[k]);
      c.u[k] += side.sign * (dot(c.axis[k], body.velocity) + dot(side.lever[k], body.spin));
    }
  }
  return c;
}

std::size_t places(const ContactProblem& problem) { return kBlock * problem.blocks.size(); }

/// A contact of a diagonal block as a general one; W and the law are left open.
GeneralContact generalised(const DiagonalBlock& block, std::size_t k) {
  GeneralContact g{};
  g.a = block.a[k], g.b = block.b[k];
  g.n = {block.normal[0][k], block.normal[1][k], block.normal[2][k]};
  tangents(g.n, g.t1, g.t2);
  g.arm_a = g.n, g.arm_b = -g.n;
  g.bias = block.bias[k];
  g.percussion = g.to_frame({block.percussion[0][k], block.percussion[1][k], block.percussion[2][k]});
  return g;
}

GeneralContact general_contact(const ContactProblem& problem, ContactIndex contact) {
  if (contact >= places(problem)) return problem.general[contact - places(problem)];
  return generalised(problem.blocks[contact / kBlock], contact % kBlock);
}

AnyLaw law_of(const ContactProblem& problem, ContactIndex contact) {
  if (contact >= places(problem)) return problem.laws[problem.general[contact - places(problem)].law];
  return Coulomb{problem.blocks[contact / kBlock].friction[contact % kBlock]};
}

/// Which contact, and on which side, a body feels.
struct Touch {
  BodyIndex body;
  int contact;
  const Side* side;
};

std::vector<Touch> touches_by_body(const ContactProblem& problem, const std::vector<Contact>& contacts) {
  std::vector<Touch> touches;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    for (const Side& side : contacts[i].side)
      if (side.body < problem.free_bodies) touches.push_back({side.body, static_cast<int>(i), &side});
  std::ranges::stable_sort(touches, {}, &Touch::body);
  return touches;
}

SparseMatrix delassus_operator(const ContactProblem& problem, const std::vector<Contact>& contacts) {
  const std::vector<Touch> touches = touches_by_body(problem, contacts);
  std::vector<Eigen::Triplet<double>> entries;
  for (auto begin = touches.begin(); begin != touches.end();) {
    const BodyIndex body = begin->body;
    const auto end = std::find_if(begin, touches.end(), [&](const Touch& t) { return t.body != body; });
    const double inverse_mass = problem.bodies[body].inverse_mass;
    const SymMat3 inverse_inertia = problem.scaled_inverse_inertia(body);
    for (auto right = begin; right != end; ++right)
      for (int l = 0; l < 3; ++l) {
        const Vec3 velocity = (right->side->sign * inverse_mass) * contacts[right->contact].axis[l];
        const Vec3 spin = right->side->sign * (inverse_inertia * right->side->lever[l]);
        for (auto left = begin; left != end; ++left)
          for (int k = 0; k < 3; ++k)
            entries.emplace_back(
                3 * left->contact + k, 3 * right->contact + l,
                left->side->sign * (dot(contacts[left->contact].axis[k], velocity) + dot(left->side->lever[k], spin)));
      }
    begin = end;
  }
  const int rows = 3 * static_cast<int>(contacts.size());
  SparseMatrix W(rows, rows);
  W.setFromTriplets(entries.begin(), entries.end());
  return W;
}

void append(std::vector<LawRun>& runs, const AnyLaw& law) {
  std::visit(
      [&]<class Law>(const Law& of_contact) {
        if (runs.empty() || !std::holds_alternative<std::vector<Law>>(runs.back()))
          runs.emplace_back(std::vector<Law>{});
        std::get<std::vector<Law>>(runs.back()).push_back(of_contact);
      },
      law);
}

}  // namespace

std::pair<BodyIndex, BodyIndex> bodies_of(const ContactProblem& problem, ContactIndex contact) {
  if (contact >= places(problem)) {
    const GeneralContact& g = problem.general[contact - places(problem)];
    return {g.a, g.b};
  }
  const DiagonalBlock& block = problem.blocks[contact / kBlock];
  return {block.a[contact % kBlock], block.b[contact % kBlock]};
}

std::vector<ContactIndex> contacts_of(const ContactProblem& problem) {
  std::vector<ContactIndex> contacts;
  const auto end = static_cast<ContactIndex>(places(problem) + problem.general.size());
  for (ContactIndex contact = 0; contact < end; ++contact)
    if (bodies_of(problem, contact) != std::pair(problem.at_rest(), problem.at_rest())) contacts.push_back(contact);
  return contacts;
}

FrictionContactProblem explicit_problem(const ContactProblem& problem, std::span<const ContactIndex> contacts,
                                        Vector& r) {
  std::vector<Contact> geometry;
  geometry.reserve(contacts.size());
  FrictionContactProblem result;
  for (const ContactIndex contact : contacts) {
    geometry.push_back(contact_of(problem, general_contact(problem, contact)));
    append(result.laws, law_of(problem, contact));
  }
  result.W = delassus_operator(problem, geometry);
  const auto rows = result.W.rows();
  r.resize(rows), result.q.resize(rows);
  for (int i = 0; i < rows; ++i) r[i] = geometry[i / 3].r[i % 3], result.q[i] = geometry[i / 3].u[i % 3];
  result.q -= result.W * r;
  return result;
}

void set_percussions(ContactProblem& problem, std::span<const ContactIndex> contacts, const Vector& r) {
  const auto push = [&](BodyIndex i, const Vec3& arm, const Vec3& impulse) {
    if (i >= problem.free_bodies) return;
    problem.bodies[i].velocity += problem.bodies[i].inverse_mass * impulse;
    problem.bodies[i].spin += problem.scaled_inverse_inertia(i) * cross(arm, impulse);
  };
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const GeneralContact g = general_contact(problem, contacts[i]);
    const Vec3 now{r[3 * i], r[3 * i + 1], r[3 * i + 2]};
    const Vec3 change = g.to_inertial(now - g.percussion);
    push(g.a, g.arm_a, -change);
    push(g.b, g.arm_b, change);
    if (contacts[i] >= places(problem)) {
      problem.general[contacts[i] - places(problem)].percussion = now;
    } else {
      const Vec3 inertial = g.to_inertial(now);
      for (int k = 0; k < 3; ++k)
        problem.blocks[contacts[i] / kBlock].percussion[k][contacts[i] % kBlock] = inertial[k];
    }
  }
}

SolveResult solve_explicitly(ContactProblem& problem, SolverKind solver, const SolveSettings& settings,
                             ThreadPool& pool) {
  SolveResult result;
  GaussSeidel certifier;
  const std::vector<ContactIndex> contacts = contacts_of(problem);
  Vector r = Vector::Zero(3 * static_cast<Eigen::Index>(contacts.size()));
  if (problem.squared_q > 0) {
    const FrictionContactProblem written_out = explicit_problem(problem, contacts, r);
    SolveOptions options{.solver = solver};
    // The solvers measure by all of q, this problem by the contacts that close.
    options.tolerance = settings.tolerance * std::sqrt(problem.squared_q) / written_out.q.norm();
    options.max_iterations = settings.max_sweeps;
    options.acceleration = settings.accelerated ? Acceleration::nesterov : Acceleration::none;
    options.start = {r.data(), static_cast<std::size_t>(r.size())};
    options.threads = pool.threads();
    const Solution solution = solve(written_out, options);
    r = solution.r, result.sweeps = solution.iterations;
  }
  // Without a contact that closes r = 0 is the answer, whatever the last step left.
  set_percussions(problem, contacts, r);
  result.certificate = certifier.certify(problem, settings.tolerance, pool);
  result.converged = result.certificate.residual <= settings.tolerance;
  return result;
}

}  // namespace scree
