/// Numbers computed apart from this project, in tests/data.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace scree::studies {

inline nlohmann::json reference(const std::string& name) {
  std::ifstream in(SCREE_TEST_DATA "/" + name);
  return nlohmann::json::parse(in);
}

}  // namespace scree::studies
