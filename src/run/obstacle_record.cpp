/// Writes mean loads and frames of obstacles during a run.
#include "run/obstacle_record.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "run/continuation.hpp"
#include "run/run_tables.hpp"
#include "scree/core/csv.hpp"

namespace scree {
namespace {

constexpr const char* kSeries = "obstacles";

}  // namespace

LoadMeter::LoadMeter(const nlohmann::json& mark) : time_(mark.at("time")) {
  for (const auto& n : mark.at("loads"))
    before_.push_back({{n.at(0), n.at(1), n.at(2)}, {n.at(3), n.at(4), n.at(5)}, n.at(6), {}});
}

nlohmann::json LoadMeter::mark() const {
  auto loads = nlohmann::json::array();
  for (const ObstacleLoad& load : before_) {
    const Vec3 &p = load.impulse, &l = load.angular_impulse;
    loads.push_back({p.x, p.y, p.z, l.x, l.y, l.z, load.work});
  }
  return {{"time", time_}, {"loads", loads}};
}

void LoadMeter::require_loads(std::size_t obstacles) const {
  if (before_.size() != obstacles)
    throw UnfitProgress(fmt::format("it has the loads of {} obstacles, the scene has {}",
                                    before_.size(), obstacles));
}

std::vector<MeanLoad> LoadMeter::take(const State& state) {
  std::vector<MeanLoad> means(state.obstacle_loads.size());
  const double time = state.time - time_;
  for (std::size_t k = 0; k < means.size() && time > 0; ++k) {
    const ObstacleLoad &now = state.obstacle_loads[k], &then = before_[k];
    means[k] = {(now.impulse - then.impulse) / time,
                (now.angular_impulse - then.angular_impulse) / time, (now.work - then.work) / time};
  }
  time_ = state.time;
  before_ = state.obstacle_loads;
  return means;
}

ObstacleRecord::ObstacleRecord(const std::filesystem::path& directory, const Simulation& simulation,
                               bool wanted)
    : directory_(directory),
      wanted_(wanted && !simulation.model().obstacles.empty()),
      patch_(plane_patch(simulation.model(), simulation.state())),
      frames_(directory, kSeries),
      table_(obstacle_table()),
      since_row_(simulation.state()),
      since_frame_(simulation.state()) {
  make_surfaces(simulation);
}

ObstacleRecord::ObstacleRecord(const std::filesystem::path& directory, const Simulation& simulation,
                               bool wanted, const nlohmann::json& mark)
    : directory_(directory),
      wanted_(wanted && !simulation.model().obstacles.empty()),
      patch_(plane_patch_from(mark.at("patch"))),
      frames_(directory, kSeries, mark.at("frames")),
      table_(obstacle_table()),
      since_row_(mark.at("since_row")),
      since_frame_(mark.at("since_frame")) {
  table_.restore(directory, mark.at("table"));
  make_surfaces(simulation);
}

void ObstacleRecord::make_surfaces(const Simulation& simulation) {
  if (!wanted_) return;
  for (const Obstacle& obstacle : simulation.model().obstacles)
    surfaces_.push_back(surface_of(obstacle, patch_));
}

void ObstacleRecord::require_files(const std::filesystem::path& directory,
                                   const nlohmann::json& mark, std::size_t obstacles) {
  for (const char* meter : {"since_row", "since_frame"})
    LoadMeter(mark.at(meter)).require_loads(obstacles);
  FrameSeries(directory, kSeries).require(mark.at("frames"));
  GrowingTable::require(directory / obstacle_table().file, mark.at("table"));
}

nlohmann::json ObstacleRecord::mark() const {
  return {{"patch", as_json(patch_)},
          {"frames", frames_.mark()},
          {"table", table_.mark()},
          {"since_row", since_row_.mark()},
          {"since_frame", since_frame_.mark()}};
}

void ObstacleRecord::write_rows(const Simulation& simulation) {
  const State& state = simulation.state();
  if (!wanted_ || state.step == 0) return;  // nothing is measured yet
  const std::vector<MeanLoad> means = since_row_.take(state);
  for (std::size_t k = 0; k < means.size(); ++k) {
    const auto& [force, torque, power] = means[k];
    const ObstacleLoad& load = state.obstacle_loads[k];
    table_.add(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}", state.time, state.step,
                           csv_cell(simulation.model().obstacles[k].name), force.x, force.y,
                           force.z, torque.x, torque.y, torque.z, power, load.work,
                           load.wear.impact, load.wear.sliding));
  }
  table_.write(directory_);
}

void ObstacleRecord::write_frame(const Simulation& simulation) {
  if (!wanted_) return;
  const State& state = simulation.state();
  const std::uint64_t checksum = write_obstacles(frames_.next_path(), simulation.model(), state,
                                                 surfaces_, since_frame_.take(state));
  frames_.append(state.time, checksum);
}

}  // namespace scree
