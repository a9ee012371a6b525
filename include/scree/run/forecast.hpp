/// Memory and disk that a run of a scene will need, estimated before it starts.
#pragma once

#include <cstddef>

#include "scree/scene/scene.hpp"

namespace scree {

/// Needs of a whole run.
struct RunNeeds {
  double memory = 0;  ///< resident at its peak [byte]
  double output = 0;  ///< files of the run, pictures and analyses left out [byte]
};

struct Forecast {
  std::size_t bodies = 0;  ///< at the most
  std::size_t frames = 0;
  RunNeeds as_it_starts, dense;
};

/// Estimates the needs of a run with the contacts of its first step, and with those of a dense bed.
/// Makes the contacts of the first step, which needs as much memory as the run. Throws InputError
/// if that step fails.
Forecast forecast(const Scene& scene);

}  // namespace scree
