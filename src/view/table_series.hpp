/// Columns of a run's tables as series for plots.
#pragma once

#include <string>

#include "scree/io/json_text.hpp"

namespace scree::view {

class RunFiles;

/// The tables of a run that exist, each with its columns of numbers.
Json tables_of(const RunFiles& run);

/// A column of a table against time: a series for each part, joint or body that the table names,
/// with its extremes. Long series are thinned to the extremes of intervals, so that no peak is
/// lost. Throws InputError if there is no such table or column.
Json series_of(const RunFiles& run, const std::string& table, const std::string& column);

}  // namespace scree::view
