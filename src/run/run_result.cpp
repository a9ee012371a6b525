#include "scree/run/run_result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scree {
namespace {

Json as_json(const Extreme& e) { return {{"value", e.value}, {"time", e.time}, {"step", e.step}}; }

Json first_time_over_tolerance(const RunSummary& s) {
  return s.steps_over_tolerance > 0 ? Json(s.first_time_over_tolerance) : Json();
}

/// Null if no contact ever had a residual.
Json worst_contact(const RunSummary& s, const Model& model) {
  const WorstContact& worst = s.worst_contact;
  if (!(worst.residual > 0)) return {};
  return {{"a", name_of(worst.a, model)},  {"b", name_of(worst.b, model)},
          {"id_a", worst.a.value},         {"id_b", worst.b.value},
          {"residual", worst.residual},    {"class", scree::name(worst.kind)},
          {"time", s.worst_residual.time}, {"step", s.worst_residual.step}};
}

/// Null if no contact was driven deeper.
Json driven_deeper(const RunSummary& s, const Model& model) {
  if (s.steps_driving_deeper == 0) return {};
  const WorstOverlap& overlap = s.driven_deeper;
  return {{"time", overlap.time},
          {"a", name_of(overlap.a, model)},
          {"b", name_of(overlap.b, model)},
          {"depth", overlap.depth},
          {"of_radius", overlap.share}};
}

/// Null if steps were short enough for compliant contacts wherever that was looked at.
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

/// Null if no body turned too far in a step.
Json far_turn(const RunSummary& s, const Model& model) {
  if (!s.far_turn) return {};
  return {{"time", s.last.time},
          {"step", s.last.step},
          {"body", name_of(s.far_turn->body, model)},
          {"turn", s.far_turn->turn}};
}

/// Null if every motion could be followed.
Json motion_fault(const RunSummary& s, const Model& model) {
  if (!s.motion_fault) return {};
  const auto& joint = s.motion_fault->joint;
  return {{"obstacle", joint ? Json() : Json(model.obstacles[s.motion_fault->obstacle].name)},
          {"joint", joint ? Json(model.joints[*joint].name) : Json()},
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

/// Null without joints.
Json joints(const RunSummary& s, const Model& model) {
  if (model.joints.empty()) return {};
  return {{"count", model.joints.size()},
          {"there_at_end", s.last.joints},
          {"error", as_json(s.joint_error)},
          {"velocity", as_json(s.joint_velocity)},
          {"worst", s.joint_velocity.value > 0 ? Json(model.joints[s.worst_joint].name) : Json()},
          {"steps_slowing_bodies", s.steps_slowing}};
}

/// Null if the run was not to end at rest, or came to no end.
Json rest(const RunSummary& s, const Model& model) {
  if (!s.rest) return {};
  const RestReport& report = s.rest->report;
  return {{"reached", s.rest->reached},
          {"lasting", report.lasting},
          {"share_moving", report.moving_share},
          {"fastest", name_of(report.fastest, model)},
          {"speed", report.fastest_speed},
          {"of_rest_speed", report.fastest_ratio},
          {"moving_part",
           report.moving_part ? Json(model.obstacles[*report.moving_part].name) : Json()}};
}

}  // namespace

Json verdict_json(const RunResult& result, const Model& model) {
  const RunSummary& s = result.summary;
  const auto budget = s.energy_budget();
  return {
      {"verdict", s.is_met() ? "met" : "missed"},
      {"sentence", fmt::format("{}", fmt::join(judgement(s, model), " "))},
      {"status", name(result.outcome.status)},
      {"exit_status", result.outcome.exit_status},
      {"time", s.last.time},
      {"motion_fault", motion_fault(s, model)},
      {"tolerance", s.tolerance},
      {"steps", s.steps},
      {"steps_within_tolerance", s.steps - s.steps_over_tolerance},
      {"first_time_over_tolerance", first_time_over_tolerance(s)},
      {"residual", as_json(s.residual)},
      {"contacts",
       {{"solved", s.contacts},
        {"over_tolerance", s.contacts_over_tolerance},
        {"share_within_tolerance", share_within_tolerance(s.contacts, s.contacts_over_tolerance)},
        {"local_failures", s.local_failures},
        {"left_out", s.contacts_left_out},
        {"beyond_margin", s.contacts_beyond_margin},
        {"bodies_beyond_margin", s.bodies_beyond_margin},
        {"hidden_rebounds",
         {{"impacts", s.hidden_rebounds.impacts}, {"energy", s.energy_of(s.hidden_rebounds)}}},
        {"slow_rebounds",
         {{"impacts", s.slow_rebounds.impacts}, {"energy", s.energy_of(s.slow_rebounds)}}},
        {"steps_driving_deeper", s.steps_driving_deeper},
        {"driven_deeper", driven_deeper(s, model)},
        {"steps_too_soft", s.steps_too_soft},
        {"step_too_long", step_too_long(s, model)},
        {"far_turn", far_turn(s, model)},
        {"largest_turn", as_json(s.largest_turn)},
        {"contradiction", contradiction(s, model)},
        {"worst", worst_contact(s, model)}}},
      {"joints", joints(s, model)},
      {"rest", rest(s, model)},
      {"bodies",
       {{"entered", s.bodies_added},
        {"left", s.bodies_removed},
        {"found_no_room", s.bodies_skipped},
        {"share_without_room", s.share_skipped()},
        {"strict_inflow", s.strict_inflow}}},
      {"energy",
       {{"created", s.energy_created},
        {"created_in_step", as_json(s.energy_created_in_step)},
        {"steps_with_energy_created", s.steps_with_energy_created},
        {"rounding", kEnergyRounding},
        {"dissipated", budget.dissipated},
        {"bias_work", s.bias_work},
        {"push_work", s.push_work}}}};
}

Json result_json(const RunResult& result, const std::filesystem::path& directory) {
  const RunSummary& s = result.summary;
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
          {"bodies_not_finite", s.bodies_not_finite},
          {"tolerance", s.tolerance},
          {"steps_over_tolerance", s.steps_over_tolerance},
          {"first_time_over_tolerance", first_time_over_tolerance(s)},
          {"residual", as_json(s.residual)},
          {"worst_residual", as_json(s.worst_residual)},
          {"max_penetration", as_json(s.max_penetration)},
          {"max_relative_penetration", as_json(s.max_relative_penetration)},
          {"lasting_overlap",
           {{"depth", s.lasting_overlap.depth}, {"of_radius", s.lasting_overlap.share}}},
          {"energy",
           {{"change", budget.change},
            {"dissipated", budget.dissipated},
            {"wall_work", budget.wall_work},
            {"unaccounted", budget.unaccounted}}}};
}

}  // namespace scree
