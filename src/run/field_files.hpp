/// Coarse-grained fields as files: a table, and an image that ParaView opens.
#pragma once

#include <string>

#include "scree/analysis/coarse_fields.hpp"

namespace scree {

/// Table (CSV) with a row for each cell, as in docs/guide/analysis.md.
std::string field_table(const CoarseFields& fields);

/// The same as VTK image data (.vti) with values in cells.
std::string field_image(const CoarseFields& fields);

}  // namespace scree
