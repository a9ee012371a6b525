/// Writes frames, statistics, obstacles and analyses during a run; resumes from a checkpoint.
#include "run/recorder.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "run/continuation.hpp"
#include "run/run_tables.hpp"
#include "scree/core/csv.hpp"
#include "scree/io/files.hpp"
#include "scree/io/joint_frames.hpp"
#include "scree/io/obstacles.hpp"
#include "scree/io/statistics.hpp"
#include "scree/sim/steps.hpp"

namespace scree {
namespace {

Sampling frame_sampling(const OutputSettings& output, const Simulation& simulation) {
  return {output.frame_interval, simulation.model().step.h, Sampling::Zero::first_only};
}
Sampling row_sampling(const OutputSettings& output, const Simulation& simulation) {
  return {output.statistics_interval, simulation.model().step.h, Sampling::Zero::every_step};
}

/// Time of the velocities of the leapfrog with compliant laws or joints, half a step behind after
/// the first step; none without them.
std::optional<double> velocity_time(const Simulation& simulation) {
  const Model& model = simulation.model();
  if (model.joints.empty() && std::ranges::none_of(model.laws.all(), is_compliant)) return {};
  const State& state = simulation.state();
  return is_within_leapfrog(state) ? state.time - simulation.model().step.h / 2 : state.time;
}

}  // namespace

Recorder::Recorder(const std::filesystem::path& directory, const Scene& scene,
                   Simulation& simulation)
    : directory_(directory),
      grains_(directory, "grains"),
      contacts_(directory, "contacts"),
      joint_frames_(directory, "joints"),
      obstacles_(directory, simulation, scene.output.obstacles),
      statistics_(directory / kStatisticsFile),
      cell_(cell_table()),
      joints_(joint_table()),
      bodies_(body_table()),
      sensors_(directory, scene.sensors, simulation),
      named_(scene.named_bodies),
      output_(scene.output),
      frames_due_(frame_sampling(scene.output, simulation)),
      rows_due_(row_sampling(scene.output, simulation)) {
  for (const AnalysisRequest& request : scene.output.analyses)
    analyses_.emplace_back(directory, scene, request, simulation);
  statistics_.add(simulation.report());
  write_row(simulation);
  Due due{true, {}};
  for (const ScheduledAnalysis& analysis : analyses_)
    due.analyses.push_back(analysis.looks_at(simulation.state().time));
  write_samples(simulation, due);
  write_obstacles(simulation);
}

Recorder::Recorder(const std::filesystem::path& directory, const Scene& scene,
                   Simulation& simulation, const nlohmann::json& mark)
    : directory_(directory),
      grains_(directory, "grains", mark.at("grains")),
      contacts_(directory, "contacts", mark.at("contacts")),
      joint_frames_(directory, "joints", mark.at("joint_frames")),
      obstacles_(directory, simulation, scene.output.obstacles, mark.at("obstacles")),
      statistics_(directory / kStatisticsFile, mark.at("statistics")),
      cell_(cell_table()),
      joints_(joint_table()),
      bodies_(body_table()),
      sensors_(directory, scene.sensors, simulation, mark.at("sensors")),
      named_(scene.named_bodies),
      output_(scene.output),
      frames_due_(frame_sampling(scene.output, simulation)),
      rows_due_(row_sampling(scene.output, simulation)),
      last_frame_(mark.at("last_frame")),
      last_row_(mark.at("last_row")) {
  for (const AnalysisRequest& request : scene.output.analyses)
    analyses_.emplace_back(directory, scene, request, simulation,
                           mark.at("analyses").at(request.name));
  cell_.restore(directory, mark.at("cell"));
  joints_.restore(directory, mark.at("joints"));
  bodies_.restore(directory, mark.at("bodies"));
}

/// Throws UnfitProgress unless each series has a file for every frame of the grains, or none at
/// all.
static void require_one_for_each_frame(const nlohmann::json& mark) {
  const std::size_t frames = mark.at("grains").size();
  for (const auto& [name, files] :
       {std::pair("contacts", mark.at("contacts").size()),
        std::pair("joints", mark.at("joint_frames").size()),
        std::pair("obstacles", mark.at("obstacles").at("frames").size())})
    if (files != 0 && files != frames)
      throw UnfitProgress(
          fmt::format("it has {} frames of grains, and {} of {}", frames, files, name));
}

void Recorder::require_files(const std::filesystem::path& directory, const nlohmann::json& mark,
                             const Model& model) {
  FrameSeries(directory, "grains").require(mark.at("grains"));
  FrameSeries(directory, "contacts").require(mark.at("contacts"));
  FrameSeries(directory, "joints").require(mark.at("joint_frames"));
  require_one_for_each_frame(mark);
  ObstacleRecord::require_files(directory, mark.at("obstacles"), model.obstacles.size());
  const auto& statistics = mark.at("statistics");
  require_content(directory / kStatisticsFile, statistics.at("bytes"), statistics.at("checksum"));
  GrowingTable::require(directory / cell_table().file, mark.at("cell"));
  GrowingTable::require(directory / joint_table().file, mark.at("joints"));
  GrowingTable::require(directory / body_table().file, mark.at("bodies"));
  GrowingTable::require(directory / sensor_table({}).file, mark.at("sensors"));
  if (!mark.contains("analyses")) return;
  for (const auto& [name, analysis] : mark.at("analyses").items())
    AnalysisTables::require_files(analysis_directory(directory, name), analysis.at("tables"));
}

void Recorder::change_intervals(double frames, double rows, const Simulation& simulation) {
  output_.frame_interval = frames;
  output_.statistics_interval = rows;
  frames_due_ = frame_sampling(output_, simulation);
  rows_due_ = row_sampling(output_, simulation);
  for (ScheduledAnalysis& analysis : analyses_) analysis.change_frame_interval(output_, simulation);
}

void Recorder::step(Simulation& simulation) {
  const std::uint64_t step = simulation.state().step;
  statistics_.add(simulation.report());
  sensors_.step(simulation);
  if (rows_due_.is_due(step)) write_row(simulation);
  Due due{frames_due_.is_due(step), {}};
  for (ScheduledAnalysis& analysis : analyses_)
    due.analyses.push_back(analysis.is_due(step, simulation.state().time));
  write_samples(simulation, due);
}

void Recorder::frame(const Simulation& simulation) {
  if (last_frame_ != simulation.state().step) write_frame(simulation);
}

nlohmann::json Recorder::mark() const {
  nlohmann::json mark{{"grains", grains_.mark()},
                      {"contacts", contacts_.mark()},
                      {"obstacles", obstacles_.mark()},
                      {"statistics", statistics_.mark()},
                      {"joints", joints_.mark()},
                      {"bodies", bodies_.mark()},
                      {"sensors", sensors_.mark()},
                      {"cell", cell_.mark()},
                      {"joint_frames", joint_frames_.mark()},
                      {"last_frame", last_frame_},
                      {"last_row", last_row_}};
  for (const ScheduledAnalysis& analysis : analyses_)
    mark["analyses"][analysis.name()] = analysis.mark();
  return mark;
}

void Recorder::finish(const Simulation& simulation) {
  const std::uint64_t step = simulation.state().step;
  if (last_row_ != step) write_row(simulation);
  Due due{last_frame_ != step, {}};
  for (const ScheduledAnalysis& analysis : analyses_)
    due.analyses.push_back(analysis.last_step() != step &&
                           analysis.looks_at(simulation.state().time));
  write_samples(simulation, due);
  close(simulation);
}

void Recorder::close(const Simulation& simulation) {
  for (FrameSeries* series : {&grains_, &contacts_, &joint_frames_}) series->list_all();
  obstacles_.close();
  for (ScheduledAnalysis& analysis : analyses_) analysis.close();
  write_obstacles(simulation);
  statistics_.close();
}

void Recorder::write_row(const Simulation& simulation) {
  statistics_.write_row(state_hash(simulation.state()));
  obstacles_.write_rows(simulation);
  last_row_ = simulation.state().step;
  write_joint_rows(simulation);
  write_body_rows(simulation);
  write_cell(simulation);
}

void Recorder::write_cell(const Simulation& simulation) {
  if (!simulation.model().strain.any()) return;
  const State& state = simulation.state();
  const CellState& cell = state.cell;
  const UpperTriangle &e = cell.edges, &g = cell.gradient;
  std::string row = fmt::format("{},{}", state.time, state.step);
  for (const UpperTriangle& m : {e, g})
    row += fmt::format(",{},{},{},{},{},{}", m.xx, m.yy, m.zz, m.xy, m.xz, m.yz);
  for (const auto& stress : {cell.contact_stress, cell.kinetic_stress, cell.smooth_stress})
    for (const Vec3& line : stress) row += fmt::format(",{},{},{}", line.x, line.y, line.z);
  cell_.add(row + fmt::format(",{}", cell.work));
  cell_.write(directory_);
}

void Recorder::write_joint_rows(const Simulation& simulation) {
  if (simulation.model().joints.empty()) return;
  const State& state = simulation.state();
  for (const JointRecord& r : simulation.joints()) {
    if (!r.is_there) continue;
    joints_.add(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", state.time,
                            state.step, csv_cell(simulation.model().joints[r.joint].name),
                            r.coordinate[0], r.coordinate[1], r.coordinate[2], r.effort[0],
                            r.effort[1], r.effort[2], r.force.x, r.force.y, r.force.z, r.torque.x,
                            r.torque.y, r.torque.z, r.error));
  }
  joints_.write(directory_);
}

/// No row for a body that has left.
void Recorder::write_body_rows(const Simulation& simulation) {
  if (named_.empty()) return;
  const State& state = simulation.state();
  for (const NamedBody& named : named_) {
    if (!simulation.has_body(named.id)) continue;
    const Body body = simulation.body(named.id);
    const Vec3 &x = body.position, &v = body.velocity, &w = body.angular_velocity;
    const Quaternion& q = body.orientation;
    bodies_.add(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", state.time,
                            state.step, csv_cell(named.name), x.x, x.y, x.z, q.w, q.x, q.y, q.z,
                            v.x, v.y, v.z, w.x, w.y, w.z));
  }
  bodies_.write(directory_);
}

void Recorder::write_samples(const Simulation& simulation, const Due& due) {
  if (due.frame) write_frame(simulation);
  if (std::ranges::find(due.analyses, true) == due.analyses.end()) return;
  const GrainsFrame grains = grains_of(simulation.state(), simulation.model().prototypes);
  const std::vector<ContactRecord> contacts = simulation.contacts();
  for (std::size_t k = 0; k < analyses_.size(); ++k)
    if (due.analyses[k]) analyses_[k].sample(grains, contacts);
}

void Recorder::write_frame(const Simulation& simulation) {
  const State& state = simulation.state();
  const std::uint64_t checksum = write_grains(
      grains_.next_path(), state, simulation.model().prototypes, velocity_time(simulation));
  grains_.append(state.time, checksum);
  if (output_.contacts) {
    const auto pieces = [&](auto take) { simulation.for_each_piece_of_contacts(take); };
    const ContactFields fields{.angular_impulse = !state.neighbours.angular_impulse.empty() ||
                                                  !state.neighbours.force_moment.empty()};
    const std::uint64_t checksum_of_contacts = write_contacts(
        contacts_.next_path(), simulation.contact_count(), pieces, state.time, state.step, fields);
    contacts_.append(state.time, checksum_of_contacts);
  }
  if (!simulation.model().joints.empty()) {
    const std::uint64_t checksum_of_joints =
        write_joints(joint_frames_.next_path(), simulation.model(), state, simulation.joints());
    joint_frames_.append(state.time, checksum_of_joints);
  }
  obstacles_.write_frame(simulation);
  last_frame_ = state.step;
}

void Recorder::write_obstacles(const Simulation& simulation) const {
  write_file(directory_ / "obstacles.json", obstacles_json(simulation.model(), simulation.state()));
}

}  // namespace scree
