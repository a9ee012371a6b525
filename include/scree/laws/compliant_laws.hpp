/// Compliant laws as entries of the list of laws: their traits, and the kind of their elastic
/// force. The forces are computed in laws/force_contact.hpp.
#pragma once

#include "scree/laws/contact_law.hpp"
#include "scree/laws/force_law.hpp"

namespace scree {

/// Linear springs, with an incremental shear spring [CundallStrack79] [Chareyre]; a dashpot if the
/// pair has one.
struct CundallStrack {
  static constexpr ForceKind kind = ForceKind::linear;
  static constexpr LawTraits traits{
      .name = "cundall_strack", .cone = Cone::circular, .compliant = true};
};

/// Springs of Hertz [Hertz82] and Mindlin for spheres, the latter with the no-slip stiffness
/// [MindlinDeresiewicz53]; Tsuji's dashpot [Tsuji92]; adhesion if the pair has a work of adhesion
/// [Johnson71].
struct HertzMindlin {
  static constexpr ForceKind kind = ForceKind::hertz_mindlin;
  static constexpr LawTraits traits{
      .name = "hertz_mindlin", .cone = Cone::circular, .compliant = true};
};

/// Linear spring, and dashpots that resist the approach and the slip [Preclik11, Eq. 22].
struct SpringDashpot {
  static constexpr ForceKind kind = ForceKind::spring_dashpot;
  static constexpr LawTraits traits{
      .name = "spring_dashpot", .cone = Cone::circular, .compliant = true};
};

}  // namespace scree
