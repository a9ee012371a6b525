#include "scree/scene/scene.hpp"

#include <fstream>
#include <iterator>

#include "reader_target.hpp"

/// Superellipsoids are left out: whether many of them overlap takes minutes under sanitizers, and
/// what is read of them is read of ellipsoids, too.
void scree::test::read_input(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (text.find("superellipsoid") == std::string::npos) load_scene(file);
}
