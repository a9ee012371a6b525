/// Writes manifest.json at the start and at the end of a run.
#include "io/manifest.hpp"

#include <ctime>
#include <map>

#include "io/run_files.hpp"
#include "scree/io/build_info.hpp"
#include "scree/io/json_text.hpp"
#include "scree/io/sha256.hpp"

namespace scree {
namespace {

Json build() {
  const BuildInfo info = build_info();
  Json libraries = Json::object();
  for (const auto& [name, version] : info.libraries) libraries[name] = version;
  return {{"compiler", info.compiler},
          {"flags", info.flags},
          {"build_type", info.build_type},
          {"baseline", info.baseline},
          {"libraries", libraries}};
}

Json machine() {
  const MachineInfo info = machine_info();
  return {{"cpu", info.cpu},
          {"instruction_set", info.instruction_set},
          {"cores", info.cores},
          {"system", info.system}};
}

Json pictures(const std::vector<PictureRequest>& requests) {
  Json all = Json::array();
  for (const PictureRequest& request : requests) {
    Json options = Json::parse(request.options_json, nullptr, false);
    if (!options.is_object()) options = Json::object();
    all.push_back({{"kind", request.kind}, {"file", request.file}, {"options", options}});
  }
  return all;
}

/// Infinite coordinates become null, since JSON has no infinity.
Json boxes(const std::vector<NamedBox>& boxes) {
  Json all = Json::array();
  for (const NamedBox& box : boxes)
    all.push_back({{"name", box.name}, {"min", as_json(box.min)}, {"max", as_json(box.max)}});
  return all;
}

Json input_files(const std::vector<std::filesystem::path>& files) {
  Json all = Json::array();
  for (const auto& file : files)
    all.push_back({{"file", std::filesystem::absolute(file).lexically_normal().string()},
                   {"sha256", sha256_of_file(file)}});
  return all;
}

Json described(const RunInputs& inputs, const std::string& started) {
  const BuildInfo info = build_info();
  return {{"program", "scree"},
          {"manifest_version", kManifestVersion},
          {"version", info.version},
          {"commit", info.commit},
          {"modified", info.modified},
          {"scene",
           {{"name", inputs.scene_name},
            {"file", std::filesystem::absolute(inputs.scene_file).lexically_normal().string()},
            {"sha256", sha256(inputs.scene_source)},
            {"resolved_sha256", sha256(inputs.scene_resolved)},
            {"overrides", inputs.overrides}}},
          {"input_files", input_files(inputs.input_files)},
          {"seeds", inputs.seeds},
          {"command_line", inputs.command_line},
          {"ranks", inputs.ranks},
          {"threads", inputs.threads},
          {"tolerance", inputs.tolerance},
          {"machine", machine()},
          {"build", build()},
          {"gravity", as_json(inputs.gravity)},
          {"materials", inputs.materials},
          {"inflows", boxes(inputs.inflows)},
          {"outflows", boxes(inputs.outflows)},
          {"pictures", pictures(inputs.pictures)},
          {"analyses", inputs.analyses},
          {"started", started},
          {"resumed_at_step", inputs.resumed_at_step}};
}

}  // namespace

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::optional<std::string> begun_at(const std::filesystem::path& run_directory) {
  const nlohmann::json manifest = own_manifest(run_directory);
  if (!manifest.is_object() || !manifest.contains("started") || !manifest["started"].is_string())
    return {};
  return manifest["started"].get<std::string>();
}

std::string manifest_at_start(const RunInputs& inputs, const std::string& started) {
  Json json = described(inputs, started);
  json["status"] = "running";
  return as_text(json);
}

std::string manifest_at_end(const RunInputs& inputs, const std::string& started,
                            const RunOutcome& outcome, const std::filesystem::path& run_directory) {
  Json json = described(inputs, started);
  json["ended"] = utc_now();
  json["status"] = name(outcome.status);
  json["exit_status"] = outcome.exit_status;
  json["verdict"] = outcome.verdict;
  Json checksums = Json::object();
  for (const auto& file : files_of_run(run_directory)) {
    const std::string text = file.string();
    if (text != kManifestFile && text != "log.txt" && text != "log.jsonl" &&
        !text.starts_with("restart/")) {
      checksums[text] = sha256_of_file(run_directory / file);
    }
  }
  json["outputs"] = checksums;
  return as_text(json);
}

}  // namespace scree
