/// Fit of the step to the present compliant contacts.
#include <algorithm>
#include <cmath>
#include <vector>

#include "laws/force_contact.hpp"
#include "scree/math/sym_mat3.hpp"
#include "scree/sim/force_times.hpp"
#include "sim/compliant/leverage.hpp"
#include "sim/contacts/narrow_phase.hpp"

namespace scree {
namespace {

/// Σ over contacts of the resistance to a body's translation, and to its rotation about the centre.
struct Resistance {
  SymMat3 moving, rotational;

  void add(double factor, double normal, double tangential, const Vec3& n) {
    add_to(moving, factor * (normal - tangential), factor * tangential, n);
    add_to(rotational, -factor * tangential, factor * tangential, n);
  }
  /// Adds a contact of a clump at `arm` over its radius: rotation is in its principal frame.
  void add_at(double factor, double normal, double tangential, const Vec3& n, const Vec3& in_body,
              const Vec3& arm, const Vec3& inertia) {
    add_to(moving, factor * (normal - tangential), factor * tangential, n);
    add_square(rotational, factor * (normal - tangential), angular_row_of(inertia, arm, in_body));
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 d{};
      d[axis] = 1;
      add_square(rotational, factor * tangential, angular_row_of(inertia, arm, d));
    }
  }
  /// Largest rate of a mass and its moment of inertia over m r², as in force_times.
  double over(double mass, double inertia) const {
    return std::max(largest_eigenvalue_bound(moving),
                    largest_eigenvalue_bound(rotational) / inertia) /
           mass;
  }
  double of_clump(double mass) const {
    return (largest_eigenvalue_bound(moving) + largest_eigenvalue_bound(rotational)) / mass;
  }

 private:
  /// along · n nᵀ + all · 1
  static void add_to(SymMat3& to, double along, double all, const Vec3& n) {
    add_square(to, along, n);
    to.xx += all;
    to.yy += all;
    to.zz += all;
  }
};

class StepFitter {
 public:
  explicit StepFitter(const Simulation& simulation)
      : simulation_(simulation),
        model_(simulation.model()),
        bodies_(simulation.state().bodies),
        domain_(domain_of(simulation.state().cell)),
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
    const double share = share_of(a, b);
    const double inverse_mass =
        1 / bodies_.mass[a] + (is_obstacle_index(b) ? 0 : 1 / bodies_.mass[b]);
    const double radius =
        force::effective_radius(ball_radius(a), is_obstacle_index(b) ? 0 : 1 / ball_radius(b));
    const auto c = force::coefficients<1>(n, radius, inverse_mass, share);
    const auto s = force::springs<1>(c, -contact.gap, n.scheme.kind);
    if (!(s.stiffness > 0)) return;
    const double lasts = force::impact_time(n.scheme.kind, 1 / inverse_mass, s.stiffness / share);
    if (const double fraction = model_.step.h / lasts; fraction > fit_.of_contact) {
      fit_.of_contact = fraction;
      fit_.a = contact.a;
      fit_.b = contact.b;
      fit_.depth = -contact.gap;
    }
    const double gamma = c.fixed_damping + c.damping * std::sqrt(s.stiffness);
    const double drag = c.tangential + c.damping_ratio * gamma;
    // Neighbours may move against it, obstacles do not.
    const double factor = is_obstacle_index(b) ? 1 : 2;
    for (const BodyIndex i : {a, b}) {
      if (is_obstacle_index(i)) continue;
      const double stiffness = hertz ? 1.5 * s.stiffness : s.stiffness;
      const Vec3& n_ab = contact.normal;
      if (is_clump(prototype(i).shape)) {
        const Quaternion& turned = bodies_.orientation[i];
        const Vec3 in_body = rotate_back(turned, n_ab),
                   arm =
                       rotate_back(turned, domain_.separation(bodies_.position[i], contact.point)) /
                       bodies_.radius[i];
        const Vec3& inertia = prototype(i).inertia;
        springs_[i].add_at(factor, stiffness, s.shear_stiffness, n_ab, in_body, arm, inertia);
        dashpots_[i].add_at(factor, gamma, drag, n_ab, in_body, arm, inertia);
        continue;
      }
      springs_[i].add(factor, stiffness, s.shear_stiffness, n_ab);
      dashpots_[i].add(factor, gamma, drag, n_ab);
    }
  }

  StepFit finish() {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Prototype& own = prototype(static_cast<BodyIndex>(i));
      const double inertia = std::min({own.inertia.x, own.inertia.y, own.inertia.z}),
                   mass = bodies_.mass[i];
      const auto rate = [&](const Resistance& resistance) {
        return is_clump(own.shape) ? resistance.of_clump(mass) : resistance.over(mass, inertia);
      };
      const double fraction =
          model_.step.h * std::max(std::sqrt(rate(springs_[i])) / 2, rate(dashpots_[i]));
      const bool lower = fraction == fit_.of_stable && bodies_.id[i] < fit_.body;
      if (!(fraction > fit_.of_stable || lower) || fraction == 0) continue;
      fit_.of_stable = fraction;
      fit_.body = bodies_.id[i];
    }
    return fit_;
  }

 private:
  static bool is_obstacle_index(BodyIndex i) { return i & Neighbours::kObstacle; }
  BodyIndex index_of(BodyId id) const {
    if (!is_obstacle(id)) return simulation_.index_of(id);
    return Neighbours::kObstacle | static_cast<BodyIndex>(id.value - kFirstObstacleId);
  }
  MaterialId material_of(BodyIndex i) const {
    return is_obstacle_index(i) ? model_.obstacles[i & ~Neighbours::kObstacle].material
                                : bodies_.material[i];
  }
  const Prototype& prototype(BodyIndex i) const { return model_.prototypes[bodies_.prototype[i]]; }
  const Shape& shape_of(BodyIndex i) const {
    return is_obstacle_index(i) ? model_.obstacles[i & ~Neighbours::kObstacle].shape
                                : prototype(i).shape;
  }
  /// Radius of the largest ball in a body; for a clump in one of its parts.
  double ball_radius(BodyIndex i) const {
    const auto* clump = std::get_if<Clump>(&prototype(i).shape);
    if (!clump) return prototype(i).inscribed_radius() * bodies_.radius[i];
    const std::span<const double> reaches = clump->parts->reaches();
    return bodies_.radius[i] * clump->scale * *std::ranges::max_element(reaches);
  }
  /// Fraction of a pair's stiffness, for clumps the largest of a point: the parts that touch are
  /// not known.
  double share_of(BodyIndex a, BodyIndex b) const {
    const auto has_round = [&](BodyIndex i) {
      const auto* clump = std::get_if<Clump>(&shape_of(i));
      return clump && clump->parts->round_parts() > 0;
    };
    return has_round(a) || has_round(b) ? 1 : share_of_point(model_, bodies_, {a, b});
  }

  const Simulation& simulation_;
  const Model& model_;
  const Bodies& bodies_;
  Domain domain_;
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
