/// scree analyse: what the frames of a run say of its packing, as tables and pictures.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <optional>

#include "analysis_tables.hpp"
#include "commands.hpp"
#include "exit_status.hpp"
#include "pictures.hpp"
#include "scree/analysis/run_summary.hpp"
#include "scree/io/files.hpp"
#include "scree/io/frames.hpp"
#include "scree/io/json_text.hpp"
#include "scree/io/run_directory.hpp"
#include "scree/io/statistics.hpp"
#include "surroundings.hpp"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

/// Cells of a velocity profile; more would fill memory, and hold no body each.
constexpr std::size_t kMostCells = 10'000'000;

/// Files of one time.
struct FrameFiles {
  fs::path grains;
  std::optional<fs::path> contacts;  ///< the scene may do without them
};

/// The files that a series lists; none if there is no series.
std::vector<fs::path> files_of(const fs::path& series) {
  std::vector<fs::path> files;
  if (!fs::exists(series)) return files;
  const Json json = Json::parse(read_file(series), nullptr, false);
  if (!json.is_object() || !json.contains("files"))
    throw InputError(fmt::format("{} is no series of frames, or damaged", series.string()));
  for (const Json& file : json["files"]) files.push_back(series.parent_path() / file.at("name").get<std::string>());
  return files;
}

std::vector<FrameFiles> last_frames(const AnalyseOptions& options) {
  if (directory_content(options.run) != DirectoryContent::run)
    throw InputError(fmt::format("{} holds no run of scree (there is no manifest.json of one)", options.run.string()));
  const auto grains = files_of(options.run / "grains.hdf.series"),
             contacts = files_of(options.run / "contacts.hdf.series");
  if (grains.empty()) throw InputError(fmt::format("{} has no frames yet", options.run.string()));
  std::vector<FrameFiles> frames;
  const std::size_t count = options.frames == 0 ? grains.size() : std::min(options.frames, grains.size());
  for (std::size_t k = grains.size() - count; k < grains.size(); ++k)
    frames.push_back({grains[k], k < contacts.size() ? std::optional(contacts[k]) : std::nullopt});
  return frames;
}

/// What has to be known of all frames before the first is analysed.
struct Extent {
  std::vector<Vec3> corners;   ///< of the boxes that hold each frame's centres
  std::vector<Vec3> surfaces;  ///< lowest and highest coordinates of each frame's spheres
  double mean_diameter = 0;    ///< in the first frame that has bodies [m]; 0 if none has
};

Extent extent_of(const std::vector<FrameFiles>& frames) {
  Extent extent;
  for (const FrameFiles& files : frames) {
    const Bodies bodies = read_grains(files.grains).bodies;
    std::vector<Vec3> surfaces;
    if (extent.mean_diameter == 0) extent.mean_diameter = mean_diameter_of(bodies.radius);
    const Region box = bounding_region(bodies.position);
    if (box == Region{}) continue;
    extent.corners.insert(extent.corners.end(), {box.min, box.max});
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Vec3 r{bodies.radius[i], bodies.radius[i], bodies.radius[i]};
      surfaces.insert(surfaces.end(), {bodies.position[i] - r, bodies.position[i] + r});
    }
    const Region reach = bounding_region(surfaces);
    extent.surfaces.insert(extent.surfaces.end(), {reach.min, reach.max});
  }
  return extent;
}

Region region_of(const AnalyseOptions& options, const Extent& extent) {
  const std::vector<double>& r = options.region;
  if (r.empty()) {
    const Region box = bounding_region(extent.corners);
    // A single layer has a thickness of one rounding.
    const Vec3 e = box.extent();
    if (!(std::min({e.x, e.y, e.z}) > 1e-9 * std::max({e.x, e.y, e.z})))
      throw InputError(
          "the centres of the bodies span no volume; give one, in metres: --region xmin,ymin,zmin,xmax,ymax,zmax");
    return box;
  }
  const Region region{{r[0], r[1], r[2]}, {r[3], r[4], r[5]}};
  if (!is_finite(region.min) || !is_finite(region.max) || !(region.volume() > 0))
    throw InputError(
        "--region has no volume; it is xmin,ymin,zmin,xmax,ymax,zmax in metres, each max larger than its min");
  return region;
}

std::optional<Plane> plane_of(const AnalyseOptions& options) {
  const std::vector<double>& p = options.plane;
  if (p.empty()) return {};
  const Vec3 point{p[0], p[1], p[2]}, normal{p[3], p[4], p[5]};
  if (!is_finite(point) || !is_finite(normal) || !(norm(normal) > 0))
    throw InputError("--plane is no plane; it is px,py,pz,nx,ny,nz: a point in metres and a normal that is not zero");
  return Plane{point, normal / norm(normal)};
}

AnalysisSettings settings_of(const AnalyseOptions& options, const Json& manifest, const Extent& extent) {
  if (extent.mean_diameter == 0) throw InputError("there is no body in these frames; take others with --frames");
  const Surroundings surroundings = surroundings_of(manifest);
  AnalysisSettings settings;
  settings.title = manifest.at("scene").at("name");
  settings.region = region_of(options, extent);
  settings.bed_region = options.region.empty() ? bounding_region(extent.surfaces) : settings.region;
  settings.up = upward(surroundings.gravity);
  settings.bins = options.bins;
  settings.least_contacts = options.least_contacts;
  std::copy(options.cells.begin(), options.cells.end(), settings.cells.begin());
  if (Grid{settings.region, settings.cells}.size() > kMostCells)
    throw InputError(fmt::format("--cells asks for more than {} cells; take fewer along some axis", kMostCells));
  settings.mean_diameter = extent.mean_diameter;
  const Vec3 e = settings.region.extent();
  const double side = std::min({e.x, e.y, e.z});
  settings.r_max = options.r_max.value_or(std::min(side, kDiametersOfPairs * settings.mean_diameter));
  if (!(settings.r_max > 0 && settings.r_max <= side))
    throw InputError(
        fmt::format("--r-max is to be more than 0 and no more than the smallest side of the region, {} m", side));
  settings.plane = plane_of(options);
  settings.ends = surroundings.ends;
  settings.force_chains = options.force_chains;
  return settings;
}

/// What became of energy since the first row of the statistics.
std::string energy_table(const std::vector<Report>& rows) {
  std::string text = "time,step,kinetic,potential_change,dissipated,wall_work,unaccounted\n";
  for (const Report& row : rows) {
    const EnergyBudget budget = energy_budget(rows.front(), row);
    text += fmt::format("{},{},{},{},{},{},{}\n", row.time, row.step, row.kinetic_energy,
                        row.potential_energy - rows.front().potential_energy, budget.dissipated, budget.wall_work,
                        budget.unaccounted);
  }
  return text;
}

/// Draws the tables; the names of the pictures.
std::vector<std::string> draw(const fs::path& directory) {
  std::vector<std::string> pictures;
  draw_analysis(directory, [&](bool warning, const std::string& line) {
    if (warning) std::fprintf(stderr, "warning: %s\n", line.c_str());
    if (!warning && line.starts_with("drew ")) pictures.push_back(fs::path(line.substr(5)).filename());
  });
  return pictures;
}

Json as_json(const Vec3& v) { return {v.x, v.y, v.z}; }

struct Files {
  fs::path directory;
  std::vector<std::string> tables, pictures;
};

void print_json(const AnalyseOptions& options, const AnalysisTables& tables, const Files& files) {
  const FrameFigures& last = tables.last();
  const Region& region = tables.settings().region;
  Json json{
      {"status", "done"},
      {"exit_status", kDone},
      {"run", options.run.string()},
      {"directory", files.directory.string()},
      {"frames", tables.frames()},
      {"region", {{"min", as_json(region.min)}, {"max", as_json(region.max)}}},
      {"files", files.tables},
      {"pictures", files.pictures},
      {"last",
       {{"time", last.time}, {"step", last.step}, {"bodies", last.bodies}, {"solid_fraction", last.solid_fraction}}}};
  if (last.bed)
    json["last"]["bed"] = {{"solid_fraction", last.bed->solid_fraction},
                           {"mean_height", last.bed->mean_height},
                           {"max_height", last.bed->max_height}};
  if (last.contacts)
    json["last"].update(Json{{"coordination_number", last.contacts->coordination_number},
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
    std::printf("  no contacts were solved or written for this frame\n");
    return;
  }
  const ContactStatistics& c = *last.contacts;
  std::printf("  coordination number  %.3f", c.coordination_number);
  if (c.rattlers < c.bodies)
    std::printf("; %.3f without %zu rattlers\n", c.coordination_number_backbone, c.rattlers);
  else
    std::printf("; no backbone of bodies with %zu contacts (see --least-contacts)\n", least_contacts);
  std::printf("  pressure             %.4g Pa\n", last.pressure);
}

void print_discharge(const Discharge& discharge) {
  const Passage& total = discharge.total();
  if (!(discharge.duration() > 0)) {
    std::printf("  discharge            not known from one frame\n");
    return;
  }
  const double net = static_cast<double>(total.forward) - static_cast<double>(total.backward);
  std::printf("  discharge            %.4g bodies/s, %.4g kg/s over %.4g s", net / discharge.duration(),
              total.mass / discharge.duration(), discharge.duration());
  if (total.unknown > 0)
    std::printf("; of %llu more it is not known whether they passed", static_cast<unsigned long long>(total.unknown));
  std::printf("\n");
}

void print_words(const AnalyseOptions& options, const AnalysisTables& tables, const Files& files) {
  const FrameFigures& last = tables.last();
  const Region& region = tables.settings().region;
  std::printf("%s, %zu frame%s, in the region from (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g) m; at t = %.6g s:\n",
              options.run.c_str(), tables.frames(), tables.frames() == 1 ? "" : "s", region.min.x, region.min.y,
              region.min.z, region.max.x, region.max.y, region.max.z, last.time);
  std::printf("  solid fraction       %.4f, %zu bodies\n", last.solid_fraction, last.bodies);
  if (last.bed)
    std::printf("  bed                  %.4f solid; %.4g m high in the mean, %.4g m at most\n",
                last.bed->solid_fraction, last.bed->mean_height, last.bed->max_height);
  print_contacts(last, options.least_contacts);
  if (tables.discharge()) print_discharge(*tables.discharge());
  std::printf("Tables are in %s%s:", files.directory.c_str(),
              files.pictures.empty() ? "" : ", with a picture (.png) of each");
  for (const std::string& file : files.tables) std::printf(" %s", file.c_str());
  std::printf("\n");
}

}  // namespace

int analyse_run(const AnalyseOptions& options) {
  const auto frames = last_frames(options);
  const Json manifest = Json::parse(read_file(options.run / "manifest.json"));
  const fs::path out = options.out.empty() ? options.run / "analysis" : options.out;
  AnalysisTables tables(settings_of(options, manifest, extent_of(frames)), out);
  FrameSeries(out, "force_chains").remove();
  std::size_t bodies = 0;
  for (const FrameFiles& files : frames) {
    const GrainsFrame grains = read_grains(files.grains);
    std::optional<ContactsFrame> contacts;
    if (files.contacts) contacts = read_contacts(*files.contacts);
    if (contacts && contacts->step != grains.step)
      throw InputError(fmt::format("{} and {} are of different steps, {} and {}", files.grains.string(),
                                   files.contacts->string(), grains.step, contacts->step));
    // What was there before the first step touched nothing yet.
    tables.add(grains, contacts && grains.step > 0 ? &contacts->contacts : nullptr);
    bodies += tables.last().bodies;
  }
  if (bodies == 0) std::fprintf(stderr, "warning: no body has its centre in the region, in any of the frames\n");
  const auto energies = read_energies(options.run / "statistics.csv");
  Files files{out, tables.write(), {}};
  if (!energies.empty()) {
    write_file(out / "energy.csv", energy_table(energies));
    files.tables.push_back("energy.csv");
  } else {
    std::fprintf(stderr, "warning: no energy.csv: statistics.csv is not the table that a run writes\n");
  }
  for (const fs::path table : files.tables)
    if (table.extension() == ".csv") remove_picture(out / table);
  if (options.pictures) files.pictures = draw(out);
  (options.json ? print_json : print_words)(options, tables, files);
  return kDone;
}

}  // namespace scree::cli
