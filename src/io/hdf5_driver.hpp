/// HDF5 on top of a PartFile.
#pragma once

#include <hdf5.h>

#include "scree/io/files.hpp"

namespace scree::hdf5 {

/// Makes a file that is created or opened with these settings, under whatever name, have its bytes
/// in `part`, which must outlive it. False if HDF5 has no memory left.
///
/// HDF5's own drivers will not do: when they cannot write, as on a full disk, HDF5 can neither
/// close the file, nor leave the program in peace. Here it never learns of that: the part keeps the
/// error.
bool put_into_part(hid_t settings, PartFile& part);

}  // namespace scree::hdf5
