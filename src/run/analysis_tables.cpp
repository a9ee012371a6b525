/// Tables of an analysis: adds frames, writes and restores the files.
#include "scree/run/analysis_tables.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "run/field_files.hpp"
#include "run/table_cells.hpp"
#include "scree/analysis/images.hpp"
#include "scree/analysis/pair_contacts.hpp"
#include "scree/analysis/solid_fraction.hpp"
#include "scree/core/error.hpp"
#include "scree/io/files.hpp"
#include "scree/io/json_text.hpp"
#include "scree/sim/run_summary.hpp"

namespace scree {
namespace {

/// Largest force in the distribution, over the mean force: an exponential tail is empty there.
constexpr double kLargestForce = 10;

/// Tables over all frames together.
constexpr const char *kProfileTable = "velocity_profile.csv", *kPairTable = "rdf.csv",
                     *kForceTable = "force_distribution.csv", *kFieldTable = "fields.csv",
                     *kFieldImage = "fields.vti", *kDescription = "analysis.json";

/// Sums are rewritten when the number of new frames reaches the number of written ones divided by
/// this.
constexpr std::size_t kFramesPerSum = 16;

const TableHeader& table(const std::string& file) {
  return *std::ranges::find(analysis_tables(), file, &TableHeader::file);
}

std::string profile_table(const VelocityProfile& profile) {
  std::string text = table(kProfileTable).columns + "\n";
  const auto cells = profile.cells();
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const ProfileCell& cell = cells[k];
    text += fmt::format("{},{},{},{},{},{},{}\n", comma_separated(profile.grid().centre(k)),
                        cell.bodies, comma_separated(cell.velocity), cell.speed,
                        comma_separated(cell.angular_velocity), cell.angular_speed,
                        cell.solid_fraction);
  }
  return text;
}

std::string pair_table(const PairDistribution& pairs) {
  std::string text = table(kPairTable).columns + "\n";
  for (const auto& shell : pairs.shells())
    text += fmt::format("{},{},{},{},{}\n", shell.inner, shell.outer, shell.g, shell.neighbours,
                        shell.pairs);
  return text;
}

std::string force_table(const ForceDistribution& forces) {
  std::string text = table(kForceTable).columns + "\n";
  for (const auto& bin : forces.bins())
    text += fmt::format("{},{},{},{}\n", bin.lower, bin.upper, bin.density, bin.count);
  return text;
}

Json as_json(const Region& region) {
  return {{"min", as_json(region.min)}, {"max", as_json(region.max)}};
}

/// Tables of packings and flows; Measures has its own.
std::vector<TableHeader> packing_tables() {
  return {{"solid_fraction.csv", "time,step,bodies,solid_fraction"},
          {"bed.csv", "time,step,solid_fraction,mean_height,max_height,volume"},
          {"coordination.csv",
           "time,step,bodies,contacts_loaded,contacts_sliding,coordination_number,"
           "coordination_number_loaded,coordination_number_backbone,rattlers"},
          {"stress.csv",
           "time,step,pressure,xx,xy,xz,yx,yy,yz,zx,zy,zz,fabric_xx,fabric_yy,fabric_zz,fabric_xy,"
           "fabric_xz,fabric_yz,contacts"},
          {"force_chains.csv",
           "time,step,contacts,mean_normal_force,max_normal_force,strong_contacts,strong_share,"
           "strong_pressure_share"},
          {"velocity_profile.csv",
           "x,y,z,bodies,velocity_x,velocity_y,velocity_z,speed,angular_velocity_x,"
           "angular_velocity_y,angular_velocity_z,angular_speed,solid_fraction"},
          {"rdf.csv", "r_inner,r_outer,g,neighbours,pairs"},
          {"force_distribution.csv", "lower,upper,density,contacts"}};
}

std::vector<TableHeader> all_tables() {
  std::vector<TableHeader> tables = packing_tables();
  std::ranges::copy(Measures::tables(), std::back_inserter(tables));
  return tables;
}

}  // namespace

std::span<const TableHeader> analysis_tables() {
  static const std::vector<TableHeader> all = all_tables();
  return all;
}

std::filesystem::path analysis_directory(const std::filesystem::path& run,
                                         const std::string& name) {
  return run / "analysis" / name;
}

double mean_diameter_of(std::span<const double> radius) {
  if (radius.empty()) return 0;
  double excess = 0;
  for (const double r : radius) excess += r - radius.front();
  return 2 * (radius.front() + excess / static_cast<double>(radius.size()));
}

AnalysisTables::AnalysisTables(const AnalysisSettings& settings, std::filesystem::path directory)
    : settings_(settings),
      directory_(std::move(directory)),
      profile_({settings.region, settings.cells}),
      pairs_(settings.region, settings.r_max, settings.bins),
      forces_(kLargestForce, settings.bins),
      measures_(settings),
      solid_fraction_(table("solid_fraction.csv")),
      bed_(table("bed.csv")),
      coordination_(table("coordination.csv")),
      stress_(table("stress.csv")),
      force_chains_(table("force_chains.csv")),
      chain_frames_(directory_, "force_chains") {
  if (settings.fields) fields_.emplace(settings.fields->grid, settings.fields->width);
}

void AnalysisTables::add(const GrainsFrame& grains, const std::vector<ContactRecord>* contacts) {
  const Domain& domain = grains.domain;
  const Bodies images =
      domain.repeats() ? images_in(settings_.region, grains.bodies, domain) : Bodies{};
  const Bodies& bodies = domain.repeats() ? images : grains.bodies;
  if (frames() == 0) first_time_ = grains.time;
  last_ = {grains.time, grains.step};
  const std::string when = fmt::format("{},{}", last_.time, last_.step);
  for (const Vec3& position : bodies.position)
    last_.bodies += settings_.region.contains(position) ? 1 : 0;
  last_.solid_fraction = solid_fraction(bodies, grains.prototypes, settings_.region);
  solid_fraction_.add(fmt::format("{},{},{}", when, last_.bodies, last_.solid_fraction));
  profile_.add(bodies, grains.prototypes);
  pairs_.add(grains.bodies.position, domain);
  if (settings_.up) add_bed(grains, contacts, when);
  measures_.add(grains, settings_);
  if (fields_) fields_->add(grains.bodies, domain);
  if (contacts) add_contacts(grains, bodies, *contacts, when);
}

void AnalysisTables::add_bed(const GrainsFrame& grains, const std::vector<ContactRecord>* contacts,
                             const std::string& when) {
  const auto columns = columns_of(settings_.bed_region, *settings_.up, settings_.mean_diameter);
  const Bodies images = images_in(settings_.bed_region, grains.bodies, grains.domain);
  const auto known = contacts ? std::span(*contacts) : std::span<const ContactRecord>();
  last_.bed =
      bed_of(images, grains.prototypes, settings_.bed_region, *settings_.up, columns, known);
  const Bed& b = *last_.bed;
  bed_.add(
      fmt::format("{},{},{},{},{}", when, b.solid_fraction, b.mean_height, b.max_height, b.volume));
}

void AnalysisTables::add_contacts(const GrainsFrame& grains, const Bodies& images,
                                  const std::vector<ContactRecord>& contacts,
                                  const std::string& when) {
  std::vector<BodyId> inside;
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (settings_.region.contains(images.position[i])) inside.push_back(images.id[i]);
  }
  // A region longer than the cell contains some bodies twice.
  inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
  const bool one_point_each = is_one_per_pair(contacts);
  const std::vector<ContactRecord> sums =
      one_point_each ? std::vector<ContactRecord>() : one_per_pair(contacts);
  const std::span<const ContactRecord> pairs = one_point_each ? contacts : sums;
  last_.contacts = contact_statistics(pairs, inside, settings_.min_contacts);
  const ContactStatistics& c = *last_.contacts;
  coordination_.add(fmt::format("{},{},{},{},{},{},{},{}", when, c.bodies, c.loaded, c.sliding,
                                c.coordination_number, c.coordination_number_loaded,
                                c.coordination_number_backbone, c.rattlers));

  // All steps have one size, from t = 0.
  const double h = grains.time / static_cast<double>(grains.step);
  const ContactStress s =
      contact_stress(grains.bodies, contacts, h, settings_.region, grains.domain);
  last_.pressure = s.pressure();
  if (fields_) fields_->add_contacts(grains.bodies, contacts, h, grains.domain);
  const ContactStress of_pairs =
      one_point_each ? s : contact_stress(grains.bodies, pairs, h, settings_.region, grains.domain);
  const SymMat3& f = of_pairs.fabric;
  stress_.add(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}", when, s.pressure(),
                          comma_separated(s.stress[0]), comma_separated(s.stress[1]),
                          comma_separated(s.stress[2]), f.xx, f.yy, f.zz, f.xy, f.xz, f.yz,
                          of_pairs.contacts));
  forces_.add(grains.bodies, pairs, settings_.region, grains.domain);

  const ForceNetwork network =
      force_network(grains.bodies, pairs, h, settings_.region, grains.domain);
  const auto lines = static_cast<double>(network.lines.size());
  force_chains_.add(fmt::format("{},{},{},{},{},{},{}", when, network.lines.size(),
                                network.mean_normal_force, network.max_normal_force, network.strong,
                                ratio(static_cast<double>(network.strong), lines),
                                network.pressure_share));
  if (settings_.force_chains) write_force_chains(grains, network);
}

void AnalysisTables::write_force_chains(const GrainsFrame& grains, const ForceNetwork& network) {
  LinesFrame frame{grains.time,
                   grains.step,
                   {},
                   {{"normal_force", {}}, {"tangential_force", {}}, {"strong", {}}}};
  for (const ForceLine& line : network.lines) {
    frame.ends.push_back(line.from);
    frame.ends.push_back(line.to);
    frame.values[0].second.push_back(line.normal_force);
    frame.values[1].second.push_back(line.tangential_force);
    frame.values[2].second.push_back(line.strong ? 1 : 0);
  }
  make_directories(directory_ / "frames");
  const std::uint64_t checksum = write_lines(chain_frames_.next_path(), "force_chains", frame);
  chain_frames_.append(grains.time, checksum);
}

Json AnalysisTables::description() const {
  Json json{{"title", settings_.title}, {"region", as_json(settings_.region)},
            {"cells", settings_.cells}, {"mean_diameter", settings_.mean_diameter},
            {"frames", frames()},       {"first_time", first_time_},
            {"last_time", last_.time}};
  if (settings_.up) {
    const auto& up = *settings_.up;
    json["up"] = fmt::format("{}{}", up.sign > 0 ? "+" : "-", "xyz"[up.axis]);
    json["bed_region"] = as_json(settings_.bed_region);
  }
  if (fields_)
    json["fields"] = {{"region", as_json(fields_->grid().region)},
                      {"cells", fields_->grid().cells},
                      {"width", fields_->width()}};
  if (settings_.plane)
    json["plane"] = {{"point", as_json(settings_.plane->point)},
                     {"normal", as_json(settings_.plane->normal)}};
  if (!settings_.corners_beyond.empty()) json["corners_beyond"] = settings_.corners_beyond;
  json.update(measures_.figures());
  return json;
}

Json AnalysisTables::keys() const {
  Json json = description();
  json.update(measures_.keys());
  return json;
}

std::vector<std::string> AnalysisTables::write() {
  std::vector<std::string> files = write_rows();
  const std::vector<std::string> sums = write_sums();
  files.insert(files.end(), sums.begin(), sums.end());
  return files;
}

void AnalysisTables::write_on_the_way() {
  write_rows();
  if (kFramesPerSum * (frames() - frames_in_sums_) >= frames()) write_sums();
}

std::vector<std::string> AnalysisTables::write_rows() {
  make_directories(directory_);
  std::vector<std::string> files;
  for_each_table(*this, [&](GrowingTable& table) {
    table.write(directory_);
    if (!table.empty()) files.push_back(table.file());
  });
  return files;
}

std::vector<std::string> AnalysisTables::write_sums() {
  std::vector<std::string> files;
  const auto put = [&](const std::string& name, const std::string& text) {
    write_file(directory_ / name, text);
    files.push_back(name);
  };
  put(kProfileTable, profile_table(profile_));
  put(kPairTable, pair_table(pairs_));
  if (fields_) {
    put(kFieldTable, field_table(*fields_));
    put(kFieldImage, field_image(*fields_));
  } else {
    remove_table(directory_ / kFieldTable);
    remove_file(directory_ / kFieldImage);
  }
  if (stress_.empty())
    remove_table(directory_ / kForceTable);
  else
    put(kForceTable, force_table(forces_));
  chain_frames_.list_all();
  if (chain_frames_.size() > 0) files.push_back("force_chains.hdf.series");
  put(kDescription, as_text(description()));
  frames_in_sums_ = frames();
  return files;
}

void AnalysisTables::remove_sums() const {
  for (const char* file : {kProfileTable, kPairTable, kFieldTable, kForceTable})
    remove_table(directory_ / file);
  for (const char* file : {kFieldImage, kDescription}) remove_file(directory_ / file);
}

nlohmann::json AnalysisTables::mark() const {
  nlohmann::json mark{{"profile", profile_.tally()},
                      {"pairs", pairs_.tally()},
                      {"forces", forces_.tally()},
                      {"first_time", first_time_},
                      {"last_time", last_.time},
                      {"last_step", last_.step},
                      {"force_chain_frames", chain_frames_.mark()}};
  for_each_table(*this,
                 [&](const GrowingTable& table) { mark["tables"][table.file()] = table.mark(); });
  mark["measures"] = measures_.mark();
  if (fields_) mark["fields"] = fields_->tally();
  return mark;
}

void AnalysisTables::require_files(const std::filesystem::path& directory,
                                   const nlohmann::json& mark) {
  FrameSeries(directory, "force_chains").require(mark.at("force_chain_frames"));
  for (const auto& [file, table] : mark.at("tables").items())
    GrowingTable::require(directory / file, table);
}

void AnalysisTables::restore(const nlohmann::json& mark) {
  using Marked = std::vector<double>;
  profile_.restore(mark.at("profile").get<Marked>());
  pairs_.restore(mark.at("pairs").get<Marked>());
  forces_.restore(mark.at("forces").get<Marked>());
  mark.at("first_time").get_to(first_time_);
  chain_frames_ = FrameSeries(directory_, "force_chains", mark.at("force_chain_frames"));
  for_each_table(*this, [&](GrowingTable& table) {
    table.restore(directory_, mark.at("tables").at(table.file()));
  });
  measures_.restore(mark.at("measures"));
  if (fields_) fields_->restore(mark.at("fields").get<Marked>());
  mark.at("last_time").get_to(last_.time);
  mark.at("last_step").get_to(last_.step);
  if (frames() > 0)
    write_sums();
  else
    remove_sums();
}

std::string energy_table(const std::vector<Report>& rows) {
  std::string text =
      "time,step,kinetic,potential_change,elastic,dissipated,wall_work,unaccounted\n";
  for (const Report& row : rows) {
    const EnergyBudget budget = energy_budget(rows.front(), row);
    text += fmt::format("{},{},{},{},{},{},{},{}\n", row.time, row.step, row.kinetic_energy,
                        row.potential_energy - rows.front().potential_energy,
                        row.force_energy.elastic(), budget.dissipated, budget.wall_work,
                        budget.unaccounted);
  }
  return text;
}

}  // namespace scree
