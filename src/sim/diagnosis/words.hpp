/// Phrases that the sentences of a verdict share.
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <string>

#include "scree/sim/run_summary.hpp"

namespace scree {

/// "1 step", "2 steps"
template <class Number>
std::string plural(Number count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// True if a rigid law has restitution; compliant contacts rebound by their springs.
bool has_rebounds(const Model& model);

/// "0.9 to 0.0001, by stage"
std::string tolerances_of(const RunSummary& summary);

/// Advice for the worst step that missed its tolerance, from its report.
std::string advice(const RunSummary& summary, const Model& model);

std::string describe(const Contradiction& contradiction, const Model& model);
std::string describe(const RestOutcome& rest, double time, const Model& model);
std::string describe(const ConditionOutcome& condition, double time);

}  // namespace scree
