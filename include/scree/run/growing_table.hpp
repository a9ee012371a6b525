/// A table (CSV) that grows row by row.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "scree/io/checksum.hpp"

namespace scree {

/// Removes the picture of a table that an earlier analysis left, for it shows another one by now.
/// Throws OutputError.
void remove_picture(const std::filesystem::path& table);
/// Removes such a table, and its picture; nothing if there is none. Throws OutputError.
void remove_table(const std::filesystem::path& path);

/// A table's name, and its first line: the columns, with commas between.
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

  /// Brings the file up to date. The first time a file that is there is replaced; while there are
  /// no rows, there is none. Throws OutputError.
  void write(const std::filesystem::path& directory);

  /// How far the file is, and its checksum; call it after write().
  nlohmann::json mark() const;
  /// Throws InputError if the file is not what it was when mark() was called, up to there.
  static void require(const std::filesystem::path& path, const nlohmann::json& mark);
  /// Goes on with a table that is there: what came after the mark is cut off. Throws as require()
  /// does.
  void restore(const std::filesystem::path& directory, const nlohmann::json& mark);

 private:
  std::string file_;     ///< name inside the directory
  std::string pending_;  ///< not written yet; the header with it at first
  bool empty_ = true;
  std::uint64_t written_ = 0;  ///< [byte]
  Checksum checksum_;          ///< of what is written
};

}  // namespace scree
