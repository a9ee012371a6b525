/// Coulomb's law of friction with unilateral contact.
#pragma once

#include <optional>

#include "scree/laws/contact_solutions.hpp"

namespace scree {

/// Unilateral contact with Coulomb friction, exact cone, friction against the slip *after* the step
/// [Preclik18, Fig. 1]:
///
///     K*(μ) ∋ u + μ |u_t| n  ⊥  r ∈ K(μ)            (De Saxcé's form)
struct Coulomb {
  static constexpr LawTraits traits{.name = "coulomb",
                                    .cone = Cone::circular,
                                    .rule = Rule::de_saxce,
                                    .unilateral = true,
                                    .coulomb_for_spheres = true};

  /// Rule that selects an impulse where several satisfy the law.
  enum class Choice : std::uint8_t {
    dissipation,  ///< r = 0 if it is a solution, else the one that dissipates most
    continuity,   ///< the nearest to the warm start: a jammed contact stays jammed
    /// The shortest r: Painlevé's principle of no force unless one is necessary [Painleve95]
    min_impulse,
  };

  double mu;  ///< friction coefficient [-], ≥ 0; checked when the model is built
  Choice choice = Choice::dissipation;

  template <class Parameters>
  static Coulomb of(const Parameters& p) {
    return {p.friction, p.choice};
  }

  LocalStatus solve(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept;

  /// All impulses that satisfy the law: r = 0, the one that sticks, and at most four that slide.
  /// Includes those where the bodies separate by themselves (q_n > 0) and friction jams them.
  ContactSolutions solve_all(const SymMat3& W, const Vec3& q) const noexcept;

  /// True if it is certain that one impulse satisfies the law, whatever q is.
  bool has_one_solution(const SymMat3& W) const noexcept;

  /// The solution that the law takes from the warm start, if r is nearer to another one.
  std::optional<Vec3> other_choice(const SymMat3& W, const Vec3& q, const Vec3& r,
                                   const Vec3& warm) const noexcept;

  Vec3 project(const Vec3& r) const noexcept { return project_on_cone(r, mu); }

  /// |r − P_K(r − ρû)| / ρ.
  Vec3 residual(const SymMat3& W, const Vec3& u, const Vec3& r) const noexcept {
    return natural_map(*this, W, complementary_velocity(u), r);
  }

  /// u + μ|u_t| n.
  Vec3 complementary_velocity(const Vec3& u) const noexcept {
    return {u.x + mu * tangential_norm(u), u.y, u.z};
  }
  double parting_speed(const Vec3&) const noexcept { return 0; }

  ContactClass classify(const Vec3& r) const noexcept { return classify_on_cone(r, mu); }

  bool operator==(const Coulomb&) const = default;

 private:
  LocalStatus solve_moderate(const SymMat3& W, const Vec3& q, Vec3& r) const noexcept;
  LocalStatus find_all(const SymMat3& W, const Vec3& q, ContactSolutions& found) const noexcept;
};
static_assert(ContactLaw<Coulomb>);

/// Choices by the names of their values.
inline constexpr std::string_view kChoices[] = {"dissipation", "continuity", "min_impulse"};
constexpr std::string_view name(Coulomb::Choice choice) {
  return kChoices[static_cast<std::size_t>(choice)];
}
std::optional<Coulomb::Choice> choice_named(std::string_view name);

}  // namespace scree
