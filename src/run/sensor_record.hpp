/// Output of a run on its sensors: sensors.csv.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "run/sampling.hpp"
#include "scree/run/growing_table.hpp"
#include "scree/sim/sensor.hpp"

namespace scree {

/// Writes a row after each step in which a sensor has a sample; cells of the others are empty.
class SensorRecord {
 public:
  SensorRecord(const std::filesystem::path& directory, std::vector<Sensor> sensors,
               Simulation& simulation);
  /// Continues from mark().
  SensorRecord(const std::filesystem::path& directory, std::vector<Sensor> sensors,
               Simulation& simulation, const nlohmann::json& mark);
  nlohmann::json mark() const;

  void step(Simulation& simulation);

 private:
  std::filesystem::path directory_;
  std::vector<Sensor> sensors_;
  std::vector<Sampling> due_;  ///< of each sensor
  GrowingTable table_;
};

}  // namespace scree
