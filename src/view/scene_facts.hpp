/// What the page says of a run beyond its files: materials, laws, the step. From resolved.yaml.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace scree::view {

struct SceneFacts {
  struct PairOfMaterials {
    std::string a, b, law;
  };

  double step = 0;  ///< length of a step [s]; 0 if unknown
  std::vector<std::string> materials;
  std::map<std::string, std::string> material_of_obstacle;  ///< by name
  std::string default_law;
  std::vector<PairOfMaterials> pairs;  ///< with a law of their own

  /// Name of the law between two materials; empty if unknown.
  std::string law_between(const std::string& a, const std::string& b) const;
};

/// Facts of a resolved scene; those that it lacks are unknown.
SceneFacts facts_of(const std::string& resolved);

}  // namespace scree::view
