/// Analyses that a scene requests, made during the run.
#include "run/scheduled_analysis.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "scree/io/files.hpp"
#include "scree/run/round_walls.hpp"
#include "scree/run/surroundings.hpp"

namespace scree {
namespace {

/// Mean diameter of the bodies, or of bodies that will enter; 0 if there will be none.
double diameter_in(const Simulation& simulation) {
  const auto& radius = simulation.state().bodies.radius;
  if (!radius.empty()) return mean_diameter_of(radius);
  std::vector<double> inflowing;
  for (const Inflow& inflow : simulation.model().inflows) inflowing.push_back(inflow.radius);
  for (const Filling& filling : simulation.model().fillings)
    for (const Filling::Kind& kind : filling.kinds)
      inflowing.push_back(0.5 * (kind.low + kind.high));
  return mean_diameter_of(inflowing);
}

/// Up and open ends are those at the start of the scene, whatever a stage changes: as in the
/// manifest, which `scree analyse` reads, and in a run that is resumed in a later stage.
AnalysisSettings settings_of(const Scene& scene, const AnalysisRequest& request,
                             double mean_diameter) {
  const Surroundings surroundings = surroundings_of(scene.model);
  AnalysisSettings s;
  s.title = scene.name + ", " + request.name;
  s.region = s.bed_region = {request.min, request.max};
  s.up = upward(surroundings.gravity);
  s.bins = request.bins;
  s.cells = request.cells;
  s.min_contacts = request.min_contacts;
  const Vec3 e = s.region.extent();
  const double side = std::min({e.x, e.y, e.z});
  s.mean_diameter = mean_diameter > 0 ? mean_diameter : side / kDiametersOfPairs;
  s.r_max = request.r_max.value_or(std::min(side, kDiametersOfPairs * s.mean_diameter));
  if (request.plane) s.plane = Plane{request.plane->point, request.plane->normal};
  s.ends = surroundings.ends;
  s.corners_beyond = corners_beyond(s.region, round_walls_of(scene.model));
  s.heap = request.heap;
  s.drum = request.drum;
  s.residence = request.residence;
  s.force_chains = request.force_chains;
  if (request.fields)
    s.fields = FieldSettings{{s.region, request.fields->cells},
                             request.fields->width.value_or(s.mean_diameter / 2)};
  return s;
}

}  // namespace

Json analysis_keys(const Scene& scene, const AnalysisRequest& request) {
  return AnalysisTables(settings_of(scene, request, 0), {}).keys();
}

ScheduledAnalysis::ScheduledAnalysis(const std::filesystem::path& run, const Scene& scene,
                                     const AnalysisRequest& request, const Simulation& simulation,
                                     double mean_diameter)
    : name_(request.name),
      interval_(request.interval),
      from_(request.from.value_or(-std::numeric_limits<double>::infinity())),
      to_(request.to.value_or(std::numeric_limits<double>::infinity())),
      tables_(settings_of(scene, request, mean_diameter), analysis_directory(run, request.name)),
      due_(interval_.value_or(scene.output.frame_interval), simulation.model().step.h,
           Sampling::Zero::first_only) {}

void ScheduledAnalysis::change_frame_interval(const OutputSettings& output,
                                              const Simulation& simulation) {
  if (interval_) return;
  due_ = Sampling(output.frame_interval, simulation.model().step.h, Sampling::Zero::first_only);
}

ScheduledAnalysis::ScheduledAnalysis(const std::filesystem::path& run, const Scene& scene,
                                     const AnalysisRequest& request, const Simulation& simulation)
    : ScheduledAnalysis(run, scene, request, simulation, diameter_in(simulation)) {}

ScheduledAnalysis::ScheduledAnalysis(const std::filesystem::path& run, const Scene& scene,
                                     const AnalysisRequest& request, const Simulation& simulation,
                                     const nlohmann::json& mark)
    : ScheduledAnalysis(run, scene, request, simulation, mark.at("mean_diameter").get<double>()) {
  tables_.restore(mark.at("tables"));
  // Files after the mark are removed; also remove directories that an uninterrupted run does not
  // have.
  const std::filesystem::path own = analysis_directory(run, request.name);
  for (const auto& directory : {own / "frames", own, own.parent_path()}) remove_if_empty(directory);
}

void ScheduledAnalysis::sample(const GrainsFrame& grains,
                               const std::vector<ContactRecord>& contacts) {
  // Before the first step there are no contacts.
  tables_.add(grains, grains.step > 0 ? &contacts : nullptr);
  tables_.write_on_the_way();
}

void ScheduledAnalysis::close() {
  if (tables_.frames() > 0) tables_.write();
}

nlohmann::json ScheduledAnalysis::mark() const {
  return {{"mean_diameter", tables_.settings().mean_diameter}, {"tables", tables_.mark()}};
}

}  // namespace scree
