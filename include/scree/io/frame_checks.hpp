/// What no frame of a sound run has: numbers that are not finite, bodies without a size, two bodies
/// of one id. Whoever reads frames asks here before he counts on them.
#pragma once

#include <string>
#include <vector>

#include "scree/io/frames.hpp"

namespace scree {

/// A row of a frame that is not to be trusted, by the first of its fields that is not.
struct FrameFault {
  std::size_t row;
  const char* field;
  const char* wrong;  ///< in words, "is not finite"
};

/// In the order of rows.
std::vector<FrameFault> faults_of(const GrainsFrame& frame);
std::vector<FrameFault> faults_of(const ContactsFrame& frame);

/// "body 7: velocity is not finite", "contact of body 7 and obstacle 0: …"
std::string in_words(const FrameFault& fault, const GrainsFrame& frame);
std::string in_words(const FrameFault& fault, const ContactsFrame& frame);

/// Leaves the rows at fault out.
void remove_faults(GrainsFrame& frame, const std::vector<FrameFault>& faults);
void remove_faults(ContactsFrame& frame, const std::vector<FrameFault>& faults);

}  // namespace scree
