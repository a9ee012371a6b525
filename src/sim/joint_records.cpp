/// What joints did in the last step.
#include "sim/joints/joint_places.hpp"
#include "sim/simulation_parts.hpp"

namespace scree {

std::vector<JointRecord> Simulation::joints() const {
  const Parts& parts = *parts_;
  const JointScratch& s = parts.scratch.joints;
  const ContactProblem& problem = parts.scratch.problem;
  std::vector<JointRecord> records(parts.model.joints.size());
  StepContext c = parts_->context();
  for (std::uint32_t k = 0; k < records.size(); ++k) {
    records[k].joint = k;
    records[k].is_there = s.ends[k].is_there;
    records[k].coordinate = parts.state.joints[k].coordinate;
    records[k].broken_at = parts.state.joints[k].broken_at;
    if (!records[k].is_there) continue;
    records[k].error = error_of(c, k, functions_now(c, k));
  }
  for (std::size_t k = 0; k < s.blocks.size(); ++k) {
    const JointScratch::Block& of = s.blocks[k];
    JointRecord& record = records[of.joint];
    for (int row = 0; row < problem.joints[k].rows; ++row) {
      const JointScratch::Row& known = s.row(k, static_cast<std::size_t>(row));
      const double force = problem.joints[k].percussion[row] / s.lasted;
      record.force += force * known.force;
      record.torque += force * known.torque;
      if (const Joint& joint = parts.model.joints[of.joint]; is_gear(joint.kind))
        record.effort = {force * known.scale, -joint.ratio * force * known.scale};
      else if (of.coordinate != JointScratch::kHeld)
        record.effort[static_cast<std::size_t>(of.coordinate)] += force * known.scale;
    }
  }
  return records;
}

}  // namespace scree
