#include "scree/laws/force_pair.hpp"

#include <cmath>
#include <stdexcept>

#include "laws/force_contact.hpp"

namespace scree {
namespace {

using force::PairMotion;

Vec3Lanes<1> lanes(const Vec3& v) { return {v.x, v.y, v.z}; }
Vec3 vec(const Vec3Lanes<1>& v) { return {v.x, v.y, v.z}; }

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

void check(const ForcePairSettings& s) {
  require(is_compliant(s.law), "the law is not compliant");
  require(s.h > 0 && std::isfinite(s.h), "h must be above 0");
  for (int k = s.wall ? 0 : 1; k >= 0; --k)
    require(s.radius[k] > 0 && std::isfinite(s.radius[k]), "a radius must be above 0");
  require(std::abs(norm(s.wall_normal) - 1) < 1e-6, "the normal of a wall must be of length 1");
}

/// Two bodies that the kernel takes as A and B: a wall is B.
struct Arranged {
  PairBody a, b;
  double radius_a, radius_b;
};

}  // namespace

ForcePair::ForcePair(const ForcePairSettings& settings)
    : settings_(settings), wall_normal_(settings.wall_normal) {
  check(settings);
  numbers_ = force::numbers_of(settings.law, settings.moduli[0], settings.moduli[1]);
  numbers_.scheme.h = settings.h;
}

void ForcePair::add_work(const PairWay& way, const Parts& now) {
  normal_work_ -= 0.5 * (last_.normal + now.normal) * way.closed;
  damping_work_ += 0.5 * (dot(last_.dashpot + now.dashpot, way.slip) -
                          (last_.damping + now.damping) * way.closed);
  shear_work_ += 0.5 * dot(last_.shear + now.shear, way.slip);
  moment_work_ += 0.5 * dot(last_.rolling + now.rolling, way.turn);
  last_ = now;
}

PairEnergy ForcePair::energy_with(double normal, double shear, double moment) const {
  return {.elastic_normal = normal,
          .elastic_shear = shear,
          .elastic_moment = moment,
          .damped = -damping_work_ - normal_work_ - normal,
          .slid = -shear_work_ - shear,
          .rolled = -moment_work_ - moment,
          .work = normal_work_ + damping_work_ + shear_work_ + moment_work_};
}

PairForces ForcePair::step(const PairBody& first, const PairBody& second) {
  const bool wall = settings_.wall;
  const double h = settings_.h;
  // The kernel wants the sphere before the wall.
  const PairBody &a = wall ? second : first, &b = wall ? first : second;
  const double radius_a = wall ? settings_.radius[1] : settings_.radius[0],
               radius_b = settings_.radius[1];
  if (wall && begun_)
    wall_normal_ = wall_normal_ + vec(force::turned_less<1>(lanes(wall_normal_),
                                                            lanes(h * first.angular_velocity)));
  const Vec3 apart = b.position - a.position, before = apart - h * (b.velocity - a.velocity);
  const double distance = norm(apart);

  PairMotion<1> m;
  const Vec3 normal = wall ? -wall_normal_ : distance > 0 ? apart / distance : Vec3{0, 0, 1};
  const double overlap = wall ? radius_a - dot(normal, apart) : radius_a + radius_b - distance;
  const double length_before = norm(before);
  Vec3 normal_before = normal;
  if (memory_.is_contact())
    normal_before = memory_.normal;
  else if (!wall && length_before > 0)
    normal_before = before / length_before;
  m.normal = lanes(normal);
  m.normal_before = lanes(normal_before);
  m.overlap = overlap;
  m.radius_a = radius_a;
  m.radius_b = radius_b;
  m.is_wall = wall;
  m.is_new = !memory_.is_contact();
  m.closing_before = memory_.closing;
  m.turn_a = lanes(h * a.angular_velocity);
  m.turn_b = lanes(h * b.angular_velocity);
  const Vec3 arm = wall ? radius_a * normal_before - before : Vec3{};
  m.wall_way = lanes(h * (b.velocity - a.velocity)) + force::turned_less<1>(lanes(arm), m.turn_b);
  m.velocity = wall ? lanes(vec(m.wall_way) / h) : lanes(b.velocity - a.velocity);

  const double radius = force::effective_radius(radius_a, wall ? 0 : 1 / radius_b);
  const double least = memory_.is_contact() ? force::least_overlap(numbers_, radius) : 0;
  PairForces result;
  result.overlap = overlap;
  result.normal = wall ? -normal : normal;
  const bool contact = overlap >= least;
  const auto inverse = [](double mass) { return mass > 0 ? 1 / mass : 0.0; };
  const double inverse_mass = inverse(settings_.mass[1]) + (wall ? 0 : inverse(settings_.mass[0]));
  const force::Coefficients<1> c = force::coefficients<1>(numbers_, radius, inverse_mass, 1.0);

  double normal_force = 0, damping = 0;
  Vec3 shear, dashpot, rolling;
  force::Forces<1> f{};
  force::Moments<1> moment{{}, {}, 0.0};
  if (contact) {
    f = force::forces<1>(m, c, numbers_.scheme, memory_.is_contact() ? memory_.overlap : 0,
                         lanes(memory_.shear));
    normal_force = f.elastic - c.cohesion;
    damping = f.damping;
    shear = vec(f.shear);
    dashpot = vec(f.dashpot);
    if (numbers_.has_moment()) {
      const auto inertia = [&](int of) {
        const double r = settings_.radius[of];
        return inverse(0.4 * settings_.mass[of] * r * r);
      };
      const force::MomentCoefficients<1> k = force::moment_coefficients<1>(
          numbers_, radius, inertia(1) + (wall ? 0 : inertia(0)), 1.0);
      moment = force::moments<1>(m, k, numbers_.scheme, f.elastic + f.damping, lanes(moment_));
      rolling = vec(moment.spring) + vec(moment.dashpot);
    }
  }

  const PairWay ways{
      overlap - (begun_ ? overlap_ : overlap),
      contact || memory_.is_contact() ? vec(force::slip<1>(m, numbers_.scheme)) : Vec3{},
      h * (b.angular_velocity - a.angular_velocity)};
  add_work(ways, {normal_force, damping, shear, dashpot, rolling});
  if (contact)
    result.energy =
        energy_with(f.normal_energy - c.cohesion * overlap, f.shear_energy, moment.energy);
  else
    result.energy = energy_with(0, 0, 0);

  begun_ = true;
  overlap_ = overlap;
  if (!contact) {
    memory_ = {};
    moment_ = {};
    return result;
  }
  memory_ = {shear, normal, overlap, f.closing};
  moment_ = vec(moment.spring);

  const Vec3 along = (normal_force + damping) * normal, across = shear + dashpot;
  const Vec3 on_b = along + f.lever * across;
  const Vec3 torque_a = cross(f.arm_a * normal, -across) - rolling;
  const bool flat = wall && numbers_.scheme.rotations == RotationScheme::exact;
  const Vec3 torque_b =
      (flat ? cross(f.arm_a * normal - apart, on_b) : cross(f.arm_b * normal, -across)) + rolling;
  result.contact = true;
  const double sign = wall ? -1 : 1;
  result.normal_force = sign * along;
  result.shear_force = sign * (f.lever * across);
  result.force_a = wall ? on_b : -on_b;
  result.force_b = -result.force_a;
  result.torque_a = wall ? torque_b : torque_a;
  result.torque_b = wall ? torque_a : torque_b;
  return result;
}

}  // namespace scree
