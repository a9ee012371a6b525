/// All solutions of a planar contact with friction.
#include "scree/studies/planar_contact.hpp"

#include <cmath>

namespace scree::studies {

const char* name(ContactState state) {
  switch (state) {
    case ContactState::open:
      return "open";
    case ContactState::stick:
      return "stick";
    case ContactState::slip_left:
      return "slip left";
    case ContactState::slip_right:
      return "slip right";
  }
  return "";
}

PlanarSolutions all_solutions(const PlanarContact& c) {
  PlanarSolutions found;
  const auto add = [&](ContactState state, double rn, double rt) {
    for (const PlanarSolution& known : found.all)
      if (known.rn == rn && known.rt == rt) return;
    found.all.push_back(
        {state, rn, rt, c.nn * rn + c.nt * rt + c.qn, c.nt * rn + c.tt * rt + c.qt});
  };
  if (c.qn >= 0) add(ContactState::open, 0, 0);

  const double determinant = c.nn * c.tt - c.nt * c.nt;
  const double rn = (c.nt * c.qt - c.tt * c.qn) / determinant,
               rt = (c.nt * c.qn - c.nn * c.qt) / determinant;
  if (rn > 0 && std::abs(rt) <= c.friction * rn) add(ContactState::stick, rn, rt);

  for (const double side : {1.0, -1.0}) {  // of friction
    const double coefficient = c.nn + side * c.friction * c.nt;
    const double slip_rate = c.nt + side * c.friction * c.tt;
    if (coefficient == 0) {
      if (c.qn == 0 && side * c.qt < 0) found.continuum = true;
      continue;
    }
    const double normal = -c.qn / coefficient;
    if (!(normal > 0) || side * (slip_rate * normal + c.qt) > 0) continue;
    add(side > 0 ? ContactState::slip_left : ContactState::slip_right, normal,
        side * c.friction * normal);
  }
  return found;
}

Lcp as_lcp(const PlanarContact& c) {
  return {{c.nn, c.nt, -c.nt, 0,   //
           c.nt, c.tt, -c.tt, 1,   //
           -c.nt, -c.tt, c.tt, 1,  //
           c.friction, -1, -1, 0},
          {c.qn, c.qt, -c.qt, 0}};
}

}  // namespace scree::studies
