#include "scree/scene/robots.hpp"

#include "reader_target.hpp"

void scree::test::read_input(const std::filesystem::path& file) { import_robot(file); }
