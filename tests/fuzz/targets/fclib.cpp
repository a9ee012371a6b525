#include "scree/io/fclib.hpp"

#include "reader_target.hpp"

void scree::test::read_input(const std::filesystem::path& file) {
  delassus_problem(read_fclib(file), LawKind::coulomb);
}
