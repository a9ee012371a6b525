#include "recorder.hpp"

#include <nlohmann/json.hpp>

#include "scree/io/files.hpp"
#include "scree/io/obstacles.hpp"

namespace scree::cli {
namespace {

constexpr const char* kStatistics = "statistics.csv";

Sampling frame_sampling(const OutputSettings& output, const Simulation& simulation) {
  return {output.frame_interval, simulation.model().step.h, Sampling::Zero::first_only};
}
Sampling row_sampling(const OutputSettings& output, const Simulation& simulation) {
  return {output.statistics_interval, simulation.model().step.h, Sampling::Zero::every_step};
}

}  // namespace

Recorder::Recorder(const std::filesystem::path& directory, const OutputSettings& output, const Simulation& simulation)
    : directory_(directory),
      grains_(directory, "grains"),
      contacts_(directory, "contacts"),
      statistics_(directory / kStatistics),
      with_contacts_(output.contacts),
      frames_due_(frame_sampling(output, simulation)),
      rows_due_(row_sampling(output, simulation)) {
  statistics_.add(simulation.report());
  write_row(simulation);
  write_frame(simulation);
  write_obstacles(simulation);
}

Recorder::Recorder(const std::filesystem::path& directory, const OutputSettings& output, const Simulation& simulation,
                   const nlohmann::json& mark)
    : directory_(directory),
      grains_(directory, "grains", mark.at("grains")),
      contacts_(directory, "contacts", mark.at("contacts")),
      statistics_(directory / kStatistics, mark.at("statistics")),
      with_contacts_(output.contacts),
      frames_due_(frame_sampling(output, simulation)),
      rows_due_(row_sampling(output, simulation)),
      last_frame_(mark.at("last_frame")),
      last_row_(mark.at("last_row")) {}

void Recorder::step(const Simulation& simulation) {
  const std::uint64_t step = simulation.state().step;
  statistics_.add(simulation.report());
  if (rows_due_.is_due(step)) write_row(simulation);
  if (frames_due_.is_due(step)) write_frame(simulation);
}

nlohmann::json Recorder::mark() const {
  return {{"grains", grains_.size()},
          {"contacts", contacts_.size()},
          {"statistics", statistics_.mark()},
          {"last_frame", last_frame_},
          {"last_row", last_row_}};
}

void Recorder::finish(const Simulation& simulation) {
  const std::uint64_t step = simulation.state().step;
  if (last_row_ != step) write_row(simulation);
  if (last_frame_ != step) write_frame(simulation);
  write_obstacles(simulation);
  statistics_.close();
}

void Recorder::write_row(const Simulation& simulation) {
  statistics_.write_row(state_hash(simulation.state()));
  last_row_ = simulation.state().step;
}

void Recorder::write_frame(const Simulation& simulation) {
  const State& state = simulation.state();
  write_grains(grains_.next_path(), state);
  grains_.append(state.time);
  if (with_contacts_) {
    write_contacts(contacts_.next_path(), simulation.contacts(), state.time, state.step);
    contacts_.append(state.time);
  }
  last_frame_ = state.step;
}

void Recorder::write_obstacles(const Simulation& simulation) const {
  write_file(directory_ / "obstacles.json", obstacles_json(simulation.model(), simulation.state()));
}

}  // namespace scree::cli
