/// Summarises the arrays of a frame, for `scree info`.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "io/hdf5.hpp"
#include "scree/io/files.hpp"
#include "scree/io/frames.hpp"

namespace scree {
namespace {

using hdf5::Handle;

bool read_array(hid_t group, const std::string& name, FrameArray& array) {
  const Handle set(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose);
  std::size_t rows = 0;
  if (!set || !hdf5::read_extent(set.id(), rows, array.components)) return false;
  array.name = name;
  std::vector<double> values(rows * array.components);
  if (values.empty()) return true;
  if (H5Dread(set.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    return false;
  array.not_finite = std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return true;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  array.min = *low;
  array.max = *high;
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

double time_of_frame(const std::filesystem::path& path) {
  double time = 0;
  hdf5::Reader(path, "frame of scree").attribute("/scree", "time", time);
  return time;
}

FrameSummary summarise_frame(const std::filesystem::path& path) {
  const hdf5::Reader file(path, "frame of scree");
  FrameSummary summary;
  summary.kind = file.attribute("/scree", "kind");
  const bool bodies = summary.kind == "grains", obstacles = summary.kind == "obstacles";
  file.require(obstacles || bodies || summary.kind == "contacts" || summary.kind == "joints" ||
                   summary.kind == "force_chains",
               fmt::format("it holds a {}; frames are the files grains_*.hdf, contacts_*.hdf, "
                           "joints_*.hdf and obstacles_*.hdf in a run's directory "
                           "frames, and force_chains_*.hdf of an analysis",
                           summary.kind));
  file.attribute("/scree", "time", summary.time);
  file.attribute("/scree", "step", summary.step);
  // Bodies and pieces of obstacles are cells; contacts, joints and ends of lines are points.
  const bool cells = bodies || obstacles;
  summary.points = file.rows(obstacles ? "/VTKHDF/CellData/obstacle"
                             : bodies  ? "/VTKHDF/CellData/position"
                                       : "/VTKHDF/Points");
  const Handle grid(H5Gopen2(file.id(), "/VTKHDF", H5P_DEFAULT), H5Gclose),
      data(H5Gopen2(file.id(), cells ? "/VTKHDF/CellData" : "/VTKHDF/PointData", H5P_DEFAULT),
           H5Gclose);
  file.require(bool(data), cells ? "it has no cell data" : "it has no point data");
  const auto add = [&](hid_t group, const std::string& name) {
    FrameArray array;
    file.require(read_array(group, name, array), "the array " + name + " cannot be read");
    summary.arrays.push_back(array);
  };
  if (!cells) add(grid.id(), "Points");
  for (const std::string& name : names_in(data.id())) add(data.id(), name);
  return summary;
}

}  // namespace scree
