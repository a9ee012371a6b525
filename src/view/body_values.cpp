/// The table of values that bodies can be coloured by.
#include "view/body_values.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "scree/core/error.hpp"

namespace scree::view {
namespace {

/// A value of a body by itself.
struct OwnValue {
  const char *name, *unit;
  double (*of)(const Bodies& bodies, std::size_t body);
};
constexpr OwnValue kOwnValues[] = {
    {"speed", "m/s", [](const Bodies& b, std::size_t i) { return norm(b.velocity[i]); }},
    {"velocity_x", "m/s", [](const Bodies& b, std::size_t i) { return b.velocity[i].x; }},
    {"velocity_y", "m/s", [](const Bodies& b, std::size_t i) { return b.velocity[i].y; }},
    {"velocity_z", "m/s", [](const Bodies& b, std::size_t i) { return b.velocity[i].z; }},
    {"spin", "rad/s", [](const Bodies& b, std::size_t i) { return norm(b.angular_velocity[i]); }},
    {"angular_velocity_x", "rad/s",
     [](const Bodies& b, std::size_t i) { return b.angular_velocity[i].x; }},
    {"angular_velocity_y", "rad/s",
     [](const Bodies& b, std::size_t i) { return b.angular_velocity[i].y; }},
    {"angular_velocity_z", "rad/s",
     [](const Bodies& b, std::size_t i) { return b.angular_velocity[i].z; }},
    {"x", "m", [](const Bodies& b, std::size_t i) { return b.position[i].x; }},
    {"y", "m", [](const Bodies& b, std::size_t i) { return b.position[i].y; }},
    {"z", "m", [](const Bodies& b, std::size_t i) { return b.position[i].z; }},
    {"radius", "m", [](const Bodies& b, std::size_t i) { return b.radius[i]; }},
    {"mass", "kg", [](const Bodies& b, std::size_t i) { return b.mass[i]; }},
    {"material", "", [](const Bodies& b, std::size_t i) { return double(b.material[i]); }},
    {"id", "", [](const Bodies& b, std::size_t i) { return double(b.id[i].value); }}};

/// A value of a body that sums up its contacts: the next sum, after one more contact.
struct ContactValue {
  const char *name, *unit;
  double (*with)(double sum, const ContactRecord& contact, double step);
};
constexpr ContactValue kContactValues[] = {
    {"largest_force", "N",
     [](double sum, const ContactRecord& c, double step) {
       return std::max(sum, norm(c.impulse) / step);
     }},
    {"loaded_contacts", "",
     [](double sum, const ContactRecord& c, double) {
       return sum + (norm(c.impulse) > 0 ? 1 : 0);
     }},
    {"sliding_contacts", "",
     [](double sum, const ContactRecord& c, double) {
       return sum + (c.kind == ContactClass::sliding ? 1 : 0);
     }},
    {"largest_residual", "m/s",
     [](double sum, const ContactRecord& c, double) { return std::max(sum, c.residual); }}};

const ContactValue* contact_value(const std::string& name) {
  const auto found = std::ranges::find(kContactValues, name, &ContactValue::name);
  return found == std::end(kContactValues) ? nullptr : found;
}

const OwnValue* own_value(const std::string& name) {
  const auto found = std::ranges::find(kOwnValues, name, &OwnValue::name);
  return found == std::end(kOwnValues) ? nullptr : found;
}

}  // namespace

Json list_of_values() {
  Json list = Json::array();
  const auto add = [&](const auto& value) {
    list.push_back({{"name", value.name}, {"unit", value.unit}});
  };
  std::ranges::for_each(kOwnValues, add);
  std::ranges::for_each(kContactValues, add);
  return list;
}

bool needs_contacts(const std::string& name) {
  if (own_value(name)) return false;
  if (!contact_value(name)) throw InputError(fmt::format("bodies have no value {}", name));
  return true;
}

std::vector<double> values_of(const std::string& name, const LoadedFrame& frame,
                              const LoadedContacts* contacts, double step) {
  const Bodies& bodies = frame.grains.bodies;
  std::vector<double> values;
  values.reserve(bodies.size());
  if (const OwnValue* own = own_value(name)) {
    for (const std::uint32_t body : frame.order) values.push_back(own->of(bodies, body));
    return values;
  }
  const ContactValue* sum_of = contact_value(name);
  for (const std::uint32_t body : frame.order) {
    double sum = 0;
    if (sum_of && contacts)
      for (const std::uint32_t k : contacts->of(body))
        sum = sum_of->with(sum, contacts->contacts[k], step);
    values.push_back(sum);
  }
  return values;
}

}  // namespace scree::view
