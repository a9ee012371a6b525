#include "scree/io/files.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace scree {
namespace {

/// A file descriptor that is closed when it goes out of scope.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags) : value_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  explicit operator bool() const { return value_ >= 0; }
  int value() const { return value_; }
  /// Network file systems tell of a full disk as late as this.
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
      return "a file stands where a directory is needed: move it away, or choose another directory";
    case EIO:
      return "the disk reports a fault: write to another one";
    default:
      return "check the path, or write to another directory";
  }
}

/// Where a chain of symbolic links ends, whether a file is there or not.
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

/// A pipe or a device: it takes what is written, and nothing may stand in its place.
bool is_a_node(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

/// Removes what is left of a file that could not be completed, and says why it could not.
OutputError give_up(const std::filesystem::path& path, int error_number) {
  std::error_code ignored;
  std::filesystem::remove(part_path(path), ignored);
  return cannot_write(path, error_number);
}

/// Syncs the part, which is complete and closed, and gives it its name; removes it if that fails.
void publish_part(const std::filesystem::path& path) {
  const auto part = part_path(path);
  Descriptor descriptor(part, O_RDONLY);
  if (!descriptor) throw give_up(path, errno);
  // EINVAL and ENOTSUP: this file system has nothing to sync.
  if (::fsync(descriptor.value()) != 0 && errno != EINVAL && errno != ENOTSUP) throw give_up(path, errno);
  if (!descriptor.close()) throw give_up(path, errno);
  if (::rename(part.c_str(), path.c_str()) != 0) throw give_up(path, errno);
}

}  // namespace

OutputError cannot_write(const std::filesystem::path& path, std::string_view reason, std::string_view what_to_do) {
  return OutputError(fmt::format("cannot write {}: {}; {}", path.string(), reason, what_to_do));
}

OutputError cannot_write(const std::filesystem::path& path, int error_number) {
  return cannot_write(path, std::strerror(error_number), advice(error_number));
}

std::filesystem::path part_path(const std::filesystem::path& path) { return path.string() + ".part"; }

std::filesystem::path written_beside(const std::filesystem::path& path) {
  return is_a_node(path) ? std::filesystem::path() : part_path(end_of_links(path));
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  if (is_a_node(path)) {
    Descriptor node(path, O_WRONLY);
    if (!node || !write_all(node.value(), content) || !node.close()) throw cannot_write(path, errno);
    return;
  }
  const auto file = end_of_links(path);
  Descriptor descriptor(part_path(file), O_WRONLY | O_CREAT | O_TRUNC);
  if (!descriptor) throw cannot_write(path, errno);
  if (!write_all(descriptor.value(), content) || !descriptor.close()) throw give_up(file, errno);
  publish_part(file);
}

std::string read_file(const std::filesystem::path& path) {
  const auto cannot_read = [&](int error_number) {
    return OutputError(fmt::format("cannot read {}: {}; check the path and its permissions", path.string(),
                                   std::strerror(error_number)));
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
    throw InputError(fmt::format(
        "cannot go on: {} is missing, or shorter than it was; put it back, or begin anew with --force", path.string()));
}

void make_directories(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw cannot_write(path, error.value());
}

}  // namespace scree
