/// Checks of frames for values that no sound run writes: non-finite numbers, bodies without a size,
/// two bodies with one id. Readers of frames call these before they use a frame.
#pragma once

#include <string>
#include <vector>

#include "scree/io/frames.hpp"

namespace scree {

/// A faulty row of a frame, with the first faulty field.
struct FrameFault {
  std::size_t row;
  const char* field;
  const char* wrong;  ///< as text, "is not finite"
};

/// Faults in the order of rows.
std::vector<FrameFault> faults_of(const GrainsFrame& frame);
std::vector<FrameFault> faults_of(const ContactsFrame& frame);

/// "body 7: velocity is not finite", "contact of body 7 and obstacle 0: …"
std::string in_words(const FrameFault& fault, const GrainsFrame& frame);
std::string in_words(const FrameFault& fault, const ContactsFrame& frame);

/// Removes the faulty rows.
void remove_faults(GrainsFrame& frame, const std::vector<FrameFault>& faults);
void remove_faults(ContactsFrame& frame, const std::vector<FrameFault>& faults);

}  // namespace scree
