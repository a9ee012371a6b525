#include "io/hdf5.hpp"

#include <cstdlib>
#include <string_view>
#include <utility>

#include "scree/io/files.hpp"

namespace scree::hdf5 {

Handle::Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}

Handle& Handle::operator=(Handle&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(close_, other.close_);
  return *this;
}

bool Handle::close() { return close_(std::exchange(id_, H5I_INVALID_HID)) >= 0; }

Silence::Silence() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Silence::~Silence() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

std::string last_error() {
  std::string innermost = "HDF5 gives no reason";
  const auto visit = [](unsigned depth, const H5E_error2_t* error, void* text) -> herr_t {
    if (depth == 0 && error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, visit, &innermost);
  return innermost;
}

Writer::Writer(std::filesystem::path path) : path_(std::move(path)) {
  file_ = Handle(H5Fcreate(part_path(path_).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  require(bool(file_));
}

Writer::~Writer() {
  if (!file_) return;
  // Not finished: an error is on its way up. Nothing of the file is to stay.
  file_.close();
  std::error_code ignored;
  std::filesystem::remove(part_path(path_), ignored);
}

void Writer::require(bool good) const {
  if (good) return;
  // Where a system call failed, its error stands inside a longer text: …, errno = 28, error message = '…'.
  const std::string reason = last_error();
  constexpr std::string_view kBefore = "errno = ";
  const auto start = reason.find(kBefore);
  const int number = start == std::string::npos ? 0 : std::atoi(reason.c_str() + start + kBefore.size());
  if (number != 0) throw cannot_write(path_, number);
  throw cannot_write(path_, reason, "check that the disk has space and that you may write there");
}

void Writer::group(const std::string& name) {
  require(bool(Handle(H5Gcreate2(file_.id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose)));
}

void Writer::dataset(const std::string& name, hid_t type, const void* data, std::size_t rows, std::size_t columns) {
  const hsize_t extent[2] = {rows, columns};
  const Handle space(H5Screate_simple(columns == 0 ? 1 : 2, extent, nullptr), H5Sclose);
  require(bool(space));
  Handle set(H5Dcreate2(file_.id(), name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  require(bool(set));
  if (rows > 0) require(H5Dwrite(set.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  require(set.close());
}

void Writer::attribute(const std::string& object, const std::string& name, const std::string& text) {
  // VTK wants text of fixed length in ASCII.
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  require(H5Tset_size(type.id(), text.size()) >= 0 && H5Tset_strpad(type.id(), H5T_STR_NULLPAD) >= 0);
  write_attribute(object, name, type.id(), Handle(H5Screate(H5S_SCALAR), H5Sclose), text.data());
}

void Writer::attribute(const std::string& object, const std::string& name, hid_t type, const void* data,
                       std::size_t count) {
  const hsize_t extent = count;
  write_attribute(object, name, type, Handle(H5Screate_simple(1, &extent, nullptr), H5Sclose), data);
}

void Writer::write_attribute(const std::string& object, const std::string& name, hid_t type, const Handle& space,
                             const void* data) {
  const Handle owner(H5Oopen(file_.id(), object.c_str(), H5P_DEFAULT), H5Oclose);
  require(owner && space);
  Handle attribute(H5Acreate2(owner.id(), name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  require(attribute && H5Awrite(attribute.id(), type, data) >= 0 && attribute.close());
}

void Writer::finish() {
  const bool flushed = H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) >= 0;
  require(flushed);  // the destructor cleans up
  if (!file_.close()) {
    std::error_code ignored;
    std::filesystem::remove(part_path(path_), ignored);
    require(false);
  }
  publish_part(path_);
}

}  // namespace scree::hdf5
