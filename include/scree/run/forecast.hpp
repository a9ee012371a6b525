/// What a run of a scene will take of memory and disk, told before it starts.
#pragma once

#include <cstddef>

#include "scree/scene/scene.hpp"

namespace scree {

/// Of a run as a whole, with contacts as the scene has them at its start, and with as many as in a
/// dense bed.
struct RunNeeds {
  double memory = 0;  ///< resident at its peak [byte]
  double output = 0;  ///< files of the run, pictures and analyses left out [byte]
};

struct Forecast {
  std::size_t bodies = 0;  ///< when there are most
  std::size_t frames = 0;
  RunNeeds as_it_starts, dense;
};

/// Makes the first step's contacts, which takes as much memory as the run will. Throws InputError
/// if that step cannot be done.
Forecast forecast(const Scene& scene);

}  // namespace scree
