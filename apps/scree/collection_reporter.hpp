/// Output of scree solve for several problems or solvers, while it solves them.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "commands.hpp"
#include "scree/run/problem_collection.hpp"

namespace scree::cli {

/// Prints a row for each result, and a summary; or one JSON object. A signal (catch_interrupts)
/// stops the collection.
class CollectionReporter : public CollectionObserver {
 public:
  CollectionReporter(const std::vector<ProblemPlace>& problems, const SolveCommandOptions& options,
                     std::filesystem::path out);

  void begin() override;
  void warn(const std::string& message) override;
  void result(const Json& result) override;
  bool stop_requested() override;
  void end(const CollectionResult& result) override;

  /// Prints the directory of the files, and draws performance_profile.png into it.
  void report_files(const CollectionResult& result) const;

 private:
  void print(const std::string& text) const;
  std::string aligned(const ResultCells& cells) const;

  bool json_, pictures_;
  std::filesystem::path out_;  ///< empty: nothing is written
  std::array<std::size_t, std::tuple_size_v<ResultCells>> width_;
};

}  // namespace scree::cli
