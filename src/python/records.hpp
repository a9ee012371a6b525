/// Contacts as one structured array.
#pragma once

#include <pybind11/numpy.h>
#include <vector>

#include "scree/sim/report.hpp"

namespace scree::python {

/// Fields of an array of contacts; files have no relative velocity.
enum class RecordFields { of_simulation, of_file };

/// Structured array of contacts, without a copy: it owns the records.
pybind11::array contacts_array(std::vector<ContactRecord> records, RecordFields fields);

}  // namespace scree::python
