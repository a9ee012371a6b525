/// Data of a run that an analysis needs besides its frames.
#pragma once

#include "scree/analysis/discharge.hpp"
#include "scree/io/run_directory.hpp"
#include "scree/io/run_manifest.hpp"
#include "scree/sim/model.hpp"

namespace scree {

struct Surroundings {
  Vec3 gravity;  ///< [m/s²]
  OpenEnds ends;
};

Surroundings surroundings_of(const Model& model);
/// The same from the manifest of a run, as written by note_surroundings(); empty for older runs.
Surroundings surroundings_of(const RunManifest& manifest);
void note_surroundings(const Model& model, RunInputs& inputs);

}  // namespace scree
