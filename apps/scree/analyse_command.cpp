/// scree analyse: what the frames of a run say of its packing, as tables and pictures.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

#include "commands.hpp"
#include "pictures.hpp"
#include "say.hpp"
#include "scree/io/files.hpp"
#include "scree/io/frames.hpp"
#include "scree/io/json_text.hpp"
#include "scree/io/run_manifest.hpp"
#include "scree/run/analysis_tables.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/run/run_frames.hpp"
#include "scree/run/surroundings.hpp"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

/// Cells of a velocity profile; more would fill memory, and hold no body each.
constexpr std::size_t kMostCells = 10'000'000;

Region region_of(const AnalyseOptions& options, const FramesExtent& extent) {
  const std::vector<double>& r = options.region;
  if (r.empty()) {
    const Region box = bounding_region(extent.corners);
    // A single layer has a thickness of one rounding.
    const Vec3 e = box.extent();
    if (!(std::min({e.x, e.y, e.z}) > 1e-9 * std::max({e.x, e.y, e.z})))
      throw InputError(
          "the centres of the bodies span no volume; give one, in metres: --region "
          "xmin,ymin,zmin,xmax,ymax,zmax");
    return box;
  }
  const Region region{{r[0], r[1], r[2]}, {r[3], r[4], r[5]}};
  if (!is_finite(region.min) || !is_finite(region.max) || !(region.volume() > 0))
    throw InputError(
        "--region has no volume; it is xmin,ymin,zmin,xmax,ymax,zmax in metres, each max larger "
        "than its min");
  return region;
}

std::optional<Plane> plane_of(const AnalyseOptions& options) {
  const std::vector<double>& p = options.plane;
  if (p.empty()) return {};
  const Vec3 point{p[0], p[1], p[2]}, normal{p[3], p[4], p[5]};
  if (!is_finite(point) || !is_finite(normal) || !(norm(normal) > 0))
    throw InputError(
        "--plane is no plane; it is px,py,pz,nx,ny,nz: a point in metres and a normal that is not "
        "zero");
  return Plane{point, normal / norm(normal)};
}

AnalysisSettings settings_of(const AnalyseOptions& options, const RunManifest& manifest,
                             const FramesExtent& extent) {
  if (extent.mean_diameter == 0)
    throw InputError("there is no body in these frames; take others with --frames");
  const Surroundings surroundings = surroundings_of(manifest);
  AnalysisSettings settings;
  settings.title = manifest.text("/scene/name");
  settings.region = region_of(options, extent);
  settings.bed_region = options.region.empty() ? bounding_region(extent.surfaces) : settings.region;
  settings.up = upward(surroundings.gravity);
  settings.bins = options.bins;
  settings.least_contacts = options.least_contacts;
  std::copy(options.cells.begin(), options.cells.end(), settings.cells.begin());
  if (Grid{settings.region, settings.cells}.size() > kMostCells)
    throw InputError(
        fmt::format("--cells asks for more than {} cells; take fewer along some axis", kMostCells));
  settings.mean_diameter = extent.mean_diameter;
  const Vec3 e = settings.region.extent();
  const double side = std::min({e.x, e.y, e.z});
  settings.r_max =
      options.r_max.value_or(std::min(side, kDiametersOfPairs * settings.mean_diameter));
  if (!(settings.r_max > 0 && settings.r_max <= side))
    throw InputError(fmt::format(
        "--r-max is to be more than 0 and no more than the smallest side of the region, {} m",
        side));
  settings.plane = plane_of(options);
  settings.ends = surroundings.ends;
  settings.force_chains = options.force_chains;
  return settings;
}

/// Throws InputError if there is anything to complain of, unless --even-so was given: then warns.
void refuse_or_warn(const Complaints& complaints, const AnalyseOptions& options) {
  if (complaints.count() == 0) return;
  if (!options.even_so)
    throw InputError(
        fmt::format("what {} holds is not to be trusted:\n  {}\n--even-so analyses the rest, and "
                    "says what it left out",
                    options.run.string(), fmt::join(complaints.first(10), "\n  ")));
  for (const std::string& complaint : complaints.first(10)) say(stderr, "warning: {}\n", complaint);
}

/// Tables of a run that missed its tolerance may look as sound as those of one that met it.
void warn_of_missed_run(const RunManifest& manifest) {
  if (!manifest.has("/exit_status") || manifest.whole_number("/exit_status") != kToleranceMissed)
    return;
  const std::string verdict = manifest.text("/verdict");
  say(stderr, "warning: the run did not meet what was asked of it: {}\n",
      verdict.substr(0, verdict.find('\n')));
}

/// Draws the tables; the names of the pictures.
std::vector<std::string> draw(const fs::path& directory) {
  std::vector<std::string> pictures;
  draw_analysis(directory, [&](bool warning, const std::string& line) {
    if (warning) say(stderr, "warning: {}\n", line);
    if (!warning && line.starts_with("drew "))
      pictures.push_back(fs::path(line.substr(5)).filename());
  });
  return pictures;
}

Json as_json(const Vec3& v) { return {v.x, v.y, v.z}; }

struct Files {
  fs::path directory;
  std::vector<std::string> tables, pictures;
};

void print_json(const AnalyseOptions& options, const AnalysisTables& tables, const Files& files,
                const Complaints& complaints) {
  const FrameFigures& last = tables.last();
  const Region& region = tables.settings().region;
  Json json{{"status", "done"},
            {"exit_status", kDone},
            {"run", options.run.string()},
            {"directory", files.directory.string()},
            {"frames", tables.frames()},
            {"region", {{"min", as_json(region.min)}, {"max", as_json(region.max)}}},
            {"files", files.tables},
            {"pictures", files.pictures},
            {"complaints", complaints.first(100)},
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
  if (const auto& discharge = tables.discharge()) {
    const Passage& total = discharge->total();
    json["discharge"] = {{"forward", total.forward},
                         {"backward", total.backward},
                         {"unknown", total.unknown},
                         {"mass", total.mass},
                         {"duration", discharge->duration()}};
  }
  std::fputs(as_text(json).c_str(), stdout);
}

void print_contacts(const FrameFigures& last, std::size_t least_contacts) {
  if (!last.contacts) {
    say(stdout, "  no contacts were solved or written for this frame\n");
    return;
  }
  const ContactStatistics& c = *last.contacts;
  say(stdout, "  coordination number  {:.3f}", c.coordination_number);
  if (c.rattlers < c.bodies)
    say(stdout, "; {:.3f} without {} rattlers\n", c.coordination_number_backbone, c.rattlers);
  else
    say(stdout, "; no backbone of bodies with {} contacts (see --least-contacts)\n",
        least_contacts);
  say(stdout, "  pressure             {:.4g} Pa\n", last.pressure);
}

void print_discharge(const Discharge& discharge) {
  const Passage& total = discharge.total();
  if (!(discharge.duration() > 0)) {
    say(stdout, "  discharge            not known from one frame\n");
    return;
  }
  const double net = static_cast<double>(total.forward) - static_cast<double>(total.backward);
  say(stdout, "  discharge            {:.4g} bodies/s, {:.4g} kg/s over {:.4g} s",
      net / discharge.duration(), total.mass / discharge.duration(), discharge.duration());
  if (total.unknown > 0)
    say(stdout, "; of {} more it is not known whether they passed", total.unknown);
  say(stdout, "\n");
}

void print_words(const AnalyseOptions& options, const AnalysisTables& tables, const Files& files) {
  const FrameFigures& last = tables.last();
  const Region& region = tables.settings().region;
  say(stdout,
      "{}, {} frame{}, in the region from ({:.4g}, {:.4g}, {:.4g}) to ({:.4g}, {:.4g}, {:.4g}) m; "
      "at t = {:.6g} s:\n",
      options.run.string(), tables.frames(), tables.frames() == 1 ? "" : "s", region.min.x,
      region.min.y, region.min.z, region.max.x, region.max.y, region.max.z, last.time);
  say(stdout, "  solid fraction       {:.4f}, {} bodies\n", last.solid_fraction, last.bodies);
  if (last.bed)
    say(stdout,
        "  bed                  {:.4f} solid; {:.4g} m high in the mean, {:.4g} m at most\n",
        last.bed->solid_fraction, last.bed->mean_height, last.bed->max_height);
  print_contacts(last, options.least_contacts);
  if (tables.discharge()) print_discharge(*tables.discharge());
  say(stdout, "Tables are in {}{}: {}\n", files.directory.string(),
      files.pictures.empty() ? "" : ", with a picture (.png) of each",
      fmt::join(files.tables, " "));
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

}  // namespace

int analyse_run(const AnalyseOptions& options) {
  const RunManifest manifest(options.run);
  const fs::path out = options.out.empty() ? options.run / "analysis" : options.out;
  require_no_links(out, !options.out.empty());
  require_writable(out);
  RunFrames frames(options.run, manifest, options.frames, options.even_so);
  const auto energies = frames.energies();
  refuse_or_warn(frames.complaints(), options);
  warn_of_missed_run(manifest);
  if (frames.size() == 0)
    throw InputError(fmt::format("{} has no frame that could be used", options.run.string()));
  AnalysisTables tables(settings_of(options, manifest, frames.extent()), out);
  FrameSeries(out, "force_chains").remove();
  std::size_t bodies = 0;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const RunFrame frame = frames.read(k);
    // What was there before the first step touched nothing yet.
    tables.add(frame.grains,
               frame.contacts && frame.grains.step > 0 ? &frame.contacts->contacts : nullptr);
    bodies += tables.last().bodies;
  }
  if (bodies == 0)
    say(stderr, "warning: no body has its centre in the region, in any of the frames\n");
  Files files{out, tables.write(), {}};
  if (!energies.empty()) {
    write_file(out / "energy.csv", energy_table(energies));
    files.tables.push_back("energy.csv");
  } else {
    say(stderr, "warning: no energy.csv: statistics.csv is not the table that a run writes\n");
  }
  for (const fs::path table : files.tables)
    if (table.extension() == ".csv") remove_picture(out / table);
  if (options.pictures) files.pictures = draw(out);
  if (options.json)
    print_json(options, tables, files, frames.complaints());
  else
    print_words(options, tables, files);
  return kDone;
}

}  // namespace scree::cli
