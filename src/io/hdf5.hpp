/// Wrapper of HDF5: handles close themselves, and errors are exceptions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <hdf5.h>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "scree/io/files.hpp"

namespace scree::hdf5 {

/// Type of a number in memory; files have the same type, little-endian on all supported machines.
template <class T>
hid_t type_of() {
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
  if constexpr (std::is_same_v<T, std::int32_t>) return H5T_NATIVE_INT32;
  if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
  if constexpr (std::is_same_v<T, std::uint64_t>) return H5T_NATIVE_UINT64;
  if constexpr (std::is_same_v<T, std::uint32_t>) return H5T_NATIVE_UINT32;
  if constexpr (std::is_same_v<T, std::uint16_t>) return H5T_NATIVE_UINT16;
  if constexpr (std::is_same_v<T, std::uint8_t>) return H5T_NATIVE_UINT8;
}

/// Any HDF5 object.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&& other) noexcept;

  explicit operator bool() const { return id_ >= 0; }
  hid_t id() const { return id_; }
  bool close();

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// Silences HDF5 during its lifetime: errors become exceptions.
class Silence {
 public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// Text of HDF5's last error.
std::string last_error();

/// Storage of a dataset: plain, or in pieces packed by deflate if it is large enough to gain by
/// that.
enum class Storage { plain, packed };

/// Number of rows packed together.
inline constexpr std::size_t kRowsPerPiece = std::size_t{1} << 14;

/// A dataset whose rows are added in order, any number at a time; multiples of kRowsPerPiece are
/// packed without a buffer.
class RowWriter {
 public:
  ~RowWriter();
  RowWriter(RowWriter&&) = default;
  RowWriter& operator=(RowWriter&&) = delete;

  template <class Number>
  void add(const Number* data, std::size_t rows) {
    add_rows(type_of<Number>(), data, rows);
  }

 private:
  friend class Writer;
  RowWriter(class Writer& file, Handle set, std::size_t columns)
      : file_(&file), set_(std::move(set)), columns_(columns) {}
  void add_rows(hid_t type, const void* data, std::size_t rows);

  Writer* file_;
  Handle set_;
  std::size_t columns_, next_ = 0;
};

/// A file that is written piece by piece and gets its name in finish(). All functions throw
/// OutputError.
class Writer {
 public:
  explicit Writer(std::filesystem::path path);
  /// Starts with the content of another file, to add to it.
  Writer(std::filesystem::path path, const std::filesystem::path& other);

  /// Removes a group or a dataset, if it exists.
  void remove(const std::string& name);
  void group(const std::string& name);
  /// Gives a dataset a second name, by a hard link: no number is written twice.
  void link(const std::string& dataset, const std::string& name);
  /// Gives all datasets of a group the same names in another group, by hard links.
  void link_all(const std::string& group, const std::string& into);
  /// A dataset of rows × columns numbers; of rank 1 if columns is 0.
  template <class T>
  void dataset(const std::string& name, const T* data, std::size_t rows, std::size_t columns = 0,
               Storage storage = Storage::plain) {
    begin<T>(name, rows, columns, storage).add(data, rows);
  }
  /// The same, with rows added later. Must not outlive the writer.
  template <class T>
  RowWriter begin(const std::string& name, std::size_t rows, std::size_t columns = 0,
                  Storage storage = Storage::plain) {
    return begin(name, type_of<T>(), sizeof(T), rows, columns, storage);
  }
  /// A dataset that holds one text.
  void text(const std::string& name, const std::string& text);
  /// A dataset with a text in each row, as VTK reads them.
  void texts(const std::string& name, const std::vector<std::string>& texts);
  void attribute(const std::string& object, const std::string& name, const std::string& text);
  template <class T>
  void attribute(const std::string& object, const std::string& name, const T* data,
                 std::size_t count) {
    attribute(object, name, type_of<T>(), data, count);
  }
  /// Gives the file its name; returns its checksum.
  std::uint64_t finish();
  /// The same, with the SHA-256 of the HDF5 file appended in hexadecimal digits, which HDF5
  /// ignores.
  void finish_sealed();

 private:
  friend class RowWriter;
  RowWriter begin(const std::string& name, hid_t type, std::size_t size, std::size_t rows,
                  std::size_t columns, Storage storage);
  Handle create(const std::string& name, hid_t type, const Handle& space, const Handle& properties,
                hid_t access = H5P_DEFAULT);
  void attribute(const std::string& object, const std::string& name, hid_t type, const void* data,
                 std::size_t count);
  void write_attribute(const std::string& object, const std::string& name, hid_t type,
                       const Handle& space, const void* data);
  void require(bool good) const;
  void close();

  std::filesystem::path path_;
  PartFile part_;
  Silence silence_;
  Handle file_;
  bool datasets_whole_ = true;  ///< true if all were closed without error
};

/// A file to read. Missing content is an InputError, a file that cannot be opened an OutputError.
class Reader {
 public:
  /// `what` is the expected kind of file, for messages.
  Reader(std::filesystem::path path, std::string what);

  /// Throws InputError: PATH is not a WHAT, or is damaged: LACK.
  void require(bool good, std::string_view lack) const;
  /// True if a group or a dataset of this full name exists.
  bool has(const std::string& name) const;
  std::size_t rows(const std::string& name) const;
  /// A dataset of any shape, with any stored type of numbers.
  std::vector<double> numbers(const std::string& name) const;
  /// A dataset that holds one text of fixed length.
  std::string text(const std::string& name) const;
  /// A dataset with a text in each row, as Writer::texts() writes it.
  std::vector<std::string> texts(const std::string& name) const;
  /// A dataset of exactly rows × columns numbers of this type.
  template <class T>
  void dataset(const std::string& name, T* data, std::size_t rows, std::size_t columns) const {
    dataset(name, type_of<T>(), data, rows, columns);
  }
  template <class T>
  void attribute(const std::string& object, const std::string& name, T& value) const {
    attribute(object, name, type_of<T>(), &value);
  }
  std::string attribute(const std::string& object, const std::string& name) const;
  hid_t id() const { return file_.id(); }

 private:
  /// Number of elements of an open dataset; throws if they are not all in the file.
  std::size_t elements(const Handle& set, const std::string& name) const;
  void dataset(const std::string& name, hid_t type, void* data, std::size_t rows,
               std::size_t columns) const;
  void attribute(const std::string& object, const std::string& name, hid_t type, void* value) const;

  std::filesystem::path path_;
  std::string what_;
  Silence silence_;
  Handle file_;
};

/// Number of rows and columns of an open dataset; false if its rank is neither 1 nor 2.
bool read_extent(hid_t set, std::size_t& rows, std::size_t& columns);

}  // namespace scree::hdf5
