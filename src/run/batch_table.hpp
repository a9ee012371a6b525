/// The table of a batch: a row for each run, from its files.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "scree/run/batch.hpp"
#include "scree/run/batch_plan.hpp"

namespace scree {

/// Columns of the table, without those of the plan.
std::span<const std::string> batch_figures();

/// End of the run in a directory, by its manifest; `missing` if there is no manifest.
BatchEnd batch_end_of(const std::filesystem::path& directory);

/// Row of a run, read from its directory.
struct BatchRow {
  /// in the order of batch_figures() and of BatchPlan::columns
  std::vector<std::string> figures, columns;
};
BatchRow batch_row(const std::filesystem::path& directory, const BatchEnd& end,
                   std::span<const BatchColumn> columns);

std::string batch_table(const BatchPlan& plan, std::span<const BatchRow> rows);

}  // namespace scree
