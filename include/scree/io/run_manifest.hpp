/// Manifest of an existing run; errors name the missing or wrong entry.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scree/io/json_text.hpp"

namespace scree {

class RunManifest {
 public:
  /// Throws InputError if the directory does not hold a run of scree, or the manifest is damaged or
  /// of another version; OutputError if it cannot be read.
  explicit RunManifest(const std::filesystem::path& run_directory);

  const Json& json() const { return json_; }
  bool has(const std::string& pointer) const { return json_.contains(Json::json_pointer(pointer)); }

  /// Value at a JSON pointer such as /scene/name. Throws InputError if it is missing or has another
  /// type.
  std::string text(const std::string& pointer) const;
  bool truth(const std::string& pointer) const;
  double number(const std::string& pointer) const;
  int whole_number(const std::string& pointer) const;
  const Json& list(const std::string& pointer) const;
  const Json& object(const std::string& pointer) const;

  /// State of the run: done, failed or interrupted; running, if a program is writing to it; or
  /// killed.
  std::string status() const;
  /// Objections if the final files of a run, DONE or FAILED and verdict.json, contradict the
  /// manifest or are missing. Empty for a run that has not ended.
  std::vector<std::string> objections() const;

 private:
  const Json& at(const std::string& pointer) const;
  const Json& require(bool good, const std::string& pointer, const char* needed) const;

  std::filesystem::path directory_;
  Json json_;
};

}  // namespace scree
