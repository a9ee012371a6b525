/// Measures of an analysis with a table each: mixing, heap, drum, residence, discharge.
#include "scree/run/measures.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "run/table_cells.hpp"
#include "scree/analysis/drum.hpp"
#include "scree/analysis/images.hpp"
#include "scree/core/error.hpp"

namespace scree {
namespace {

TableHeader measure_table(const std::string& file) {
  const std::vector<TableHeader> all = Measures::tables();
  return *std::ranges::find(all, file, &TableHeader::file);
}

Json plateau_json(const Plateau& plateau) {
  return {
      {"mass_rate", plateau.rate},       {"error", plateau.error}, {"scatter", plateau.scatter},
      {"begin", plateau.begin},          {"end", plateau.end},     {"intervals", plateau.intervals},
      {"correlated", plateau.correlated}};
}

Json heap_json(const Heap& heap) { return {{"angle", heap.angle}, {"error", heap.error}}; }

Json drum_json(const Series& angles) {
  return {{"angle", angles.mean},
          {"error", angles.error},
          {"scatter", angles.scatter},
          {"correlated", angles.correlated},
          {"frames", angles.count}};
}

Json residence_json(const StaySummary& s) {
  Json json{{"stays", s.stays},
            {"mean", {}},
            {"error", {}},
            {"scatter", {}},
            {"shortest", {}},
            {"longest", {}},
            {"returns", s.returns},
            {"from_the_start", s.from_the_start},
            {"still_there", s.still_there},
            {"age", {}}};
  if (s.still_there > 0) json["age"] = s.age;
  if (s.stays == 0) return json;
  json["mean"] = s.mean;
  json["shortest"] = s.shortest;
  json["longest"] = s.longest;
  if (s.stays == 1) return json;
  json["error"] = s.error;
  json["scatter"] = s.scatter;
  return json;
}

}  // namespace

std::vector<TableHeader> Measures::tables() {
  return {{"discharge.csv",
           "time,step,forward,backward,unknown,body_rate,mass_rate,bodies_total,mass_total"},
          {"mixing.csv",
           "time,step,bodies,cells,variance,variance_segregated,variance_mixed,mixing_index"},
          {"heap.csv", "time,step,angle,error,height,inner_radius,outer_radius,axis_u,axis_v"},
          {"drum.csv", "time,step,angle,error,roughness,low,high,columns"},
          {"residence.csv", "id,entered,left,residence"}};
}

Measures::Measures(const AnalysisSettings& settings)
    : discharge_rows_(measure_table("discharge.csv")),
      mixing_rows_(measure_table("mixing.csv")),
      heap_rows_(measure_table("heap.csv")),
      drum_rows_(measure_table("drum.csv")),
      residence_rows_(measure_table("residence.csv")) {
  looks_for_heap_ = settings.heap;
  looks_in_drum_ = settings.drum.has_value();
  if (settings.plane) discharge_.emplace(*settings.plane, settings.ends);
  if (settings.residence) residence_.emplace(settings.region);
}

void Measures::add(const GrainsFrame& grains, const AnalysisSettings& settings) {
  const std::string when = fmt::format("{},{}", grains.time, grains.step);
  if (settings.plane) add_discharge(grains, *settings.plane, when);
  add_mixing(grains, {settings.region, settings.cells}, when);
  if (settings.up) add_surfaces(grains, settings, when);
  if (residence_) add_residence(grains);
}

void Measures::add_discharge(const GrainsFrame& grains, const Plane& plane,
                             const std::string& when) {
  for (int axis = 0; axis < 3; ++axis)
    if (grains.domain.period()[axis] > 0 && plane.normal[axis] != 0)
      throw InputError(
          fmt::format("the discharge through a plane across {} cannot be counted: the cell is "
                      "periodic along this axis, so bodies pass the plane again and again; remove "
                      "the plane, or place it parallel to this axis",
                      "xyz"[axis]));
  const double before = discharge_->duration();
  const auto passage = discharge_->add(grains.time, grains.bodies);
  passed_.push_back({grains.time, discharge_->total().mass});
  if (!passage) return;
  const double interval = discharge_->duration() - before;
  const auto net = [](const Passage& p) {
    return static_cast<double>(p.forward) - static_cast<double>(p.backward);
  };
  const Passage& total = discharge_->total();
  discharge_rows_.add(fmt::format(
      "{},{},{},{},{},{},{},{}", when, passage->forward, passage->backward, passage->unknown,
      ratio(net(*passage), interval), ratio(passage->mass, interval), net(total), total.mass));
}

void Measures::add_mixing(const GrainsFrame& grains, const Grid& grid, const std::string& when) {
  const auto mixing = grains.domain.repeats()
                          ? mixing_of(images_in(grid.region, grains.bodies, grains.domain), grid)
                          : mixing_of(grains.bodies, grid);
  if (!mixing) return;
  mixing_index_ = mixing->index();
  mixing_rows_.add(fmt::format("{},{},{},{},{},{},{}", when, mixing->bodies, mixing->cells,
                               mixing->variance, mixing->segregated, mixing->mixed,
                               *mixing_index_));
}

void Measures::add_surfaces(const GrainsFrame& grains, const AnalysisSettings& settings,
                            const std::string& when) {
  if (settings.heap) {
    if (const auto heap = heap_of(grains.bodies, settings.bed_region, *settings.up)) {
      heap_ = heap;
      heap_rows_.add(fmt::format("{},{},{},{},{},{},{},{}", when, heap->angle, heap->error,
                                 heap->height, heap->inner, heap->outer, heap->u, heap->v));
    } else {
      height_without_heap_ = heap_height(grains.bodies, settings.bed_region, *settings.up);
    }
  }
  if (!settings.drum) return;
  const Bodies images = images_in(settings.bed_region, grains.bodies, grains.domain);
  const auto surface = drum_surface_of(images, settings.bed_region, *settings.up, *settings.drum);
  if (!surface) return;
  angles_.push_back(surface->angle);
  drum_rows_.add(fmt::format("{},{},{},{},{},{},{}", when, surface->angle, surface->error,
                             surface->roughness, surface->low, surface->high, surface->columns));
}

void Measures::add_residence(const GrainsFrame& grains) {
  for (const Stay& stay : residence_->add(grains.time, grains.bodies, grains.domain))
    residence_rows_.add(fmt::format("{},{},{},{}", stay.id.value, stay.entered, stay.left,
                                    stay.left - stay.entered));
}

std::optional<StaySummary> Measures::stays() const {
  return residence_ ? std::optional(residence_->summary()) : std::nullopt;
}

Json Measures::figures() const {
  Json json = Json::object();
  if (discharge_) {
    const Passage& total = discharge_->total();
    const std::optional<Plateau> even = plateau();
    json["discharge"] = {
        {"forward", total.forward},           {"backward", total.backward},
        {"unknown", total.unknown},           {"mass", total.mass},
        {"duration", discharge_->duration()}, {"plateau", even ? plateau_json(*even) : Json()}};
  }
  json["mixing_index"] = mixing_index_ ? Json(*mixing_index_) : Json();
  if (looks_for_heap_) json["heap"] = heap_ ? heap_json(*heap_) : Json();
  if (looks_in_drum_) json["drum"] = angles_.empty() ? Json() : drum_json(drum());
  if (residence_) json["residence"] = residence_json(residence_->summary());
  return json;
}

Json Measures::keys() const {
  Json json = figures();
  if (discharge_) json["discharge"]["plateau"] = plateau_json({});
  if (looks_for_heap_) json["heap"] = heap_json({});
  if (looks_in_drum_) json["drum"] = drum_json({});
  return json;
}

nlohmann::json Measures::mark() const {
  nlohmann::json mark{{"angles", angles_}, {"passed", nlohmann::json::array()}};
  for (const Passed& passed : passed_) mark["passed"].push_back({passed.time, passed.amount});
  if (discharge_) mark["discharge"] = discharge_->tally();
  if (residence_) mark["residence"] = residence_->tally();
  if (mixing_index_) mark["mixing_index"] = *mixing_index_;
  if (heap_) mark["heap"] = std::vector{heap_->angle, heap_->error};
  return mark;
}

void Measures::restore(const nlohmann::json& mark) {
  using Marked = std::vector<double>;
  mark.at("angles").get_to(angles_);
  passed_.clear();
  for (const nlohmann::json& passed : mark.at("passed"))
    passed_.push_back({passed.at(0).get<double>(), passed.at(1).get<double>()});
  if (discharge_) discharge_->restore(mark.at("discharge").get<Marked>());
  if (residence_) residence_->restore(mark.at("residence").get<Marked>());
  mixing_index_.reset();
  if (mark.contains("mixing_index")) mixing_index_ = mark.at("mixing_index").get<double>();
  heap_.reset();
  if (mark.contains("heap")) {
    heap_.emplace();
    mark.at("heap").at(0).get_to(heap_->angle);
    mark.at("heap").at(1).get_to(heap_->error);
  }
}

}  // namespace scree
