#include "reader_target.hpp"
#include "scree/scene/robots.hpp"

void scree::test::read_input(const std::filesystem::path& file) { import_robot(file); }
