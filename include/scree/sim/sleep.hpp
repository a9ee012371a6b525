/// Sleeping bodies: islands of bodies at rest that steps leave out. docs/theory/sleep.md
#pragma once

#include <cstdint>
#include <string>

#include "scree/core/aligned.hpp"
#include "scree/core/ids.hpp"
#include "scree/math/quaternion.hpp"
#include "scree/math/vec3.hpp"

namespace scree {

struct Model;

/// Feature of a model that acts on bodies without a contact to wake them, so that none may sleep;
/// or empty.
std::string unfit_for_sleep(const Model& model);

/// Contact of sleeping bodies, from its last solve: see ContactRecord. All numbers have 64 bits.
struct SleepingContact {
  BodyId a, b;
  BodyId island;  ///< island of its bodies
  Vec3 point, normal, impulse, angular_impulse;
  double gap = 0;    ///< [m]
  double depth = 0;  ///< overlap over the smaller inscribed radius; < 0 apart [-]
  double residual = 0, cone_violation = 0, complementarity_violation = 0, painleve_number = 0;
  std::uint64_t kind = 0;  ///< value of ContactClass
};

/// Sleeping bodies. All arrays are empty without StepSettings::sleep. Arrays of bodies may be
/// shorter than Bodies: the last bodies are then new.
struct Sleep {
  static constexpr BodyId kAwake{~std::uint64_t{0}};

  // Arrays of bodies.
  AlignedVector<Vec3> position;           ///< reference position, which the body has kept [m]
  AlignedVector<Quaternion> orientation;  ///< reference orientation
  /// Steps since the body took its reference position; 0 of a sleeping body: its island wakes in
  /// the next step
  AlignedVector<std::uint64_t> calm_steps;
  AlignedVector<BodyId> island;  ///< lowest id of its island, or kAwake

  AlignedVector<SleepingContact> contacts;  ///< in the order of their keys

  bool sleeps(std::size_t body) const { return body < island.size() && island[body] != kAwake; }
  /// Resets the calm steps of a body, and thereby wakes its island. Call it where something changes
  /// that a body bears.
  void disturb(std::size_t body) {
    if (body < calm_steps.size()) calm_steps[body] = 0;
  }

  /// Calls f for each array of bodies.
  template <class F>
  void for_each_of_bodies(F&& f) {
    f(position), f(orientation), f(calm_steps), f(island);
  }
};

}  // namespace scree
