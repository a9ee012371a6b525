#include "scree/io/checkpoint.hpp"

#include "reader_target.hpp"

void scree::test::read_input(const std::filesystem::path& file) { read_checkpoint(file); }
