/// What an analysis has to know of a run besides its frames.
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
/// The same from the manifest of a run, where note_surroundings() left it; nothing where an older
/// run did not.
Surroundings surroundings_of(const RunManifest& manifest);
void note_surroundings(const Model& model, RunInputs& inputs);

}  // namespace scree
