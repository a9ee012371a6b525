/// The manifest of a run whose other files are gone, for those that read it before they go on.
#include "reader_target.hpp"
#include "scree/run/run_frames.hpp"
#include "scree/run/surroundings.hpp"

void scree::test::read_input(const std::filesystem::path& file) {
  const std::filesystem::path run = file.parent_path();
  std::filesystem::rename(file, run / "manifest.json");
  const RunManifest manifest(run);
  manifest.status();
  manifest.objections();
  surroundings_of(manifest);
  RunFrames(run, manifest, {}, true);
}
