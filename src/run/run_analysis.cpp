#include "scree/run/run_analysis.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <tuple>

#include "scree/analysis/heap.hpp"
#include "scree/analysis/images.hpp"
#include "scree/analysis/mixing.hpp"
#include "scree/io/files.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/run/surroundings.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// Cells of a velocity profile; more would fill memory, and hold no body each.
constexpr std::size_t kMostCells = 10'000'000;
constexpr std::size_t kMostFieldCells = 1'000'000;  // of 200 bytes each

constexpr const char* kMixingHeader =
    "time,step,bodies,cells,variance,variance_segregated,variance_mixed,mixing_index\n";
constexpr const char* kHeapHeader =
    "time,step,angle,error,height,inner_radius,outer_radius,axis_u,axis_v\n";

Region region_of(const RunAnalysisRequest& request, const FramesExtent& extent) {
  if (!request.region) {
    const Region box = bounding_region(extent.corners);
    // A single layer has a thickness of one rounding.
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
        "--region has no volume; it is xmin,ymin,zmin,xmax,ymax,zmax in metres, each max larger "
        "than its min");
  return region;
}

std::optional<Plane> plane_of(const RunAnalysisRequest& request) {
  if (!request.plane) return {};
  const auto& [point, normal] = *request.plane;
  if (!is_finite(point) || !is_finite(normal) || !(norm(normal) > 0))
    throw InputError(
        "--plane is no plane; it is px,py,pz,nx,ny,nz: a point in metres and a normal that is not "
        "zero");
  return Plane{point, normal / norm(normal)};
}

/// Without a region of its own, as far as the kernel spreads bodies: nothing is cut off.
FieldSettings fields_of(const RunAnalysisRequest& request, const FramesExtent& extent) {
  FieldSettings fields;
  fields.width = request.fields->width.value_or(extent.mean_diameter / 2);
  if (!(fields.width > 0) || !std::isfinite(fields.width))
    throw InputError("--width is no width of a kernel; give one above 0, in metres");
  fields.grid = {request.region ? *request.region : bounding_region(extent.surfaces),
                 request.fields->cells};
  const double reach = CoarseFields::kKernelReach * fields.width;
  for (int axis = 0; !request.region && axis < 3; ++axis) {
    if (extent.period[axis] > 0) continue;
    fields.grid.region.min[axis] -= reach;
    fields.grid.region.max[axis] += reach;
  }
  if (fields.grid.size() > kMostFieldCells)
    throw InputError(fmt::format("--fields asks for more than {} cells; take fewer along some axis",
                                 kMostFieldCells));
  return fields;
}

AnalysisSettings settings_of(const RunAnalysisRequest& request, const RunManifest& manifest,
                             const FramesExtent& extent) {
  if (extent.mean_diameter == 0)
    throw InputError("there is no body in these frames; take others with --frames");
  const Surroundings surroundings = surroundings_of(manifest);
  AnalysisSettings settings;
  settings.title = manifest.text("/scene/name");
  settings.region = region_of(request, extent);
  settings.bed_region = request.region ? settings.region : bounding_region(extent.surfaces);
  settings.up = upward(surroundings.gravity);
  settings.bins = request.bins;
  settings.least_contacts = request.least_contacts;
  settings.cells = request.cells;
  if (Grid{settings.region, settings.cells}.size() > kMostCells)
    throw InputError(
        fmt::format("--cells asks for more than {} cells; take fewer along some axis", kMostCells));
  settings.mean_diameter = extent.mean_diameter;
  const Vec3 e = settings.region.extent();
  const double side = std::min({e.x, e.y, e.z});
  settings.r_max =
      request.r_max.value_or(std::min(side, kDiametersOfPairs * settings.mean_diameter));
  if (!(settings.r_max > 0 && settings.r_max <= side))
    throw InputError(fmt::format(
        "--r-max is to be more than 0 and no more than the smallest side of the region, {} m",
        side));
  settings.plane = plane_of(request);
  settings.ends = surroundings.ends;
  settings.force_chains = request.force_chains;
  if (request.fields) settings.fields = fields_of(request, extent);
  return settings;
}

/// Tables of a run that missed its tolerance may look as sound as those of one that met it.
void warn_of_missed_run(const RunManifest& manifest, const Warn& warn) {
  if (!manifest.has("/exit_status") || manifest.whole_number("/exit_status") != kToleranceMissed)
    return;
  std::string verdict = manifest.text("/verdict");  // a line for each thing that was asked
  std::replace(verdict.begin(), verdict.end(), '\n', ' ');
  warn(fmt::format("the run did not meet what was asked of it: {}", verdict));
}

/// Throws where a table would be written somewhere else than it seems. A directory that --out names
/// may be a link itself.
void require_no_links(const fs::path& out, bool out_may_be_one) {
  std::error_code ignored;
  const auto require = [](const fs::path& path, bool link) {
    if (link)
      throw InputError(fmt::format(
          "{} is a symbolic link, and an analysis writes through none: remove it, or choose "
          "another directory with --out",
          path.string()));
  };
  if (!out_may_be_one) require(out, fs::is_symlink(fs::symlink_status(out, ignored)));
  for (const auto& entry : fs::directory_iterator(out, ignored))
    require(entry.path(), entry.is_symlink());
}

Json as_json(const Vec3& v) { return {v.x, v.y, v.z}; }

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

/// What is made of all frames beside the tables.
struct Beside {
  Curve passed;        ///< mass through the plane [kg]
  std::string mixing;  ///< rows of mixing.csv; none of one material alone
  std::string heap;    ///< rows of heap.csv; none where there is no flank
};

void add_mixing(const GrainsFrame& grains, const AnalysisSettings& settings, std::string& rows) {
  const Grid grid{settings.region, settings.cells};
  const auto mixing =
      grains.domain.repeats()
          ? mixing_of(images_in(settings.region, grains.bodies, grains.domain), grid)
          : mixing_of(grains.bodies, grid);
  if (mixing)
    rows += fmt::format("{},{},{},{},{},{},{},{}\n", grains.time, grains.step, mixing->bodies,
                        mixing->cells, mixing->variance, mixing->segregated, mixing->mixed,
                        mixing->index());
}

void add_heap(const GrainsFrame& grains, const AnalysisSettings& settings, std::string& rows) {
  const auto heap = heap_of(grains.bodies, settings.bed_region, *settings.up);
  if (heap)
    rows += fmt::format("{},{},{},{},{},{},{},{},{}\n", grains.time, grains.step, heap->angle,
                        heap->error, heap->height, heap->inner, heap->outer, heap->u, heap->v);
}

/// Adds all frames to the tables, and to what is beside them; how many bodies were in the region,
/// counted in each.
std::size_t add_frames(const RunFrames& frames, bool heap, AnalysisTables& tables, Beside& beside) {
  std::size_t bodies = 0;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const RunFrame frame = frames.read(k);
    // What was there before the first step touched nothing yet.
    tables.add(frame.grains,
               frame.contacts && frame.grains.step > 0 ? &frame.contacts->contacts : nullptr);
    bodies += tables.last().bodies;
    if (tables.discharge())
      beside.passed.push_back({frame.grains.time, tables.discharge()->total().mass});
    add_mixing(frame.grains, tables.settings(), beside.mixing);
    if (heap) add_heap(frame.grains, tables.settings(), beside.heap);
  }
  return bodies;
}

/// Null if there is none.
Json plateau_json(const std::optional<Plateau>& plateau) {
  if (!plateau) return {};
  return {{"mass_rate", plateau->rate},
          {"error", plateau->error},
          {"scatter", plateau->scatter},
          {"begin", plateau->begin},
          {"end", plateau->end},
          {"intervals", plateau->intervals},
          {"correlated", plateau->correlated}};
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
  if (request.heap && !upward(surroundings_of(manifest).gravity))
    throw InputError("--heap needs gravity: without it there is no up");
  if (frames.size() == 0)
    throw InputError(fmt::format("{} has no frame that could be used", run.string()));
  RunAnalysis analysis{
      run, out, {settings_of(request, manifest, frames.extent()), out}, frames.complaints(), {},
      {},  {}};
  FrameSeries(out, "force_chains").remove();
  Beside beside;
  if (add_frames(frames, request.heap, analysis.tables, beside) == 0)
    warn("no body has its centre in the region, in any of the frames");
  analysis.plateau = plateau_of(beside.passed);
  analysis.files = analysis.tables.write();
  for (const auto& [file, header, rows] : {std::tuple("mixing.csv", kMixingHeader, &beside.mixing),
                                           std::tuple("heap.csv", kHeapHeader, &beside.heap)}) {
    if (rows->empty()) {
      remove_table(out / file);
      continue;
    }
    write_file(out / file, header + *rows);
    analysis.files.emplace_back(file);
  }
  if (request.heap && beside.heap.empty())
    warn("no heap was found: nothing in these frames has a flank on all of its sides");
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
  if (const auto& discharge = analysis.tables.discharge()) {
    const Passage& total = discharge->total();
    json["discharge"] = {
        {"forward", total.forward},          {"backward", total.backward},
        {"unknown", total.unknown},          {"mass", total.mass},
        {"duration", discharge->duration()}, {"plateau", plateau_json(analysis.plateau)}};
  }
  return json;
}

}  // namespace scree
