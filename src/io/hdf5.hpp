/// HDF5 with handles that close themselves and errors that are exceptions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <hdf5.h>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace scree::hdf5 {

/// The type of a number in memory; files are written in the same, little-endian on every machine we build for.
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

/// While it lives, HDF5 prints nothing: we tell of errors ourselves.
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

/// What went wrong last, in HDF5's words.
std::string last_error();

/// A file that is put together in memory and written by finish(). Everything throws OutputError.
///
/// Not by HDF5 itself: when it cannot write, as on a full disk, it can neither close the file, nor leave the program in peace.
class Writer {
 public:
  explicit Writer(std::filesystem::path path);
  /// Begins with the bytes of a complete file, to add to them.
  Writer(std::filesystem::path path, const std::string& image);

  /// Removes a group or a dataset, if it is there.
  void remove(const std::string& name);
  void group(const std::string& name);
  /// A dataset of rows × columns numbers; of rank 1 if columns is 0.
  template <class T>
  void dataset(const std::string& name, const T* data, std::size_t rows, std::size_t columns = 0) {
    dataset(name, type_of<T>(), data, rows, columns);
  }
  /// A dataset that holds one text.
  void text(const std::string& name, const std::string& text);
  void attribute(const std::string& object, const std::string& name, const std::string& text);
  template <class T>
  void attribute(const std::string& object, const std::string& name, const T* data, std::size_t count) {
    attribute(object, name, type_of<T>(), data, count);
  }
  /// The file's bytes, complete; nothing may be added after it.
  std::string image();
  void finish();

 private:
  void dataset(const std::string& name, hid_t type, const void* data, std::size_t rows, std::size_t columns);
  void write_dataset(const std::string& name, hid_t type, const Handle& space, const void* data);
  void attribute(const std::string& object, const std::string& name, hid_t type, const void* data, std::size_t count);
  void write_attribute(const std::string& object, const std::string& name, hid_t type, const Handle& space,
                       const void* data);
  void require(bool good) const;

  std::filesystem::path path_;
  Silence silence_;
  Handle file_;
};

/// A file to read. What the file lacks is an InputError, a file that cannot be opened an OutputError.
class Reader {
 public:
  /// `what` it should be, in words, for messages.
  Reader(std::filesystem::path path, std::string what);

  /// Throws InputError: PATH is no WHAT, or damaged: LACK.
  void require(bool good, std::string_view lack) const;
  /// Whether there is a group or a dataset of this name, in full from the root.
  bool has(const std::string& name) const;
  std::size_t rows(const std::string& name) const;
  /// A dataset of any shape, whatever type its numbers are stored in.
  std::vector<double> numbers(const std::string& name) const;
  /// A dataset that holds one text of fixed length.
  std::string text(const std::string& name) const;
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
  /// How many elements an open dataset has; refused if they are not all in the file.
  std::size_t elements(const Handle& set, const std::string& name) const;
  void dataset(const std::string& name, hid_t type, void* data, std::size_t rows, std::size_t columns) const;
  void attribute(const std::string& object, const std::string& name, hid_t type, void* value) const;

  std::filesystem::path path_;
  std::string what_;
  Silence silence_;
  Handle file_;
};

/// Number of rows and columns of an open dataset; false if its rank is neither 1 nor 2.
bool read_extent(hid_t set, std::size_t& rows, std::size_t& columns);

}  // namespace scree::hdf5
