/// Reads and writes whole files: under a temporary name, synced, then renamed.
#include "scree/io/files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>
#include <utility>

namespace scree {
namespace {

/// A file descriptor that is closed when it goes out of scope.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags)
      : value_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  explicit operator bool() const { return value_ >= 0; }
  int value() const { return value_; }
  /// Network file systems report a full disk only here.
  bool close() { return ::close(std::exchange(value_, -1)) == 0; }

 private:
  int value_;
};

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string_view advice(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "free some space there, or write to another disk";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose a directory that you may write to";
    case ENOTDIR:
    case EEXIST:
      return "a file is where a directory is needed: move the file, or choose another directory";
    case EIO:
      return "the disk reports an error: write to another disk";
    default:
      return "check the path, or write to another directory";
  }
}

/// End of a chain of symbolic links, whether the file exists or not.
std::filesystem::path end_of_links(std::filesystem::path path) {
  std::error_code error;
  for (int link = 0; std::filesystem::is_symlink(path, error); ++link) {
    if (link == 40) throw cannot_write(path, ELOOP);
    const auto next = std::filesystem::read_symlink(path, error);
    if (error) throw cannot_write(path, error.value());
    path = path.parent_path() / next;  // next alone if it is absolute
  }
  return path;
}

/// True for a pipe or a device: it must be written directly, not replaced.
bool is_a_node(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

}  // namespace

OutputError cannot_write(const std::filesystem::path& path, std::string_view reason,
                         std::string_view what_to_do) {
  return OutputError(fmt::format("cannot write {}: {}; {}", path.string(), reason, what_to_do));
}

OutputError cannot_write(const std::filesystem::path& path, int error_number) {
  return cannot_write(path, std::strerror(error_number), advice(error_number));
}

std::filesystem::path part_path(const std::filesystem::path& path) {
  return path.string() + ".part";
}

std::filesystem::path written_beside(const std::filesystem::path& path) {
  return is_a_node(path) ? std::filesystem::path() : part_path(end_of_links(path));
}

PartFile::PartFile(std::filesystem::path path) : path_(std::move(path)) {
  if (is_a_node(path_)) {
    const std::unique_ptr<std::FILE, decltype(&std::fclose)> nameless(std::tmpfile(), &std::fclose);
    descriptor_ = nameless ? ::fcntl(::fileno(nameless.get()), F_DUPFD_CLOEXEC, 0) : -1;
  } else {
    file_ = end_of_links(path_);
    // A remainder of a killed run, or a link, is removed, never written into.
    if (::unlink(part_path(file_).c_str()) != 0 && errno != ENOENT)
      throw cannot_write(path_, errno);
    descriptor_ = ::open(part_path(file_).c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  if (descriptor_ < 0) throw cannot_write(path_, errno);
}

PartFile::~PartFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  std::error_code ignored;
  if (!file_.empty()) std::filesystem::remove(part_path(file_), ignored);
}

void PartFile::note(bool good) {
  if (!good && error_number_ == 0) error_number_ = errno;
}

void PartFile::write(std::uint64_t at, std::string_view bytes) {
  while (!bytes.empty() && error_number_ == 0) {
    const ssize_t written =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    note(written >= 0);
    if (written < 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(written));
    at += static_cast<std::uint64_t>(written);
    size_ = std::max(size_, at);
  }
}

void PartFile::read(std::uint64_t at, std::span<char> bytes) {
  while (!bytes.empty() && error_number_ == 0) {
    const ssize_t count = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    note(count >= 0);
    if (count <= 0) break;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    at += static_cast<std::uint64_t>(count);
  }
  std::ranges::fill(bytes, '\0');
}

void PartFile::resize(std::uint64_t bytes) {
  if (error_number_ != 0) return;
  note(::ftruncate(descriptor_, static_cast<off_t>(bytes)) == 0);
  size_ = bytes;
}

void PartFile::require_written() const {
  if (error_number_ != 0) throw cannot_write(path_, error_number_);
}

void PartFile::send_to_node() {
  Descriptor node(path_, O_WRONLY);
  if (!node) throw cannot_write(path_, errno);
  std::string block;
  for (std::uint64_t at = 0; at < size_; at += block.size()) {
    block.resize(
        static_cast<std::size_t>(std::min<std::uint64_t>(size_ - at, std::uint64_t{1} << 20)));
    read(at, block);
    require_written();
    if (!write_all(node.value(), block)) throw cannot_write(path_, errno);
  }
  if (!node.close()) throw cannot_write(path_, errno);
}

void PartFile::publish() {
  require_written();
  if (file_.empty()) {
    send_to_node();
    return;
  }
  // EINVAL and ENOTSUP: this file system has nothing to sync.
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP)
    throw cannot_write(path_, errno);
  // Network file systems report a full disk only here.
  if (::close(std::exchange(descriptor_, -1)) != 0) throw cannot_write(path_, errno);
  if (::rename(part_path(file_).c_str(), file_.c_str()) != 0) throw cannot_write(path_, errno);
  file_.clear();  // nothing is left to remove
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  PartFile file(path);
  file.write(0, content);
  file.publish();
}

std::string read_file(const std::filesystem::path& path) {
  const auto cannot_read = [&](int error_number) {
    return OutputError(fmt::format("cannot read {}: {}; check the path and its permissions",
                                   path.string(), std::strerror(error_number)));
  };
  Descriptor descriptor(path, O_RDONLY);
  if (!descriptor) throw cannot_read(errno);
  std::string content;
  std::string block(std::size_t{1} << 16, '\0');
  for (;;) {
    const ssize_t count = ::read(descriptor.value(), block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw cannot_read(errno);
    if (count == 0) return content;
    content.append(block, 0, static_cast<std::size_t>(count));
  }
}

void require_length(const std::filesystem::path& path, std::uint64_t bytes) {
  std::error_code error;
  if (const auto there = std::filesystem::file_size(path, error); error || there < bytes)
    throw InputError(
        fmt::format("cannot resume: {} is missing, or shorter than it was; restore it, or start "
                    "again with --force",
                    path.string()));
}

void require_writable(const std::filesystem::path& directory) {
  std::filesystem::path there = std::filesystem::absolute(directory);
  std::error_code error;
  while (!std::filesystem::exists(there, error) && there.has_relative_path())
    there = there.parent_path();
  if (!std::filesystem::is_directory(there, error)) throw cannot_write(directory, ENOTDIR);
  if (::access(there.c_str(), W_OK | X_OK) != 0) throw cannot_write(directory, errno);
}

bool remove_file(const std::filesystem::path& path) {
  std::error_code error;
  const bool there = std::filesystem::remove(path, error);
  if (error) throw cannot_write(path, error.value());
  return there;
}

void remove_if_empty(const std::filesystem::path& directory) {
  std::error_code not_empty;
  if (std::filesystem::is_directory(std::filesystem::symlink_status(directory, not_empty)))
    std::filesystem::remove(directory, not_empty);
}

void make_directories(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw cannot_write(path, error.value());
}

}  // namespace scree
