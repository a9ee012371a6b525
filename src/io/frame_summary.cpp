#include <algorithm>
#include <fmt/format.h>

#include "io/hdf5.hpp"
#include "scree/io/files.hpp"
#include "scree/io/frames.hpp"

namespace scree {
namespace {

using hdf5::Handle;

template <class T>
bool read_attribute(hid_t file, const char* name, T& value) {
  const Handle attribute(H5Aopen_by_name(file, "/scree", name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute && H5Aread(attribute.id(), hdf5::type_of<T>(), &value) >= 0;
}

bool read_attribute(hid_t file, const char* name, std::string& text) {
  const Handle attribute(H5Aopen_by_name(file, "/scree", name, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!attribute) return false;
  const Handle type(H5Aget_type(attribute.id()), H5Tclose);
  if (!type || H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) > 0) return false;
  text.resize(H5Tget_size(type.id()));
  return H5Aread(attribute.id(), type.id(), text.data()) >= 0;
}

/// Number of rows and columns of an open dataset; false if it has another rank.
bool read_extent(hid_t set, std::size_t& rows, std::size_t& columns) {
  const Handle space(H5Dget_space(set), H5Sclose);
  hsize_t extent[2] = {0, 1};
  if (!space || H5Sget_simple_extent_ndims(space.id()) < 1 || H5Sget_simple_extent_ndims(space.id()) > 2) return false;
  if (H5Sget_simple_extent_dims(space.id(), extent, nullptr) < 0) return false;
  rows = extent[0], columns = extent[1];
  return true;
}

bool read_array(hid_t group, const std::string& name, FrameArray& array) {
  const Handle set(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose);
  std::size_t rows = 0;
  if (!set || !read_extent(set.id(), rows, array.components)) return false;
  array.name = name;
  std::vector<double> values(rows * array.components);
  if (values.empty()) return true;
  if (H5Dread(set.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) return false;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  array.min = *low, array.max = *high;
  return true;
}

std::vector<std::string> names_in(hid_t group) {
  std::vector<std::string> names;
  const auto visit = [](hid_t, const char* name, const H5L_info_t*, void* all) -> herr_t {
    static_cast<std::vector<std::string>*>(all)->emplace_back(name);
    return 0;
  };
  H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, visit, &names);
  return names;
}

}  // namespace

FrameSummary summarise_frame(const std::filesystem::path& path) {
  const hdf5::Silence silence;
  if (std::error_code error; !std::filesystem::is_regular_file(path, error)) {
    throw OutputError(fmt::format("cannot read {}: it is no file; check the path", path.string()));
  }
  const auto require = [&](bool good, std::string_view lack) {
    if (!good) {
      throw InputError(
          fmt::format("{} is no frame of scree: {}; frames are the files grains_*.hdf and contacts_*.hdf "
                      "in the directory frames of a run",
                      path.string(), lack));
    }
  };
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  require(bool(file), "it cannot be opened as an HDF5 file (" + hdf5::last_error() + ")");
  FrameSummary summary;
  require(read_attribute(file.id(), "kind", summary.kind) && read_attribute(file.id(), "time", summary.time) &&
              read_attribute(file.id(), "step", summary.step),
          "it has no group /scree with kind, time and step");

  const Handle points(H5Dopen2(file.id(), "/VTKHDF/Points", H5P_DEFAULT), H5Dclose);
  std::size_t columns = 0;
  require(points && read_extent(points.id(), summary.points, columns), "it has no points");
  const Handle group(H5Gopen2(file.id(), "/VTKHDF/PointData", H5P_DEFAULT), H5Gclose);
  require(bool(group), "it has no point data");
  for (const std::string& name : names_in(group.id())) {
    FrameArray array;
    require(read_array(group.id(), name, array), "the array " + name + " cannot be read");
    summary.arrays.push_back(array);
  }
  return summary;
}

}  // namespace scree
