/// Bodies that sleep: at rest by islands, and left out of steps. docs/theory/sleep.md
#pragma once

#include <cstdint>
#include <string>

#include "scree/core/aligned.hpp"
#include "scree/core/ids.hpp"
#include "scree/math/quaternion.hpp"
#include "scree/math/vec3.hpp"

namespace scree {

struct Model;

/// What a model has that acts on bodies which no contact wakes, so that none may sleep; or empty.
std::string unfit_for_sleep(const Model& model);

/// A contact of bodies that sleep, as it was last solved: see ContactRecord. All numbers have 64
/// bits.
struct SleepingContact {
  BodyId a, b;
  BodyId island;  ///< of its bodies
  Vec3 point, normal, impulse, angular_impulse;
  double gap = 0;    ///< [m]
  double depth = 0;  ///< overlap over the smaller inner radius; < 0 apart [-]
  double residual = 0, cone_violation = 0, complementarity_violation = 0, painleve_number = 0;
  std::uint64_t kind = 0;  ///< ContactClass
};

/// Who sleeps. All is empty without StepSettings::sleep. Arrays of bodies may be shorter than
/// Bodies, whose last ones then came since.
struct Sleep {
  static constexpr BodyId kAwake{~std::uint64_t{0}};

  // Of each body.
  AlignedVector<Vec3> place;              ///< which it has kept [m]
  AlignedVector<Quaternion> orientation;  ///< the same
  /// Steps since it came to that place; 0 of a body that sleeps: its island wakes in the next step
  AlignedVector<std::uint64_t> calm_steps;
  AlignedVector<BodyId> island;  ///< the lowest id of its island, or kAwake

  AlignedVector<SleepingContact> contacts;  ///< in the order of their keys

  bool sleeps(std::size_t body) const { return body < island.size() && island[body] != kAwake; }
  /// To be called where something changes that a body bears: it is to be calm anew, and its island
  /// wakes if it sleeps.
  void disturb(std::size_t body) {
    if (body < calm_steps.size()) calm_steps[body] = 0;
  }

  /// Calls f for each array of bodies.
  template <class F>
  void for_each_of_bodies(F&& f) {
    f(place), f(orientation), f(calm_steps), f(island);
  }
};

}  // namespace scree
