/// Rays of Python's Simulation.
#include <algorithm>
#include <cstddef>
#include <pybind11/stl.h>

#include "python/arrays.hpp"
#include "python/named_bodies.hpp"
#include "scree/core/infinity.hpp"
#include "scree/sim/raycast.hpp"

namespace scree::python {
namespace {

/// Row of the array of hits.
struct HitRow {
  double distance;
  Vec3 point, normal;
  std::uint64_t id;
};

py::dtype hit_type() {
  py::dict fields;
  fields["names"] = py::make_tuple("distance", "point", "normal", "id");
  fields["formats"] = py::make_tuple("f8", "3f8", "3f8", "u8");
  fields["offsets"] = py::make_tuple(offsetof(HitRow, distance), offsetof(HitRow, point),
                                     offsetof(HitRow, normal), offsetof(HitRow, id));
  fields["itemsize"] = sizeof(HitRow);
  return py::dtype::from_args(fields);
}

std::vector<Ray> rays_of(const Doubles& origins, const Doubles& directions) {
  const auto rows = [](const Doubles& array) { return array.ndim() == 2 ? array.shape(0) : 1; };
  const auto count = static_cast<std::size_t>(std::max(rows(origins), rows(directions)));
  const Rows<3> origin(origins, "origins", count), direction(directions, "directions", count);
  std::vector<Ray> rays;
  for (std::size_t k = 0; k < count; ++k)
    rays.push_back({vec3_of(origin[k]), vec3_of(direction[k])});
  return rays;
}

py::array raycast_rows(Held& held, const Doubles& origins, const Doubles& directions,
                       double max_distance, const py::object& ignore) {
  const std::vector<Ray> rays = rays_of(origins, directions);
  const Use use(held.taken);
  RayLimits limits{max_distance, {}};
  if (!ignore.is_none()) limits.unseen = bodies_of(held, ignore);
  const std::vector<SeenBody> hits = raycast(held.simulation, rays, limits);
  py::array array(hit_type(), static_cast<py::ssize_t>(hits.size()));
  auto* row = static_cast<HitRow*>(array.mutable_data());
  for (std::size_t k = 0; k < hits.size(); ++k) {
    const Vec3 along = rays[k].direction / norm(rays[k].direction);
    *row++ = {hits[k].distance, rays[k].origin + hits[k].distance * along, hits[k].normal,
              hits[k].id.value};
  }
  return array;
}

}  // namespace

void bind_rays(SimulationClass& simulation) {
  simulation.def("raycast", &raycast_rows, py::arg("origins"), py::arg("directions"), py::kw_only(),
                 py::arg("max_distance") = kInfinity, py::arg("ignore") = py::none(),
                 R"(First bodies or obstacles that rays meet: a structured array of shape (n,):

distance  from the origin [m]; infinite if the ray meets nothing
point     where it meets the surface [m]
normal    unit, outward
id        of the body; those of obstacles begin at FIRST_OBSTACLE_ID; 2**64 - 1 for nothing

origins       (n, 3) or (3,) [m]
directions    (n, 3) or (3,), of any length but 0
max_distance  range of the rays [m]
ignore        bodies that rays pass through
A body that contains the origin of a ray is not seen, nor are links without collision.)");
}

}  // namespace scree::python
