/// Reads conditions that end a run or a stage.
#include <fmt/format.h>

#include "scene/build.hpp"
#include "scree/math/expression.hpp"

namespace scree::scene {

namespace {

/// Error in the text of a condition; empty if valid.
std::string fault_of(const std::string& text) {
  const bool compares = text.find_first_of("<>") != std::string::npos ||
                        text.find("==") != std::string::npos ||
                        text.find("!=") != std::string::npos;
  if (!compares && text.find('=') != std::string::npos)
    return "assigns with '='; compare with '=='";
  if (!compares)
    return "is not a condition: compare with <, >, <=, >=, == or !=, as in kinetic_energy < 1e-6";
  try {
    const Expression condition(text, kEndQuantities);
    if (!condition.uses_any()) return "never changes: compare a quantity of the run, as in t > 0.1";
  } catch (const InputError& error) {
    return fmt::format("cannot be read: {}", error.what());
  }
  return "";
}

}  // namespace

const Node* read_condition(Build& build, const Node& until) {
  const Node &when = until["when"], &at_most = until["at_most"];
  if (const std::string fault = fault_of(when.text); !fault.empty()) {
    build.problems.report(when, fmt::format("'{}' {}", when.text, fault));
    return nullptr;
  }
  const Node* cell = build.root.find("cell");  // read later than this, except in stages
  const bool strained =
      build.scene.model.strain.any() || (cell && (cell->find("rate") || cell->find("pressure")));
  if (when.text.find("strain_") != std::string::npos && !strained) {
    build.problems.report(
        when,
        fmt::format(
            "'{}' uses a strain, but the cell is not strained; give cell.rate or cell.pressure",
            when.text));
    return nullptr;
  }
  build.scene.condition =
      EndCondition{when.text, until["lasting"].number, Expression(when.text, kEndQuantities)};
  return &at_most;
}

}  // namespace scree::scene
