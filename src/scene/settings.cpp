/// Reads step, solver, end of the run and output.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

#include "scene/build.hpp"
#include "scree/core/spelling.hpp"
#include "scree/sim/steps.hpp"

namespace scree::scene {

namespace {

constexpr double kMaxSteps = 1e15;

void build_step(Build& build) {
  const Node* step = build.root.find("step");
  if (!step || !sound(*step)) return;
  StepSettings& s = build.scene.model.step;
  s.h = (*step)["h"].number;
  s.local_damping = number_if(*step, "local_damping").value_or(0);
  if (const Node* sleep = step->find("sleep")) s.sleep = sleep->truth;
  s.error_reduction = (*step)["error_reduction"].number;
  s.recovery_speed = number_if(*step, "recovery_speed");
  if (const Node* correction = step->find("overlap_correction")) {
    if (correction->text == "velocities")
      s.overlap_correction = OverlapCorrection::velocities;
    else if (s.recovery_speed)
      build.problems.report(
          (*step)["recovery_speed"],
          "recovery_speed limits the velocities that undo overlaps, and overlap_correction: "
          "positions uses none; remove it, or take overlap_correction: velocities");
  } else if (s.recovery_speed) {
    s.overlap_correction = OverlapCorrection::velocities;
  }
  if (const Node* rotation = step->find("free_rotation"); rotation && rotation->text == "explicit")
    s.free_rotation = FreeRotation::explicit_term;
  s.restitution_threshold = (*step)["restitution_threshold"].number;
  s.impacts = *impact_law_named((*step)["impacts"].text);
  s.impacts_in_order = (*step)["impacts_in_order"].truth;
  s.margin = number_if(*step, "margin");
}

}  // namespace

namespace {

/// Reads the relaxation of psor and jacobi, and the blocks of jacobi.
void read_blocks(Build& build, const Node& solver) {
  SolverSettings& s = build.scene.model.solver;
  if (const Node* relaxation = solver.find("relaxation")) {
    s.relaxation = relaxation->number;
    if (s.method != SolverKind::psor && s.method != SolverKind::jacobi)
      build.problems.report(*relaxation,
                            "relaxation is for the methods psor and jacobi; remove "
                            "the key, or choose one of them as solver.method");
  }
  const Node* blocks = solver.find("blocks");
  if (!blocks || !sound(*blocks)) return;
  if (s.method != SolverKind::jacobi)
    build.problems.report(*blocks,
                          "blocks are for the method jacobi; remove the key, or set "
                          "solver.method: jacobi");
  std::array<int, 3>& counts = s.blocks.emplace();
  for (std::size_t k = 0; k < 3; ++k) counts[k] = static_cast<int>(integer(blocks->children[k]));
}

}  // namespace

void build_solver(Build& build, const Node& solver) {
  if (!sound(solver)) return;
  SolverSettings& s = build.scene.model.solver;
  s.method = *solver_named(solver["method"].text);
  s.tolerance = solver["tolerance"].number;
  s.max_sweeps = static_cast<int>(integer(solver["max_sweeps"]));
  s.warm_start = solver["warm_start"].truth;
  s.acceleration =
      solver["acceleration"].text == "nesterov" ? Acceleration::nesterov : Acceleration::none;
  read_blocks(build, solver);
  if (const Node* accuracy = solver.find("accuracy");
      accuracy && s.tolerance != solver_settings(*accuracy_named(accuracy->text)).tolerance)
    build.problems.warn(
        *accuracy, fmt::format("{} stands for another tolerance; the given tolerance, {}, counts",
                               accuracy->text, s.tolerance));
  const bool sweeps = s.method == SolverKind::gauss_seidel || s.method == SolverKind::psor ||
                      s.method == SolverKind::jacobi;
  if (s.acceleration != Acceleration::none && !sweeps)
    build.problems.report(solver["acceleration"],
                          fmt::format("the solver {} has no sweeps to accelerate; remove the key, "
                                      "or take gauss_seidel, psor or jacobi",
                                      name(s.method)));
}

namespace {

/// Warns if the end is not a whole number of steps. All steps have one size, so that a resumed run
/// with a later end gets the same bits.
void warn_of_last_step(Build& build, const Node& until) {
  const double h = build.scene.model.step.h,
               steps = static_cast<double>(steps_until(until.number, h));
  const bool chosen = !build.scene.step_choice.empty();
  if (chosen || steps * h <= until.number * (1 + 1e-9)) return;
  build.problems.warn(
      until, fmt::format("{:.6g} s is not a whole number of steps of {:.6g} s: the run ends with "
                         "step {:.0f}, at t = {:.6g} s; step.h = {} s ends it on time",
                         until.number, h, steps, steps * h, until.number / steps));
}

}  // namespace

const Node* build_end(Build& build, const Node& map) {
  const Node* until = map.find("until");
  if (until && until->is_map()) return sound(*until) ? read_condition(build, *until) : nullptr;
  if (!until || until->text != "rest") return until;
  const Node& rest = map["rest"];
  if (!sound(rest)) return nullptr;
  Scene& scene = build.scene;
  scene.rest = RestCriterion{.speed = number_if(rest, "speed"),
                             .loose = rest["loose"].number,
                             .lasting = number_if(rest, "lasting")};
  const bool falls = norm(scene.model.gravity) > 0;
  if (!falls && !(scene.rest->speed && scene.rest->lasting))
    build.problems.report(rest, "without gravity rest needs both speed and lasting");
  return &rest["at_most"];
}

namespace {

void check_times(Build& build) {
  const Node* until = build_end(build, build.root);
  const double h = build.scene.model.step.h;
  if (!until || !sound(*until)) return;
  build.scene.until = until->number;
  if (h > 0 && until->number < h)
    build.problems.report(
        *until,
        fmt::format(
            "the end {} s is before the end of the first step, {} s; shorten step.h, or give "
            "a later until",
            until->number, h));
  if (h > 0 && until->number / h > kMaxSteps)
    build.problems.report(*until, fmt::format("this takes {:.3g} steps; at most {:.0e} are allowed",
                                              until->number / h, kMaxSteps));
  if (h > 0 && sound(*until)) warn_of_last_step(build, *until);
}

}  // namespace

void build_settings(Build& build) {
  build.scene.name = build.root["name"].text;
  build.scene.description = build.root["description"].text;
  if (const Node& gravity = build.root["gravity"]; sound(gravity))
    build.scene.model.gravity = vec3(gravity);
  if (const Node& strict = build.root["strict_inflow"]; sound(strict))
    build.scene.strict_inflow = strict.truth;
  build_step(build);
  build_solver(build, build.root["solver"]);
  check_times(build);
}

namespace {

nlohmann::ordered_json options_of(const Node& node) {
  switch (node.kind) {
    case Node::Kind::boolean:
      return node.truth;
    case Node::Kind::string:
      return node.text;
    case Node::Kind::number:
      if (node.integral) return node.integer;
      return node.number;
    case Node::Kind::list: {
      auto list = nlohmann::ordered_json::array();
      for (const Node& child : node.children) list.push_back(options_of(child));
      return list;
    }
    case Node::Kind::map: {
      auto map = nlohmann::ordered_json::object();
      for (const Node& child : node.children)
        if (child.key != "file") map[child.key] = options_of(child);
      return map;
    }
    case Node::Kind::null:
      break;
  }
  return nullptr;
}

void add_picture(Build& build, const Node& picture, std::set<std::string>& files) {
  using Kind = Picture::Kind;
  const std::string& kind = picture.key;
  const std::string& file = picture["file"].text;
  if (file.find('/') != std::string::npos || file.starts_with('.'))
    build.problems.report(
        picture["file"],
        fmt::format("'{}' is not the name of a file inside the run directory", file));
  if (!files.insert(file).second)
    build.problems.report(
        picture["file"],
        fmt::format("another picture already has the file '{}'; rename one of them", file));
  if (const Node* region = picture.find("region")) check_region(*region, build.problems);
  build.scene.output.pictures.push_back({kind == "velocity_map" ? Kind::velocity_map
                                         : kind == "energy"     ? Kind::energy
                                         : kind == "residual"   ? Kind::residual
                                                                : Kind::grains,
                                         file, options_of(picture).dump()});
}

void add_movie(Build& build, const Node& movie) {
  if (const Node* region = movie.find("region")) check_region(*region, build.problems);
  build.scene.output.pictures.push_back({Picture::Kind::movie, "movie", options_of(movie).dump()});
}

/// Limit of cells during a run, which keeps tables in memory and in checkpoints; `scree analyse`
/// allows finer grids.
constexpr double kMaxCells = 100'000;

std::array<std::uint32_t, 3> cells_of(const Node& node, Problems& problems) {
  std::array<std::uint32_t, 3> cells{};
  double count = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    cells[k] = static_cast<std::uint32_t>(integer(node.children[k]));
    count *= cells[k];
  }
  if (count > kMaxCells)
    problems.report(node, fmt::format("{:.3g} cells are too many; at most {:.0f} are allowed "
                                      "during a run, and `scree analyse` allows more",
                                      count, kMaxCells));
  return cells;
}

/// Reads times, angles and fields of an analysis.
void read_measures(Build& build, const Node& entry, AnalysisRequest& request) {
  request.from = number_if(entry, "from");
  request.to = number_if(entry, "to");
  if (request.from && request.to && *request.from > *request.to)
    build.problems.report(entry["to"],
                          fmt::format("{} s is before from, {} s; there would be no samples",
                                      *request.to, *request.from));
  const Node* stages = build.root.find("stages");
  const bool has_stages = stages && !stages->children.empty();
  if (request.from && !has_stages && *request.from > build.scene.until)
    build.problems.report(
        entry["from"],
        fmt::format("the run ends before that, at {} s: give an earlier time, or a later until",
                    build.scene.until));
  request.heap = entry["heap"].truth;
  request.residence = entry["residence"].truth;
  if (const Node* drum = entry.find("drum")) request.drum = drum->text[0] - 'x';
  const Vec3& gravity = build.scene.model.gravity;
  for (const char* key : {"heap", "drum"})
    if (gravity == Vec3{} && (key == std::string("heap") ? request.heap : request.drum.has_value()))
      build.problems.report(
          entry[key],
          "without gravity there is no upward direction; give gravity, or remove this key");
  int up = 0;
  for (int axis = 1; axis < 3; ++axis)
    if (std::abs(gravity[axis]) > std::abs(gravity[up])) up = axis;
  if (request.drum == up && gravity != Vec3{})
    build.problems.report(
        entry["drum"],
        fmt::format("gravity is along {}, but a drum lies across it; give the drum's axis",
                    "xyz"[up]));
  if (request.residence && build.scene.model.strain.any())
    build.problems.report(entry["residence"],
                          "residence times are undefined in a strained cell; remove residence");
  if (const Node* fields = entry.find("fields"))
    request.fields = AnalysisRequest::Fields{cells_of((*fields)["cells"], build.problems),
                                             number_if(*fields, "width")};
}

void add_analysis(Build& build, const Node& entry, std::set<std::string>& names) {
  AnalysisRequest request;
  request.name = entry["name"].text;
  if (request.name.find_first_not_of(
          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != std::string::npos)
    build.problems.report(
        entry["name"],
        fmt::format("'{}' must be the name of a directory: use only letters, digits, _ and -",
                    request.name));
  if (request.name == "frames")
    build.problems.report(entry["name"],
                          "scree analyse writes force chains to 'frames'; choose another name");
  if (!names.insert(request.name).second)
    build.problems.report(entry["name"],
                          fmt::format("another analysis already has the name '{}'", request.name));
  const Node& region = entry["region"];
  if (!check_region(region, build.problems)) return;
  request.min = vec3(region["min"]);
  request.max = vec3(region["max"]);
  request.interval = number_if(entry, "interval");
  const double h = build.scene.model.step.h;
  if (request.interval && *request.interval > 0 && *request.interval < h * (1 - 1e-9))
    build.problems.report(entry["interval"],
                          fmt::format("{} s is shorter than a step, {} s", *request.interval, h));
  request.cells = cells_of(entry["cells"], build.problems);
  request.bins = static_cast<std::size_t>(integer(entry["bins"]));
  request.min_contacts = static_cast<std::size_t>(integer(entry["min_contacts"]));
  request.r_max = number_if(entry, "r_max");
  const Vec3 e = request.max - request.min;
  if (request.r_max && *request.r_max > std::min({e.x, e.y, e.z}))
    build.problems.report(entry["r_max"],
                          fmt::format("{} m is more than the smallest side of the region, {} m",
                                      *request.r_max, std::min({e.x, e.y, e.z})));
  if (const Node* plane = entry.find("plane")) {
    const auto normal = unit_direction((*plane)["normal"], build.problems);
    if (normal) request.plane = {vec3((*plane)["point"]), *normal};
    for (int axis = 0; normal && axis < 3; ++axis)
      if (build.scene.model.domain.period()[axis] > 0 && (*normal)[axis] != 0)
        build.problems.report(
            *plane, fmt::format("the cell is periodic along {}, so bodies cross this plane again "
                                "and again; lay the plane along this axis, or remove it",
                                "xyz"[axis]));
  }
  request.force_chains = entry["force_chains"].truth;
  read_measures(build, entry, request);
  build.scene.output.analyses.push_back(request);
}

}  // namespace

void build_output(Build& build) {
  const Node& output = build.root["output"];
  if (!output.is_map()) return;
  OutputSettings& settings = build.scene.output;
  const double h = build.scene.model.step.h;
  const std::pair<const char*, double*> intervals[] = {
      {"frame_interval", &settings.frame_interval},
      {"statistics_interval", &settings.statistics_interval},
      {"checkpoint_interval", &settings.checkpoint_interval}};
  for (const auto& [key, interval] : intervals) {
    const Node& node = output[key];
    if (!sound(node)) continue;
    *interval = node.number;
    if (node.number > 0 && node.number < h * (1 - 1e-9))
      build.problems.report(node, fmt::format("{} s is shorter than a step, {} s", node.number, h));
  }
  if (const Node& node = output["checkpoint_wall_interval"]; sound(node))
    settings.checkpoint_wall_interval = node.number;
  constexpr double kManyFrames = 1e5;
  if (settings.frame_interval > 0 && build.scene.until / settings.frame_interval > kManyFrames)
    build.problems.warn(output["frame_interval"],
                        fmt::format("this writes {:.3g} frames; a longer interval writes fewer",
                                    build.scene.until / settings.frame_interval));
  if (sound(output["contacts"])) settings.contacts = output["contacts"].truth;
  if (sound(output["obstacles"])) settings.obstacles = output["obstacles"].truth;
  std::set<std::string> names;
  for (const Node& entry : entries_of(output["analysis"]))
    if (sound(entry)) add_analysis(build, entry, names);
  std::set<std::string> files;
  for (const Node& entry : entries_of(output["pictures"]))
    for (const Node& picture : entry.children)
      if (sound(entry)) add_picture(build, picture, files);
  if (const Node* movie = output.find("movie"); movie && sound(*movie)) {
    add_movie(build, *movie);
    if (settings.frame_interval == 0)
      build.problems.warn(*movie, "without output.frame_interval the movie has two frames");
  }
}

}  // namespace scree::scene
