/// A CSV file of numbers that a key of a scene names.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scene/build.hpp"

namespace scree::scene {

/// Reads the file and tells of trouble by its line; of many bad rows it tells the first.
class NumberTable {
 public:
  using Cells = std::vector<std::string_view>;

  /// `key` has the name of the file, which becomes an input of the scene.
  NumberTable(Build& build, const Node& key);

  /// Calls header(line, cells) for the first line, and ends there if that complains; then row(line,
  /// cells) for each other one that has as many cells. Complains of a file without rows, which has
  /// no `things`.
  void read(const std::string& things, const std::function<void(int, const Cells&)>& header,
            const std::function<void(int, const Cells&)>& row);
  void complain(int line, std::string message);
  bool failed() const { return failed_; }

  /// The number in a cell; complains of what is none, or larger.
  std::optional<double> number(int line, std::string_view column, std::string_view cell,
                               double largest);
  /// Whether a time comes after that of the row before; complains if not [s].
  bool is_later(int line, double t, double before);

 private:
  Build& build_;
  const Node& key_;
  std::filesystem::path file_;
  int bad_rows_ = 0;
  bool failed_ = false;
};

}  // namespace scree::scene
