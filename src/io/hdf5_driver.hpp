/// HDF5 on top of a PartFile.
#pragma once

#include <hdf5.h>

#include "scree/io/files.hpp"

namespace scree::hdf5 {

/// Makes HDF5 store a file that is created or opened with these settings, under any name, in
/// `part`, which must outlive it. False if HDF5 has no memory left.
///
/// HDF5's own drivers are unsuitable: when they cannot write, as on a full disk, HDF5 can neither
/// close the file nor end the program regularly. Here HDF5 never sees the error: the PartFile
/// stores it.
bool put_into_part(hid_t settings, PartFile& part);

}  // namespace scree::hdf5
