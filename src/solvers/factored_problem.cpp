/// Conversion of a ContactProblem into a matrix problem and back.
#include "scree/solvers/factored_problem.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <vector>

#include "scree/core/error.hpp"
#include "scree/solvers/solve_problem.hpp"
#include "scree/solvers/tangents.hpp"
#include "solvers/kernels/contact_kernels.hpp"
#include "solvers/kernels/joint_blocks.hpp"

namespace scree {
namespace {

/// Lanes of sphere blocks: the index of the first lane of a contact block.
std::size_t sphere_lanes(const ContactProblem& problem) { return kBlock * problem.blocks.size(); }

int row_count(std::span<const ContactIndex> contacts, std::span<const JointBlock> joints) {
  int rows = 3 * static_cast<int>(contacts.size());
  for (const JointBlock& joint : joints) rows += joint.rows;
  return rows;
}

/// Rows of a contact of a sphere block, with arbitrary tangents; W and the law are not set.
ContactRows rows_of_spheres(const SphereContactBlock& block, std::size_t k) {
  ContactRows c{.a = block.a[k], .b = block.b[k], .law = 0};
  Vec3& n = c.axis[0];
  n = {block.normal[0][k], block.normal[1][k], block.normal[2][k]};
  tangents(n, c.axis[1], c.axis[2]);
  for (int row = 0; row < 3; ++row) c.jw_a[row] = c.jw_b[row] = -cross(n, c.axis[row]);
  c.bias = {block.bias[k], 0, 0};
  c.impulse = c.to_frame({block.impulse[0][k], block.impulse[1][k], block.impulse[2][k]});
  return c;
}

/// Adds the columns of one body to rows of G = Hᵀ M^(−1/2), six columns per body. Entries of one
/// body add up.
void add_side(const ContactProblem& problem, std::span<const BodyIndex> place,
              const JointBlock::Side& side, int rows, int row,
              std::vector<Eigen::Triplet<double>>& entries) {
  if (side.body >= problem.free_bodies) return;
  const BodyRecord& body = problem.bodies[side.body];
  const double root = side.sign * std::sqrt(body.inverse_mass);
  const double spin_root = std::sqrt(body.inverse_inertia);
  const int column = 6 * static_cast<int>(place.empty() ? side.body : place[side.body]);
  for (int k = 0; k < rows; ++k) {
    const Vec3 axis = without(side.axis[k], side.locked);
    for (int i = 0; i < 3; ++i) {
      entries.emplace_back(row + k, column + i, root * axis[i]);
      entries.emplace_back(row + k, column + 3 + i, spin_root * side.jw[k][i]);
    }
  }
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

std::vector<ContactIndex> contacts_of(const ContactProblem& problem) {
  std::vector<ContactIndex> contacts;
  contacts.reserve(problem.contacts);
  for_each_contact(
      problem, [&](ContactIndex contact, BodyIndex, BodyIndex) { contacts.push_back(contact); });
  return contacts;
}

void for_each_contact(const ContactProblem& problem,
                      FunctionRef<void(ContactIndex, BodyIndex, BodyIndex)> f) {
  const auto add_block = [&](const auto& blocks, std::size_t b, std::size_t first) {
    for (std::size_t lane = 0; lane < kBlock; ++lane)
      if (holds_contact(blocks[b], lane, problem.at_rest()))
        f(static_cast<ContactIndex>(first + kBlock * b + lane), blocks[b].a[lane],
          blocks[b].b[lane]);
  };
  const bool is_part = !problem.part_bodies.empty();
  const auto add = [&](const auto& blocks, std::span<const Chunk> chunks, std::size_t first) {
    if (!is_part)
      for (std::size_t b = 0; b < blocks.size(); ++b) add_block(blocks, b, first);
    else
      for (const Chunk& chunk : chunks)
        for (std::uint32_t b = chunk.begin; b < chunk.end; ++b) add_block(blocks, b, first);
  };
  add(problem.blocks, problem.chunks, 0);
  add(problem.contact_blocks, problem.contact_chunks, sphere_lanes(problem));
}

ContactRows contact_rows(const ContactProblem& problem, ContactIndex contact) {
  const std::size_t lane = contact % kBlock;
  const std::size_t spheres = sphere_lanes(problem);
  if (contact < spheres) return rows_of_spheres(problem.blocks[contact / kBlock], lane);
  return problem.contact_blocks[(contact - spheres) / kBlock].contact(static_cast<int>(lane));
}

AnyLaw law_of(const ContactProblem& problem, ContactIndex contact) {
  const std::size_t spheres = sphere_lanes(problem);
  if (contact < spheres)
    return Coulomb{problem.blocks[contact / kBlock].friction[contact % kBlock]};
  return problem.laws[problem.contact_blocks[(contact - spheres) / kBlock].law];
}

FactoredProblem factored_subset(const ContactProblem& problem,
                                std::span<const ContactIndex> contacts,
                                std::span<const JointBlock> joints, Vector& r,
                                std::span<const BodyIndex> place) {
  const int rows = row_count(contacts, joints);
  FactoredProblem result{
      SparseMatrix(rows, 6 * static_cast<int>(problem.free_bodies)), Vector(rows), {}};
  r.resize(rows);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    const ContactIndex contact = contacts[static_cast<std::size_t>(i)];
    const ContactRows c = contact_rows(problem, contact);
    const Vec3 u = kernels::relative_velocity(problem, c);
    for (int k = 0; k < 3; ++k) {
      r[3 * i + k] = c.impulse[k];
      result.q[3 * i + k] = u[k];
    }
    add_side(problem, place, {c.a, -1, c.axis, c.jw_a, c.locked_a}, 3, 3 * i, entries);
    add_side(problem, place, {c.b, 1, c.axis, c.jw_b, c.locked_b}, 3, 3 * i, entries);
    append(result.laws, law_of(problem, contact));
  }
  std::vector<JointRows> rows_of_joints;
  int row = 3 * static_cast<int>(contacts.size());
  for (const JointBlock& joint : joints) {
    result.q.segment(row, joint.rows) =
        Vector::Map(kernels::relative_velocity(problem.bodies, joint).data(), joint.rows);
    r.segment(row, joint.rows) = Eigen::Map<const Vector>(joint.impulse, joint.rows);
    joint.for_each_side([&](const JointBlock::Side& side) {
      add_side(problem, place, side, joint.rows, row, entries);
    });
    rows_of_joints.push_back({joint.rows});
    row += joint.rows;
  }
  if (!joints.empty()) result.laws.emplace_back(std::move(rows_of_joints));
  result.G.setFromTriplets(entries.begin(), entries.end());
  result.q -= result.G * Vector(result.G.transpose() * r);
  return result;
}

FactoredProblem factored_problem(const ContactProblem& problem, Vector& r) {
  std::vector<JointBlock> held;
  std::ranges::copy_if(problem.joints, std::back_inserter(held), [](const JointBlock& joint) {
    return joint.kind == JointBlock::Kind::held;
  });
  return factored_subset(problem, contacts_of(problem), held, r);
}

void set_impulses(ContactProblem& problem, std::span<const ContactIndex> contacts,
                  const Vector& r) {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto row = 3 * static_cast<Eigen::Index>(i);
    set_impulse(problem, contacts[i], contact_rows(problem, contacts[i]),
                {r[row], r[row + 1], r[row + 2]});
  }
}

void set_impulse(ContactProblem& problem, ContactIndex contact, const ContactRows& rows,
                 const Vec3& impulse) {
  kernels::add_impulse(problem.bodies, problem.free_bodies, rows, impulse - rows.impulse);
  const std::size_t lane = contact % kBlock, first = sphere_lanes(problem);
  const bool spheres = contact < first;
  auto& stored = spheres ? problem.blocks[contact / kBlock].impulse
                         : problem.contact_blocks[(contact - first) / kBlock].impulse;
  const Vec3 in_its_frame = spheres ? rows.to_inertial(impulse) : impulse;
  for (int k = 0; k < 3; ++k) stored[k][lane] = in_its_frame[k];
}

void take_chosen_solutions(ContactProblem& problem) {
  std::vector<std::pair<ContactIndex, Vec3>> chosen;
  const auto first = static_cast<ContactIndex>(sphere_lanes(problem));
  for (const ContactIndex contact : contacts_of(problem)) {
    if (contact < first) continue;  // between spheres there is one
    const ContactRows c = contact_rows(problem, contact);
    const auto* law = std::get_if<Coulomb>(&problem.laws[c.law]);
    if (!law || law->has_one_solution(c.W)) continue;
    const Vec3 q = kernels::relative_velocity(problem, c) - c.W * c.impulse;
    if (const auto r = law->other_choice(c.W, q, c.impulse, c.impulse))
      chosen.emplace_back(contact, *r);
  }
  for (const auto& [contact, r] : chosen)
    set_impulse(problem, contact, contact_rows(problem, contact), r);
}

namespace {

/// Sets the impulses of some contacts, then of some joints, to `r`.
void set_impulses(ContactProblem& problem, std::span<const ContactIndex> contacts,
                  std::span<JointBlock> joints, const Vector& r) {
  set_impulses(problem, contacts, r);
  Eigen::Index row = 3 * static_cast<Eigen::Index>(contacts.size());
  for (JointBlock& joint : joints) {
    Eigen::Map<Vector> impulse(joint.impulse, joint.rows);
    const Vector now = r.segment(row, joint.rows);
    kernels::JointVector change{};
    for (int k = 0; k < joint.rows; ++k) change[k] = now[k] - impulse[k];
    kernels::add_impulse(problem.bodies, problem.free_bodies, joint, change);
    impulse = now;
    row += joint.rows;
  }
}

/// Place of each free body by its id; empty if ids are unknown.
std::vector<BodyIndex> places_by_id(const ContactProblem& problem) {
  std::vector<BodyIndex> by_id(problem.body_ids.size()), place(by_id.size());
  std::iota(by_id.begin(), by_id.end(), 0U);
  std::ranges::sort(by_id, {}, [&](BodyIndex body) { return problem.body_ids[body]; });
  for (BodyIndex k = 0; k < by_id.size(); ++k) place[by_id[k]] = k;
  return place;
}

/// Contacts by the ids of their bodies, then by their rows: the same order for any storage.
std::vector<ContactIndex> in_order(const ContactProblem& problem,
                                   std::span<const ContactIndex> contacts,
                                   std::span<const BodyIndex> place) {
  std::vector<ContactIndex> ordered(contacts.begin(), contacts.end());
  if (place.empty()) return ordered;
  const auto key = [&](ContactIndex contact) {
    const ContactRows c = contact_rows(problem, contact);
    const auto of = [&](BodyIndex body) {
      return body < place.size() ? place[body] : ~BodyIndex{0};
    };
    const Vec3 &n = c.axis[0], &arm = c.jw_a[1];
    return std::tuple(of(c.a), of(c.b), n.x, n.y, n.z, arm.x, arm.y, arm.z, c.bias.x);
  };
  std::ranges::sort(ordered, {}, key);
  return ordered;
}

/// Label of a row's subdomain: that of its free bodies, the first of them if they differ.
template <class Rows>
int subdomain_of(const ContactProblem& problem, const Rows& rows) {
  int label = std::numeric_limits<int>::max();
  for (const BodyIndex body : {rows.a, rows.b})
    if (body < problem.free_bodies) label = std::min(label, problem.body_block[body]);
  return label;
}

/// SolveContext::subdomain of these contacts and joints.
std::vector<int> subdomains_of(const ContactProblem& problem,
                               std::span<const ContactIndex> contacts,
                               std::span<const JointBlock> joints) {
  std::vector<int> labels;
  if (problem.body_block.empty()) return labels;
  for (const ContactIndex contact : contacts)
    labels.push_back(subdomain_of(problem, contact_rows(problem, contact)));
  for (const JointBlock& joint : joints) labels.push_back(subdomain_of(problem, joint));
  return labels;
}

SolveResult solve_some(ContactProblem& problem, std::span<const ContactIndex> unordered,
                       std::span<JointBlock> joints, const SolverSettings& settings,
                       ThreadPool& pool) {
  const std::vector<BodyIndex> place = places_by_id(problem);
  const std::vector<ContactIndex> contacts = in_order(problem, unordered, place);
  SolveResult result;
  GaussSeidel certifier;
  Vector r = Vector::Zero(row_count(contacts, joints));
  if (problem.anything_closes()) {
    FactoredProblem factored = factored_subset(problem, contacts, joints, r, place);
    // A step does not throw: if numbers are not finite, impulses stay, and the certificate shows
    // it.
    const bool finite =
        factored.q.allFinite() &&
        Eigen::Map<const Vector>(factored.G.valuePtr(), factored.G.nonZeros()).allFinite();
    if (!finite) {
      result.certificate = certifier.certify(problem, settings.tolerance, pool);
      return result;
    }
    SolverSettings scaled = settings;
    // Velocities of the solvers and of bodies are rounded differently: half of Q is reserved for
    // that.
    const ResidualScale scale = problem.residual_scale();
    factored.speed = scale.unit();
    scaled.tolerance = (scale.allowed(settings.tolerance) - 0.5 * scale.rounding) / factored.speed;
    SolveContext context;
    context.start = {r.data(), static_cast<std::size_t>(r.size())};
    context.pool = &pool;
    const std::vector<int> subdomains = subdomains_of(problem, contacts, joints);
    context.subdomain = subdomains;
    try {
      const Solution solution = solve(factored, scaled, context);
      r = solution.r;
      result.sweeps = solution.iterations;
    } catch (const InputError&) {
      // The same if a block of W vanishes or overflows.
      result.certificate = certifier.certify(problem, settings.tolerance, pool);
      return result;
    }
  }
  // If no contact closes, the answer is r = 0, without a warm start.
  set_impulses(problem, contacts, joints, r);
  result.certificate = certifier.certify(problem, settings.tolerance, pool);
  result.converged = result.certificate.residual <= settings.tolerance;
  return result;
}

}  // namespace

SolveResult solve_as_matrix_problem(ContactProblem& problem, const SolverSettings& settings,
                                    ThreadPool& pool) {
  return solve_some(problem, contacts_of(problem), problem.joints, settings, pool);
}

SolveResult solve_as_matrix_problem(ContactProblem& problem, std::span<const ContactIndex> contacts,
                                    const SolverSettings& settings, ThreadPool& pool) {
  return solve_some(problem, contacts, {}, settings, pool);
}

}  // namespace scree
