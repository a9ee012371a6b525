/// Output of studies: comparisons with printed values, and curves.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

#include "scree/io/json_text.hpp"

namespace scree::studies {

/// A printed number, and ours.
struct Comparison {
  std::string quantity;
  std::string printed;  ///< with its printed digits, such as "0.3248"
  double ours;
  std::string note;  ///< reason for a difference

  double difference() const { return ours - std::stod(printed); }
  /// True if ours, rounded to the printed digits, equals the printed value.
  bool agrees() const;
};

class Report {
 public:
  explicit Report(std::filesystem::path directory) : directory_(std::move(directory)) {}

  void compare(std::string quantity, std::string printed, double ours, std::string note = {}) {
    rows_.push_back({std::move(quantity), std::move(printed), ours, std::move(note)});
  }
  Json& results() { return results_; }
  const std::filesystem::path& directory() const { return directory_; }

  /// Writes table.md and results.json, the table included. Throws OutputError.
  void write();

 private:
  std::filesystem::path directory_;
  std::vector<Comparison> rows_;
  Json results_;
};

/// A table of numbers, one row per line.
class Csv {
 public:
  explicit Csv(std::string_view header) : text_(header) { text_ += '\n'; }
  void row(std::initializer_list<double> values);
  void write(const Report& report, std::string_view name) const;

 private:
  std::string text_;
};

}  // namespace scree::studies
