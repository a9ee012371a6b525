/// A table (CSV) that grows row by row.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "scree/io/checksum.hpp"

namespace scree {

/// Removes the picture that an earlier analysis made of a table: it is out of date. Throws
/// OutputError.
void remove_picture(const std::filesystem::path& table);
/// Removes a table and its picture, if they exist. Throws OutputError.
void remove_table(const std::filesystem::path& path);

/// Name of a table, and its first line: the columns, separated by commas.
struct TableHeader {
  std::string file, columns;
};

class GrowingTable {
 public:
  explicit GrowingTable(TableHeader header)
      : file_(std::move(header.file)), pending_(std::move(header.columns) + "\n") {}

  void add(const std::string& row) {
    pending_ += row + "\n";
    empty_ = false;
  }
  bool empty() const { return empty_; }
  const std::string& file() const { return file_; }

  /// Appends the pending rows to the file. The first call replaces an older file; without rows it
  /// writes no file. Throws OutputError.
  void write(const std::filesystem::path& directory);

  /// Length and checksum of the file; call it after write().
  nlohmann::json mark() const;
  /// Throws InputError if the file was changed before the end that mark() noted.
  static void require(const std::filesystem::path& path, const nlohmann::json& mark);
  /// Continues an existing table: rows after the mark are cut off. Throws as require() does.
  void restore(const std::filesystem::path& directory, const nlohmann::json& mark);

 private:
  std::string file_;     ///< name inside the directory
  std::string pending_;  ///< not yet written; begins with the header
  bool empty_ = true;
  std::uint64_t written_ = 0;  ///< [byte]
  Checksum checksum_;          ///< of the bytes written
};

}  // namespace scree
