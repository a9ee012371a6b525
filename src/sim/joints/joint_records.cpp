/// Records of joints after the last step.
#include <algorithm>

#include "sim/joints/joint_places.hpp"
#include "sim/simulation_internals.hpp"

namespace scree {

std::vector<JointRecord> Simulation::joints() const {
  const Internals& internals = *internals_;
  const JointScratch& s = internals.scratch.joints;
  const ContactProblem& problem = internals.scratch.problem;
  std::vector<JointRecord> records(internals.model.joints.size());
  StepContext c = internals_->context();
  for (std::uint32_t k = 0; k < records.size(); ++k) {
    records[k].joint = k;
    records[k].is_there = s.ends[k].is_there;
    std::ranges::copy_n(internals.state.joints[k].coordinate.begin(), kMaxCoordinates,
                        records[k].coordinate.begin());
    records[k].broken_at = internals.state.joints[k].broken_at;
    if (!records[k].is_there) continue;
    records[k].error = error_of(c, k, functions_now(c, k));
  }
  for (std::size_t k = 0; k < s.blocks.size(); ++k) {
    const JointScratch::Block& of = s.blocks[k];
    JointRecord& record = records[of.joint];
    for (int row = 0; row < problem.joints[k].rows; ++row) {
      const JointScratch::Row& known = s.row(k, static_cast<std::size_t>(row));
      const double force = problem.joints[k].impulse[row] / s.effective_dt;
      record.force += force * known.force;
      record.torque += force * known.torque;
      if (const Joint& joint = internals.model.joints[of.joint]; is_gear(joint.kind))
        record.effort = {force * known.scale, -joint.ratio * force * known.scale};
      else if (of.is_effort(row))
        add_effort(of, known, force, record.effort);
    }
  }
  return records;
}

}  // namespace scree
