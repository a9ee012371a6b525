#include "scree/scene/urdf.hpp"

#include "reader_target.hpp"

void scree::test::read_input(const std::filesystem::path& file) { import_urdf(file); }
