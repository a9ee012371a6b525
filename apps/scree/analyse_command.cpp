/// scree analyse: measures packing, motion and forces in the frames of a run, and writes tables and
/// pictures.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numbers>

#include "commands.hpp"
#include "pictures.hpp"
#include "say.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/run/run_analysis.hpp"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

RunAnalysisRequest request_of(const AnalyseOptions& options) {
  RunAnalysisRequest request;
  request.out = options.out;
  if (const auto& r = options.region; !r.empty())
    request.region = {{r[0], r[1], r[2]}, {r[3], r[4], r[5]}};
  std::copy(options.cells.begin(), options.cells.end(), request.cells.begin());
  if (const auto& p = options.plane; !p.empty())
    request.plane = {{p[0], p[1], p[2]}, {p[3], p[4], p[5]}};
  request.r_max = options.r_max;
  request.frames = options.frames;
  request.from = options.from;
  request.to = options.to;
  request.bins = options.bins;
  request.min_contacts = options.min_contacts;
  request.heap = options.heap;
  if (!options.drum.empty()) request.drum = options.drum[0] - 'x';
  request.residence = options.residence;
  request.force_chains = options.force_chains;
  if (const auto& n = options.fields; !n.empty())
    request.fields = FieldsRequest{{n[0], n[1], n[2]}, options.width};
  request.even_so = options.even_so;
  return request;
}

/// Draws the tables. Returns the names of the pictures.
std::vector<std::string> draw(const fs::path& directory) {
  std::vector<std::string> pictures;
  draw_analysis(directory, [&](bool warning, const std::string& line) {
    if (warning) warn(line);
    if (!warning && line.starts_with("drew "))
      pictures.push_back(fs::path(line.substr(5)).filename());
  });
  return pictures;
}

void print_contacts(const FrameFigures& last, std::size_t min_contacts) {
  if (!last.contacts) {
    say(stdout, "  contacts             not in this frame: none were solved or written\n");
    return;
  }
  const ContactStatistics& c = *last.contacts;
  say(stdout, "  coordination number  {:.3f}", c.coordination_number);
  if (c.rattlers < c.bodies)
    say(stdout, "; {:.3f} without {} rattlers\n", c.coordination_number_backbone, c.rattlers);
  else
    say(stdout, "; no backbone of bodies with {} contacts (see --min-contacts)\n", min_contacts);
  say(stdout, "  pressure             {:.4g} Pa\n", last.pressure);
}

void print_discharge(const Discharge& discharge) {
  const Passage& total = discharge.total();
  if (!(discharge.duration() > 0)) {
    say(stdout, "  discharge            unknown: needs at least two frames\n");
    return;
  }
  const double net = static_cast<double>(total.forward) - static_cast<double>(total.backward);
  say(stdout, "  discharge            {:.4g} bodies/s, {:.4g} kg/s over {:.4g} s",
      net / discharge.duration(), total.mass / discharge.duration(), discharge.duration());
  if (total.unknown > 0) say(stdout, "; {} more bodies may have passed", total.unknown);
  say(stdout, "\n");
}

/// Prints the interval of steady discharge, its rate and the error of the rate.
void print_plateau(const std::optional<Plateau>& plateau) {
  if (!plateau) {
    say(stdout, "  plateau              none: the rate never is steady, or frames are too few\n");
    return;
  }
  say(stdout,
      "  plateau              {:.4g} ± {:.2g} kg/s from {:.4g} s to {:.4g} s; {:.2g} kg/s of "
      "scatter between {} intervals\n",
      plateau->rate, plateau->error, plateau->begin, plateau->end, plateau->scatter,
      plateau->intervals);
}

void print_angle(const char* name, double angle, double error) {
  constexpr double kDegrees = 180 / std::numbers::pi;
  say(stdout, "  {:<20} {:.2f} ± {:.2f} degrees", name, kDegrees * angle, kDegrees * error);
}

void print_stays(const StaySummary& s) {
  say(stdout, "  residence            ");
  if (s.stays > 0)
    say(stdout, "{:.4g} ± {:.2g} s, mean of {} stays with a scatter of {:.2g} s", s.mean, s.error,
        s.stays, s.scatter);
  else
    say(stdout, "unknown: no body entered and left");
  say(stdout, "; {} bodies were inside at the start, {} are inside at the end\n", s.from_the_start,
      s.still_there);
  if (s.returns > 0)
    say(stdout, "                       {} of the stays are of bodies that returned\n", s.returns);
}

void print_measures(const Measures& measures) {
  if (measures.discharge()) {
    print_discharge(*measures.discharge());
    print_plateau(measures.plateau());
  }
  if (const auto& heap = measures.heap()) {
    print_angle("heap", heap->angle, heap->error);
    say(stdout, "\n");
  }
  if (const Series drum = measures.drum(); drum.count > 0) {
    print_angle("drum", drum.mean, drum.error);
    say(stdout, "; {:.2g} degrees of scatter between {} frames\n",
        drum.scatter * 180 / std::numbers::pi, drum.count);
  }
  if (const auto stays = measures.stays()) print_stays(*stays);
}

/// True if the bed fills less than half of the region. The region holds all bodies of all frames,
/// so bodies that have fallen leave most of it empty. Its solid fraction and pressure are not those
/// of the bed then.
bool is_mostly_empty(const FrameFigures& last) {
  return last.bed && last.solid_fraction < 0.5 * last.bed->solid_fraction;
}

void print_words(const RunAnalysis& analysis, bool has_own_region) {
  const AnalysisTables& tables = analysis.tables;
  const FrameFigures& last = tables.last();
  const Region& region = tables.settings().region;
  say(stdout,
      "{}, {} frame{}, in the region from ({:.4g}, {:.4g}, {:.4g}) to ({:.4g}, {:.4g}, {:.4g}) m; "
      "at t = {:.6g} s:\n",
      analysis.run.string(), tables.frames(), tables.frames() == 1 ? "" : "s", region.min.x,
      region.min.y, region.min.z, region.max.x, region.max.y, region.max.z, last.time);
  say(stdout, "  solid fraction       {:.4f}, {} bodies\n", last.solid_fraction, last.bodies);
  if (!has_own_region && tables.frames() > 1 && is_mostly_empty(last))
    say(stdout,
        "                       the region holds the bodies of all frames and is mostly empty now: "
        "--frames 1 uses that of the last frame\n");
  if (last.bed)
    say(stdout,
        "  bed                  solid fraction {:.4f}; height {:.4g} m on average, {:.4g} m at "
        "most\n",
        last.bed->solid_fraction, last.bed->mean_height, last.bed->max_height);
  print_contacts(last, tables.settings().min_contacts);
  if (const auto& fields = tables.fields())
    say(stdout,
        "  fields               {:.4g} kg in their cells; bodies with centres there have {:.4g} "
        "kg\n",
        fields->totals().mass, fields->totals().mass_centred);
  print_measures(tables.measures());
  say(stdout, "Tables are in {}{}: {}\n", analysis.directory.string(),
      analysis.pictures.empty() ? "" : ", with a picture (.png) of each",
      fmt::join(analysis.files, " "));
}

}  // namespace

int analyse(const AnalyseOptions& options) {
  RunAnalysis analysis = analyse_run(options.run, request_of(options), warn);
  if (options.pictures) analysis.pictures = draw(analysis.directory);
  if (options.json)
    std::fputs(as_text(analysis_json(analysis)).c_str(), stdout);
  else
    print_words(analysis, !options.region.empty());
  return kDone;
}

}  // namespace scree::cli
