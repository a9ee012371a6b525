/// Values of a file of frames, read with nothing of what is tested.
#pragma once

#include <filesystem>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <vector>

namespace scree {

template <class T>
std::vector<T> read(const std::filesystem::path& path, const char* name, hid_t type) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  EXPECT_GE(set, 0) << name;
  const hid_t space = H5Dget_space(set);
  std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Sclose(space);
  H5Dclose(set);
  H5Fclose(file);
  return values;
}

}  // namespace scree
