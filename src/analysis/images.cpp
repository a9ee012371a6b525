#include "scree/analysis/images.hpp"

namespace scree {

Bodies images_in(const Region& region, const Bodies& bodies, const Domain& domain) {
  if (!domain.repeats()) return bodies;
  Bodies images;
  images.reserve(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Body body = bodies[i];
    const Vec3 velocity = body.velocity;
    if (!is_finite(body.position)) continue;
    domain.for_each_image_in(region.min, region.max, bodies.position[i], body.radius,
                             [&](const Vec3& position_of_image, const Vec3&) {
                               body.position = position_of_image;
                               body.velocity = velocity + domain.gradient() * position_of_image;
                               images.push_back(body);
                             });
  }
  return images;
}

}  // namespace scree
