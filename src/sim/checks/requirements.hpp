/// Requirements for numbers of a model or a state, with messages that name the field.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <string>
#include <string_view>

#include "scree/core/error.hpp"
#include "scree/sim/model.hpp"
#include "scree/sim/periodic_cell.hpp"

namespace scree::requirements {

/// Name such as `step.h` or `bodies[3].radius`: formatted only when the field is refused.
struct FieldName {
  static constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);

  std::string_view list;  ///< empty: a field of the model or state itself
  std::size_t index = 0;  ///< kNoIndex: the thing is in no list yet
  std::string_view field;

  std::string text() const {
    if (list.empty()) return std::string(field);
    if (index == kNoIndex) return std::string(list) + "." + std::string(field);
    return std::string(list) + "[" + std::to_string(index) + "]." + std::string(field);
  }
};

inline std::string text_of(double number) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}
std::string text_of(std::integral auto number) { return std::to_string(number); }
inline std::string text_of(const Vec3& v) {
  return "(" + text_of(v.x) + ", " + text_of(v.y) + ", " + text_of(v.z) + ")";
}
inline std::string text_of(const Quaternion& q) {
  return "(" + text_of(q.w) + ", " + text_of(q.x) + ", " + text_of(q.y) + ", " + text_of(q.z) + ")";
}

/// Throws InputError with the value found and what is needed, unless `good`.
void require(bool good, const FieldName& name, const auto& found, std::string_view needed) {
  if (!good) throw InputError(name.text() + " is " + text_of(found) + "; " + std::string(needed));
}

inline void require(bool good, const std::string& message) {
  if (!good) throw InputError(message);
}

inline void require_finite(const FieldName& name, double value) {
  require(std::isfinite(value), name, value, "it must be finite");
}
inline void require_finite(const FieldName& name, const Vec3& value) {
  require(is_finite(value), name, value, "it must be finite");
}
inline void require_positive(const FieldName& name, double value) {
  require(value > 0 && std::isfinite(value), name, value, "it must be finite and above 0");
}
inline void require_not_negative(const FieldName& name, double value) {
  require(value >= 0 && std::isfinite(value), name, value, "it must be finite and not below 0");
}
/// The tolerance allows rounding of many rotations, and input with few digits.
inline void require_unit(const FieldName& name, const Quaternion& q) {
  require(std::abs(norm(q) - 1) < 1e-6, name, q, "it must be a quaternion of length 1");
}
inline void require_index(const FieldName& name, std::size_t index, std::size_t count,
                          const char* of_what) {
  require(index < count, name, index, "there are " + std::to_string(count) + " " + of_what);
}

/// `position` and `orientation` are the full names of the pose's two fields.
inline void require_pose(std::string_view list, std::size_t k, const Pose& pose,
                         std::string_view position = "pose.position",
                         std::string_view orientation = "pose.orientation") {
  require_finite({list, k, position}, pose.position);
  require_unit({list, k, orientation}, pose.orientation);
}

/// Requires that a body meets another, and itself, by one image at most.
inline void require_radius(const Model& model, const FieldName& name, double radius) {
  if (const std::string misfit = misfit_of_body(model.domain, radius); !misfit.empty())
    require(false, name, radius, misfit);
}

}  // namespace scree::requirements
