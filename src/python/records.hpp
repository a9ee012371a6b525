/// Contacts as one structured array.
#pragma once

#include <pybind11/numpy.h>
#include <vector>

#include "scree/sim/report.hpp"

namespace scree::python {

/// What an array of contacts has of each record.
enum class RecordFields { of_simulation, of_file };  ///< files have no relative velocity

/// Takes the records over.
pybind11::array contacts_array(std::vector<ContactRecord> records, RecordFields fields);

}  // namespace scree::python
