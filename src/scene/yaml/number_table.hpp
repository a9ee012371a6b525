/// CSV file of numbers that a key of a scene names.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scene/build.hpp"

namespace scree::scene {

/// Reads the file and reports bad rows by line, up to kMaxBadRows of them.
class NumberTable {
 public:
  using Cells = std::vector<std::string_view>;

  /// `key` holds the name of the file, which becomes an input of the scene.
  NumberTable(Build& build, const Node& key);

  /// Calls header(line, cells) for the first line and stops if that complains; then row(line,
  /// cells) for each further line with as many cells. Complains of a file without rows: it has no
  /// `things`.
  void read(const std::string& things, const std::function<void(int, const Cells&)>& header,
            const std::function<void(int, const Cells&)>& row);
  void complain(int line, std::string message);
  bool failed() const { return failed_; }

  /// Number in a cell; complains if it is not a number or is larger than `largest`.
  std::optional<double> number(int line, std::string_view column, std::string_view cell,
                               double largest);
  /// True if a time is later than that of the row before [s]; complains if not.
  bool is_later(int line, double t, double before);

 private:
  Build& build_;
  const Node& key_;
  std::filesystem::path file_;
  int bad_rows_ = 0;
  bool failed_ = false;
};

}  // namespace scree::scene
