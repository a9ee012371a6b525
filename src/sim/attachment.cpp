/// Joints that are attached and detached between steps.
#include <algorithm>
#include <string>

#include "scree/core/error.hpp"
#include "sim/joints/joint_places.hpp"
#include "sim/simulation_internals.hpp"

namespace scree {
namespace {

void require_joint(const Model& model, std::uint32_t joint) {
  if (joint >= model.joints.size())
    throw InputError("there is no joint " + std::to_string(joint) + "; there are " +
                     std::to_string(model.joints.size()) + ", counted from 0");
}

/// Checks that a joint closes wherever its bodies are.
void require_attachable(const Model& model, std::uint32_t joint) {
  const Joint& of = model.joints[joint];
  const auto refuse = [&](const std::string& reason) {
    throw InputError("the joint '" + of.name + "' cannot be attached: " + reason);
  };
  if (is_gear(of.kind) || is_loose(of.kind))
    refuse("it is a " + std::string(name(of.kind)) + ", which has no frame of its own");
  for (const Joint& gear : model.joints)
    if (is_gear(gear.kind) && (gear.geared[0].joint == joint || gear.geared[1].joint == joint))
      refuse("the gear '" + gear.name + "' couples it");
}

/// Energy of a joint's springs where its coordinates are 0 [J].
double spring_energy_at_0(const Joint& joint) {
  double energy = 0;
  for (const JointDrive& drive : joint.drives)
    energy += 0.5 * drive.stiffness * drive.rest * drive.rest;
  return energy;
}

}  // namespace

/// Finds the ends of joints again, and wakes the bodies of one.
void Simulation::Internals::change_hold(std::uint32_t joint) {
  for (const JointEnd& end : {model.joints[joint].a, model.joints[joint].b})
    if (end.body != kWorld && !is_obstacle(end.body)) state.sleep.disturb(index_of(end.body));
  scratch.joints.ends.clear();
  StepContext c = context();
  find_joint_ends(c);
}

void Simulation::attach(std::uint32_t joint) {
  Internals& own = *internals_;
  require_joint(own.model, joint);
  require_attachable(own.model, joint);
  const Joint& of = own.model.joints[joint];
  const auto pose_of = [&](BodyId end) -> Pose {
    if (end == kWorld) return {};
    if (is_obstacle(end)) return own.state.obstacles[end.value - kFirstObstacleId].pose;
    const Body body = this->body(end);
    return {body.position, body.orientation};
  };
  const Pose at = moved(pose_of(of.a.body), of.a.frame), b = pose_of(of.b.body);
  const Vec3 arm = own.scratch.domain.separation(b.position, at.position);
  JointState& state = own.state.joints[joint];
  const double stored = spring_energy_at_0(of);
  own.accumulate_work(stored - state.stored);
  state = {.stored = stored,
           .attached_at = own.state.time,
           .frame_b = {rotate_back(b.orientation, arm),
                       normalised(conjugate(b.orientation) * at.orientation)}};
  own.change_hold(joint);
}

void Simulation::detach(std::uint32_t joint) {
  Internals& own = *internals_;
  require_joint(own.model, joint);
  JointState& state = own.state.joints[joint];
  if (state.is_absent()) return;
  state.detached_at = own.state.time;
  own.change_hold(joint);
}

}  // namespace scree
