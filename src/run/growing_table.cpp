/// CSV tables that grow during a run, with marks for checkpoints.
#include "scree/run/growing_table.hpp"

#include <cerrno>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

#include "scree/io/files.hpp"

namespace scree {

namespace fs = std::filesystem;

void remove_picture(const fs::path& table) {
  remove_file(fs::path(table).replace_extension(".png"));
}

void remove_table(const fs::path& path) {
  remove_file(path);
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
  checksum_.add(pending_);
  pending_.clear();
}

nlohmann::json GrowingTable::mark() const {
  return {{"bytes", written_}, {"checksum", checksum_.value()}};
}

void GrowingTable::require(const fs::path& path, const nlohmann::json& mark) {
  if (mark.at("bytes") > 0) require_content(path, mark.at("bytes"), mark.at("checksum"));
}

void GrowingTable::restore(const fs::path& directory, const nlohmann::json& mark) {
  const fs::path path = directory / file_;
  const std::uint64_t bytes = mark.at("bytes");
  if (bytes == 0) {
    remove_table(path);
    return;
  }
  checksum_ = require_content(path, bytes, mark.at("checksum"));
  std::error_code error;
  fs::resize_file(path, bytes, error);
  if (error) throw cannot_write(path, error.value());
  written_ = bytes;
  empty_ = false;
  pending_.clear();
}

}  // namespace scree
