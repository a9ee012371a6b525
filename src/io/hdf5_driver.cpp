/// HDF5 file driver that stores bytes in a PartFile.
#include "io/hdf5_driver.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>  // declares drivers since HDF5 1.14
#endif

namespace scree::hdf5 {
namespace {

/// HDF5's handle of an open file; HDF5 knows only the first member.
struct OpenPart {
  H5FD_t known{};
  PartFile* part = nullptr;
  haddr_t end_of_allocated = 0;
};

OpenPart& of(H5FD_t* file) { return *reinterpret_cast<OpenPart*>(file); }
const OpenPart& of(const H5FD_t* file) { return *reinterpret_cast<const OpenPart*>(file); }

H5FD_t* open(const char*, unsigned, hid_t settings, haddr_t) {
  const void* part = H5Pget_driver_info(settings);
  if (part == nullptr) return nullptr;
  auto opened = std::make_unique<OpenPart>();
  opened->part = *static_cast<PartFile* const*>(part);
  return &opened.release()->known;
}

herr_t close(H5FD_t* file) {
  const std::unique_ptr<OpenPart> closed(&of(file));
  return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  // Small pieces are collected before they are written; HDF5's default driver can read the file.
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t end_of_allocated(const H5FD_t* file, H5FD_mem_t) { return of(file).end_of_allocated; }

herr_t set_end_of_allocated(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  of(file).end_of_allocated = end;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) { return of(file).part->size(); }

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, void* bytes) {
  of(file).part->read(at, {static_cast<char*>(bytes), size});
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, const void* bytes) {
  of(file).part->write(at, {static_cast<const char*>(bytes), size});
  return 0;
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  OpenPart& opened = of(file);
  if (opened.part->size() != opened.end_of_allocated) opened.part->resize(opened.end_of_allocated);
  return 0;
}

H5FD_class_t driver_class() {
  H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(600);  // from the range that HDF5 leaves to users
#endif
  driver.name = "scree_part";
  driver.maxaddr = std::numeric_limits<std::int64_t>::max();
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(void*);  // of a PartFile*
  driver.open = open;
  driver.close = close;
  driver.query = query;
  driver.get_eoa = end_of_allocated;
  driver.set_eoa = set_end_of_allocated;
  driver.get_eof = end_of_file;
  driver.read = read;
  driver.write = write;
  driver.truncate = truncate;
  const H5FD_mem_t kinds[] = H5FD_FLMAP_DICHOTOMY;
  std::ranges::copy(kinds, driver.fl_map);
  return driver;
}

}  // namespace

bool put_into_part(hid_t settings, PartFile& part) {
  static const H5FD_class_t driver = driver_class();
  static const hid_t id = H5FDregister(&driver);
  PartFile* const where = &part;
  return id >= 0 && H5Pset_driver(settings, id, &where) >= 0;
}

}  // namespace scree::hdf5
