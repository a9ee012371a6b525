/// Analyses the frames of a run, for `scree analyse`.
#include "scree/run/run_analysis.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "scree/io/files.hpp"
#include "scree/io/json_text.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/run/round_walls.hpp"
#include "scree/run/surroundings.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// Largest number of cells of a velocity profile; more would fill memory, mostly without bodies.
constexpr std::size_t kMaxCells = 10'000'000;
constexpr std::size_t kMaxFieldCells = 1'000'000;  // of 200 bytes each

Region region_of(const RunAnalysisRequest& request, const FramesExtent& extent) {
  if (!request.region) {
    const Region box = bounding_region(extent.corners);
    // A single layer has a thickness of the size of rounding.
    const Vec3 e = box.extent();
    if (!(std::min({e.x, e.y, e.z}) > 1e-9 * std::max({e.x, e.y, e.z})))
      throw InputError(
          "the centres of the bodies span no volume; give one, in metres: --region "
          "xmin,ymin,zmin,xmax,ymax,zmax");
    return box;
  }
  const Region& region = *request.region;
  if (!is_finite(region.min) || !is_finite(region.max) || !(region.volume() > 0))
    throw InputError(
        "--region has no volume; give xmin,ymin,zmin,xmax,ymax,zmax in metres, each max larger "
        "than its min");
  return region;
}

std::optional<Plane> plane_of(const RunAnalysisRequest& request) {
  if (!request.plane) return {};
  const auto& [point, normal] = *request.plane;
  if (!is_finite(point) || !is_finite(normal) || !(norm(normal) > 0))
    throw InputError(
        "--plane is not a plane; give px,py,pz,nx,ny,nz: a point in metres and a normal that is "
        "not zero");
  return Plane{point, normal / norm(normal)};
}

/// Grid of the fields; without a given region it covers the reach of the kernel, so that nothing is
/// cut off.
FieldSettings fields_of(const RunAnalysisRequest& request, const FramesExtent& extent) {
  FieldSettings fields;
  fields.width = request.fields->width.value_or(extent.mean_diameter / 2);
  if (!(fields.width > 0) || !std::isfinite(fields.width))
    throw InputError("--width is not the width of a kernel; give a width > 0, in metres");
  fields.grid = {request.region ? *request.region : bounding_region(extent.surfaces),
                 request.fields->cells};
  const double reach = CoarseFields::kKernelReach * fields.width;
  for (int axis = 0; !request.region && axis < 3; ++axis) {
    if (extent.period[axis] > 0) continue;
    fields.grid.region.min[axis] -= reach;
    fields.grid.region.max[axis] += reach;
  }
  if (fields.grid.size() > kMaxFieldCells)
    throw InputError(
        fmt::format("--fields has more than {} cells; take fewer along an axis", kMaxFieldCells));
  return fields;
}

AnalysisSettings settings_of(const RunAnalysisRequest& request, const RunManifest& manifest,
                             const FramesExtent& extent) {
  if (extent.mean_diameter == 0)
    throw InputError("these frames contain no body; choose others with --frames");
  const Surroundings surroundings = surroundings_of(manifest);
  AnalysisSettings settings;
  settings.title = manifest.text("/scene/name");
  settings.region = region_of(request, extent);
  settings.bed_region = request.region ? settings.region : bounding_region(extent.surfaces);
  settings.up = upward(surroundings.gravity);
  settings.bins = request.bins;
  settings.min_contacts = request.min_contacts;
  settings.cells = request.cells;
  if (Grid{settings.region, settings.cells}.size() > kMaxCells)
    throw InputError(
        fmt::format("--cells has more than {} cells; take fewer along an axis", kMaxCells));
  settings.mean_diameter = extent.mean_diameter;
  const Vec3 e = settings.region.extent();
  const double side = std::min({e.x, e.y, e.z});
  settings.r_max =
      request.r_max.value_or(std::min(side, kDiametersOfPairs * settings.mean_diameter));
  if (!(settings.r_max > 0 && settings.r_max <= side))
    throw InputError(
        fmt::format("--r-max must be > 0 and at most the smallest side of the region, {} m", side));
  settings.plane = plane_of(request);
  settings.ends = surroundings.ends;
  settings.heap = request.heap;
  settings.drum = request.drum;
  settings.residence = request.residence;
  settings.force_chains = request.force_chains;
  if (request.fields) settings.fields = fields_of(request, extent);
  return settings;
}

/// Warns if the run missed its verdict, which its tables do not show.
void warn_of_missed_run(const RunManifest& manifest, const Warn& warn) {
  if (!manifest.has("/exit_status") || manifest.whole_number("/exit_status") != kToleranceMissed)
    return;
  std::string verdict = manifest.text("/verdict");  // one line for each requirement
  std::replace(verdict.begin(), verdict.end(), '\n', ' ');
  warn(fmt::format("the run missed its verdict: {}", verdict));
}

/// Throws if a table would be written through a link. The directory in --out may itself be a link.
void require_no_links(const fs::path& out, bool out_may_be_one) {
  std::error_code ignored;
  const auto require = [](const fs::path& path, bool link) {
    if (link)
      throw InputError(
          fmt::format("{} is a symbolic link, and an analysis does not write through links: remove "
                      "it, or choose another directory with --out",
                      path.string()));
  };
  if (!out_may_be_one) require(out, fs::is_symlink(fs::symlink_status(out, ignored)));
  for (const auto& entry : fs::directory_iterator(out, ignored))
    require(entry.path(), entry.is_symlink());
}

FrameChoice choice_of(const RunAnalysisRequest& request) {
  FrameChoice choice;
  choice.count = request.frames;
  choice.from = request.from.value_or(choice.from);
  choice.to = request.to.value_or(choice.to);
  if (!(choice.from <= choice.to))
    throw InputError(fmt::format("--from, {} s, is later than --to, {} s: no frame is between them",
                                 choice.from, choice.to));
  return choice;
}

/// Adds all frames to the tables; gives the number of bodies in the region, summed over frames.
std::size_t add_frames(const RunFrames& frames, AnalysisTables& tables) {
  std::size_t bodies = 0;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const RunFrame frame = frames.read(k);
    // Before the first step there are no contacts.
    tables.add(frame.grains,
               frame.contacts && frame.grains.step > 0 ? &frame.contacts->contacts : nullptr);
    bodies += tables.last().bodies;
  }
  return bodies;
}

/// Throws if heap or drum needs gravity and there is none, or if the axis of the drum is along
/// gravity.
void require_up(const RunAnalysisRequest& request, const Vec3& gravity) {
  const auto up = upward(gravity);
  if (!up && (request.heap || request.drum))
    throw InputError(fmt::format("{} needs gravity to define the upward direction",
                                 request.heap ? "--heap" : "--drum"));
  if (up && request.drum == up->axis)
    throw InputError(
        fmt::format("--drum {}: gravity is along {}, but the axis of a drum must be perpendicular "
                    "to gravity; give the axis of the drum",
                    "xyz"[up->axis], "xyz"[up->axis]));
}

/// Reason why no heap was found; `height` is that of the bodies [mean diameters].
std::string why_no_heap(double height) {
  if (height == 0) return "no body is in the region";
  if (height < kMinHeapHeight)
    return fmt::format(
        "the bodies in the last frame reach {:.2g} mean diameters above the floor of the region, "
        "but a flank needs at least {:g}: pour more bodies, or smaller ones",
        height, kMinHeapHeight);
  return "no heap in these frames has a flank on all sides";
}

/// Warns of each requested measure without a result.
void warn_of_nothing(const AnalysisTables& tables, const Warn& warn) {
  const AnalysisSettings& settings = tables.settings();
  const Measures& measures = tables.measures();
  if (settings.heap && !measures.heap())
    warn("no heap was found: " + why_no_heap(measures.height_without_heap()));
  if (settings.drum && measures.drum().count == 0)
    warn("no surface was found in the drum: it needs at least five columns of one mean diameter");
  if (settings.residence && measures.stays()->stays == 0)
    warn("no body entered the region and left it again in these frames");
}

}  // namespace

RunAnalysis analyse_run(const fs::path& run, const RunAnalysisRequest& request, const Warn& warn) {
  const RunManifest manifest(run);
  const fs::path out = request.out.empty() ? run / "analysis" : request.out;
  require_no_links(out, !request.out.empty());
  require_writable(out);
  RunFrames frames(run, manifest, choice_of(request), request.even_so);
  const auto energies = frames.energies();
  require_sound(frames.complaints(), run, request.even_so, warn);
  warn_of_missed_run(manifest, warn);
  require_up(request, surroundings_of(manifest).gravity);
  if (frames.size() == 0) throw InputError(fmt::format("{} has no usable frame", run.string()));
  AnalysisSettings settings = settings_of(request, manifest, frames.extent());
  settings.corners_beyond = corners_beyond(settings.region, round_walls_of(run));
  if (!settings.corners_beyond.empty()) warn(describe_corners(settings.corners_beyond));
  RunAnalysis analysis{run, out, {settings, out}, frames.complaints(), {}, {}};
  FrameSeries(out, "force_chains").remove();
  if (add_frames(frames, analysis.tables) == 0)
    warn("no body has its centre in the region in any frame");
  warn_of_nothing(analysis.tables, warn);
  analysis.files = analysis.tables.write();
  if (!energies.empty()) {
    write_file(out / "energy.csv", energy_table(energies));
    analysis.files.push_back("energy.csv");
  } else {
    warn("no energy.csv: statistics.csv is not the table that a run writes");
  }
  for (const fs::path table : analysis.files)
    if (table.extension() == ".csv") remove_picture(out / table);
  return analysis;
}

Json analysis_json(const RunAnalysis& analysis) {
  const FrameFigures& last = analysis.tables.last();
  const Region& region = analysis.tables.settings().region;
  Json json{{"status", "done"},
            {"exit_status", kDone},
            {"run", analysis.run.string()},
            {"directory", analysis.directory.string()},
            {"frames", analysis.tables.frames()},
            {"region", {{"min", as_json(region.min)}, {"max", as_json(region.max)}}},
            {"files", analysis.files},
            {"pictures", analysis.pictures},
            {"complaints", analysis.complaints.first(100)},
            {"last",
             {{"time", last.time},
              {"step", last.step},
              {"bodies", last.bodies},
              {"solid_fraction", last.solid_fraction}}}};
  if (last.bed)
    json["last"]["bed"] = {{"solid_fraction", last.bed->solid_fraction},
                           {"mean_height", last.bed->mean_height},
                           {"max_height", last.bed->max_height}};
  if (last.contacts)
    json["last"].update(
        Json{{"coordination_number", last.contacts->coordination_number},
             {"coordination_number_backbone", last.contacts->coordination_number_backbone},
             {"rattlers", last.contacts->rattlers},
             {"pressure", last.pressure}});
  if (const auto& fields = analysis.tables.fields())
    json["fields"] = {{"width", fields->width()},
                      {"mass", fields->totals().mass},
                      {"mass_centred", fields->totals().mass_centred}};
  json.update(analysis.tables.measures().figures());
  return json;
}

}  // namespace scree
