/// Contacts of a problem one by one, of any kind, for the phases of impacts.
#pragma once

#include <optional>
#include <span>

#include "scree/solvers/contact_certificate.hpp"
#include "sim/step_context.hpp"
#include "solvers/kernels/contact_kernels.hpp"
#include "solvers/kernels/rolling_blocks.hpp"
#include "solvers/step_settings.hpp"

namespace scree {

/// Contacts in the order of ContactIndex. Impulses and velocities are in the frame of a block: for
/// spheres the inertial frame, else the contact's.
class ImpactContacts {
 public:
  explicit ImpactContacts(ContactProblem& problem)
      : problem_(problem), spheres_(kBlock * problem.blocks.size()) {}

  std::size_t size() const { return spheres_ + kBlock * problem_.contact_blocks.size(); }
  bool is_of_spheres(std::size_t k) const { return k < spheres_; }
  /// Index of a lane of a contact block.
  std::size_t of_full(std::size_t lane) const { return spheres_ + lane; }
  bool holds(std::size_t k) const {
    return is_of_spheres(k) ? holds_contact(sphere(k), k % kBlock, problem_.at_rest())
                            : holds_contact(full(k), k % kBlock, problem_.at_rest());
  }

  BodyIndex a(std::size_t k) const {
    return is_of_spheres(k) ? sphere(k).a[k % kBlock] : full(k).a[k % kBlock];
  }
  BodyIndex b(std::size_t k) const {
    return is_of_spheres(k) ? sphere(k).b[k % kBlock] : full(k).b[k % kBlock];
  }
  Vec3 normal(std::size_t k) const {
    return is_of_spheres(k) ? vector(sphere(k).normal, k) : Vec3{1, 0, 0};
  }
  Vec3 impulse(std::size_t k) const {
    return is_of_spheres(k) ? vector(sphere(k).impulse, k) : vector(full(k).impulse, k);
  }
  void set_impulse(std::size_t k, const Vec3& r) const {
    auto& to = is_of_spheres(k) ? sphere(k).impulse : full(k).impulse;
    for (int axis = 0; axis < 3; ++axis) to[axis][k % kBlock] = r[axis];
  }
  double& bias(std::size_t k) const {
    return is_of_spheres(k) ? sphere(k).bias[k % kBlock] : full(k).bias[0][k % kBlock];
  }
  /// u with these velocities, without the bias [m/s].
  Vec3 velocity(std::size_t k, std::span<const BodyRecord> bodies) const {
    if (!is_of_spheres(k))
      return kernels::relative_velocity(bodies, full(k).contact(static_cast<int>(k % kBlock)));
    const BodyRecord &of_a = bodies[a(k)], &of_b = bodies[b(k)];
    return of_b.velocity - of_a.velocity - cross(of_a.spin + of_b.spin, normal(k));
  }
  /// W_nn [1/kg].
  double normal_delassus(std::size_t k) const {
    return is_of_spheres(k)
               ? problem_.bodies[a(k)].inverse_mass + problem_.bodies[b(k)].inverse_mass
               : full(k).W[0][k % kBlock];
  }
  /// The speed that a contact must undo, see scree::closing_speed [m/s].
  double closing_speed(std::size_t k, const Vec3& q) const {
    if (is_of_spheres(k)) return -dot(q, normal(k));
    return std::visit([&](const auto& law) { return scree::closing_speed(law, q); },
                      problem_.laws[full(k).law]);
  }
  void set_closing(std::size_t k, double speed) const {
    ClosingBlock& block = is_of_spheres(k) ? problem_.closing[k / kBlock]
                                           : problem_.contact_closing[(k - spheres_) / kBlock];
    block.speed[k % kBlock] = static_cast<float>(speed);
  }
  /// Separation speed, see ContactLaw [m/s].
  double parting_speed(std::size_t k, const Vec3& u) const {
    if (is_of_spheres(k)) return 0;
    return std::visit([&](const auto& law) { return law.parting_speed(u); },
                      problem_.laws[full(k).law]);
  }
  /// Rolling rows of a contact, with their present impulses; none where no law resists.
  std::optional<kernels::RollingContact> rolling(std::size_t k) const {
    if (is_of_spheres(k) || full(k).rolling == ContactBlock::kNone) return {};
    return kernels::RollingContact(problem_, full(k), static_cast<int>(k % kBlock));
  }
  /// w with these velocities, without the bias; 0 without rolling rows [m/s].
  Vec3 rolling_velocity(std::size_t k, std::span<const BodyRecord> bodies) const {
    const auto rows = rolling(k);
    return rows ? rows->velocity(bodies) : Vec3{};
  }
  /// Σ impulse · (velocity at the start + present velocity)/2 of all rows [J].
  double work(std::size_t k, const Vec3& start, const Vec3& rolling_start,
              std::span<const BodyRecord> now) const {
    const double of_law = 0.5 * dot(impulse(k), start + velocity(k, now));
    const auto rows = rolling(k);
    if (!rows) return of_law;
    return of_law + 0.5 * dot(rows->impulse(), rolling_start + rows->velocity(now));
  }
  ContactVerdict verdict(std::size_t k) const {
    const int lane = static_cast<int>(k % kBlock);
    return is_of_spheres(k) ? verdict_of(problem_, sphere(k), lane)
                            : verdict_of(problem_, full(k), lane);
  }

 private:
  SphereContactBlock& sphere(std::size_t k) const { return problem_.blocks[k / kBlock]; }
  ContactBlock& full(std::size_t k) const {
    return problem_.contact_blocks[(k - spheres_) / kBlock];
  }
  static Vec3 vector(const double (&of)[3][kBlock], std::size_t k) {
    return {of[0][k % kBlock], of[1][k % kBlock], of[2][k % kBlock]};
  }

  ContactProblem& problem_;
  std::size_t spheres_;
};

/// Runs f(index, ImpactPhases::ImpactContact) for all contacts, over threads.
template <class F>
void for_each_impact_contact(StepContext& c, F&& f) {
  const ImpactContacts contacts(c.scratch.problem);
  auto& impacts = c.scratch.phases.contacts;
  c.pool.for_each_range(contacts.size(), kImpactContactsPerChunk,
                        [&](std::size_t begin, std::size_t end) {
                          for (std::size_t k = begin; k < end; ++k)
                            if (contacts.holds(k)) f(k, impacts[k]);
                        });
}

/// Σ f(index, ImpactPhases::ImpactContact) over all contacts, independent of the storage order.
template <class F>
double sum_over_impact_contacts(StepContext& c, F&& f) {
  std::vector<ExactSum>& sums = c.scratch.phases.sums;
  const std::size_t count = c.scratch.phases.contacts.size();
  sums.resize((count + kImpactContactsPerChunk - 1) / kImpactContactsPerChunk);
  for (ExactSum& sum : sums) sum.clear();
  for_each_impact_contact(c, [&](std::size_t k, const ImpactPhases::ImpactContact& impact) {
    sums[k / kImpactContactsPerChunk].add(f(k, impact));
  });
  ExactSum total;
  for (const ExactSum& sum : sums) total += sum;
  return total.value();
}

}  // namespace scree
