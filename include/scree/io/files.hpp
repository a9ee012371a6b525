/// Whole files, read and written so that a reader, a crash or a full disk never meets half of one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "scree/core/error.hpp"

namespace scree {

/// The error to throw when `path` cannot be written: names the path, the reason behind
/// `error_number` (an errno) and what to do.
OutputError cannot_write(const std::filesystem::path& path, int error_number);
/// The same with the reason in words.
OutputError cannot_write(const std::filesystem::path& path, std::string_view reason,
                         std::string_view what_to_do);

/// Writes `content` beside `path`, syncs it to the disk, and renames it: `path` holds either the
/// old content or all of the new. A symbolic link stays one: the file that it leads to is replaced.
/// A pipe or a device is written straight into. Throws OutputError.
void write_file(const std::filesystem::path& path, std::string_view content);

/// A file that is written in pieces, anywhere in it, beside its place, as write_file() does:
/// publish() syncs it and gives it its name, and without that nothing is left of it. What comes for
/// a pipe or a device is kept in a file without a name until then.
class PartFile {
 public:
  /// Throws OutputError.
  explicit PartFile(std::filesystem::path path);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  /// What fails is kept for require_written(), and all that comes after it is dropped.
  void write(std::uint64_t at, std::string_view bytes);
  void read(std::uint64_t at, std::span<char> bytes);  ///< zeros behind the end
  void resize(std::uint64_t bytes);
  std::uint64_t size() const { return size_; }  ///< [byte]

  void require_written() const;  ///< throws OutputError if anything failed so far
  void publish();                ///< throws OutputError

 private:
  void note(bool good);
  void send_to_node();

  /// As named, and where links lead; the latter empty for a pipe or a device
  std::filesystem::path path_, file_;
  int descriptor_ = -1;
  int error_number_ = 0;
  std::uint64_t size_ = 0;  ///< [byte]
};

/// Where a file is written before it gets its name: in the same directory, so that the renaming is
/// atomic.
std::filesystem::path part_path(const std::filesystem::path& path);

/// The file that write_file(path) would overwrite on its way: part_path() of where links lead;
/// empty for a pipe or a device.
std::filesystem::path written_beside(const std::filesystem::path& path);

/// Throws OutputError if the file cannot be read.
std::string read_file(const std::filesystem::path& path);

/// Throws InputError if a file that a run goes on with is missing, or shorter than it was.
void require_length(const std::filesystem::path& path, std::uint64_t bytes);

/// Throws OutputError if the directory, or files in it, could not be made; changes nothing.
void require_writable(const std::filesystem::path& directory);

/// Removes a file or a link; false if there was none. Throws OutputError.
bool remove_file(const std::filesystem::path& path);

/// Removes a directory, no link to one, unless something is in it.
void remove_if_empty(const std::filesystem::path& directory);

/// Makes the directory and its parents. Throws OutputError.
void make_directories(const std::filesystem::path& path);

}  // namespace scree
