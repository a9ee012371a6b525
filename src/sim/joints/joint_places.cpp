// Ends of joints: their bodies, frames and poses at the start and at the end of a step.
#include "sim/joints/joint_places.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace scree {

double lever_of(const StepContext& c, const JointScratch::Ends& ends) {
  double lever = std::numeric_limits<double>::infinity();
  for (const BodyIndex end : {ends.a, ends.b})
    if (is_free_body(end)) lever = std::min(lever, c.state.bodies.radius[end]);
  return lever;
}

namespace {

/// Distance of a coordinate beyond a limit: impulses of its row have one sign, or both [m].
double beyond_limit(const JointBlock& block, int row, double value) {
  return std::max(
      {0.0, block.max_impulse[row] > 0 ? -value : 0, block.min_impulse[row] < 0 ? value : 0});
}

}  // namespace

double note_missed(StepContext& c, std::size_t block, const JointFunctions& after) {
  JointScratch& s = c.scratch.joints;
  const JointScratch::Block& of = s.blocks[block];
  JointElimination::RowVelocities& missed = s.missed[block];
  missed.fill(JointElimination::kLetBe);
  double max_excess = 0;
  const auto scale_of = [&](const JointFunction& row) { return row.is_angle ? of.lever : 1; };
  if (of.coordinate == JointScratch::kHeld) {
    for (int row = 0; row < after.held_count; ++row) {
      const auto r = static_cast<std::size_t>(row);
      const double away = scale_of(after.held[r]) * after.held[r].value;
      missed[r] = away / c.model.step.h;
      max_excess = std::max(max_excess, std::abs(away));
    }
  } else if (of.drive[0] == JointScratch::Drive::limit) {  // the row of a limit comes first
    const JointFunction& at = after.free[static_cast<std::size_t>(of.coordinate)];
    const double away = scale_of(at) * (at.value - of.limit);
    missed[0] = away / c.model.step.h;
    max_excess = beyond_limit(c.scratch.problem.joints[block], 0, away);
  }
  return max_excess;
}

double error_of(const StepContext& c, std::size_t joint, const JointFunctions& rows) {
  const double lever = lever_of(c, c.scratch.joints.ends[joint]);
  const auto& drives = c.model.joints[joint].drives;
  double error = 0;
  const auto take = [&](const JointFunction& row, double missed) {
    error = std::max(error, (row.is_angle ? lever : 1) * missed);
  };
  for (std::size_t k = 0; k < static_cast<std::size_t>(rows.held_count); ++k)
    take(rows.held[k], std::abs(rows.held[k].value));
  for (std::size_t k = 0; k < drives.size(); ++k) {
    const JointFunction& row = rows.free[k];
    take(row, std::max({0.0, drives[k].lower - row.value, row.value - drives[k].upper}));
  }
  return error;
}

void find_joint_ends(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  const Bodies& bodies = c.state.bodies;
  const auto fits = [&](std::size_t k) {
    const auto is = [&](const JointEnd& end, BodyIndex at) {
      return is_obstacle(end.body) || (at < bodies.size() && bodies.id[at] == end.body);
    };
    // A joint that is gone does not come back.
    return !s.ends[k].is_there || is_gear(c.model.joints[k].kind) ||
           (is(c.model.joints[k].a, s.ends[k].a) && is(c.model.joints[k].b, s.ends[k].b));
  };
  bool known = s.ends.size() == c.model.joints.size();
  for (std::size_t k = 0; known && k < s.ends.size(); ++k) known = fits(k);
  if (!known) {
    std::unordered_map<std::uint64_t, BodyIndex> index;
    index.reserve(bodies.size());
    for (BodyIndex i = 0; i < bodies.size(); ++i) index.emplace(bodies.id[i].value, i);
    s.ends.clear();
    for (const Joint& joint : c.model.joints) {
      JointScratch::Ends& ends = s.ends.emplace_back();
      ends = {JointScratch::kWorldEnd, JointScratch::kWorldEnd, true};
      if (is_gear(joint.kind)) continue;
      const auto find = [&](const JointEnd& end) {
        if (end.body == kWorld) return JointScratch::kWorldEnd;
        if (is_obstacle(end.body))
          return Neighbours::kObstacle | static_cast<BodyIndex>(end.body.value - kFirstObstacleId);
        const auto found = index.find(end.body.value);
        if (found == index.end()) ends.is_there = false;
        return found == index.end() ? JointScratch::kWorldEnd : found->second;
      };
      ends.a = find(joint.a);
      ends.b = find(joint.b);
    }
  }
  for (std::size_t k = 0; k < s.ends.size(); ++k) {
    JointScratch::Ends& ends = s.ends[k];
    if (const Joint& joint = c.model.joints[k]; is_gear(joint.kind)) {
      const JointScratch::Ends &first = s.ends[joint.geared[0].joint],
                               &second = s.ends[joint.geared[1].joint];
      ends = {first.a, first.b, ends.is_there && first.is_there && second.is_there};
    }
    if (c.state.joints[k].is_absent()) ends.is_there = false;
    for (const BodyIndex end : {ends.a, ends.b})
      if (is_free_body(end) && c.state.neighbours.has_left(end)) ends.is_there = false;
  }
}

void look_at_joints(StepContext& c) {
  JointScratch& s = c.scratch.joints;
  find_joint_ends(c);
  s.poses.resize(c.state.bodies.size());
  s.paths.resize(c.state.bodies.size());
  s.found.assign(s.ends.size(), {});
  s.frames.resize(s.ends.size());
  s.functions.resize(s.ends.size());
  s.bodies.clear();
  for (std::size_t k = 0; k < s.ends.size(); ++k) {
    if (!s.ends[k].is_there) continue;
    if (is_gear(c.model.joints[k].kind)) {
      s.functions[k] = functions_now(c, k);
      continue;
    }
    s.frames[k] = frames_now(c, k);
    s.functions[k] = functions_of(c.model.joints[k], s.frames[k], c.state.joints[k].coordinate);
    for (const BodyIndex end : {s.ends[k].a, s.ends[k].b})
      if (is_free_body(end)) s.bodies.push_back(end);
  }
  std::ranges::sort(s.bodies);
  s.bodies.erase(std::unique(s.bodies.begin(), s.bodies.end()), s.bodies.end());
}

}  // namespace scree
