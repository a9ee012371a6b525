/// The academic single contact: six point masses on the axes of a rigid frame, one of which touches
/// an inclined plane [Preclik18, §4.1].
#pragma once

#include "scree/math/sym_mat3.hpp"

namespace scree::studies {

/// u = W r + q with a cone of friction; the numbers of one contact.
struct ContactNumbers {
  SymMat3 W;        ///< A there [1/kg]
  Vec3 q;           ///< −b there [m/s]
  double friction;  ///< μ [-]
};

enum class TangentFrame {
  as_printed,   ///< t = n × e_x and o = n × t without normalisation, of length 0.968…
  orthonormal,  ///< both normalised
};

/// Length of the tangents as printed: |n × e_x|.
double printed_tangent_length();

/// The contact in that frame. With tangents of length s, tangential impulses are in units of s: the
/// same physics has friction s μ and tangential impulses s r in the orthonormal frame.
ContactNumbers academic_contact(TangentFrame frame, double friction);

}  // namespace scree::studies
