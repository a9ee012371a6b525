/// Composes the message of a frame: bodies, a value of each, surfaces, joints, force chains.
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <variant>

#include "geometry/tessellation.hpp"
#include "scree/io/checksum.hpp"
#include "view/answers.hpp"
#include "view/body_values.hpp"
#include "view/frame_message.hpp"

namespace scree::view {
namespace {

/// How the page draws a body: a sphere, a box, or the mesh of shape k as kFirstMesh + k.
enum : std::uint32_t { kSphere, kBox, kFirstMesh };

std::uint32_t drawn_as(const Prototype& prototype, std::size_t shape) {
  if (prototype.is_sphere()) return kSphere;
  if (std::holds_alternative<Box>(prototype.shape)) return kBox;
  return kFirstMesh + static_cast<std::uint32_t>(shape);
}

void push(std::vector<double>& values, const Vec3& v) {
  values.insert(values.end(), {v.x, v.y, v.z});
}

/// Bounding box of the bodies, with their radii [m].
struct Extent {
  Vec3 low, high;

  explicit Extent(const Bodies& bodies) {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    low = {kFar, kFar, kFar};
    high = -low;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], bodies.position[i][axis] - bodies.radius[i]);
        high[axis] = std::max(high[axis], bodies.position[i][axis] + bodies.radius[i]);
      }
    if (bodies.size() == 0) low = high = {};
  }
};

/// Writes a frame into a message.
class FrameWriter {
 public:
  FrameWriter(const RunFiles& run, const LoadedFrame& frame)
      : run_(run), frame_(frame), extent_(frame.grains.bodies), origin_(frame.origin) {}

  void add_bodies() {
    const Bodies& bodies = frame_.grains.bodies;
    std::vector<double> position, radius;
    for (const std::uint32_t body : frame_.order) {
      push(position, bodies.position[body] - origin_);
      radius.push_back(bodies.radius[body]);
    }
    message_.add_quantised("position", 3, position);
    message_.add_quantised("radius", 1, radius);
    if (!std::ranges::all_of(frame_.grains.prototypes, &Prototype::is_sphere)) add_shapes();
  }

  void add_value(const std::string& name, const LoadedContacts* contacts) {
    const std::vector<double> values = values_of(name, frame_, contacts, run_.scene().step);
    message_.add_quantised("value", 1, values);
    if (values.empty()) return;
    const auto [low, high] = std::ranges::minmax_element(values);
    const auto extreme = [&](auto at) -> Json {
      const std::uint32_t body = frame_.order[static_cast<std::size_t>(at - values.begin())];
      return {{"value", *at}, {"id", frame_.grains.bodies.id[body].value}};
    };
    header_["lowest"] = extreme(low);
    header_["highest"] = extreme(high);
  }

  void add_obstacles(const std::string& known) {
    if (!frame_.obstacles) return;
    const ObstaclesFrame& obstacles = *frame_.obstacles;
    const std::string key = key_of(obstacles);
    header_["obstacles"] = {{"key", key}, {"names", obstacles.names}};
    if (key == known) return;
    std::vector<float> points;
    for (const Vec3& point : obstacles.points)
      for (int axis = 0; axis < 3; ++axis)
        points.push_back(static_cast<float>(point[axis] - origin_[axis]));
    std::vector<std::uint32_t> corners;
    for (const auto& triangle : obstacles.triangles)
      corners.insert(corners.end(), triangle.begin(), triangle.end());
    message_.add_floats("obstacle_points", 3, points);
    message_.add_integers("obstacle_triangles", 3, corners);
    message_.add_integers("obstacle_of_triangle", 1, obstacles.obstacle);
  }

  void add_joints() {
    header_["joints"] = Json::array();
    if (!frame_.joints) return;
    for (const FramedJoint& joint : frame_.joints->joints)
      header_["joints"].push_back({{"name", joint.name},
                                   {"position", as_json(joint.position - origin_)},
                                   {"axis", as_json(joint.axis)},
                                   {"force", as_json(joint.force)},
                                   {"torque", as_json(joint.torque)},
                                   {"coordinates", joint.coordinate},
                                   {"efforts", joint.effort},
                                   {"error", joint.error}});
  }

  /// Lines between the centres of bodies whose contacts bear load; to the point itself at
  /// obstacles.
  void add_chains(const LoadedContacts& contacts) {
    const std::vector<std::uint32_t> chosen = loaded(contacts.contacts);
    std::vector<double> ends, force;
    std::vector<std::uint32_t> kind;
    for (const std::uint32_t k : chosen) {
      const ContactRecord& contact = contacts.contacts[k];
      const Vec3 point = frame_.grains.domain.home(contact.point);
      push(ends, end_at(contact.a, point) - origin_);
      push(ends, end_at(contact.b, point) - origin_);
      force.push_back(norm(contact.impulse) / run_.scene().step);
      kind.push_back(static_cast<std::uint32_t>(contact.kind));
    }
    message_.add_quantised("chain_ends", 6, ends);
    message_.add_quantised("chain_force", 1, force);
    message_.add_integers("chain_class", 1, kind);
    message_.add_integers("chain_contact", 1, chosen);
    header_["chains"] = {{"contacts", contacts.contacts.size()}, {"shown", chosen.size()}};
  }

  void add_faults(const std::vector<std::string>& faults) {
    for (const std::string& fault : faults) faults_.push_back(fault);
  }

  std::string bytes() {
    Json header{{"time", frame_.grains.time},
                {"step", frame_.grains.step},
                {"bodies", frame_.order.size()},
                {"origin", as_json(origin_)},
                {"low", as_json(extent_.low)},
                {"high", as_json(extent_.high)},
                {"faults", faults_}};
    header.update(header_);
    return message_.bytes(header);
  }

 private:
  void add_shapes() {
    const Bodies& bodies = frame_.grains.bodies;
    std::vector<std::uint32_t> mesh;
    std::vector<double> orientation, half_extent;
    for (const std::uint32_t body : frame_.order) {
      const std::size_t shape = bodies.prototype[body];
      const Prototype& prototype = frame_.grains.prototypes[shape];
      const auto* box = std::get_if<Box>(&prototype.shape);
      const Quaternion& q = bodies.orientation[body];
      mesh.push_back(drawn_as(prototype, shape));
      orientation.insert(orientation.end(), {q.x, q.y, q.z, q.w});
      push(half_extent, box ? bodies.radius[body] * box->half_extent : Vec3{});
    }
    message_.add_integers("mesh", 1, mesh);
    message_.add_quantised("orientation", 4, orientation);
    message_.add_quantised("half_extent", 3, half_extent);
  }

  /// A key that surfaces share only if they are the same.
  std::string key_of(const ObstaclesFrame& obstacles) const {
    Checksum sum;
    const auto add = [&](const auto& values) {
      sum.add({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0])});
    };
    add(obstacles.points);
    add(obstacles.triangles);
    return fmt::format("{:x}", sum.value());
  }

  /// Contacts with an impulse, the largest if there are too many for a page, in the order of the
  /// rows of body A, which keeps blocks of the message small.
  std::vector<std::uint32_t> loaded(const std::vector<ContactRecord>& contacts) const {
    constexpr std::size_t kMax = 200'000;
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t k = 0; k < contacts.size(); ++k)
      if (norm(contacts[k].impulse) > 0) chosen.push_back(k);
    if (chosen.size() > kMax) {
      std::ranges::nth_element(chosen, chosen.begin() + kMax, std::ranges::greater(),
                               [&](std::uint32_t k) { return norm(contacts[k].impulse); });
      chosen.resize(kMax);
    }
    std::vector<std::uint32_t> row(frame_.order.size());
    for (std::uint32_t i = 0; i < frame_.order.size(); ++i) row[frame_.order[i]] = i;
    std::ranges::sort(chosen, {}, [&](std::uint32_t k) {
      return std::pair(row[frame_.find(contacts[k].a).value_or(0)], k);
    });
    return chosen;
  }

  /// Centre of a body, or of its image next to a point; the point itself for an obstacle.
  Vec3 end_at(BodyId id, const Vec3& point) const {
    const auto body = frame_.find(id);
    if (!body) return point;
    return frame_.grains.domain.nearest(point, frame_.grains.bodies.position[*body]);
  }

  const RunFiles& run_;
  const LoadedFrame& frame_;
  Extent extent_;
  Vec3 origin_;  ///< of the lengths in the message [m]
  FrameMessage message_;
  Json header_;
  std::vector<std::string> faults_;
};

Json mesh_of(const Shape& shape) {
  constexpr int kCornersAround = 24;
  const Tessellation surface = tessellation(shape, kCornersAround);
  Json points = Json::array(), triangles = Json::array();
  for (const Vec3& corner : surface.corners)
    points.insert(points.end(), {corner.x, corner.y, corner.z});
  for (const auto& face : surface.faces)
    for (std::size_t k = 2; k < face.size(); ++k)
      triangles.insert(triangles.end(), {face[0], face[k - 1], face[k]});
  return {{"points", points}, {"triangles", triangles}};
}

}  // namespace

std::string frame_answer(const RunFiles& run, FrameCache& cache, const FrameQuestion& question) {
  const std::shared_ptr<const LoadedFrame> frame = cache.bodies(question.frame);
  std::shared_ptr<const LoadedContacts> contacts;
  if (question.contacts || needs_contacts(question.colour))
    contacts = cache.contacts(question.frame);

  FrameWriter writer(run, *frame);
  writer.add_bodies();
  writer.add_value(question.colour, contacts.get());
  writer.add_obstacles(question.known_obstacles);
  writer.add_joints();
  if (question.contacts) writer.add_chains(*contacts);
  writer.add_faults(frame->faults);
  if (contacts) writer.add_faults(contacts->faults);
  return writer.bytes();
}

Json shapes_answer(FrameCache& cache, std::size_t frame) {
  Json meshes = Json::array();
  const std::vector<Prototype>& shapes = cache.bodies(frame)->grains.prototypes;
  for (std::size_t k = 0; k < shapes.size(); ++k)
    meshes.push_back(drawn_as(shapes[k], k) < kFirstMesh ? Json() : mesh_of(shapes[k].shape));
  return meshes;
}

}  // namespace scree::view
