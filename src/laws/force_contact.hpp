/// Force of a contact with a compliant law, one text in lanes: how its memory follows the bodies,
/// the springs and dashpots, and their energy. Contains only templates over N, see
/// math/vec3_lanes.hpp.
///
/// A leapfrog step has positions at t and velocities at t − h/2: the rotation h ω and the
/// displacement h v lead from the last evaluation to this one.
#pragma once

#include <cmath>
#include <numbers>

#include "laws/small_rotations.hpp"
#include "scree/laws/force_numbers.hpp"

namespace scree::force {

/// Poses of two bodies and their motion since the last step. A wall is a body B whose surface is
/// not a sphere about its centre.
template <int N>
struct PairMotion {
  Vec3Lanes<N> normal;          ///< from A to B, current
  Vec3Lanes<N> normal_before;   ///< a step ago: from memory, or from the bodies' positions then
  Lanes<N> overlap;             ///< δ ≥ 0 [m]
  Lanes<N> radius_a, radius_b;  ///< [m]; for a wall, that of A
  LaneMask<N> is_wall;
  LaneMask<N> is_new;                   ///< true: there was no contact a step ago
  Lanes<N> closing_before;              ///< −u_n a step ago, for a contact that is not new [m/s]
  Vec3Lanes<N> rotation_a, rotation_b;  ///< h ω [rad]
  Vec3Lanes<N> velocity;  ///< v_B − v_A of the centres; for a wall, velocity of its surface [m/s]
  /// Displacement of a wall's contact point in the step, relative to that of A's centre; the
  /// contact point is one radius from A's centre at mid-step [m]
  Vec3Lanes<N> wall_way;
};

/// Coefficients of a law for two bodies in contact.
template <int N>
struct Coefficients {
  Lanes<N> k_n, k_t;       ///< including √R* for hertz_mindlin [N/m, N/m^{3/2}]
  Lanes<N> damping;        ///< 2 β √m; times √stiffness it is the dashpot's coefficient
  Lanes<N> fixed_damping;  ///< coefficient of the normal dashpot, if given instead [N s/m]
  Lanes<N> tangential;     ///< coefficient of the tangential dashpot [N s/m]
  Lanes<N> damping_ratio;  ///< or its ratio to the normal one [-]
  bool damps = true, damps_shear = true;  ///< true: `damping`, or a tangential dashpot, is not zero
  Lanes<N> friction;                      ///< μ [-]
  Lanes<N> cohesion;                      ///< F_c [N]
  Lanes<N> adhesion;  ///< √(2 π w/E*) with the work of adhesion w [√m]; used by hertz_mindlin
  Lanes<N> radius, patch;  ///< R*, and the cube root of (2 R*)² 2 π w/E*, for adhesion [m]
};

/// Forces on B. F = (elastic + damping − pull) n + lever (S + D) acts at B's centre, −F at A's, and
/// the torques arm × n × −(S + D) act on both. The power of S is S·(rate of the slip) for either
/// choice of branch vectors.
template <int N>
struct Forces {
  Lanes<N> closing;             ///< −u_n in the step that just ended [m/s]
  Lanes<N> fraction;            ///< see fraction_of_displacement [-]
  Lanes<N> elastic, damping;    ///< F_e, F_d [N]
  Lanes<N> pull;                ///< F_c, times the fraction of the step in which it acts [N]
  Vec3Lanes<N> shear, dashpot;  ///< S, D [N]
  Lanes<N> lever;               ///< [-]
  Lanes<N> arm_a, arm_b;        ///< [m]
  Lanes<N> normal_energy, shear_energy;  ///< stored in the springs [J]
  Lanes<N> sheared;  ///< S times the displacement since the last step: the work of its spring [J]
  LaneMask<N> slides;
};

/// Normal at mid-step.
template <int N>
Vec3Lanes<N> middle_normal(const PairMotion<N>& m) {
  const Vec3Lanes<N> sum = m.normal_before + m.normal;
  const Lanes<N> squared = dot<N>(sum, sum), one = Lanes<N>{} + 1.0;
  const LaneMask<N> clear = squared > 0;
  return select<N>(clear, scaled<N>(sum, one / square_root<N>(clear ? squared : one)), m.normal);
}

/// Rotates a displacement at mid-step to the end of the step: swing with the normal, then twist,
/// both over half a step. A spring stretched at a constant rate has the mid-step rate.
template <int N>
Vec3Lanes<N> of_the_middle(const Vec3Lanes<N>& v, const Vec3Lanes<N>& middle,
                           const PairMotion<N>& m) {
  return spun<N>(swung<N>(v, middle, m.normal), m.normal,
                 0.25 * dot<N>(m.rotation_a + m.rotation_b, m.normal));
}

/// Slip: displacement of B's contact point relative to A's since the last step [m], tangential.
template <int N>
Vec3Lanes<N> slip(const PairMotion<N>& m, const Scheme& scheme) {
  const bool at_point = scheme.branch == BranchVectors::contact_point;
  const Lanes<N> half = at_point ? 0.5 * m.overlap : Lanes<N>{};
  const Lanes<N> arm_a = m.radius_a - half, arm_b = m.radius_b - half;
  if (scheme.rotations == RotationScheme::first_order) {
    const Lanes<N> touch = m.radius_a + m.radius_b;
    const Lanes<N> one = Lanes<N>{} + 1.0, apart = touch - m.overlap;
    const Lanes<N> lever = at_point ? one : touch / (apart > 0 ? apart : touch);
    const Vec3Lanes<N> zero;
    const Vec3Lanes<N> displacement =
        scaled<N>(m.velocity, lever * scheme.h) -
        select<N>(m.is_wall, zero, cross(m.rotation_b, scaled<N>(m.normal, arm_b))) -
        cross(m.rotation_a, scaled<N>(m.normal, arm_a));
    return tangential<N>(displacement, m.normal);
  }
  // Bodies move and rotate at constant rates, so the displacement is that at mid-step. A's point
  // has moved by the swing of the normal with A, beyond that with the pair.
  const Vec3Lanes<N> middle = middle_normal<N>(m);
  const Vec3Lanes<N> swing = swing_between<N>(m.normal_before, m.normal),
                     of_a = swing_about<N>(middle, m.rotation_a) - swing,
                     of_b = swing_about<N>(middle, m.rotation_b) - swing;
  const Vec3Lanes<N> rolled =
      scaled<N>(of_a, arm_a) + select<N>(m.is_wall, Vec3Lanes<N>{}, scaled<N>(of_b, arm_b));
  const Vec3Lanes<N> over_wall = m.wall_way + scaled<N>(m.normal_before - m.normal, arm_a);
  const Vec3Lanes<N> displacement =
      cross(middle, rolled) + select<N>(m.is_wall, tangential<N>(over_wall, middle), {});
  return of_the_middle<N>(displacement, middle, m);
}

/// Vector of the pair, S or M, rotated with the motion of the pair.
template <int N>
Vec3Lanes<N> carried(const Vec3Lanes<N>& v, const PairMotion<N>& m, const Scheme& scheme) {
  if (scheme.rotations == RotationScheme::first_order) {
    const Vec3Lanes<N> tilted = v - cross(v, cross(m.normal_before, m.normal));
    const Lanes<N> twist = 0.5 * dot(m.normal_before, m.rotation_a + m.rotation_b);
    return tilted - cross(tilted, scaled<N>(m.normal_before, twist));
  }
  // The twist about the normal by the mean rotation, then the swing of the normal.
  const Vec3Lanes<N> mean = scaled<N>(m.rotation_a + m.rotation_b, Lanes<N>{} + 0.5);
  return swung<N>(twisted<N>(v, m.normal_before, m.normal, mean), m.normal_before, m.normal);
}

/// Elastic force, stiffnesses and energy of a law's springs at an overlap δ.
template <int N>
struct Springs {
  Lanes<N> elastic, energy;
  Lanes<N> stiffness;  ///< stiffness that scales the dashpot
  Lanes<N> shear_stiffness;
  Lanes<N> adhesion;  ///< force that friction counts in addition to the normal force [N]
};

/// Adhesive elastic sphere [Johnson71]: with the radius a of the contact patch, δ = a²/R* − √(2 π w
/// a/E*) and F = 4 E* a³/(3 R*) − √(8 π w E* a³).
template <int N>
Springs<N> sticking_springs(const Coefficients<N>& c, const Lanes<N>& overlap) {
  using L = Lanes<N>;
  const L &b = c.adhesion, &r = c.radius;
  const L young = 0.75 * c.k_n / square_root<N>(r);  // E*
  // Newton's method from above the root, where the function is convex, so it decreases to the root.
  L a = square_root<N>(2.0 * r * positive_part<N>(overlap)) + c.patch;
  for (int k = 0; k < 12; ++k) {
    const L root = square_root<N>(a);
    const L value = a * a / r - b * root - overlap, slope = 2.0 * a / r - 0.5 * b / root;
    const L next = a - value / slope;
    a = next > 0 && slope > 0 ? next : a;
  }
  const L root = square_root<N>(a), hertz = 4.0 / 3 * young / r, pull = 2.0 * young * b;
  Springs<N> s;
  s.elastic = hertz * a * a * a - pull * a * root;
  s.energy = a * a *
             (hertz * a * a * a * 0.4 / r - hertz * (0.5 * b) * a * root * (2.0 / 7) -
              pull * a * root * (4.0 / 7) / r + pull * (0.5 * b) * 0.5);
  s.stiffness = 4.0 / 3 * young * a;
  s.shear_stiffness = c.k_t * a / square_root<N>(r);
  s.adhesion = 1.5 * young * b * b * r;  // 2 · 3/2 π w R*
  return s;
}

template <int N>
Springs<N> springs(const Coefficients<N>& c, const Lanes<N>& overlap, ForceKind kind) {
  const Lanes<N> zero{};
  if (kind == ForceKind::hertz_mindlin) {
    const Lanes<N> root = square_root<N>(positive_part<N>(overlap));
    const Lanes<N> elastic = c.k_n * overlap * root;
    Springs<N> s{elastic, 0.4 * elastic * overlap, c.k_n * root, c.k_t * root, zero};
    const LaneMask<N> sticks = c.adhesion > 0;
    if (!any_lane<N>(sticks)) return s;
    const Springs<N> sticky = sticking_springs<N>(c, overlap);
    s.elastic = sticks ? sticky.elastic : s.elastic;
    s.energy = sticks ? sticky.energy : s.energy;
    s.stiffness = sticks ? sticky.stiffness : s.stiffness;
    s.shear_stiffness = sticks ? sticky.shear_stiffness : s.shear_stiffness;
    s.adhesion = sticks ? sticky.adhesion : s.adhesion;
    return s;
  }
  const Lanes<N> elastic = c.k_n * overlap;
  return {elastic, 0.5 * elastic * overlap, c.k_n, kind == ForceKind::linear ? c.k_t : zero, zero};
}
/// Duration of an undamped impact whose spring reaches `stiffness` at maximum overlap [s]: π
/// √(m/k); for a Hertz spring 2.943 δ/v with m v²/2 = 2/5 k_n √R* δ^{5/2}.
inline double impact_time(ForceKind kind, double mass, double stiffness) {
  constexpr double kHertz = 2.943275184324705;  // ∫ dx/√(1 − x^{5/2}), twice
  const double fraction =
      kind == ForceKind::hertz_mindlin ? kHertz * std::sqrt(1.25) : std::numbers::pi;
  return fraction * std::sqrt(mass / stiffness);
}

/// Vector v, shortened to a length of at most `limit` ≥ 0.
template <int N>
Vec3Lanes<N> bounded(const Vec3Lanes<N>& v, const Lanes<N>& limit) {
  const Lanes<N> squared = dot<N>(v, v), one = Lanes<N>{} + 1.0;
  const LaneMask<N> beyond = squared > limit * limit;
  if (!any_lane<N>(beyond)) return v;
  const Lanes<N> scale = limit / square_root<N>(beyond ? squared : one);
  return select<N>(beyond, scaled<N>(v, scale), v);
}

/// Fraction that marks a contact which neither begins nor ends in this step.
inline constexpr double kContinues = 2;

/// Ratio of the overlap to the normal displacement of the step, for a contact that begins or ends
/// in this step; kContinues for all others. A contact ends if the next step separates it. In that
/// step it speeds up: as the spring pushes, by its last change of velocity in proportion to the
/// overlap. If the normal rotates within the step, as at an edge, the overlap of a new contact may
/// exceed the displacement, and counts as equal to it.
template <int N>
Lanes<N> fraction_of_displacement(const PairMotion<N>& m, const Lanes<N>& closing, double h) {
  using L = Lanes<N>;
  const L zero{}, one = zero + 1.0, displacement = h * (closing < 0 ? -closing : closing);
  const LaneMask<N> may_end = closing < 0 && m.overlap < 1.5 * displacement,
                    begins = m.is_new && m.overlap < 2 * displacement;
  if (!any_lane<N>(m.overlap >= 0 && (may_end || begins))) return zero + kContinues;
  const L last = m.is_new ? zero : h * positive_part<N>(m.closing_before - closing);
  const L faster = displacement > 0 ? last * m.overlap / (displacement + m.overlap) : zero;
  const LaneMask<N> ends = may_end && m.overlap < displacement + faster,
                    partial = m.overlap >= 0 && (ends || begins);
  const L fraction = m.overlap / (partial ? displacement : one);
  return partial ? (begins && fraction > 1 ? one : fraction) : zero + kContinues;
}

/// Sets F_e, F_d and the pull of cohesion.
///
/// For bodies that move by their forces, the dashpot acts with the velocity at t, half a step
/// beyond the known one. Contacts also begin and end within steps. If the overlap is a fraction α
/// of the step's displacement h v, dashpot and cohesion act during the fraction ½ + α of the step.
/// A linear spring gives its mean over the step, k h v (½ + α)²/2, instead of k α h v: see
/// docs/theory/compliant_laws.md.
template <int N>
void set_normal_forces(const PairMotion<N>& m, const Coefficients<N>& c, const Scheme& scheme,
                       const Springs<N>& spring, const Lanes<N>& gamma,
                       const Lanes<N>& overlap_before, Forces<N>& f) {
  using L = Lanes<N>;
  const L zero{};
  const bool exact = scheme.rotations == RotationScheme::exact;
  const Vec3Lanes<N> twice_middle = exact ? m.normal + m.normal_before : m.normal + m.normal;
  f.closing = -0.5 * dot<N>(twice_middle, m.velocity);
  f.fraction = fraction_of_displacement<N>(m, f.closing, scheme.h);
  f.elastic = spring.elastic;
  f.pull = c.cohesion;
  L rate = f.closing, gamma_n = gamma;
  if (scheme.free_motion && exact && !scheme.at_start) {
    const L before = m.is_new ? f.closing : m.closing_before;
    rate = f.closing + 0.5 * (f.closing - before);
    const L fraction = f.fraction;
    const LaneMask<N> partial = fraction < kContinues;
    const L displacement = scheme.h * (f.closing < 0 ? -f.closing : f.closing);
    // A contact that was to end in the last step but was slowed down already had its half step.
    const LaneMask<N> lingers =
        !m.is_new && m.closing_before < 0 && overlap_before < scheme.h * (zero - m.closing_before);
    const L acting_fraction = lingers ? fraction : 0.5 + fraction;
    f.pull = partial ? c.cohesion * acting_fraction : c.cohesion;
    if (scheme.kind == ForceKind::hertz_mindlin) {
      // During this fraction of the step the dashpot grows as δ^{1/4}: its mean is 4/5 of its last
      // value.
      const L last = c.k_n * square_root<N>(displacement * acting_fraction);
      const L mean = 0.8 * c.damping * square_root<N>(last) + c.fixed_damping;
      gamma_n = partial ? mean * acting_fraction : gamma;
    } else {
      gamma_n = partial ? gamma * acting_fraction : gamma;
      f.elastic =
          partial ? 0.5 * c.k_n * displacement * acting_fraction * acting_fraction : f.elastic;
    }
  }
  if (scheme.kind == ForceKind::spring_dashpot) gamma_n = rate > 0 ? gamma_n : zero;
  const L total = f.elastic + gamma_n * rate;
  const L min_force = f.elastic < 0 ? f.elastic : zero;
  const L admissible = scheme.attraction || !(total < min_force) ? total : min_force;
  f.damping = admissible - f.elastic;
}

/// Lever of S and D, and their arms about the centres [m].
template <int N>
struct Arms {
  Lanes<N> lever, a, b;
};
template <int N>
Arms<N> arms_of(const Lanes<N>& radius_a, const Lanes<N>& radius_b, const LaneMask<N>& is_wall,
                const Lanes<N>& overlap, RotationScheme rotations, BranchVectors branch) {
  using L = Lanes<N>;
  const L one = L{} + 1.0, touch = radius_a + radius_b;
  const bool of_centres =
      rotations == RotationScheme::exact && branch != BranchVectors::contact_point;
  // For nearly coincident centres, at least a tenth of the sum of radii counts as their distance.
  const L between = touch - overlap > 0.1 * touch ? touch - overlap : 0.1 * touch;
  const L spread = is_wall ? one : touch / between;
  const L half = of_centres ? L{} : 0.5 * overlap;
  return {of_centres ? spread : one, radius_a - half, radius_b - half};
}

/// Sets S and D, and their lever and arms.
template <int N>
void set_shear_forces(const PairMotion<N>& m, const Coefficients<N>& c, const Scheme& scheme,
                      const Springs<N>& spring, const Lanes<N>& gamma, const Vec3Lanes<N>& before,
                      Forces<N>& f) {
  using L = Lanes<N>;
  const L zero{}, one = L{} + 1.0;
  const bool exact = scheme.rotations == RotationScheme::exact;
  const Arms<N> arms =
      arms_of<N>(m.radius_a, m.radius_b, m.is_wall, m.overlap, scheme.rotations, scheme.branch);
  f.lever = arms.lever;
  f.arm_a = arms.a;
  f.arm_b = arms.b;

  const L pressing = f.elastic + f.damping + spring.adhesion;
  const L limit = c.friction * positive_part<N>(pressing) / f.lever;
  const bool still = scheme.at_start && exact;
  const Vec3Lanes<N> displacement = still ? Vec3Lanes<N>{} : slip<N>(m, scheme);
  // A contact that began within the step was sheared for that fraction of it.
  const LaneMask<N> began = m.is_new && f.fraction < kContinues;
  const L sheared = scheme.free_motion && exact ? (began ? f.fraction : one) : one;
  const Vec3Lanes<N> pulled =
      carried<N>(before, m, scheme) - scaled<N>(displacement, sheared * spring.shear_stiffness);
  f.slides = dot<N>(pulled, pulled) > limit * limit;
  f.shear = bounded<N>(pulled, limit);
  const L gamma_t = c.tangential + c.damping_ratio * gamma;
  // In that step its shear force, like the normal one, is the mean over the step; the excess over
  // the spring's force counts as a dashpot.
  const LaneMask<N> first = scheme.free_motion && exact ? began : zero > 0;
  f.dashpot = {};
  if (c.damps_shear || any_lane<N>(first)) {
    const L acting_fraction = 0.5 + f.fraction;
    const Vec3Lanes<N> sprung = select<N>(
        first,
        scaled<N>(displacement, -0.5 * spring.shear_stiffness * acting_fraction * acting_fraction),
        f.shear);
    const Vec3Lanes<N> both =
        bounded<N>(sprung - scaled<N>(displacement, gamma_t * (1.0 / scheme.h)), limit);
    f.dashpot = select<N>(first || gamma_t > 0, both - f.shear, f.dashpot);
  }
  f.sheared = dot<N>(f.shear, displacement);
  const L soft = spring.shear_stiffness > 0 ? spring.shear_stiffness : one;
  f.shear_energy = 0.5 * dot<N>(f.shear, f.shear) / soft;
}

/// Forces of contacts with memory of S and the overlap of the last step; both are zero for a new
/// contact.
template <int N>
Forces<N> forces(const PairMotion<N>& m, const Coefficients<N>& c, const Scheme& scheme,
                 const Lanes<N>& overlap_before, const Vec3Lanes<N>& shear_before) {
  const Lanes<N> one = Lanes<N>{} + 1.0;
  Forces<N> f;
  const Springs<N> spring = springs<N>(c, m.overlap, scheme.kind);
  Lanes<N> gamma = c.fixed_damping;
  if (c.damps) gamma = gamma + c.damping * square_root<N>(spring.stiffness);
  f.normal_energy = spring.energy;
  set_normal_forces<N>(m, c, scheme, spring, gamma, overlap_before, f);

  Vec3Lanes<N> before = shear_before;
  if (scheme.kind == ForceKind::hertz_mindlin) {
    // A spring that gets softer or stiffer keeps its energy S²/2k.
    const Lanes<N> was = springs<N>(c, overlap_before, scheme.kind).shear_stiffness;
    before = scaled<N>(
        before, was > 0 ? square_root<N>(spring.shear_stiffness / (was > 0 ? was : one)) : one);
  }
  set_shear_forces<N>(m, c, scheme, spring, gamma, before, f);
  return f;
}

/// Coefficients of the moment of a contact.
template <int N>
struct MomentCoefficients {
  Lanes<N> rolling_stiffness, spinning_stiffness;  ///< [N m]
  Lanes<N> rolling_length, spinning_length;        ///< ℓ_r, ℓ_s [m]
  Lanes<N> damping;                                ///< fraction of critical damping [-]
  Lanes<N> inverse_inertia;                        ///< 1/I_A + 1/I_B [1/(kg m²)]
};

template <int N>
struct Moments {
  Vec3Lanes<N> spring, dashpot;  ///< on B; M is their sum [N m]
  Lanes<N> energy;               ///< stored in the spring [J]
};

/// Adds a spring with a dashpot along one or two directions, together at most `limit`.
template <int N>
void add_moment(const Vec3Lanes<N>& before, const Vec3Lanes<N>& rotation, const Lanes<N>& stiffness,
                const Lanes<N>& limit, const MomentCoefficients<N>& c, double h, Moments<N>& sum) {
  using L = Lanes<N>;
  const L one = L{} + 1.0;
  const Vec3Lanes<N> spring = bounded<N>(before - scaled<N>(rotation, stiffness), limit);
  const L inertia = one / (c.inverse_inertia > 0 ? c.inverse_inertia : one);
  const L gamma = c.inverse_inertia > 0 ? 2 * c.damping * square_root<N>(stiffness * inertia) : L{};
  const Vec3Lanes<N> both = bounded<N>(spring - scaled<N>(rotation, gamma * (1.0 / h)), limit);
  sum.spring = sum.spring + spring;
  sum.dashpot = sum.dashpot + (both - spring);
  sum.energy = sum.energy + 0.5 * dot<N>(spring, spring) / (stiffness > 0 ? stiffness : one);
}

/// Moments M of contacts pressed together by `pressing` = F_e + F_d.
template <int N>
Moments<N> moments(const PairMotion<N>& m, const MomentCoefficients<N>& c, const Scheme& scheme,
                   const Lanes<N>& pressing, const Vec3Lanes<N>& before) {
  const Vec3Lanes<N> moment = carried<N>(before, m, scheme);
  Vec3Lanes<N> rotation = scheme.at_start ? Vec3Lanes<N>{} : m.rotation_b - m.rotation_a;
  if (scheme.rotations == RotationScheme::exact)
    rotation = of_the_middle<N>(rotation, middle_normal<N>(m), m);
  const Vec3Lanes<N> across = tangential<N>(moment, m.normal),
                     rotation_across = tangential<N>(rotation, m.normal);
  const Lanes<N> positive = positive_part<N>(pressing);
  Moments<N> sum{{}, {}, Lanes<N>{}};
  add_moment<N>(across, rotation_across, c.rolling_stiffness, c.rolling_length * positive, c,
                scheme.h, sum);
  add_moment<N>(moment - across, rotation - rotation_across, c.spinning_stiffness,
                c.spinning_length * positive, c, scheme.h, sum);
  return sum;
}

/// Coefficients for bodies of effective radius R* and Σ 1/m; `share` is the contact's fraction of
/// the stiffness.
template <int N>
Coefficients<N> coefficients(const Numbers& n, const Lanes<N>& radius, const Lanes<N>& inverse_mass,
                             const Lanes<N>& share) {
  using L = Lanes<N>;
  const L zero{}, one = zero + 1.0;
  const bool hertz = n.scheme.kind == ForceKind::hertz_mindlin;
  const L root = hertz ? square_root<N>(radius) : one;
  const LaneMask<N> heavy = inverse_mass > 0;
  Coefficients<N> c;
  c.k_n = share * (root * n.k_n);
  c.k_t = share * (root * n.k_t);
  // Points share stiffness and dashpot in proportion: the root of the stiffness already contains
  // √share.
  c.damps = n.damping > 0;
  c.damps_shear = n.tangential > 0 || n.damping_ratio > 0;
  c.damping = zero;
  if (c.damps)
    c.damping = heavy ? n.damping * square_root<N>(share / (heavy ? inverse_mass : one)) : zero;
  c.fixed_damping = share * n.fixed_damping;
  c.tangential = share * n.tangential;
  c.damping_ratio = zero + n.damping_ratio;
  c.friction = zero + n.friction;
  c.cohesion = share * n.cohesion;
  c.adhesion = zero + n.adhesion;
  c.radius = radius;
  c.patch = zero;
  if (n.adhesion > 0)
    for (int k = 0; k < N; ++k) {
      const double b = lane_of<N>(radius, k) * n.adhesion;
      set_lane<N>(c.patch, k, std::cbrt(4 * b * b));
    }
  return c;
}

template <int N>
MomentCoefficients<N> moment_coefficients(const Numbers& n, const Lanes<N>& radius,
                                          const Lanes<N>& inverse_inertia, const Lanes<N>& share) {
  const Lanes<N> zero{};
  // For a Hertz spring: its stiffness at an overlap of a thousandth of R*.
  const Lanes<N> k_n =
      n.scheme.kind == ForceKind::hertz_mindlin ? n.k_n * std::sqrt(1e-3) * radius : zero + n.k_n;
  const auto stiffness = [&](double prescribed, double length) {
    return prescribed >= 0 ? share * prescribed : share * k_n * (length * length);
  };
  return {stiffness(n.rolling_stiffness, n.rolling_length),
          stiffness(n.spinning_stiffness, n.spinning_length),
          zero + n.rolling_length,
          zero + n.spinning_length,
          zero + n.rolling_damping,
          inverse_inertia};
}

}  // namespace scree::force
