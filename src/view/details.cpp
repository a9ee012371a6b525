/// Describes a body or a contact with the exact numbers of its files.
#include <algorithm>
#include <fmt/format.h>

#include "scree/core/error.hpp"
#include "view/answers.hpp"

namespace scree::view {
namespace {

/// A run and one of its frames.
struct Place {
  const RunFiles& run;
  std::shared_ptr<const LoadedFrame> frame;
  std::shared_ptr<const LoadedContacts> contacts;
};

Place place_of(const RunFiles& run, FrameCache& cache, std::size_t frame) {
  return {run, cache.bodies(frame), cache.contacts(frame)};
}

/// Name of a body, or of an obstacle as in the scene.
std::string name_of(const Place& place, BodyId id) {
  if (!is_obstacle(id)) return fmt::format("body {}", id.value);
  const std::uint64_t k = id.value - kFirstObstacleId;
  const auto& obstacles = place.frame->obstacles;
  if (obstacles && k < obstacles->names.size() && !obstacles->names[k].empty())
    return obstacles->names[k];
  return fmt::format("obstacle {}", k);
}

std::string material_of(const Place& place, BodyId id) {
  const SceneFacts& scene = place.run.scene();
  if (is_obstacle(id)) {
    const auto found = scene.material_of_obstacle.find(name_of(place, id));
    return found == scene.material_of_obstacle.end() ? "" : found->second;
  }
  const auto body = place.frame->find(id);
  const std::size_t material = body ? place.frame->grains.bodies.material[*body] : 0;
  return body && material < scene.materials.size() ? scene.materials[material] : "";
}

/// A side of a contact; only bodies have an id that the page can ask for.
Json side_json(const Place& place, BodyId id) {
  Json side{{"name", name_of(place, id)}, {"material", material_of(place, id)}};
  if (!is_obstacle(id)) side["id"] = id.value;
  return side;
}

Json contact_json(const Place& place, std::uint32_t k) {
  const ContactRecord& contact = place.contacts->contacts[k];
  const double step = place.run.scene().step;
  return {{"contact", k},
          {"a", side_json(place, contact.a)},
          {"b", side_json(place, contact.b)},
          {"law", place.run.scene().law_between(material_of(place, contact.a),
                                                material_of(place, contact.b))},
          {"class", name(contact.kind)},
          {"gap", contact.gap},
          {"impulse", as_json(contact.impulse)},
          {"normal_impulse", dot(contact.impulse, contact.normal)},
          {"force", step > 0 ? Json(norm(contact.impulse) / step) : Json()},
          {"residual", contact.residual},
          {"cone_violation", contact.cone_violation},
          {"complementarity_violation", contact.complementarity_violation},
          {"dissipated_energy", contact.dissipated_energy},
          {"painleve_number", contact.painleve_number},
          {"point", as_json(contact.point)},
          {"normal", as_json(contact.normal)}};
}

Json body_json(const Place& place, std::uint32_t body) {
  const Bodies& bodies = place.frame->grains.bodies;
  const auto row = std::ranges::find(place.frame->order, body) - place.frame->order.begin();
  const auto of_body = place.contacts->of(body);
  std::vector<std::uint32_t> contacts(of_body.begin(), of_body.end());
  std::ranges::sort(contacts, std::ranges::greater(),
                    [&](std::uint32_t k) { return norm(place.contacts->contacts[k].impulse); });
  Json list = Json::array();
  for (const std::uint32_t k : contacts) {
    list.push_back(contact_json(place, k));
    // In a periodic cell, the point where the body is drawn.
    list.back()["point"] = as_json(place.frame->grains.domain.nearest(
        bodies.position[body], place.contacts->contacts[k].point));
  }
  return {{"id", bodies.id[body].value},
          {"row", row},
          {"time", place.frame->grains.time},
          {"material", material_of(place, bodies.id[body])},
          {"position", as_json(bodies.position[body])},
          {"velocity", as_json(bodies.velocity[body])},
          {"speed", norm(bodies.velocity[body])},
          {"angular_velocity", as_json(bodies.angular_velocity[body])},
          {"radius", bodies.radius[body]},
          {"mass", bodies.mass[body]},
          {"contacts", list}};
}

}  // namespace

Json body_answer(const RunFiles& run, FrameCache& cache, std::size_t frame, std::uint64_t id) {
  const Place place = place_of(run, cache, frame);
  const auto body = place.frame->find({id});
  if (!body)
    throw InputError(
        fmt::format("body {} is not in the frame at t = {:.6g} s", id, place.frame->grains.time));
  return body_json(place, *body);
}

Json body_in_row_answer(const RunFiles& run, FrameCache& cache, std::size_t frame,
                        std::size_t row) {
  const Place place = place_of(run, cache, frame);
  if (row >= place.frame->order.size())
    throw InputError(fmt::format("the frame has no body in row {}", row));
  return body_json(place, place.frame->order[row]);
}

Json contact_answer(const RunFiles& run, FrameCache& cache, std::size_t frame,
                    std::size_t contact) {
  const Place place = place_of(run, cache, frame);
  if (contact >= place.contacts->contacts.size())
    throw InputError(fmt::format("the frame has no contact {}", contact));
  return contact_json(place, static_cast<std::uint32_t>(contact));
}

}  // namespace scree::view
