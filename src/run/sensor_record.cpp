/// Writes readings of sensors during a run.
#include "run/sensor_record.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "run/run_tables.hpp"

namespace scree {

SensorRecord::SensorRecord(const std::filesystem::path& directory, std::vector<Sensor> sensors,
                           Simulation& simulation)
    : directory_(directory), sensors_(std::move(sensors)), table_(sensor_table(sensors_)) {
  for (const Sensor& sensor : sensors_)
    due_.emplace_back(sensor.rate > 0 ? 1 / sensor.rate : 0, simulation.model().step.h,
                      Sampling::Zero::every_step);
  prepare(simulation, sensors_);
}

SensorRecord::SensorRecord(const std::filesystem::path& directory, std::vector<Sensor> sensors,
                           Simulation& simulation, const nlohmann::json& mark)
    : SensorRecord(directory, std::move(sensors), simulation) {
  table_.restore(directory, mark);
}

nlohmann::json SensorRecord::mark() const { return table_.mark(); }

void SensorRecord::step(Simulation& simulation) {
  const State& state = simulation.state();
  bool any = false;
  std::string row = fmt::format("{},{}", state.time, state.step);
  for (std::size_t k = 0; k < sensors_.size(); ++k) {
    if (!due_[k].is_due(state.step)) {
      row += std::string(columns_of(sensors_[k].kind).size(), ',');
      continue;
    }
    any = true;
    for (const double number : read(simulation, sensors_[k])) row += fmt::format(",{}", number);
  }
  if (!any) return;
  table_.add(row);
  table_.write(directory_);
}

}  // namespace scree
