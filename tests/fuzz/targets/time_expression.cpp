/// An expression of the time, evaluated at a few of them.
#include "scene/yaml/time_expression.hpp"

#include <fstream>
#include <iterator>

#include "reader_target.hpp"

void scree::test::read_input(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const scene::TimeExpression expression(std::string(std::istreambuf_iterator<char>(in), {}));
  const scene::TimeExpression copy = expression;
  for (const double t : {0.0, 1e-3, 1.0, -1.0, 1e300}) {
    expression(t);
    copy(t);
  }
}
