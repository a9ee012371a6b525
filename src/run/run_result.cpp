/// The result of a run as JSON (verdict.json, --json), and lines on stages and fillings.
#include "scree/run/run_result.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scree/io/json_text.hpp"
#include "scree/sim/force_laws.hpp"

namespace scree {
namespace {

Json as_json(const Extreme& e) { return {{"value", e.value}, {"time", e.time}, {"step", e.step}}; }

/// Name of the body or joint that a finding concerns.
std::string name_of(const FindingRow& row, const Measured& found, const Model& model) {
  return row.who == Who::joint ? model.joints[found.joint()].name : name_of(found.body(), model);
}

/// Adds numbers of all findings, at the keys of their rows.
void add_findings(const RunSummary& s, const Model& model, Json& json) {
  const auto put = [&](const char* key, const Json& value) {
    if (key) json[Json::json_pointer(key)] = value;
  };
  for (const FindingRow& row : finding_table()) {
    const Tally& tally = s[row];
    const auto named = [&](bool is_any, const Measured& found) {
      return is_any && row.who != Who::nobody ? Json(name_of(row, found, model)) : Json();
    };
    put(row.keys.total,
        row.unit == "1" ? Json(static_cast<std::uint64_t>(tally.total)) : Json(tally.total));
    put(row.keys.steps, tally.steps);
    put(row.keys.largest, as_json(tally.largest));
    put(row.keys.who, named(tally.largest.value > 0, tally.of_largest));
    put(row.keys.first_who, named(tally.steps > 0, tally.first));
    put(row.keys.first_time, tally.steps > 0 ? Json(tally.first_time) : Json());
  }
}

/// Null if no contact ever had a residual.
Json worst_contact(const RunSummary& s, const Model& model) {
  const WorstContact& worst = s.worst_contact;
  if (!(worst.residual > 0)) return {};
  const Extreme& at = s["worst_residual"].largest;
  return {{"a", name_of(worst.a, model)},
          {"b", name_of(worst.b, model)},
          {"id_a", worst.a.value},
          {"id_b", worst.b.value},
          {"residual", worst.residual},
          {"class", scree::name(worst.kind)},
          {"force", worst.force},
          {"unsolved_force", worst.unsolved_force},
          {"time", at.time},
          {"step", at.step}};
}

/// Null if no overlap grew.
Json growing_penetration(const RunSummary& s, const Model& model) {
  if (s["contacts_growing_penetration"].steps == 0) return {};
  const WorstOverlap& overlap = s.growing_penetration;
  return {{"time", overlap.time},
          {"a", name_of(overlap.a, model)},
          {"b", name_of(overlap.b, model)},
          {"depth", overlap.depth},
          {"of_radius", overlap.share}};
}

/// Null if all steps that were checked were short enough for compliant contacts.
Json step_too_long(const RunSummary& s, const Model& model) {
  const StepFit& fit = s.step_fit;
  if (!fit.is_too_long()) return {};
  return {{"time", fit.time},
          {"step", fit.step},
          {"a", name_of(fit.a, model)},
          {"b", name_of(fit.b, model)},
          {"depth", fit.depth},
          {"of_contact_time", fit.of_contact},
          {"body", name_of(fit.body, model)},
          {"of_stable_step", fit.of_stable}};
}

/// Null if no body rotated too far in a step.
Json excessive_rotation(const RunSummary& s, const Model& model) {
  const Measured& rotation = s["excessive_rotation"].last;
  if (!rotation) return {};
  return {{"time", s.last.time},
          {"step", s.last.step},
          {"body", name_of(rotation.body(), model)},
          {"angle", rotation.value}};
}

/// Null if every prescribed motion was valid.
Json motion_fault(const RunSummary& s, const Model& model) {
  if (!s.motion_fault) return {};
  const auto& joint = s.motion_fault->joint;
  const auto& field = s.motion_fault->field;
  return {{"obstacle", joint || field || s.motion_fault->is_cell
                           ? Json()
                           : Json(model.obstacles[s.motion_fault->obstacle].name)},
          {"joint", joint ? Json(model.joints[*joint].name) : Json()},
          {"field", field ? Json(model.fields[*field].name) : Json()},
          {"body", field ? Json(name_of(s.motion_fault->body, model)) : Json()},
          {"time", s.motion_fault->time},
          {"what", s.motion_fault->what}};
}

Json contradiction(const RunSummary& s, const Model& model) {
  Json contacts = Json::array();
  for (const auto& [a, b] : s.contradiction.contacts)
    contacts.push_back(
        {{"a", name_of(a, model)}, {"b", name_of(b, model)}, {"id_a", a.value}, {"id_b", b.value}});
  return {{"time", s.contradiction.time}, {"contacts", contacts}};
}

/// Null if the run was not to end at rest, or was interrupted.
Json rest(const RunSummary& s, const Model& model) {
  if (!s.rest) return {};
  const RestReport& report = s.rest->report;
  const RockingBodies& rocking = report.rocking;
  const Json rocks{{"bodies", rocking.count},
                   {"fastest", name_of(rocking.fastest, model)},
                   {"speed", rocking.speed},
                   {"lasting", rocking.lasting}};
  return {{"reached", s.rest->reached},
          {"lasting", report.lasting},
          {"share_moving", report.moving_share},
          {"share_rolling", report.rolling_share},
          {"rocking", rocking.count > 0 ? rocks : Json()},
          {"fastest", report.fastest_speed > 0 ? Json(name_of(report.fastest, model)) : Json()},
          {"speed", report.fastest_speed},
          {"of_rest_speed", report.fastest_ratio},
          {"moving_obstacle",
           report.moving_obstacle ? Json(model.obstacles[*report.moving_obstacle].name) : Json()}};
}

/// Null without stages.
Json stages(const RunResult& result) {
  Json all;
  for (const StageRecord& stage : result.stages)
    all.push_back({{"name", stage.name},
                   {"begin", stage.begin},
                   {"end", stage.end},
                   {"steps", stage.last_step - stage.first_step},
                   {"ended", stage.ended ? Json(name(*stage.ended)) : Json()}});
  return all;
}

/// Mean loads over the whole run, and wear, for each obstacle.
Json obstacles(const RunResult& result, const Model& model) {
  Json all = Json::array();
  const double time = result.summary.last.time;
  for (std::size_t k = 0; k < result.obstacle_loads.size(); ++k) {
    const ObstacleLoad& load = result.obstacle_loads[k];
    const double per_second = time > 0 ? 1 / time : 0;
    all.push_back({{"name", model.obstacles[k].name},
                   {"mean_force", as_json(per_second * load.impulse)},
                   {"mean_torque", as_json(per_second * load.angular_impulse)},
                   {"mean_power", per_second * load.work},
                   {"work", load.work},
                   {"impact_wear", load.wear.impact},
                   {"sliding_wear", load.wear.sliding}});
  }
  return all;
}

/// Energies of each compliant law, and the pairs of materials that have it.
Json compliant_laws(const RunResult& result, const Model& model) {
  const ForceLaws laws = force_laws_of(model);
  const std::size_t materials = model.materials.size();
  Json all = Json::array();
  for (std::size_t k = 0; k < laws.numbers.size(); ++k) {
    Json pairs = Json::array();
    const char* law = nullptr;
    for (std::size_t a = 0; a < materials; ++a)
      for (std::size_t b = a; b < materials; ++b) {
        if (laws.of_pair[a * materials + b] != k) continue;
        pairs.push_back({model.materials[a].name, model.materials[b].name});
        law = name(model.laws.all()[a * materials + b].kind).data();
      }
    const ForceEnergy& energy = result.force_books.empty() ? result.summary.last.force_energy
                                                           : result.force_books[k].energy;
    all.push_back({{"law", law},
                   {"pairs", pairs},
                   {"elastic_normal", energy.elastic_normal},
                   {"elastic_shear", energy.elastic_shear},
                   {"elastic_moment", energy.elastic_moment},
                   {"damped", energy.damped},
                   {"slid", energy.slid},
                   {"rolled", energy.rolled}});
  }
  return all;
}

/// Bodies that were due and that entered, for each filling.
Json fillings(const RunResult& result, const Model& model) {
  Json all = Json::array();
  for (std::size_t k = 0; k < result.fillings.size(); ++k) {
    const Filling& filling = model.fillings[k];
    const double time =
        std::max(0.0, std::min(result.summary.last.time, filling.until) - filling.from);
    const bool by_number = filling.number_rate > 0;
    all.push_back({{"name", filling.name},
                   {"due_number", by_number ? Json(filling.number_rate * time) : Json()},
                   {"due_mass", by_number ? Json() : Json(filling.mass_rate * time)},
                   {"entered", result.fillings[k].entered},
                   {"entered_mass", result.fillings[k].mass}});
  }
  return all;
}

}  // namespace

const char* name(StageRecord::End end) {
  switch (end) {
    case StageRecord::End::at_rest:
      return "at_rest";
    case StageRecord::End::in_time:
      return "in_time";
    case StageRecord::End::not_at_rest:
      return "not_at_rest";
    case StageRecord::End::at_condition:
      return "at_condition";
    case StageRecord::End::not_at_condition:
      return "not_at_condition";
    case StageRecord::End::no_bodies:
      return "no_bodies";
  }
  return "";
}

const char* name(EndedBy end) {
  switch (end) {
    case EndedBy::time:
      return "time";
    case EndedBy::rest:
      return "rest";
    case EndedBy::condition:
      return "condition";
    case EndedBy::limit:
      return "limit";
    case EndedBy::failure:
      return "failure";
    case EndedBy::interrupt:
      return "interrupt";
    case EndedBy::no_bodies:
      return "no_bodies";
  }
  return "";
}

std::string describe(const StageRecord& stage) {
  if (!stage.ended) return fmt::format("'{}' had not ended at t = {:.6g} s", stage.name, stage.end);
  switch (*stage.ended) {
    case StageRecord::End::at_rest:
      return fmt::format("'{}' came to rest at t = {:.6g} s", stage.name, stage.end);
    case StageRecord::End::in_time:
      return fmt::format("'{}' lasted until t = {:.6g} s", stage.name, stage.end);
    case StageRecord::End::not_at_rest:
      return fmt::format("'{}' had not come to rest at t = {:.6g} s, and ended the run", stage.name,
                         stage.end);
    case StageRecord::End::at_condition:
      return fmt::format("'{}' met its condition at t = {:.6g} s", stage.name, stage.end);
    case StageRecord::End::not_at_condition:
      return fmt::format("'{}' had not met its condition at t = {:.6g} s, and ended the run",
                         stage.name, stage.end);
    case StageRecord::End::no_bodies:
      return fmt::format("'{}' had no body left to come to rest at t = {:.6g} s, and ended the run",
                         stage.name, stage.end);
  }
  return "";
}

std::vector<std::string> describe_fillings(const RunResult& result, const Model& model) {
  std::vector<std::string> lines;
  for (const Json& filling : fillings(result, model)) {
    const bool by_number = !filling["due_number"].is_null();
    lines.push_back(fmt::format(
        "Filling '{}': {} bodies of {:.6g} kg entered; {:.6g}{} were due.",
        filling["name"].get<std::string>(), filling["entered"].get<std::uint64_t>(),
        filling["entered_mass"].get<double>(),
        filling[by_number ? "due_number" : "due_mass"].get<double>(), by_number ? "" : " kg"));
  }
  if (const std::uint64_t steps = result.summary["fillings_waiting"].steps; steps > 0)
    lines.push_back(
        fmt::format("In {} steps the next body of a filling found no room and waited.", steps));
  return lines;
}

Json verdict_json(const RunResult& result, const Model& model) {
  const RunSummary& s = result.summary;
  const auto budget = s.energy_budget();
  const double solved = s["contacts_solved"].total, over = s["contacts_over_tolerance"].total;
  Json json{
      {"verdict", s.is_met() ? "met" : "missed"},
      {"sentence", fmt::format("{}", fmt::join(judgement(s, model), " "))},
      {"status", name(result.outcome.status)},
      {"exit_status", result.outcome.exit_status},
      {"time", s.last.time},
      {"end",
       {{"by", name(result.end)}, {"condition", s.condition ? Json(s.condition->text) : Json()}}},
      {"motion_fault", motion_fault(s, model)},
      {"tolerance", s.tolerance},
      {"largest_tolerance", s.largest_tolerance},
      {"steps", s.steps},
      {"steps_within_tolerance", s.steps - s["steps_over_tolerance"].steps},
      {"contacts",
       {{"asleep", s.last.contacts_asleep},
        {"share_within_tolerance", share_within_tolerance(solved, over)},
        {"missed_restitution", {{"energy", s.energy_of("missed_restitution")}}},
        {"slow_restitution", {{"energy", s.energy_of("slow_restitution")}}},
        {"growing_penetration", growing_penetration(s, model)},
        {"step_too_long", step_too_long(s, model)},
        {"excessive_rotation", excessive_rotation(s, model)},
        {"contradiction", contradiction(s, model)},
        {"worst", worst_contact(s, model)}}},
      {"joints", {{"count", model.joints.size()}, {"there_at_end", s.last.joints}}},
      {"fields", {{"work", s.last.field_work - s.first.field_work}}},
      {"rest", rest(s, model)},
      {"stages", stages(result)},
      {"bodies",
       {{"asleep", s.last.bodies_asleep},
        {"falling_without_end", s.falling.count},
        {"share_without_room", s.share_skipped()},
        {"strict_inflow", s.strict_inflow},
        {"fillings", fillings(result, model)}}},
      {"obstacles", obstacles(result, model)},
      {"energy",
       {{"rounding", kEnergyRounding},
        {"dissipated", budget.dissipated},
        {"unaccounted", budget.unaccounted},
        {"compliant_laws", compliant_laws(result, model)}}}};
  add_findings(s, model, json);
  // Null where the model has nothing to measure.
  if (model.joints.empty()) json["joints"] = nullptr;
  if (model.fields.empty() && !s.fields_acted()) json["fields"] = nullptr;
  if (!measures_rebounds(model))
    for (const char* key : {"of_rebounds", "of_rebounds_in_step"}) json["energy"][key] = nullptr;
  return json;
}

Json result_json(const RunResult& result, const std::filesystem::path& directory) {
  const RunSummary& s = result.summary;
  const Tally& over = s["steps_over_tolerance"];
  const auto budget = s.energy_budget();
  return {{"status", name(result.outcome.status)},
          {"exit_status", result.outcome.exit_status},
          {"directory", directory.string()},
          {"verdict", result.outcome.verdict},
          {"time", s.last.time},
          {"steps", s.steps},
          {"body_steps", s.body_steps},
          {"wall_seconds", result.wall_seconds},
          {"frames", result.frames},
          {"bodies", s.last.bodies},
          {"bodies_not_finite", static_cast<std::uint64_t>(s["bodies_not_finite"].last.value)},
          {"tolerance", s.tolerance},
          {"largest_tolerance", s.largest_tolerance},
          {"steps_over_tolerance", over.steps},
          {"first_time_over_tolerance", over.steps > 0 ? Json(over.first_time) : Json()},
          {"residual", as_json(s["residual"].largest)},
          {"worst_residual", as_json(s["worst_residual"].largest)},
          {"max_penetration", as_json(s["max_penetration"].largest)},
          {"max_relative_penetration", as_json(s["max_relative_penetration"].largest)},
          {"lasting_overlap",
           {{"depth", s.lasting_overlap.depth}, {"of_radius", s.lasting_overlap.share}}},
          {"energy",
           {{"change", budget.change},
            {"dissipated", budget.dissipated},
            {"wall_work", budget.wall_work},
            {"unaccounted", budget.unaccounted}}}};
}

}  // namespace scree
