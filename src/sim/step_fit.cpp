/// Whether steps are short enough for compliant contacts as they stand.
#include <algorithm>
#include <cmath>
#include <vector>

#include "laws/force_contact.hpp"
#include "scree/math/sym_mat3.hpp"
#include "scree/sim/force_times.hpp"
#include "sim/step.hpp"

namespace scree {
namespace {

/// Σ of what resists a body's motion, and its turning about the centre, over its contacts.
struct Resistance {
  SymMat3 moving, turning;

  void add(double factor, double normal, double tangential, const Vec3& n) {
    add_to(moving, factor * (normal - tangential), factor * tangential, n);
    add_to(turning, -factor * tangential, factor * tangential, n);
  }
  /// As force_times has it: the largest rate of a mass and its moment of inertia over m r².
  double over(double mass, double inertia) const {
    return std::max(largest(moving), largest(turning) / inertia) / mass;
  }

 private:
  /// along · n nᵀ + all · 1
  static void add_to(SymMat3& to, double along, double all, const Vec3& n) {
    to.xx += along * n.x * n.x + all;
    to.yy += along * n.y * n.y + all;
    to.zz += along * n.z * n.z + all;
    to.xy += along * n.x * n.y;
    to.xz += along * n.x * n.z;
    to.yz += along * n.y * n.z;
  }
  /// A bound on the largest eigenvalue: that itself, of n nᵀ and of 1.
  static double largest(const SymMat3& m) {
    const double mean = m.trace() / 3;
    const double x = m.xx - mean, y = m.yy - mean, z = m.zz - mean;
    const double others = m.xy * m.xy + m.xz * m.xz + m.yz * m.yz;
    return mean + 2 * std::sqrt((x * x + y * y + z * z + 2 * others) / 6);
  }
};

class StepFitter {
 public:
  explicit StepFitter(const Simulation& simulation)
      : simulation_(simulation),
        model_(simulation.model()),
        bodies_(simulation.state().bodies),
        springs_(bodies_.size()),
        dashpots_(bodies_.size()) {
    fit_.time = simulation.report().time;
    fit_.step = simulation.report().step;
  }

  void add(const ContactRecord& contact) {
    const BodyIndex a = simulation_.index_of(contact.a), b = index_of(contact.b);
    const MaterialId first = bodies_.material[a], second = material_of(b);
    const PairLaw& law = model_.laws(first, second);
    if (!is_compliant(law)) return;
    const force::Numbers n =
        force::numbers_of(law, model_.materials[first].moduli, model_.materials[second].moduli);
    const bool hertz = n.scheme.kind == ForceKind::hertz_mindlin;
    const double share = share_of_point(model_, bodies_, {a, b});
    const double inverse_mass = 1 / bodies_.mass[a] + (is_part(b) ? 0 : 1 / bodies_.mass[b]);
    const double radius =
        force::effective_radius(inner_radius(a), is_part(b) ? 0 : 1 / inner_radius(b));
    const auto c = force::coefficients<1>(n, radius, inverse_mass, share);
    const auto s = force::springs<1>(c, -contact.gap, n.scheme.kind);
    if (!(s.stiffness > 0)) return;
    const double lasts = force::impact_time(n.scheme.kind, 1 / inverse_mass, s.stiffness / share);
    if (const double part = model_.step.h / lasts; part > fit_.of_contact) {
      fit_.of_contact = part;
      fit_.a = contact.a;
      fit_.b = contact.b;
      fit_.depth = -contact.gap;
    }
    const double gamma = c.fixed_damping + c.damping * std::sqrt(s.stiffness);
    const double drag = c.tangential + c.damping_ratio * gamma;
    // Neighbours may move the other way, obstacles do not.
    const double factor = is_part(b) ? 1 : 2;
    for (const BodyIndex i : {a, b}) {
      if (is_part(i)) continue;
      springs_[i].add(factor, hertz ? 1.5 * s.stiffness : s.stiffness, s.shear_stiffness,
                      contact.normal);
      dashpots_[i].add(factor, gamma, drag, contact.normal);
    }
  }

  StepFit finish() {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Vec3& moments = model_.prototypes[bodies_.prototype[i]].inertia;
      const double inertia = std::min({moments.x, moments.y, moments.z}), mass = bodies_.mass[i];
      const double part = model_.step.h * std::max(std::sqrt(springs_[i].over(mass, inertia)) / 2,
                                                   dashpots_[i].over(mass, inertia));
      const bool lower = part == fit_.of_stable && bodies_.id[i] < fit_.body;
      if (!(part > fit_.of_stable || lower) || part == 0) continue;
      fit_.of_stable = part;
      fit_.body = bodies_.id[i];
    }
    return fit_;
  }

 private:
  static bool is_part(BodyIndex i) { return i & Neighbours::kObstacle; }
  BodyIndex index_of(BodyId id) const {
    if (!is_obstacle(id)) return simulation_.index_of(id);
    return Neighbours::kObstacle | static_cast<BodyIndex>(id.value - kFirstObstacleId);
  }
  MaterialId material_of(BodyIndex i) const {
    return is_part(i) ? model_.obstacles[i & ~Neighbours::kObstacle].material : bodies_.material[i];
  }
  double inner_radius(BodyIndex i) const {
    return model_.prototypes[bodies_.prototype[i]].inner_radius() * bodies_.radius[i];
  }

  const Simulation& simulation_;
  const Model& model_;
  const Bodies& bodies_;
  std::vector<Resistance> springs_, dashpots_;
  StepFit fit_;
};

}  // namespace

StepFit step_fit(const Simulation& simulation) {
  StepFitter fitter(simulation);
  simulation.for_each_piece_of_contacts([&](std::span<const ContactRecord> piece) {
    for (const ContactRecord& contact : piece) fitter.add(contact);
  });
  return fitter.finish();
}

}  // namespace scree
