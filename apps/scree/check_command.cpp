/// scree check: reports the problems of a scene, and the steps, memory and disk that a run takes.
#include <cmath>
#include <cstdio>
#include <fmt/format.h>

#include "commands.hpp"
#include "progress.hpp"
#include "say.hpp"
#include "scree/io/json_text.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/run/scene_figures.hpp"
#include "scree/scene/scene.hpp"

namespace scree::cli {
namespace {

/// "about 675 MB; 820 MB when all bodies lie in a dense bed"
std::string in_words(const Forecast& forecast, double RunNeeds::*quantity) {
  const double now = forecast.as_it_starts.*quantity, dense = forecast.dense.*quantity;
  std::string text = fmt::format("about {:.3g} MB", now / 1e6);
  if (forecast.bodies > 1 && dense > 1.05 * now)
    text += fmt::format("; {:.3g} MB when all bodies lie in a dense bed", dense / 1e6);
  return text;
}

/// "after the longest possible fall, 0.6 m, a body moves up to 0.4 of its radius in a step"
std::string travel_in_words(const SceneFigures& f) {
  switch (f.fastest_motion) {
    case FastestMotion::fall:
      return fmt::format(
          "after the longest possible fall, {:.2g} m, a body moves up to {:.2g} of its radius in a "
          "step",
          f.drop, f.largest_travel);
    case FastestMotion::obstacle:
      return fmt::format("an obstacle moves up to {:.2g} of a body's radius in a step",
                         f.largest_travel);
    case FastestMotion::strain:
      return fmt::format(
          "the strain of the cell moves neighbours past each other by up to {:.2g} of a radius in "
          "a step",
          f.largest_travel);
    case FastestMotion::velocity:
    case FastestMotion::none:
      break;
  }
  return fmt::format(
      "at the start, or after a fall of a radius, a body moves up to {:.2g} of its radius in a "
      "step",
      f.largest_travel);
}

/// Judges the length of a step, and advises a shorter one if needed.
std::string advice(const Scene& scene, const SceneFigures& f) {
  if (f.advised_step == 0)
    return "the scene does not show how fast bodies will be, so no step is advised";
  std::string shown = travel_in_words(f);
  if (f.fall_of_step > 0)
    shown += fmt::format(", which is {:.2g} of √(d/g) of the smallest", f.fall_of_step);
  const double h = scene.model.step.h;
  if (h <= f.advised_step && f.has_fields)
    return shown + "; this leaves out fields, whose effect on speeds is unknown";
  if (h <= f.advised_step && f.stack_step > 0 && h > f.stack_step)
    return fmt::format(
        "{}: fine for flows and beds; for stacks of boxes {:.2g} of √(d/g), d their shortest edge, "
        "is advised: step.h = {:.2g} s or less",
        shown, kStackFall, f.stack_step);
  if (h <= f.advised_step) return shown + ": fine";
  return fmt::format("{}; up to {:.2g} and {:.2g} are advised: step.h = {:.2g} s or less", shown,
                     kAdvisedTravel, kAdvisedFall, f.advised_step);
}

/// Uses for which the tolerance suffices, as docs/guide/accuracy.md has measured them.
std::string use_of_tolerance(const SolverSettings& solver) {
  const auto at_most = [&](Accuracy accuracy) {
    return solver.tolerance <= solver_settings(accuracy).tolerance;
  };
  if (at_most(Accuracy::reference))
    return "for reference solutions; thousands of bodies that slide against each other hardly "
           "reach it";
  if (at_most(Accuracy::engineering))
    return "for rates, angles, run-outs and energies, for loads and forces to some 5 %, for stacks";
  if (at_most(Accuracy::draft))
    return "for rates, angles, run-outs and energies; not for loads, forces of contacts and stacks "
           "(solver.accuracy: engineering)";
  return "for a first look at flows; overlaps are deep, loads too small (solver.accuracy: "
         "engineering)";
}

/// "'funnel' measures 0.2 × 0.2 × 0.3 m, from (-0.1, -0.1, 0) to (0.1, 0.1, 0.3)"
std::string in_words(const MeshExtent& mesh) {
  const Vec3& a = mesh.low;
  const Vec3& b = mesh.high;
  return fmt::format(
      "'{}' measures {:.3g} × {:.3g} × {:.3g} m, from ({:.3g}, {:.3g}, {:.3g}) to "
      "({:.3g}, {:.3g}, {:.3g})",
      mesh.name, b.x - a.x, b.y - a.y, b.z - a.z, a.x, a.y, a.z, b.x, b.y, b.z);
}

/// Rate of a filling, and its total over the run.
std::string in_words(const Filling& filling, const Scene& scene) {
  const double time = std::max(0.0, std::min(scene.until, filling.until) - filling.from);
  if (filling.number_rate > 0)
    return fmt::format("'{}' adds {:.6g} bodies/s, {:.6g} in total", filling.name,
                       filling.number_rate, std::floor(filling.number_rate * time));
  return fmt::format("'{}' adds {:.6g} kg/s, {:.6g} kg in total", filling.name, filling.mass_rate,
                     filling.mass_rate * time);
}

void print_text(const Scene& scene, const SceneFigures& f) {
  const auto line = [](const char* name, const std::string& value) {
    say(stdout, "{:<10} {}\n", name, value);
  };
  line("scene", scene.name);
  if (!scene.description.empty()) line("", scene.description);
  line("bodies", fmt::format("{}, radius {:.4g} to {:.4g} m, total mass {:.4g} kg",
                             with_spaces(f.bodies), f.smallest_radius, f.largest_radius, f.mass));
  line("obstacles", fmt::format("{}; {} inflows, {} fillings, {} outflows", f.obstacles, f.inflows,
                                f.fillings, scene.model.outflows.size()));
  for (const Obstacle& obstacle : scene.model.obstacles)
    if (const double speed = norm(obstacle.surface_velocity); speed > 0)
      line("belt", fmt::format("the surface of '{}' moves at {:.4g} m/s", obstacle.name, speed));
  for (const MeshExtent& mesh : f.meshes) line("mesh", in_words(mesh));
  for (const Filling& filling : scene.model.fillings) line("filling", in_words(filling, scene));
  line("run", fmt::format("{} steps of {:.4g} s to {}t = {:.6g} s", with_spaces(f.steps),
                          scene.model.step.h,
                          scene.rest        ? "rest, at most to "
                          : scene.condition ? scene.condition->text + ", at most to "
                                            : "",
                          scene.until));
  const SolverSettings& solver = scene.model.solver;
  line("tolerance",
       fmt::format("{:.3g} within at most {} {} of {} a step", solver.tolerance, solver.max_sweeps,
                   solver.method == SolverKind::gauss_seidel ? "sweeps" : "iterations",
                   name(solver.method)));
  line("", use_of_tolerance(solver));
  line("memory", in_words(f.forecast, &RunNeeds::memory));
  line("output", fmt::format("{}, with {} frames", in_words(f.forecast, &RunNeeds::output),
                             with_spaces(f.forecast.frames)));
  line("time step", advice(scene, f));
  if (!scene.step_choice.empty()) line("step", scene.step_choice);
  for (const std::string& warning : lines_of(scene.warnings)) line("warning", warning);
  std::puts("The scene is valid.");
}

void print_json(const Scene& scene, const SceneFigures& f) {
  auto warnings = Json::array();
  for (const SceneProblem& warning : scene.warnings)
    warnings.push_back({{"path", warning.path}, {"message", warning.message}});
  auto meshes = Json::array();
  for (const MeshExtent& mesh : f.meshes)
    meshes.push_back({{"name", mesh.name},
                      {"low", {mesh.low.x, mesh.low.y, mesh.low.z}},
                      {"high", {mesh.high.x, mesh.high.y, mesh.high.z}}});
  const Json json{{"status", "valid"},
                  {"exit_status", kDone},
                  {"name", scene.name},
                  {"bodies", f.bodies},
                  {"obstacles", f.obstacles},
                  {"inflows", f.inflows},
                  {"fillings", f.fillings},
                  {"outflows", scene.model.outflows.size()},
                  {"mass", f.mass},
                  {"smallest_radius", f.smallest_radius},
                  {"largest_radius", f.largest_radius},
                  {"fastest", f.fastest},
                  {"step", scene.model.step.h},
                  {"advised_step", f.advised_step},
                  {"stack_step", f.stack_step},
                  {"has_fields", f.has_fields},
                  {"largest_travel", f.largest_travel},
                  {"drop", f.drop},
                  {"fall_of_step", f.fall_of_step},
                  {"steps", f.steps},
                  {"meshes", meshes},
                  {"until", scene.until},
                  {"until_rest", scene.rest.has_value()},
                  {"until_condition", scene.condition ? Json(scene.condition->text) : Json()},
                  {"bodies_at_most", f.forecast.bodies},
                  {"frames", f.forecast.frames},
                  {"memory_bytes", std::llround(f.forecast.as_it_starts.memory)},
                  {"memory_bytes_dense", std::llround(f.forecast.dense.memory)},
                  {"output_bytes", std::llround(f.forecast.as_it_starts.output)},
                  {"output_bytes_dense", std::llround(f.forecast.dense.output)},
                  {"warnings", warnings}};
  std::fputs(as_text(json).c_str(), stdout);
}

}  // namespace

int check_scene(const CheckOptions& options) {
  const Scene scene = load_scene(options.scene, options.overrides);
  const SceneFigures figures = figures_of(scene);
  if (options.json) {
    print_json(scene, figures);
  } else {
    print_text(scene, figures);
  }
  return kDone;
}

}  // namespace scree::cli
