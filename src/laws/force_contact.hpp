/// The force of a contact with a compliant law, one text in lanes: how its memory follows the
/// bodies, the springs and dashpots, and the energy that they hold. Nothing but templates over N,
/// see math/vec3_lanes.hpp.
///
/// A step of the leapfrog: positions at t, velocities at t − h/2, so that a turn h ω and a way h v
/// lead from the last evaluation to this one.
#pragma once

#include <cmath>
#include <numbers>

#include "laws/small_rotations.hpp"
#include "scree/laws/force_numbers.hpp"

namespace scree::force {

/// How two bodies stand and how they have moved since the last step. A wall is a B whose surface is
/// no sphere about its centre.
template <int N>
struct PairMotion {
  Vec3Lanes<N> normal;          ///< from A to B, now
  Vec3Lanes<N> normal_before;   ///< a step ago: as remembered, or where the bodies were
  Lanes<N> overlap;             ///< δ ≥ 0 [m]
  Lanes<N> radius_a, radius_b;  ///< [m]; of a wall that of A
  LaneMask<N> is_wall;
  LaneMask<N> is_new;                   ///< there was no contact a step ago
  Lanes<N> closing_before;              ///< −u_n a step ago, of a contact that is not new [m/s]
  Vec3Lanes<N> rotation_a, rotation_b;  ///< h ω [rad]
  Vec3Lanes<N> velocity;  ///< v_B − v_A of the centres; of a wall, that of its surface [m/s]
  /// Of a wall: how far it moves, where it is touched a radius from A's centre in the middle of the
  /// step, less the way of that centre [m]
  Vec3Lanes<N> wall_way;
};

/// Numbers of a law for the bodies in touch.
template <int N>
struct Coefficients {
  Lanes<N> k_n, k_t;       ///< with √R* in them for hertz_mindlin [N/m, N/m^{3/2}]
  Lanes<N> damping;        ///< 2 β √m, times √stiffness the dashpot's coefficient
  Lanes<N> fixed_damping;  ///< of the normal dashpot, instead [N s/m]
  Lanes<N> tangential;     ///< of the tangential dashpot [N s/m]
  Lanes<N> damping_ratio;  ///< or its part of the normal one [-]
  bool damps = true, damps_shear = true;  ///< `damping`, and a tangential dashpot, is not zero
  Lanes<N> friction;                      ///< μ [-]
  Lanes<N> cohesion;                      ///< F_c [N]
  Lanes<N> adhesion;       ///< √(2 π w/E*), w the work of adhesion [√m]; hertz_mindlin's
  Lanes<N> radius, patch;  ///< R*, and the cube root of (2 R*)² 2 π w/E*: for adhesion [m]
};

/// Forces on B: F = (elastic + damping − pull) n + lever (S + D) acts at B's centre, −F at A's, and
/// the torques arm × n × −(S + D) on both. The rate of work of S is S·(rate of the slip), whichever
/// branch vectors are taken.
template <int N>
struct Forces {
  Lanes<N> closing;                      ///< −u_n in the step that led here [m/s]
  Lanes<N> fraction;                     ///< see fraction_of_displacement [-]
  Lanes<N> elastic, damping;             ///< F_e, F_d [N]
  Lanes<N> pull;                         ///< F_c, for the part of the step that it acts [N]
  Vec3Lanes<N> shear, dashpot;           ///< S, D [N]
  Lanes<N> lever;                        ///< [-]
  Lanes<N> arm_a, arm_b;                 ///< [m]
  Lanes<N> normal_energy, shear_energy;  ///< held by the springs [J]
  Lanes<N> sheared;  ///< S times the way since the last step: what its spring gave [J]
  LaneMask<N> slides;
};

/// The normal in the middle of the step.
template <int N>
Vec3Lanes<N> middle_normal(const PairMotion<N>& m) {
  const Vec3Lanes<N> sum = m.normal_before + m.normal;
  const Lanes<N> squared = dot<N>(sum, sum), one = Lanes<N>{} + 1.0;
  const LaneMask<N> clear = squared > 0;
  return select<N>(clear, scaled<N>(sum, one / square_root<N>(clear ? squared : one)), m.normal);
}

/// What stretches a spring at a constant rate in the step, which is that of its middle, as it
/// stands at the end: the second half of the step swings it with the normal, and twists it.
template <int N>
Vec3Lanes<N> of_the_middle(const Vec3Lanes<N>& v, const Vec3Lanes<N>& middle,
                           const PairMotion<N>& m) {
  return spun<N>(swung<N>(v, middle, m.normal), m.normal,
                 0.25 * dot<N>(m.rotation_a + m.rotation_b, m.normal));
}

/// The material points of A and B that touch: the way of B's over A's since the last step [m],
/// tangential.
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
    const Vec3Lanes<N> way =
        scaled<N>(m.velocity, lever * scheme.h) -
        select<N>(m.is_wall, zero, cross(m.rotation_b, scaled<N>(m.normal, arm_b))) -
        cross(m.rotation_a, scaled<N>(m.normal, arm_a));
    return tangential<N>(way, m.normal);
  }
  // Bodies move and turn at constant rates, so the way is that of the middle of the step. A's point
  // has moved by what A turned the normal more than the pair has.
  const Vec3Lanes<N> middle = middle_normal<N>(m);
  const Vec3Lanes<N> swing = swing_between<N>(m.normal_before, m.normal),
                     of_a = swing_about<N>(middle, m.rotation_a) - swing,
                     of_b = swing_about<N>(middle, m.rotation_b) - swing;
  const Vec3Lanes<N> rolled =
      scaled<N>(of_a, arm_a) + select<N>(m.is_wall, Vec3Lanes<N>{}, scaled<N>(of_b, arm_b));
  const Vec3Lanes<N> over_wall = m.wall_way + scaled<N>(m.normal_before - m.normal, arm_a);
  const Vec3Lanes<N> way =
      cross(middle, rolled) + select<N>(m.is_wall, tangential<N>(over_wall, middle), {});
  return of_the_middle<N>(way, middle, m);
}

/// A vector of the pair, S or M, as the motion of the pair carries it along.
template <int N>
Vec3Lanes<N> carried(const Vec3Lanes<N>& v, const PairMotion<N>& m, const Scheme& scheme) {
  if (scheme.rotations == RotationScheme::first_order) {
    const Vec3Lanes<N> tilted = v - cross(v, cross(m.normal_before, m.normal));
    const Lanes<N> twist = 0.5 * dot(m.normal_before, m.rotation_a + m.rotation_b);
    return tilted - cross(tilted, scaled<N>(m.normal_before, twist));
  }
  // The twist of the mean turn about the normal, then the swing that takes it to the new one.
  const Vec3Lanes<N> mean = scaled<N>(m.rotation_a + m.rotation_b, Lanes<N>{} + 0.5);
  return swung<N>(twisted<N>(v, m.normal_before, m.normal, mean), m.normal_before, m.normal);
}

/// F_e, stiffnesses and energy of a law's springs at an overlap δ.
template <int N>
struct Springs {
  Lanes<N> elastic, energy;
  Lanes<N> stiffness;  ///< that the dashpot is measured by
  Lanes<N> shear_stiffness;
  Lanes<N> adhesion;  ///< what friction counts beside the normal force [N]
};

/// A sphere of elastic solid that sticks [Johnson71]: with the radius a of the patch,
/// δ = a²/R* − √(2 π w a/E*) and F = 4 E* a³/(3 R*) − √(8 π w E* a³).
template <int N>
Springs<N> sticking_springs(const Coefficients<N>& c, const Lanes<N>& overlap) {
  using L = Lanes<N>;
  const L &b = c.adhesion, &r = c.radius;
  const L young = 0.75 * c.k_n / square_root<N>(r);  // E*
  // Newton's method from above the root, where the function is convex: it comes down to it.
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
/// How long an impact lasts, without damping, in which a spring gets as stiff as that at its
/// deepest [s]: π √(m/k); of a Hertz spring 2.943 δ/v with m v²/2 = 2/5 k_n √R* δ^{5/2}.
inline double impact_time(ForceKind kind, double mass, double stiffness) {
  constexpr double kHertz = 2.943275184324705;  // ∫ dx/√(1 − x^{5/2}), twice
  const double fraction =
      kind == ForceKind::hertz_mindlin ? kHertz * std::sqrt(1.25) : std::numbers::pi;
  return fraction * std::sqrt(mass / stiffness);
}

/// v no longer than `most` ≥ 0.
template <int N>
Vec3Lanes<N> bounded(const Vec3Lanes<N>& v, const Lanes<N>& most) {
  const Lanes<N> squared = dot<N>(v, v), one = Lanes<N>{} + 1.0;
  const LaneMask<N> beyond = squared > most * most;
  if (!any_lane<N>(beyond)) return v;
  const Lanes<N> scale = most / square_root<N>(beyond ? squared : one);
  return select<N>(beyond, scaled<N>(v, scale), v);
}

/// Of a contact that neither begins nor ends in this step.
inline constexpr double kGoesOn = 2;

/// Of a contact that begins or ends in this step: the part of the way of the step that its overlap
/// is, below kGoesOn; elsewhere kGoesOn. It ends where the next step takes it apart, in which it
/// gets faster: as a spring pushes, by what it did in the last step in proportion to the overlap.
/// Where the normal turns within the step, as at an edge, the overlap of a contact that begins may
/// be a little more than the way, and counts as the way.
template <int N>
Lanes<N> fraction_of_displacement(const PairMotion<N>& m, const Lanes<N>& closing, double h) {
  using L = Lanes<N>;
  const L zero{}, one = zero + 1.0, way = h * (closing < 0 ? -closing : closing);
  const LaneMask<N> may_end = closing < 0 && m.overlap < 1.5 * way,
                    begins = m.is_new && m.overlap < 2 * way;
  if (!any_lane<N>(m.overlap >= 0 && (may_end || begins))) return zero + kGoesOn;
  const L last = m.is_new ? zero : h * positive_part<N>(m.closing_before - closing);
  const L faster = way > 0 ? last * m.overlap / (way + m.overlap) : zero;
  const LaneMask<N> ends = may_end && m.overlap < way + faster,
                    turns = m.overlap >= 0 && (ends || begins);
  const L fraction = m.overlap / (turns ? way : one);
  return turns ? (begins && fraction > 1 ? one : fraction) : zero + kGoesOn;
}

/// F_e and F_d.
///
/// Bodies that move by their forces: the dashpot acts with the velocity at t, half a step on from
/// what is known. And a contact begins and ends within steps. For a part α of a step's way h v a
/// dashpot and cohesion act for the part ½ + α of the step, and a linear spring gives its mean over
/// the step, k h v (½ + α)²/2 instead of k α h v: see docs/theory/compliant_laws.md.
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
    const LaneMask<N> turns = fraction < kGoesOn;
    const L way = scheme.h * (f.closing < 0 ? -f.closing : f.closing);
    // What was to end in the last step, and was slowed down, has had its half of a step.
    const LaneMask<N> lingers =
        !m.is_new && m.closing_before < 0 && overlap_before < scheme.h * (zero - m.closing_before);
    const L there = lingers ? fraction : 0.5 + fraction;
    f.pull = turns ? c.cohesion * there : c.cohesion;
    if (scheme.kind == ForceKind::hertz_mindlin) {
      // Over the part of the step the dashpot grows as δ^{1/4}, in the mean to 4/5 of its last.
      const L last = c.k_n * square_root<N>(way * there);
      const L mean = 0.8 * c.damping * square_root<N>(last) + c.fixed_damping;
      gamma_n = turns ? mean * there : gamma;
    } else {
      gamma_n = turns ? gamma * there : gamma;
      f.elastic = turns ? 0.5 * c.k_n * way * there * there : f.elastic;
    }
  }
  if (scheme.kind == ForceKind::spring_dashpot) gamma_n = rate > 0 ? gamma_n : zero;
  const L total = f.elastic + gamma_n * rate;
  const L least = f.elastic < 0 ? f.elastic : zero;
  const L kept = scheme.attraction || !(total < least) ? total : least;
  f.damping = kept - f.elastic;
}

/// The lever of S and D, and the arms that they have about the centres [m].
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
  // Of centres that all but coincide, as if a tenth of the touch were between them.
  const L between = touch - overlap > 0.1 * touch ? touch - overlap : 0.1 * touch;
  const L spread = is_wall ? one : touch / between;
  const L half = of_centres ? L{} : 0.5 * overlap;
  return {of_centres ? spread : one, radius_a - half, radius_b - half};
}

/// S, D, and where they act.
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
  const L most = c.friction * positive_part<N>(pressing) / f.lever;
  const bool still = scheme.at_start && exact;
  const Vec3Lanes<N> way = still ? Vec3Lanes<N>{} : slip<N>(m, scheme);
  // A contact that has begun within the step was sheared for that part of it.
  const LaneMask<N> began = m.is_new && f.fraction < kGoesOn;
  const L sheared = scheme.free_motion && exact ? (began ? f.fraction : one) : one;
  const Vec3Lanes<N> pulled =
      carried<N>(before, m, scheme) - scaled<N>(way, sheared * spring.shear_stiffness);
  f.slides = dot<N>(pulled, pulled) > most * most;
  f.shear = bounded<N>(pulled, most);
  const L gamma_t = c.tangential + c.damping_ratio * gamma;
  // Its force in that step, as that of the normal spring, is its mean over the step;
  // what is beyond the spring's counts as a dashpot's.
  const LaneMask<N> first = scheme.free_motion && exact ? began : zero > 0;
  f.dashpot = {};
  if (c.damps_shear || any_lane<N>(first)) {
    const L there = 0.5 + f.fraction;
    const Vec3Lanes<N> sprung =
        select<N>(first, scaled<N>(way, -0.5 * spring.shear_stiffness * there * there), f.shear);
    const Vec3Lanes<N> both = bounded<N>(sprung - scaled<N>(way, gamma_t * (1.0 / scheme.h)), most);
    f.dashpot = select<N>(first || gamma_t > 0, both - f.shear, f.dashpot);
  }
  f.sheared = dot<N>(f.shear, way);
  const L soft = spring.shear_stiffness > 0 ? spring.shear_stiffness : one;
  f.shear_energy = 0.5 * dot<N>(f.shear, f.shear) / soft;
}

/// The forces of contacts that remember S and the overlap of the last step; both are zero where
/// there was none.
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
    // A spring that gets softer or stiffer keeps its energy S²/2k: it neither makes nor takes any.
    const Lanes<N> was = springs<N>(c, overlap_before, scheme.kind).shear_stiffness;
    before = scaled<N>(
        before, was > 0 ? square_root<N>(spring.shear_stiffness / (was > 0 ? was : one)) : one);
  }
  set_shear_forces<N>(m, c, scheme, spring, gamma, before, f);
  return f;
}

/// Numbers of the moment of a contact.
template <int N>
struct MomentCoefficients {
  Lanes<N> rolling_stiffness, spinning_stiffness;  ///< [N m]
  Lanes<N> rolling_length, spinning_length;        ///< ℓ_r, ℓ_s [m]
  Lanes<N> damping;                                ///< over the critical one [-]
  Lanes<N> inverse_inertia;                        ///< 1/I_A + 1/I_B [1/(kg m²)]
};

template <int N>
struct Moments {
  Vec3Lanes<N> spring, dashpot;  ///< on B; M is their sum [N m]
  Lanes<N> energy;               ///< held by the spring [J]
};

/// Along one or two directions: a spring with a dashpot, together no more than `most`.
template <int N>
void add_moment(const Vec3Lanes<N>& before, const Vec3Lanes<N>& turn, const Lanes<N>& stiffness,
                const Lanes<N>& most, const MomentCoefficients<N>& c, double h, Moments<N>& sum) {
  using L = Lanes<N>;
  const L one = L{} + 1.0;
  const Vec3Lanes<N> spring = bounded<N>(before - scaled<N>(turn, stiffness), most);
  const L inertia = one / (c.inverse_inertia > 0 ? c.inverse_inertia : one);
  const L gamma = c.inverse_inertia > 0 ? 2 * c.damping * square_root<N>(stiffness * inertia) : L{};
  const Vec3Lanes<N> both = bounded<N>(spring - scaled<N>(turn, gamma * (1.0 / h)), most);
  sum.spring = sum.spring + spring;
  sum.dashpot = sum.dashpot + (both - spring);
  sum.energy = sum.energy + 0.5 * dot<N>(spring, spring) / (stiffness > 0 ? stiffness : one);
}

/// M of contacts that are pressed together by `pressing` = F_e + F_d.
template <int N>
Moments<N> moments(const PairMotion<N>& m, const MomentCoefficients<N>& c, const Scheme& scheme,
                   const Lanes<N>& pressing, const Vec3Lanes<N>& before) {
  const Vec3Lanes<N> kept = carried<N>(before, m, scheme);
  Vec3Lanes<N> turn = scheme.at_start ? Vec3Lanes<N>{} : m.rotation_b - m.rotation_a;
  if (scheme.rotations == RotationScheme::exact)
    turn = of_the_middle<N>(turn, middle_normal<N>(m), m);
  const Vec3Lanes<N> across = tangential<N>(kept, m.normal),
                     turn_across = tangential<N>(turn, m.normal);
  const Lanes<N> positive = positive_part<N>(pressing);
  Moments<N> sum{{}, {}, Lanes<N>{}};
  add_moment<N>(across, turn_across, c.rolling_stiffness, c.rolling_length * positive, c, scheme.h,
                sum);
  add_moment<N>(kept - across, turn - turn_across, c.spinning_stiffness,
                c.spinning_length * positive, c, scheme.h, sum);
  return sum;
}

/// For contacts of bodies of effective radius R* and Σ 1/m; `share` of the stiffness is theirs.
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
  // Points share stiffness and dashpot alike: √share is in the root of the stiffness already.
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
  // Of a Hertz spring, at an overlap of a thousandth of R*.
  const Lanes<N> k_n =
      n.scheme.kind == ForceKind::hertz_mindlin ? n.k_n * std::sqrt(1e-3) * radius : zero + n.k_n;
  const auto stiffness = [&](double given, double length) {
    return given >= 0 ? share * given : share * k_n * (length * length);
  };
  return {stiffness(n.rolling_stiffness, n.rolling_length),
          stiffness(n.spinning_stiffness, n.spinning_length),
          zero + n.rolling_length,
          zero + n.spinning_length,
          zero + n.rolling_damping,
          inverse_inertia};
}

}  // namespace scree::force
