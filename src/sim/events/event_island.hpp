/// Impacts of one island, in their order.
#pragma once

#include "sim/events/flight.hpp"
#include "sim/step_context.hpp"

namespace scree {

class EventIsland {
 public:
  using Outcome = ImpactEvents::Outcome;

  /// Flights of its bodies have begun.
  EventIsland(StepContext& c, std::span<ImpactEvents::Contact> contacts)
      : c_(c), contacts_(contacts), h_(c.model.step.h) {}

  /// Lets the bodies fly until the end of the step, unless it leaves the island to the solve.
  Outcome run();
  /// Gives the bodies their velocities without impulses.
  void undo();

 private:
  using Contact = ImpactEvents::Contact;
  /// W between spheres: diag(normal, tangential, tangential) [1/kg].
  struct Mobility {
    double normal, tangential;
  };

  BodyRecord& record(BodyIndex i) const { return c_.scratch.problem.bodies[i]; }
  /// Null for an obstacle.
  ImpactEvents::Flight* flight(BodyIndex i) const;
  template <class F>
  void for_each_flight(F&& f) const;
  RelativeFlight relative(const Contact& contact) const;
  Vec3 normal_of(const Contact& contact, double t) const;
  double gap_of(const Contact& contact, double t) const;
  double time_of_touch(const Contact& contact) const;
  bool is_fast(const Contact& contact, double t) const;
  Contact* next();

  Vec3 velocity(const Contact& contact, const Vec3& n) const;
  Vec3 change_by_forces(const Contact& contact, const Vec3& n) const;
  Mobility mobility(const Contact& contact) const;
  void push(BodyIndex i, const Vec3& dv, const Vec3& ds);
  void collide(Contact& contact);
  void certify(Contact& contact, const Vec3& n, const Vec3& u, const Vec3& r,
               double dissipated) const;

  bool coincides(const Contact& with) const;
  bool presses(const Contact& contact) const;
  void set_gap_term(const Contact& contact) const;
  void end_paths();

  StepContext& c_;
  std::span<Contact> contacts_;
  double h_;
  double now_ = 0;  ///< since the start of the step [s]
};

}  // namespace scree
