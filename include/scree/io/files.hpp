/// Reads and writes whole files, so that no reader, crash or full disk leaves half a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "scree/core/error.hpp"

namespace scree {

/// Error for a `path` that cannot be written: has the path, the reason of `error_number` (an errno)
/// and what to do.
OutputError cannot_write(const std::filesystem::path& path, int error_number);
/// The same with a reason as text.
OutputError cannot_write(const std::filesystem::path& path, std::string_view reason,
                         std::string_view what_to_do);

/// Writes `content` to a temporary file next to `path`, syncs it, and renames it: `path` has either
/// the old content or all of the new. A symbolic link is kept: its target is replaced. A pipe or a
/// device is written directly. Throws OutputError.
void write_file(const std::filesystem::path& path, std::string_view content);

/// A file that is written in pieces at any offset, under a temporary name as in write_file().
/// publish() syncs and renames it; without publish() it is removed. Content for a pipe or a device
/// is collected in an unnamed file until then.
class PartFile {
 public:
  /// Throws OutputError.
  explicit PartFile(std::filesystem::path path);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  /// Errors are stored for require_written(); later writes are ignored.
  void write(std::uint64_t at, std::string_view bytes);
  void read(std::uint64_t at, std::span<char> bytes);  ///< zeros beyond the end
  void resize(std::uint64_t bytes);
  std::uint64_t size() const { return size_; }  ///< [byte]

  void require_written() const;  ///< throws OutputError if a write has failed
  void publish();                ///< throws OutputError

 private:
  void note(bool good);
  void send_to_node();

  /// The path as given, and the target of links; the target is empty for a pipe or a device
  std::filesystem::path path_, file_;
  int descriptor_ = -1;
  int error_number_ = 0;
  std::uint64_t size_ = 0;  ///< [byte]
};

/// Temporary name under which a file is written: in the same directory, so that the renaming is
/// atomic.
std::filesystem::path part_path(const std::filesystem::path& path);

/// Temporary file that write_file(path) would overwrite: part_path() of the target of links; empty
/// for a pipe or a device.
std::filesystem::path written_beside(const std::filesystem::path& path);

/// Throws OutputError if the file cannot be read.
std::string read_file(const std::filesystem::path& path);

/// Throws InputError if a file that a resumed run continues is missing, or shorter than it was.
void require_length(const std::filesystem::path& path, std::uint64_t bytes);

/// Throws OutputError if the directory, or files in it, could not be made; changes nothing.
void require_writable(const std::filesystem::path& directory);

/// Removes a file or a link; false if there was none. Throws OutputError.
bool remove_file(const std::filesystem::path& path);

/// Removes an empty directory; links are kept.
void remove_if_empty(const std::filesystem::path& directory);

/// Makes the directory and its parents. Throws OutputError.
void make_directories(const std::filesystem::path& path);

}  // namespace scree
