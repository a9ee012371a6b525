#include "scree/scene/scene.hpp"

#include "reader_target.hpp"

void scree::test::read_input(const std::filesystem::path& file) { load_scene(file); }
