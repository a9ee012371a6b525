/// The manifest of a run that is there, read so that whatever it lacks is told with its place.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scree/io/json_text.hpp"

namespace scree {

class RunManifest {
 public:
  /// Throws InputError if the directory holds no run of scree, or the manifest is damaged or of
  /// another version; OutputError if it cannot be read.
  explicit RunManifest(const std::filesystem::path& run_directory);

  const Json& json() const { return json_; }
  bool has(const std::string& place) const { return json_.contains(Json::json_pointer(place)); }

  /// What stands at a place such as /scene/name. Throws InputError if nothing does, or something of
  /// another type.
  std::string text(const std::string& place) const;
  bool truth(const std::string& place) const;
  double number(const std::string& place) const;
  int whole_number(const std::string& place) const;
  const Json& list(const std::string& place) const;
  const Json& object(const std::string& place) const;

  /// What became of the run: done, failed or interrupted; running, if a program writes to it just
  /// now; or killed.
  std::string status() const;
  /// Where files that a run leaves at its end, DONE or FAILED and verdict.json, say otherwise than
  /// the manifest, or are gone. Empty of a run that has not ended.
  std::vector<std::string> objections() const;

 private:
  const Json& at(const std::string& place) const;
  const Json& require(bool good, const std::string& place, const char* needed) const;

  std::filesystem::path directory_;
  Json json_;
};

}  // namespace scree
