#include "analysis_tables.hpp"

#include <fmt/format.h>

#include "scree/analysis/solid_fraction.hpp"
#include "scree/io/files.hpp"

namespace scree::cli {
namespace {

/// Forces are counted up to this many times their mean: a tail that falls off exponentially is empty there.
constexpr double kLargestForce = 10;

std::string comma_separated(const Vec3& v) { return fmt::format("{},{},{}", v.x, v.y, v.z); }

std::string profile_table(const VelocityProfile& profile) {
  std::string text =
      "x,y,z,bodies,velocity_x,velocity_y,velocity_z,angular_velocity_x,angular_velocity_y,angular_velocity_z,"
      "solid_fraction\n";
  const auto cells = profile.cells();
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const Region box = profile.grid().cell(k);
    text += fmt::format("{},{},{},{},{}\n", comma_separated(0.5 * (box.min + box.max)), cells[k].bodies,
                        comma_separated(cells[k].velocity), comma_separated(cells[k].angular_velocity),
                        cells[k].solid_fraction);
  }
  return text;
}

std::string pair_table(const PairDistribution& pairs) {
  std::string text = "r_inner,r_outer,g,neighbours,pairs\n";
  for (const auto& shell : pairs.shells())
    text += fmt::format("{},{},{},{},{}\n", shell.inner, shell.outer, shell.g, shell.neighbours, shell.pairs);
  return text;
}

std::string force_table(const ForceDistribution& forces) {
  std::string text = "lower,upper,density,contacts\n";
  for (const auto& bin : forces.bins())
    text += fmt::format("{},{},{},{}\n", bin.lower, bin.upper, bin.density, bin.count);
  return text;
}

}  // namespace

AnalysisTables::AnalysisTables(const AnalysisSettings& settings)
    : settings_(settings),
      profile_({settings.region, settings.cells}),
      pairs_(settings.region, settings.r_max, settings.bins),
      forces_(kLargestForce, settings.bins) {}

void AnalysisTables::add(const GrainsFrame& grains, const std::vector<ContactRecord>* contacts) {
  const Bodies& bodies = grains.bodies;
  last_ = {grains.time, grains.step};
  for (const Vec3& position : bodies.position) last_.bodies += settings_.region.contains(position) ? 1 : 0;
  last_.solid_fraction = solid_fraction(bodies.position, bodies.radius, settings_.region);
  solid_fraction_rows_ += fmt::format("{},{},{},{}\n", last_.time, last_.step, last_.bodies, last_.solid_fraction);
  profile_.add(bodies);
  pairs_.add(bodies.position);
  if (contacts) add_contacts(grains, *contacts);
}

void AnalysisTables::add_contacts(const GrainsFrame& grains, const std::vector<ContactRecord>& contacts) {
  std::vector<BodyId> inside;
  for (std::size_t i = 0; i < grains.bodies.size(); ++i) {
    if (settings_.region.contains(grains.bodies.position[i])) inside.push_back(grains.bodies.id[i]);
  }
  last_.contacts = contact_statistics(contacts, inside, settings_.least_contacts);
  const ContactStatistics& c = *last_.contacts;
  const std::string when = fmt::format("{},{}", grains.time, grains.step);
  coordination_rows_ +=
      fmt::format("{},{},{},{},{},{},{},{}\n", when, c.bodies, c.loaded, c.sliding, c.coordination_number,
                  c.coordination_number_loaded, c.coordination_number_backbone, c.rattlers);

  // Steps are all of one size, from t = 0 on.
  const double h = grains.time / static_cast<double>(grains.step);
  const ContactStress s = contact_stress(grains.bodies, contacts, h, settings_.region);
  last_.pressure = s.pressure();
  const SymMat3& f = s.fabric;
  stress_rows_ += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", when, s.pressure(), comma_separated(s.stress[0]),
                              comma_separated(s.stress[1]), comma_separated(s.stress[2]), f.xx, f.yy, f.zz, f.xy, f.xz,
                              f.yz, s.contacts);
  forces_.add(grains.bodies, contacts, settings_.region);
}

std::vector<std::string> AnalysisTables::write(const std::filesystem::path& directory) const {
  make_directories(directory);
  std::vector<std::string> files;
  const auto put = [&](const std::string& name, const std::string& text) {
    write_file(directory / name, text);
    files.push_back(name);
  };
  put("solid_fraction.csv", "time,step,bodies,solid_fraction\n" + solid_fraction_rows_);
  put("velocity_profile.csv", profile_table(profile_));
  put("rdf.csv", pair_table(pairs_));
  if (coordination_rows_.empty()) return files;
  put("coordination.csv",
      "time,step,bodies,contacts_loaded,contacts_sliding,coordination_number,coordination_number_loaded,"
      "coordination_number_backbone,rattlers\n" +
          coordination_rows_);
  put("stress.csv",
      "time,step,pressure,xx,xy,xz,yx,yy,yz,zx,zy,zz,fabric_xx,fabric_yy,fabric_zz,fabric_xy,fabric_xz,fabric_yz,"
      "contacts\n" +
          stress_rows_);
  put("force_distribution.csv", force_table(forces_));
  return files;
}

}  // namespace scree::cli
