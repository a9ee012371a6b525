#include "growing_table.hpp"

#include <cerrno>
#include <fmt/format.h>
#include <fstream>

#include "scree/io/files.hpp"

namespace scree::cli {

namespace fs = std::filesystem;

void remove_picture(const fs::path& table) {
  const fs::path picture = fs::path(table).replace_extension(".png");
  std::error_code error;
  fs::remove(picture, error);
  if (error) throw cannot_write(picture, error.value());
}

void remove_table(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) throw cannot_write(path, error.value());
  remove_picture(path);
}

void GrowingTable::write(const fs::path& directory) {
  const fs::path path = directory / file_;
  if (empty_) remove_table(path);
  if (empty_ || pending_.empty()) return;
  if (written_ == 0) {
    write_file(path, pending_);
  } else {
    errno = 0;
    std::ofstream file(path, std::ios::app | std::ios::binary);
    if (!(file << pending_ << std::flush)) throw cannot_write(path, errno);
  }
  written_ += pending_.size();
  pending_.clear();
}

void GrowingTable::restore(const fs::path& directory, std::uint64_t mark) {
  const fs::path path = directory / file_;
  std::error_code error;
  if (mark == 0) {
    remove_table(path);
    return;
  }
  require_length(path, mark);
  fs::resize_file(path, mark, error);
  if (error) throw cannot_write(path, error.value());
  written_ = mark;
  empty_ = false;
  pending_.clear();
}

}  // namespace scree::cli
