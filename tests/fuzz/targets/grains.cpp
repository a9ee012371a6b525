#include "reader_target.hpp"
#include "scree/io/frames.hpp"

void scree::test::read_input(const std::filesystem::path& file) { read_grains(file); }
