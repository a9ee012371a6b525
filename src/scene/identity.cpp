#include "scree/scene/identity.hpp"

#include <fmt/format.h>

#include "scree/io/sha256.hpp"

namespace scree {

std::string identity_of(const Scene& scene) {
  std::string identity = scene.resolved;
  for (const auto& file : scene.inputs)
    identity +=
        fmt::format("# {} has SHA-256 {}\n", file.filename().string(), sha256_of_file(file));
  return identity;
}

}  // namespace scree
