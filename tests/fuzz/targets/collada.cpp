#include "scene/collada.hpp"

#include "reader_target.hpp"

void scree::test::read_input(const std::filesystem::path& file) { scene::read_collada(file); }
