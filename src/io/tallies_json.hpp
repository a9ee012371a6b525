/// Tallies in checkpoints, by the ids of their findings.
#pragma once

#include <nlohmann/json.hpp>

#include "scree/sim/findings.hpp"

namespace scree {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Extreme, value, time, step)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Measured, value, who)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Tally, total, steps, largest, of_largest, first, first_time,
                                   last)

inline void to_json(nlohmann::json& json, const Tallies& tallies) {
  json = nlohmann::json::object();
  for (const FindingRow& row : finding_table()) json[std::string(row.id)] = tallies[row];
}

inline void from_json(const nlohmann::json& json, Tallies& tallies) {
  for (const FindingRow& row : finding_table()) json.at(std::string(row.id)).get_to(tallies[row]);
}

}  // namespace scree
