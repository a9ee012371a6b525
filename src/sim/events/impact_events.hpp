/// Impacts that a step resolves in their order: docs/theory/impacts_in_order.md
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/sim/state.hpp"
#include "scree/solvers/certificate.hpp"
#include "scree/solvers/contact_problem.hpp"
#include "solvers/body_sets.hpp"

namespace scree {

/// Data of resolve_events(). Contacts that it has resolved are out of the problem: their lanes are
/// empty until the next step.
struct ImpactEvents {
  enum class Outcome : std::uint8_t {
    resolved,   ///< all impacts of an island
    left,       ///< none rebounds, some are at the same time, or a pair closes slowly
    unordered,  ///< left after bodies that met again and again in the step
  };

  /// A body on its way through the step.
  struct Flight {
    BodyIndex body = 0;
    BodyRecord free{};        ///< its record without impulses
    Vec3 acceleration;        ///< [m/s²]
    Vec3 spin_acceleration;   ///< of the scaled spin [m/s²]
    Vec3 displacement, turn;  ///< −Σ s Δv over impacts, at times s; turn: of the scaled spin [m]
    double path = 0, since = 0;  ///< length of its path [m] up to this time [s]
  };

  /// A contact of a sphere with another, or with the plane of an obstacle.
  struct Contact {
    std::uint32_t slot = 0;  ///< see Scratch::slot
    BodyIndex a = 0, b = 0;  ///< records
    BodyIndex island = 0;    ///< first body of its island
    BodyId id_a, id_b;       ///< order of the contacts of an island
    bool is_plane = false;
    Vec3 normal;        ///< of a plane, from the sphere to it
    Vec3 apart;         ///< from centre to centre at the start [m]; 0 for a plane
    double gap = 0;     ///< at the start, of a plane along its normal [m]
    double touch = 0;   ///< distance of centres that touch; 0 for a plane [m]
    double radius = 0;  ///< the smaller one [m]
    double friction = 0, restitution = 0;

    std::uint32_t impacts = 0;       ///< in this step
    Vec3 impulse;                    ///< sum of its impacts, on B [N s]
    Vec3 normal_impulse;             ///< the part of it along their normals [N s]
    double work = 0;                 ///< Σ r·(u⁻ + u⁺)/2, with velocities of the scheme [J]
    Wear wear;                       ///< energy that the impacts took
    ContactCertificate certificate;  ///< the worst residual of its impacts, and their sums
  };

  std::vector<Contact> contacts;         ///< those that were hit, in the order of their slots
  std::vector<Flight> flights;           ///< of their bodies
  std::vector<std::uint32_t> flight_of;  ///< one per free body, or kNone; empty without flights
  static constexpr std::uint32_t kNone = 0xffffffff;

  void clear() {
    contacts.clear();
    flights.clear();
    flight_of.clear();
  }
  const Flight* flight(std::size_t body) const {
    const bool flies = body < flight_of.size() && flight_of[body] != kNone;
    return flies ? &flights[flight_of[body]] : nullptr;
  }
  Vec3 displacement(std::size_t body) const {
    const Flight* of = flight(body);
    return of ? of->displacement : Vec3{};
  }
  /// Contact in a slot, or null.
  const Contact* at(std::uint32_t slot) const {
    const auto of = std::ranges::lower_bound(contacts, slot, {}, &Contact::slot);
    return of != contacts.end() && of->slot == slot ? &*of : nullptr;
  }

  // Memory of the stage.
  struct Island {
    std::uint32_t begin, end;  ///< its contacts
    Outcome outcome;
  };
  std::vector<Island> islands;
  BodySets sets{0};
  std::vector<std::uint32_t> count;         ///< contacts of each set, by its first body
  std::vector<std::uint8_t> chosen;         ///< 1 for each body of an island to be tried
  std::vector<std::vector<Contact>> found;  ///< one per chunk of pairs
};

}  // namespace scree
