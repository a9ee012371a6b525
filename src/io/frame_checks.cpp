/// Finds rows of frames that no sound run writes.
#include "scree/io/frame_checks.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace scree {
namespace {

constexpr const char* kNotFinite = "is not finite";

bool finite(double value) { return std::isfinite(value); }
bool finite(const Quaternion& q) {
  return std::isfinite(q.w) && std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z);
}

/// Ids in ascending order.
std::vector<std::uint64_t> sorted_ids(const GrainsFrame& frame) {
  std::vector<std::uint64_t> ids;
  ids.reserve(frame.bodies.size());
  for (const BodyId id : frame.bodies.id) ids.push_back(id.value);
  std::ranges::sort(ids);
  return ids;
}

std::string name_of(BodyId id) {
  return is_obstacle(id) ? fmt::format("obstacle {}", id.value - kFirstObstacleId)
                         : fmt::format("body {}", id.value);
}

/// Entries of an array in sound rows.
void keep_sound(auto& array, const std::vector<FrameFault>& faults) {
  std::size_t sound = 0;
  auto fault = faults.begin();
  for (std::size_t row = 0; row < array.size(); ++row) {
    if (fault != faults.end() && fault->row == row)
      ++fault;
    else
      array[sound++] = array[row];
  }
  array.resize(sound);
}

}  // namespace

std::vector<FrameFault> faults_of(const GrainsFrame& frame) {
  const Bodies& b = frame.bodies;
  const std::vector<std::uint64_t> ids = sorted_ids(frame);
  std::vector<FrameFault> faults;
  std::uint64_t largest_id = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const std::uint64_t id = b.id[i].value;
    if (std::ranges::upper_bound(ids, id) - std::ranges::lower_bound(ids, id) > 1)
      faults.push_back({i, "id", "is also the id of another body"});
    else if (id < largest_id)
      faults.push_back({i, "id", "comes after a larger one"});
    else if (!is_finite(b.position[i]))
      faults.push_back({i, "position", kNotFinite});
    else if (!is_finite(b.velocity[i]))
      faults.push_back({i, "velocity", kNotFinite});
    else if (!is_finite(b.angular_velocity[i]))
      faults.push_back({i, "angular_velocity", kNotFinite});
    else if (!finite(b.orientation[i]))
      faults.push_back({i, "quaternion", kNotFinite});
    else if (!finite(b.radius[i]) || !(b.radius[i] > 0))
      faults.push_back({i, "radius", "is not a finite number > 0"});
    else if (!finite(b.mass[i]) || !(b.mass[i] > 0))
      faults.push_back({i, "mass", "is not a finite number > 0"});
    largest_id = std::max(largest_id, id);
  }
  return faults;
}

std::vector<FrameFault> faults_of(const ContactsFrame& frame) {
  std::vector<FrameFault> faults;
  for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
    const ContactRecord& c = frame.contacts[i];
    // A body that was deleted since by an outflow is in no frame of bodies.
    if (c.a == c.b || (is_obstacle(c.a) && is_obstacle(c.b)))
      faults.push_back({i, "id_b", "is not the id of a body that id_a could touch"});
    else if (!is_finite(c.point))
      faults.push_back({i, "point", kNotFinite});
    else if (!is_finite(c.normal) || std::abs(norm(c.normal) - 1) > 1e-6)
      faults.push_back({i, "normal", "is not a unit vector"});
    else if (!is_finite(c.impulse))
      faults.push_back({i, "impulse", kNotFinite});
    else if (!is_finite(c.angular_impulse))
      faults.push_back({i, "angular_impulse", kNotFinite});
    else if (!finite(c.gap))
      faults.push_back({i, "gap", kNotFinite});
    else if (!finite(c.residual))
      faults.push_back({i, "residual", kNotFinite});
  }
  return faults;
}

std::string in_words(const FrameFault& fault, const GrainsFrame& frame) {
  return fmt::format("{}: {} {}", name_of(frame.bodies.id[fault.row]), fault.field, fault.wrong);
}

std::string in_words(const FrameFault& fault, const ContactsFrame& frame) {
  const ContactRecord& c = frame.contacts[fault.row];
  return fmt::format("contact of {} and {}: {} {}", name_of(c.a), name_of(c.b), fault.field,
                     fault.wrong);
}

void remove_faults(GrainsFrame& frame, const std::vector<FrameFault>& faults) {
  frame.bodies.for_each_field([&](auto& field) { keep_sound(field, faults); });
}

void remove_faults(ContactsFrame& frame, const std::vector<FrameFault>& faults) {
  keep_sound(frame.contacts, faults);
}

}  // namespace scree
