/// The table of a batch: a row a run, from what the run wrote.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "scree/run/batch.hpp"
#include "scree/run/batch_plan.hpp"

namespace scree {

/// Its columns, those of the plan left out.
std::span<const std::string> batch_figures();

/// How the run in a directory ended, by its manifest; missing if there is none.
BatchEnd batch_end_of(const std::filesystem::path& directory);

/// The row of a run, read from its directory.
struct BatchRow {
  std::vector<std::string> figures, columns;  ///< as batch_figures(), as BatchPlan::columns
};
BatchRow batch_row(const std::filesystem::path& directory, const BatchEnd& end,
                   std::span<const BatchColumn> columns);

std::string batch_table(const BatchPlan& plan, std::span<const BatchRow> rows);

}  // namespace scree
