/// Steps a single pair of bodies with prescribed motion through a compliant law, with its energies.
#include "scree/laws/force_pair.hpp"

#include <cmath>
#include <stdexcept>

#include "laws/force_contact.hpp"

namespace scree {
namespace {

using force::PairMotion;

using force::lanes;
using force::vec;

void require_of_pair(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

void check(const ForcePairSettings& s) {
  require_of_pair(is_compliant(s.law), "the law is not compliant");
  require_of_pair(s.h > 0 && std::isfinite(s.h), "h must be above 0");
  for (int k = s.wall ? 0 : 1; k >= 0; --k)
    require_of_pair(s.radius[k] > 0 && std::isfinite(s.radius[k]), "a radius must be above 0");
  require_of_pair(std::abs(norm(s.wall_normal) - 1) < 1e-6,
                  "the normal of a wall must be of length 1");
}

double inverse(double mass) { return mass > 0 ? 1 / mass : 0; }

}  // namespace

ForcePair::ForcePair(const ForcePairSettings& settings)
    : settings_(settings), wall_normal_(settings.wall_normal) {
  check(settings);
  numbers_ = force::numbers_of(settings.law, settings.moduli[0], settings.moduli[1]);
  numbers_.scheme.h = settings.h;
}

void ForcePair::add_work(const PairDisplacement& displacement, const Parts& now) {
  normal_work_ -= 0.5 * (last_.normal + now.normal) * displacement.closed;
  damping_work_ += 0.5 * (dot(last_.dashpot + now.dashpot, displacement.slip) -
                          (last_.damping + now.damping) * displacement.closed);
  shear_work_ += 0.5 * dot(last_.shear + now.shear, displacement.slip);
  moment_work_ += 0.5 * dot(last_.rolling + now.rolling, displacement.rotation);
  last_ = now;
}

PairEnergy ForcePair::energy() const {
  const double normal = last_.normal_energy, shear = last_.shear_energy,
               moment = last_.moment_energy;
  return {.elastic_normal = normal,
          .elastic_shear = shear,
          .elastic_moment = moment,
          .damped = -damping_work_ - normal_work_ - normal,
          .slid = -shear_work_ - shear,
          .rolled = -moment_work_ - moment,
          .work = normal_work_ + damping_work_ + shear_work_ + moment_work_};
}

/// Pair in the order of the kernel: the sphere before the wall.
struct ForcePair::Arranged {
  PairBody a, b;
  double radius_a, radius_b;  ///< [m]; arbitrary for a wall
  Vec3 apart;                 ///< from A to B [m]
  Vec3 normal;                ///< from A to B
  double overlap;             ///< below zero if apart [m]
};

ForcePair::Arranged ForcePair::arranged(const PairBody& first, const PairBody& second) const {
  const bool wall = settings_.wall;
  Arranged p{wall ? second : first,
             wall ? first : second,
             settings_.radius[wall ? 1 : 0],
             settings_.radius[1],
             {},
             {},
             0};
  p.apart = p.b.position - p.a.position;
  const double distance = norm(p.apart);
  p.normal = wall ? -wall_normal_ : distance > 0 ? p.apart / distance : Vec3{0, 0, 1};
  p.overlap = wall ? p.radius_a - dot(p.normal, p.apart) : p.radius_a + p.radius_b - distance;
  return p;
}

PairMotion<1> ForcePair::motion_of(const Arranged& p) const {
  const bool wall = settings_.wall;
  const double h = settings_.h;
  const Vec3 between = p.b.velocity - p.a.velocity, before = p.apart - h * between;
  const double length_before = norm(before);
  Vec3 normal_before = p.normal;
  if (memory_.is_contact())
    normal_before = memory_.normal;
  else if (!wall && length_before > 0)
    normal_before = before / length_before;

  PairMotion<1> m;
  m.normal = lanes(p.normal);
  m.normal_before = lanes(normal_before);
  m.overlap = p.overlap;
  m.radius_a = p.radius_a;
  m.radius_b = p.radius_b;
  m.is_wall = wall;
  m.is_new = !memory_.is_contact();
  m.closing_before = memory_.closing;
  m.rotation_a = lanes(h * p.a.angular_velocity);
  m.rotation_b = lanes(h * p.b.angular_velocity);
  // Sum of the vectors from B's centre to its contact point, now and before.
  const Vec3 arms = wall ? p.radius_a * (normal_before + p.normal) - (before + p.apart) : Vec3{};
  m.wall_way = lanes(h * between) + force::chord_of<1>(m.rotation_b, lanes(arms));
  m.velocity = wall ? lanes(vec(m.wall_way) / h) : lanes(between);
  return m;
}

ForcePair::Parts ForcePair::evaluated(const PairMotion<1>& m, double radius) const {
  const bool wall = settings_.wall;
  const auto both = [&](const auto& of) { return of(1) + (wall ? 0 : of(0)); };
  const double inverse_mass = both([&](int k) { return inverse(settings_.mass[k]); });
  const auto c = force::coefficients<1>(numbers_, radius, inverse_mass, 1.0);
  const auto f = force::forces<1>(m, c, numbers_.scheme, memory_.is_contact() ? memory_.overlap : 0,
                                  lanes(memory_.shear));
  Parts parts{.normal = f.elastic - f.pull,
              .damping = f.damping,
              .shear = vec(f.shear),
              .dashpot = vec(f.dashpot),
              .lever = f.lever,
              .arm_a = f.arm_a,
              .arm_b = f.arm_b,
              .closing = f.closing,
              .normal_energy = f.normal_energy - c.cohesion * m.overlap,
              .shear_energy = f.shear_energy};
  if (!numbers_.has_moment()) return parts;
  const double inverse_inertia = both([&](int k) {
    const double r = settings_.radius[k];
    return inverse(0.4 * settings_.mass[k] * r * r);
  });
  const auto k = force::moment_coefficients<1>(numbers_, radius, inverse_inertia, 1.0);
  const auto moment =
      force::moments<1>(m, k, numbers_.scheme, f.elastic + f.damping, lanes(moment_));
  parts.moment = vec(moment.spring);
  parts.rolling = parts.moment + vec(moment.dashpot);
  parts.moment_energy = moment.energy;
  return parts;
}

void ForcePair::set_forces(const Arranged& p, const Parts& parts, PairForces& result) const {
  const bool wall = settings_.wall;
  const Vec3 along = (parts.normal + parts.damping) * p.normal,
             across = parts.shear + parts.dashpot, on_b = along + parts.lever * across;
  const Vec3 torque_a = cross(parts.arm_a * p.normal, -across) - parts.rolling;
  const bool flat = wall && numbers_.scheme.rotations == RotationScheme::exact;
  const Vec3 torque_row_b =
      flat ? cross(parts.arm_a * p.normal - p.apart, on_b) : cross(parts.arm_b * p.normal, -across);
  const Vec3 torque_b = torque_row_b + parts.rolling;
  const double sign = wall ? -1 : 1;
  result.contact = true;
  result.normal_force = sign * along;
  result.shear_force = sign * (parts.lever * across);
  result.force_a = wall ? on_b : -on_b;
  result.force_b = -result.force_a;
  result.torque_a = wall ? torque_b : torque_a;
  result.torque_b = wall ? torque_a : torque_b;
}

PairForces ForcePair::step(const PairBody& first, const PairBody& second) {
  const double h = settings_.h;
  if (settings_.wall && begun_)
    wall_normal_ = wall_normal_ + vec(force::turned_less<1>(lanes(wall_normal_),
                                                            lanes(h * first.angular_velocity)));
  const Arranged p = arranged(first, second);
  const PairMotion<1> m = motion_of(p);
  const double radius = force::effective_radius(p.radius_a, settings_.wall ? 0 : 1 / p.radius_b);
  const bool was = memory_.is_contact();
  const bool contact = p.overlap >= (was ? force::min_overlap(numbers_, radius) : 0);
  const Parts now = contact ? evaluated(m, radius) : Parts{};

  const Vec3 slip = contact || was ? vec(force::slip<1>(m, numbers_.scheme)) : Vec3{};
  add_work({p.overlap - (begun_ ? overlap_ : p.overlap), slip,
            h * (p.b.angular_velocity - p.a.angular_velocity)},
           now);
  if (!begun_) normal_work_ = -now.normal_energy;  // counts as done before the start
  begun_ = true;
  overlap_ = p.overlap;
  memory_ = contact ? ForceMemory{now.shear, p.normal, p.overlap, now.closing} : ForceMemory{};
  moment_ = now.moment;

  PairForces result;
  result.overlap = p.overlap;
  result.normal = settings_.wall ? -p.normal : p.normal;
  result.energy = energy();
  if (contact) set_forces(p, now, result);
  return result;
}

}  // namespace scree
