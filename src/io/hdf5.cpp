/// HDF5 files with checked handles: datasets, packing, seals and errors.
#include "io/hdf5.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <utility>

#include "io/hdf5_driver.hpp"
#include "scree/io/checksum.hpp"
#include "scree/io/sha256.hpp"

namespace scree::hdf5 {

Handle::Handle(Handle&& other) noexcept
    : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}

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

namespace {

/// Smaller datasets are not worth the index of their pieces.
constexpr std::size_t kMinPacked = std::size_t{1} << 16;  // [byte]
/// Cache of each dataset; HDF5's default is a megabyte.
constexpr std::size_t kPiecesHeld = 1;

Handle settings_for(PartFile& part) {
  Handle settings(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // Datasets that an error left open are closed with the file.
  if (settings && put_into_part(settings.id(), part) &&
      H5Pset_fclose_degree(settings.id(), H5F_CLOSE_STRONG) >= 0)
    return settings;
  return {};
}

/// No time of writing: the same run writes the same bytes.
Handle dataset_properties() {
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (properties && H5Pset_obj_track_times(properties.id(), false) >= 0) return properties;
  return {};
}

/// Bytes are first sorted by significance: the high bytes of neighbours are often equal.
bool pack(const Handle& properties, std::size_t rows, std::size_t columns) {
  constexpr unsigned kFast = 1;
  const hsize_t piece[2] = {std::min(rows, kRowsPerPiece), columns};
  return H5Pset_chunk(properties.id(), columns == 0 ? 1 : 2, piece) >= 0 &&
         H5Pset_shuffle(properties.id()) >= 0 && H5Pset_deflate(properties.id(), kFast) >= 0;
}

/// Copies an existing file into one that is being written.
void copy_into(PartFile& part, const std::filesystem::path& other) {
  part.write(0, read_file(other));
  part.require_written();
}

/// Adds all bytes to a hash, block by block.
template <class Hash>
void add_all(PartFile& part, Hash& hash) {
  std::string block;
  for (std::uint64_t at = 0; at < part.size(); at += block.size()) {
    block.resize(static_cast<std::size_t>(
        std::min<std::uint64_t>(part.size() - at, std::uint64_t{1} << 20)));
    part.read(at, block);
    hash.add(block);
  }
}

}  // namespace

Writer::Writer(std::filesystem::path path) : path_(std::move(path)), part_(path_) {
  const Handle settings = settings_for(part_);
  require(bool(settings));
  file_ = Handle(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, settings.id()), H5Fclose);
  require(bool(file_));
}

Writer::Writer(std::filesystem::path path, const std::filesystem::path& other)
    : path_(std::move(path)), part_(path_) {
  copy_into(part_, other);
  const Handle settings = settings_for(part_);
  require(bool(settings));
  file_ = Handle(H5Fopen(path_.c_str(), H5F_ACC_RDWR, settings.id()), H5Fclose);
  require(bool(file_));
}

void Writer::remove(const std::string& name) {
  if (H5Lexists(file_.id(), name.c_str(), H5P_DEFAULT) > 0)
    require(H5Ldelete(file_.id(), name.c_str(), H5P_DEFAULT) >= 0);
}

void Writer::require(bool good) const {
  part_.require_written();
  if (!good) throw cannot_write(path_, last_error(), "check that there is enough memory");
}

void Writer::group(const std::string& name) {
  require(bool(Handle(H5Gcreate2(file_.id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                      H5Gclose)));
}

void Writer::link(const std::string& dataset, const std::string& name) {
  require(H5Lcreate_hard(file_.id(), dataset.c_str(), file_.id(), name.c_str(), H5P_DEFAULT,
                         H5P_DEFAULT) >= 0);
}

void Writer::link_all(const std::string& group, const std::string& into) {
  const Handle source(H5Gopen2(file_.id(), group.c_str(), H5P_DEFAULT), H5Gclose),
      target(H5Gopen2(file_.id(), into.c_str(), H5P_DEFAULT), H5Gclose);
  require(source && target);
  const auto link_one = [](hid_t from, const char* name, const H5L_info_t*, void* to) -> herr_t {
    return H5Lcreate_hard(from, name, *static_cast<const hid_t*>(to), name, H5P_DEFAULT,
                          H5P_DEFAULT);
  };
  hid_t to = target.id();
  require(H5Literate(source.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, link_one, &to) >= 0);
}

RowWriter Writer::begin(const std::string& name, hid_t type, std::size_t size, std::size_t rows,
                        std::size_t columns, Storage storage) {
  const hsize_t extent[2] = {rows, columns};
  const Handle space(H5Screate_simple(columns == 0 ? 1 : 2, extent, nullptr), H5Sclose);
  const Handle properties = dataset_properties(), access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  require(properties && access);
  const std::size_t row_size = size * std::max<std::size_t>(1, columns);
  if (storage == Storage::packed && rows * row_size >= kMinPacked)
    require(pack(properties, rows, columns) &&
            H5Pset_chunk_cache(access.id(), kPiecesHeld, kPiecesHeld * kRowsPerPiece * row_size,
                               1) >= 0);
  return {*this, create(name, type, space, properties, access.id()), columns};
}

RowWriter::~RowWriter() {
  // The last packed piece is written here.
  if (set_ && !set_.close()) file_->datasets_whole_ = false;
}

void RowWriter::add_rows(hid_t type, const void* data, std::size_t rows) {
  if (rows == 0) return;
  const int rank = columns_ == 0 ? 1 : 2;
  const hsize_t begin[2] = {next_, 0}, extent[2] = {rows, columns_};
  const Handle where(H5Dget_space(set_.id()), H5Sclose),
      what(H5Screate_simple(rank, extent, nullptr), H5Sclose);
  file_->require(where && what &&
                 H5Sselect_hyperslab(where.id(), H5S_SELECT_SET, begin, nullptr, extent, nullptr) >=
                     0 &&
                 H5Dwrite(set_.id(), type, what.id(), where.id(), H5P_DEFAULT, data) >= 0);
  next_ += rows;
}

void Writer::text(const std::string& name, const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  require(type && H5Tset_size(type.id(), text.size() + 1) >= 0);
  const Handle set =
      create(name, type.id(), Handle(H5Screate(H5S_SCALAR), H5Sclose), dataset_properties());
  require(H5Dwrite(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()) >= 0);
}

void Writer::texts(const std::string& name, const std::vector<std::string>& texts) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  require(type && H5Tset_size(type.id(), H5T_VARIABLE) >= 0);
  std::vector<const char*> rows;
  rows.reserve(texts.size());
  for (const std::string& text : texts) rows.push_back(text.c_str());
  const hsize_t count = rows.size();
  const Handle set = create(name, type.id(), Handle(H5Screate_simple(1, &count, nullptr), H5Sclose),
                            dataset_properties());
  require(rows.empty() ||
          H5Dwrite(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()) >= 0);
}

Handle Writer::create(const std::string& name, hid_t type, const Handle& space,
                      const Handle& properties, hid_t access) {
  require(space && properties);
  Handle set(
      H5Dcreate2(file_.id(), name.c_str(), type, space.id(), H5P_DEFAULT, properties.id(), access),
      H5Dclose);
  require(bool(set));
  return set;
}

void Writer::attribute(const std::string& object, const std::string& name,
                       const std::string& text) {
  // VTK requires text of fixed length in ASCII.
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  require(H5Tset_size(type.id(), text.size()) >= 0 &&
          H5Tset_strpad(type.id(), H5T_STR_NULLPAD) >= 0);
  write_attribute(object, name, type.id(), Handle(H5Screate(H5S_SCALAR), H5Sclose), text.data());
}

void Writer::attribute(const std::string& object, const std::string& name, hid_t type,
                       const void* data, std::size_t count) {
  const hsize_t extent = count;
  write_attribute(object, name, type, Handle(H5Screate_simple(1, &extent, nullptr), H5Sclose),
                  data);
}

void Writer::write_attribute(const std::string& object, const std::string& name, hid_t type,
                             const Handle& space, const void* data) {
  const Handle owner(H5Oopen(file_.id(), object.c_str(), H5P_DEFAULT), H5Oclose);
  require(owner && space);
  Handle attribute(H5Acreate2(owner.id(), name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT),
                   H5Aclose);
  require(attribute && H5Awrite(attribute.id(), type, data) >= 0 && attribute.close());
}

void Writer::close() { require(datasets_whole_ && file_.close()); }

std::uint64_t Writer::finish() {
  close();
  Checksum sum;
  add_all(part_, sum);
  part_.publish();
  return sum.value();
}

void Writer::finish_sealed() {
  close();
  Sha256 hash;
  add_all(part_, hash);
  part_.write(part_.size(), hash.finish());
  part_.publish();
}

Reader::Reader(std::filesystem::path path, std::string what)
    : path_(std::move(path)), what_(std::move(what)) {
  // The file is read once before, as HDF5 does not report why it cannot open a file.
  if (std::error_code error; !std::filesystem::is_regular_file(path_, error))
    throw OutputError(
        fmt::format("cannot read {}: it is not a file; check the path", path_.string()));
  if (std::ifstream file(path_); !file)
    throw OutputError(fmt::format("cannot read {}: {}; check its permissions", path_.string(),
                                  std::strerror(errno)));
  file_ = Handle(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  require(bool(file_), "it cannot be opened as an HDF5 file (" + last_error() + ")");
}

void Reader::require(bool good, std::string_view lack) const {
  if (!good)
    throw InputError(fmt::format("{} is not a {}, or is damaged: {}", path_.string(), what_, lack));
}

bool Reader::has(const std::string& name) const {
  // HDF5 checks one link at a time.
  for (std::size_t end = name.find('/', 1);; end = name.find('/', end + 1)) {
    if (H5Lexists(file_.id(), name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

std::size_t Reader::elements(const Handle& set, const std::string& name) const {
  require(bool(set), "it lacks " + name);
  const Handle space(H5Dget_space(set.id()), H5Sclose), type(H5Dget_type(set.id()), H5Tclose);
  const Handle properties(H5Dget_create_plist(set.id()), H5Pclose);
  const hssize_t count = space ? H5Sget_simple_extent_npoints(space.id()) : -1;
  const std::size_t size = type ? H5Tget_size(type.id()) : 0;  // [byte]
  hsize_t length = 0;                                          // [byte]
  constexpr std::size_t kWidest = 16;                          // of numbers [byte]
  require(properties && count >= 0 && size > 0 &&
              (size <= kWidest || H5Tget_class(type.id()) == H5T_STRING) &&
              H5Fget_filesize(file_.id(), &length) >= 0,
          name + " cannot be read");
  // HDF5 trusts a damaged header, reads past its own buffers, and lets the memory fill. zlib's
  // compression ratio is at most this.
  constexpr hsize_t kTightest = 1032;
  const hsize_t max_size = H5Pget_layout(properties.id()) == H5D_CHUNKED
                               ? kTightest * length
                               : std::min<hsize_t>(length, H5Dget_storage_size(set.id()));
  require(static_cast<hsize_t>(count) <= max_size / size,
          fmt::format("{} claims to have {} elements, more than it stores", name, count));
  return static_cast<std::size_t>(count);
}

std::vector<double> Reader::numbers(const std::string& name) const {
  const Handle set(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
  std::vector<double> values(elements(set, name));
  const Handle type(H5Dget_type(set.id()), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type.id());
  require(kind == H5T_INTEGER || kind == H5T_FLOAT, name + " does not hold numbers");
  if (!values.empty())
    require(H5Dread(set.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0,
            name + " cannot be read");
  return values;
}

std::string Reader::text(const std::string& name) const {
  const Handle set(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
  const std::size_t count = elements(set, name);
  const Handle type(H5Dget_type(set.id()), H5Tclose);
  require(count == 1 && H5Tget_class(type.id()) == H5T_STRING && H5Tis_variable_str(type.id()) == 0,
          name + " is not a text of fixed length");
  std::string text(H5Tget_size(type.id()), '\0');
  require(H5Dread(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) >= 0,
          name + " cannot be read");
  return text.substr(0, text.find('\0'));
}

std::vector<std::string> Reader::texts(const std::string& name) const {
  const Handle set(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
  std::vector<char*> rows(elements(set, name));
  const Handle type(H5Dget_type(set.id()), H5Tclose), space(H5Dget_space(set.id()), H5Sclose);
  require(H5Tget_class(type.id()) == H5T_STRING && H5Tis_variable_str(type.id()) > 0,
          name + " does not hold texts");
  if (rows.empty()) return {};
  require(H5Dread(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()) >= 0,
          name + " cannot be read");
  std::vector<std::string> texts;
  texts.reserve(rows.size());
  for (const char* row : rows) texts.emplace_back(row ? row : "");
  H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, rows.data());
  return texts;
}

std::size_t Reader::rows(const std::string& name) const {
  const Handle set(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
  std::size_t rows = 0, columns = 0;
  require(set && read_extent(set.id(), rows, columns), "it lacks " + name);
  // With a damaged header rows · columns may be 0 or overflow
  require(rows == 0 || (columns > 0 && elements(set, name) / columns == rows),
          fmt::format("{} claims to have {} rows, more than it stores", name, rows));
  return rows;
}

void Reader::dataset(const std::string& name, hid_t type, void* data, std::size_t rows,
                     std::size_t columns) const {
  const Handle set(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
  std::size_t found_rows = 0, found_columns = 0;
  require(set && read_extent(set.id(), found_rows, found_columns), "it lacks " + name);
  require(found_rows == rows && found_columns == columns && elements(set, name) == rows * columns,
          name + " has another shape");
  if (rows > 0)
    require(H5Dread(set.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0,
            name + " cannot be read");
}

void Reader::attribute(const std::string& object, const std::string& name, hid_t type,
                       void* value) const {
  const Handle attribute(
      H5Aopen_by_name(file_.id(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  require(attribute && H5Aread(attribute.id(), type, value) >= 0, object + " has no " + name);
}

std::string Reader::attribute(const std::string& object, const std::string& name) const {
  const std::string lack = object + " has no " + name;
  const Handle attribute(
      H5Aopen_by_name(file_.id(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  require(bool(attribute), lack);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose);
  require(type && H5Tget_class(type.id()) == H5T_STRING && H5Tis_variable_str(type.id()) == 0,
          lack);
  std::string text(H5Tget_size(type.id()), '\0');
  require(H5Aread(attribute.id(), type.id(), text.data()) >= 0, lack);
  return text;
}

bool read_extent(hid_t set, std::size_t& rows, std::size_t& columns) {
  const Handle space(H5Dget_space(set), H5Sclose);
  hsize_t extent[2] = {0, 1};
  if (!space || H5Sget_simple_extent_ndims(space.id()) < 1 ||
      H5Sget_simple_extent_ndims(space.id()) > 2)
    return false;
  if (H5Sget_simple_extent_dims(space.id(), extent, nullptr) < 0) return false;
  rows = extent[0];
  columns = extent[1];
  return true;
}

}  // namespace scree::hdf5
