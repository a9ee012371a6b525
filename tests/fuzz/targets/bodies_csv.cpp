/// Bodies of a scene from a table.
#include <fstream>

#include "reader_target.hpp"
#include "scree/scene/scene.hpp"

void scree::test::read_input(const std::filesystem::path& file) {
  const std::filesystem::path scene = file.parent_path() / "scene.yaml";
  std::ofstream(scene) << "scree: 1\n"
                          "name: table\n"
                          "until: 1 s\n"
                          "step: {h: 1 ms}\n"
                          "materials: {glass: {density: 2500}, steel: {density: 7800}}\n"
                          "default_law: {law: coulomb, friction: 0.5}\n"
                          "bodies: [{csv: {file: "
                       << file.filename().string() << ", radius: 1 mm, material: glass}}]\n";
  load_scene(scene);
}
