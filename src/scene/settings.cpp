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

constexpr std::size_t kMostMaterials = 1000;  // the law table grows with their square
constexpr double kMostSteps = 1e15;

void build_step(Build& build) {
  const Node* step = build.root.find("step");
  if (!step || !sound(*step)) return;
  StepSettings& s = build.scene.model.step;
  s.h = (*step)["h"].number;
  s.local_damping = number_if(*step, "local_damping").value_or(0);
  s.error_reduction = (*step)["error_reduction"].number;
  s.recovery_speed = number_if(*step, "recovery_speed");
  if (const Node* correction = step->find("overlap_correction")) {
    if (correction->text == "velocities")
      s.overlap_correction = OverlapCorrection::velocities;
    else if (s.recovery_speed)
      build.problems.report((*step)["recovery_speed"],
                            "it bounds the velocities that overlaps ask for, and "
                            "overlap_correction: positions asks for "
                            "none; leave it out, or take overlap_correction: velocities");
  } else if (s.recovery_speed) {
    s.overlap_correction = OverlapCorrection::velocities;
  }
  s.restitution_threshold = (*step)["restitution_threshold"].number;
  s.margin = number_if(*step, "margin");
}

void build_solver(Build& build) {
  const Node& solver = build.root["solver"];
  if (!sound(solver)) return;
  SolverSettings& s = build.scene.model.solver;
  s.method = *solver_named(solver["method"].text);
  s.tolerance = solver["tolerance"].number;
  s.max_sweeps = static_cast<int>(integer(solver["max_sweeps"]));
  s.min_sweeps = static_cast<int>(integer(solver["min_sweeps"]));
  s.warm_start = solver["warm_start"].truth;
  s.acceleration =
      solver["acceleration"].text == "nesterov" ? Acceleration::nesterov : Acceleration::none;
  if (const Node* accuracy = solver.find("accuracy");
      accuracy && s.tolerance != solver_settings(*accuracy_named(accuracy->text)).tolerance)
    build.problems.warn(
        *accuracy, fmt::format("{} asks for another tolerance than {}, which is given, too, and "
                               "is what counts",
                               accuracy->text, s.tolerance));
  const bool sweeps = s.method == SolverKind::gauss_seidel || s.method == SolverKind::psor ||
                      s.method == SolverKind::jacobi;
  if (s.acceleration != Acceleration::none && !sweeps)
    build.problems.report(
        solver["acceleration"],
        fmt::format(
            "the solver {} makes no sweeps that could be accelerated; leave the key out, or "
            "take gauss_seidel, psor or jacobi",
            name(s.method)));
  if (s.min_sweeps > s.max_sweeps)
    build.problems.report(solver["min_sweeps"], fmt::format("{} is more than max_sweeps, {}",
                                                            s.min_sweeps, s.max_sweeps));
}

/// Each law that the scene names must be one that the solver can take.
void check_law_suits_solver(Build& build, const Node& law, LawKind kind) {
  const SolverKind solver = build.scene.model.solver.method;
  if (suits(solver, kind)) return;
  std::string known;
  for (const LawKind other : kLawKinds)
    if (suits(solver, other)) known += fmt::format("{}{}", known.empty() ? "" : ", ", name(other));
  const std::string_view hint = traits(kind).coulomb_for_spheres && suits(solver, LawKind::coulomb)
                                    ? "; between spheres coulomb is the same"
                                    : "";
  build.problems.report(
      law, fmt::format(
               "the solver {} does not know the law {}: take another solver.method, or one of {}{}",
               name(solver), name(kind), known, hint));
}

/// All steps are of one size, or a run that is resumed with a later end would have other bits.
void warn_of_last_step(Build& build, const Node& until) {
  const double h = build.scene.model.step.h,
               steps = static_cast<double>(steps_until(until.number, h));
  const bool chosen = !build.scene.step_choice.empty();
  if (chosen || steps * h <= until.number * (1 + 1e-9)) return;
  build.problems.warn(
      until, fmt::format(
                 "{:.6g} s is no whole number of steps of {:.6g} s: the run ends with step {:.0f}, "
                 "at t = {:.6g} s; step.h = {} s would end it in time",
                 until.number, h, steps, steps * h, until.number / steps));
}

/// The end of a run until rest.
const Node* build_rest(Build& build, const Node& rest) {
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

void check_times(Build& build) {
  const Node* until = build.root.find("until");
  const double h = build.scene.model.step.h;
  if (until && until->text == "rest") until = build_rest(build, build.root["rest"]);
  if (!until || !sound(*until)) return;
  build.scene.until = until->number;
  if (h > 0 && until->number < h)
    build.problems.report(
        *until,
        fmt::format("the end {} s is before the end of the first step, {} s", until->number, h));
  if (h > 0 && until->number / h > kMostSteps)
    build.problems.report(*until, fmt::format("this takes {:.3g} steps; at most {:.0e} can be made",
                                              until->number / h, kMostSteps));
  if (h > 0 && sound(*until)) warn_of_last_step(build, *until);
}

/// Keys of compliant laws alone, and which of the laws have them.
struct ForceKey {
  const char* key;
  bool linear, hertz, dashpots;
};
constexpr ForceKey kForceKeys[] = {
    {"k_n", true, true, true},
    {"k_t", true, true, false},
    {"normal_damping", true, true, true},
    {"tangential_damping", true, true, true},
    {"damping_ratio", true, true, false},
    {"attraction", true, true, true},
    {"rotations", true, true, false},
    {"branch", true, true, false},
    {"adhesion", false, true, false},
    {"rolling_stiffness", true, true, true},
    {"spinning_stiffness", true, true, true},
    {"rolling_damping", true, true, true},
};

/// Reports the keys that a law does not have.
void check_force_keys(Build& build, const Node& map, LawKind kind) {
  const std::string_view law = name(kind);
  for (const ForceKey& of : kForceKeys) {
    const Node* node = map.find(of.key);
    if (!node) continue;
    if (!traits(kind).compliant) {
      build.problems.report(
          *node, fmt::format("the law {} is rigid and has no {}; leave the key out, or take a "
                             "compliant law: cundall_strack, hertz_mindlin or spring_dashpot",
                             law, of.key));
      continue;
    }
    const ForceKind force = force_kind(kind);
    const bool has = force == ForceKind::linear          ? of.linear
                     : force == ForceKind::hertz_mindlin ? of.hertz
                                                         : of.dashpots;
    if (!has)
      build.problems.report(*node,
                            fmt::format("the law {} has no {}; leave the key out", law, of.key));
  }
}

/// Stiffnesses of a law, in its unit; whether none of the two is missing.
void read_stiffness(Build& build, const Node& map, PairLaw& law) {
  const bool hertz = force_kind(law.kind) == ForceKind::hertz_mindlin;
  const auto read = [&](const char* key, double& to) {
    const Node* node = map.find(key);
    if (!node) return false;
    to = node->number;
    const std::string_view wanted = hertz ? "Pa" : "N/m";
    if (!node->unit.empty() && node->unit != wanted)
      build.problems.report(*node, fmt::format("the law {} takes {} in {}, found {}",
                                               name(law.kind), key, wanted, node->unit));
    return true;
  };
  const bool normal = read("k_n", law.force.k_n), shear = read("k_t", law.force.k_t);
  if (hertz) {
    if (normal != shear)
      build.problems.report(map,
                            "the law hertz_mindlin takes k_n and k_t together, or none of "
                            "them and the moduli of the materials: young and poisson");
    return;
  }
  if (!normal)
    build.problems.report(
        map, fmt::format("the key 'k_n' is missing, which the law {} needs", name(law.kind)));
  if (!shear && force_kind(law.kind) == ForceKind::linear)
    build.problems.report(
        map, fmt::format("the key 'k_t' is missing, which the law {} needs; 2/7 of k_n makes "
                         "both directions swing alike",
                         name(law.kind)));
}

void read_force(Build& build, const Node& map, PairLaw& law) {
  ForceParameters& force = law.force;
  read_stiffness(build, map, law);
  force.normal_damping = number_if(map, "normal_damping");
  force.tangential_damping = number_if(map, "tangential_damping");
  force.damping_ratio = number_if(map, "damping_ratio").value_or(0);
  force.rolling_stiffness = number_if(map, "rolling_stiffness");
  force.spinning_stiffness = number_if(map, "spinning_stiffness");
  force.rolling_damping = number_if(map, "rolling_damping").value_or(force.rolling_damping);
  law.adhesion = number_if(map, "adhesion").value_or(0);
  if (const Node* attraction = map.find("attraction")) force.attraction = attraction->truth;
  if (const Node* rotations = map.find("rotations"); rotations && rotations->text == "first_order")
    force.rotations = RotationScheme::first_order;
  if (const Node* branch = map.find("branch"); branch && branch->text == "contact_point")
    force.branch = BranchVectors::contact_point;

  const double restitution = map["restitution"].number;
  const std::string_view of_law = name(law.kind);
  if (force_kind(law.kind) == ForceKind::spring_dashpot) {
    for (const char* key : {"normal_damping", "tangential_damping"})
      if (!map.find(key) && !(restitution > 0 && key == std::string_view("normal_damping")))
        build.problems.report(
            map, fmt::format("the key '{}' is missing, which the law {} needs", key, of_law));
  }
  if (!force.normal_damping && !(restitution > 0))
    build.problems.report(
        map, fmt::format("the law {} needs a restitution above 0, 1 for none but friction's "
                         "losses, or normal_damping",
                         of_law));
  if (force.normal_damping && restitution > 0)
    build.problems.report(*map.find("normal_damping"),
                          "restitution gives the normal dashpot already; leave out one of the two");
  if (force.tangential_damping && map.find("damping_ratio"))
    build.problems.report(*map.find("damping_ratio"),
                          "tangential_damping is given, too; leave out one of the two");
}

/// Rolling and spinning friction, and cohesion.
void read_resistances(Build& build, const Node& map, PairLaw& law) {
  const auto read = [&](const char* key) {
    const Node& node = map[key];
    const double value = sound(node) ? node.number : 0;
    if (value > 0 && !traits(law.kind).unilateral && !traits(law.kind).compliant)
      build.problems.report(node, fmt::format("the law {} does not take it, because its contacts "
                                              "may pull; leave the key out or choose another law",
                                              name(law.kind)));
    return value;
  };
  const auto read_turning = [&](const char* key) {
    const double length = read(key);
    const SolverKind solver = build.scene.model.solver.method;
    if (length > 0 && !traits(law.kind).compliant && !takes_turning(solver))
      build.problems.report(
          map[key], fmt::format("the solver {} does not know what resists turning: leave the key "
                                "out, or take solver.method: gauss_seidel",
                                name(solver)));
    return length;
  };
  law.rolling_friction = read_turning("rolling_friction");
  law.spinning_friction = read_turning("spinning_friction");
  law.cohesion = read("cohesion");
}

std::optional<PairLaw> read_law(Build& build, const Node& map) {
  if (!sound(map)) return {};
  Problems& problems = build.problems;
  PairLaw law;
  const std::string& kind = map["law"].text;
  const auto known = law_named(kind);
  if (!known) {
    problems.report(map["law"], fmt::format("there is no law '{}'", kind));
    return {};
  }
  law.kind = *known;
  check_law_suits_solver(build, map["law"], law.kind);
  const Node* friction = map.find("friction");
  const LawTraits& of_law = traits(law.kind);
  if (!of_law.has_friction() && friction)
    problems.report(
        *friction,
        fmt::format("the law {} has no friction; leave the key out or choose another law", kind));
  if (of_law.has_friction() && !friction)
    problems.report(map,
                    fmt::format("the key 'friction' is missing, which the law {} needs", kind));
  if (friction) law.friction = friction->number;
  if (const Node* facets = map.find("facets")) {
    if (!of_law.has_facets())
      problems.report(
          *facets,
          fmt::format("the law {} has no facets; leave the key out or take polyhedral", kind));
    else if (sound(*facets))
      law.facets = static_cast<int>(integer(*facets));
  }
  law.restitution = map["restitution"].number;
  check_force_keys(build, map, law.kind);
  if (of_law.compliant) read_force(build, map, law);
  read_resistances(build, map, law);
  return law;
}

/// Hertz' law between two materials needs a stiffness from somewhere.
void check_moduli(Build& build, const Node& where) {
  const Model& model = build.scene.model;
  for (std::size_t a = 0; a < model.materials.size(); ++a)
    for (std::size_t b = a; b < model.materials.size(); ++b) {
      const PairLaw& law = model.laws(static_cast<MaterialId>(a), static_cast<MaterialId>(b));
      if (law.kind != LawKind::hertz_mindlin || law.force.k_n > 0) continue;
      const Material &first = model.materials[a], &second = model.materials[b];
      const auto is_rigid = [](const Material& m) { return std::isinf(m.moduli.young); };
      // Two obstacles never meet.
      const bool obstacles = first.density == 0 && second.density == 0;
      if (!obstacles && is_rigid(first) && is_rigid(second))
        build.problems.report(
            where, fmt::format("hertz_mindlin between '{}' and '{}' has no stiffness: give one of "
                               "these materials its moduli young and poisson, or the law k_n and "
                               "k_t",
                               first.name, second.name));
    }
}

void build_laws(Build& build) {
  LawTable& table = build.scene.model.laws;
  const std::size_t n = build.scene.model.materials.size();
  const Node* standard = build.root.find("default_law");
  const auto everywhere = standard ? read_law(build, *standard) : std::nullopt;
  table = LawTable(n, everywhere.value_or(PairLaw{}));

  const Node& laws = build.root["laws"];
  std::set<std::pair<MaterialId, MaterialId>> seen;
  for (const Node& entry : entries_of(laws)) {
    const Node* between = entry.find("between");
    if (!between || !between->is_list() || between->children.size() != 2) continue;
    std::optional<MaterialId> pair[2];
    for (int k = 0; k < 2; ++k) {
      const Node& name = between->children[k];
      std::vector<std::string> known;
      for (std::size_t i = 0; i < n; ++i) {
        known.push_back(build.scene.model.materials[i].name);
        if (name.is_string() && known.back() == name.text) pair[k] = static_cast<MaterialId>(i);
      }
      if (name.is_string() && !pair[k])
        build.problems.report(name, fmt::format("there is no material '{}'{}", name.text,
                                                suggestion(name.text, known)));
    }
    const auto law = read_law(build, entry);
    if (!law || !pair[0] || !pair[1]) continue;
    if (!seen.insert(std::minmax(*pair[0], *pair[1])).second)
      build.problems.report(*between, "this pair of materials has a law already");
    table.assign(*pair[0], *pair[1], *law);
  }
  check_moduli(build, standard ? *standard : laws);
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
  build_solver(build);
  check_times(build);
}

void build_materials(Build& build) {
  const Node* materials = build.root.find("materials");
  if (!materials || !materials->is_map()) return;
  if (materials->children.size() > kMostMaterials) {
    build.problems.report(*materials, fmt::format("{} materials, at most {} can be used",
                                                  materials->children.size(), kMostMaterials));
    return;
  }
  for (const Node& material : materials->children) {
    if (material.key.empty()) build.problems.report_key(material, "a material needs a name");
    const double density = sound(material) ? number_if(material, "density").value_or(0) : 0;
    Material& added = build.scene.model.materials.emplace_back();
    added.name = material.key;
    added.density = density;
    if (!sound(material)) continue;
    if (const auto young = number_if(material, "young")) added.moduli.young = *young;
    if (const auto poisson = number_if(material, "poisson")) added.moduli.poisson = *poisson;
  }
  build_laws(build);
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
    build.problems.report(picture["file"],
                          fmt::format("'{}' is no name of a file inside the run directory", file));
  if (!files.insert(file).second)
    build.problems.report(
        picture["file"],
        fmt::format("another picture has the file '{}', too; name one of them", file));
  if (const Node* region = picture.find("region")) check_region(*region, build.problems);
  build.scene.output.pictures.push_back({kind == "velocity_map" ? Kind::velocity_map
                                         : kind == "energy"     ? Kind::energy
                                         : kind == "residual"   ? Kind::residual
                                                                : Kind::grains,
                                         file, options_of(picture).dump()});
}

/// Tables of a run are kept in memory and in its checkpoints; `scree analyse` allows finer grids.
constexpr double kMostCells = 100'000;

void add_analysis(Build& build, const Node& entry, std::set<std::string>& names) {
  AnalysisRequest request;
  request.name = entry["name"].text;
  if (request.name.find_first_not_of(
          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != std::string::npos)
    build.problems.report(
        entry["name"],
        fmt::format("'{}' is to be the name of a directory: letters, digits, _ and - only",
                    request.name));
  if (request.name == "frames")
    build.problems.report(entry["name"],
                          "'frames' is where scree analyse puts force chains; take another name");
  if (!names.insert(request.name).second)
    build.problems.report(entry["name"],
                          fmt::format("another analysis has the name '{}', too", request.name));
  const Node& region = entry["region"];
  if (!check_region(region, build.problems)) return;
  request.min = vec3(region["min"]), request.max = vec3(region["max"]);
  request.interval = number_if(entry, "interval");
  const double h = build.scene.model.step.h;
  if (request.interval && *request.interval > 0 && *request.interval < h * (1 - 1e-9))
    build.problems.report(entry["interval"],
                          fmt::format("{} s is shorter than a step, {} s", *request.interval, h));
  double cells = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    request.cells[k] = static_cast<std::uint32_t>(integer(entry["cells"].children[k]));
    cells *= request.cells[k];
  }
  if (cells > kMostCells)
    build.problems.report(
        entry["cells"],
        fmt::format("{:.3g} cells; at most {:.0f} can be filled while a run goes on, "
                    "`scree analyse` allows more",
                    cells, kMostCells));
  request.bins = static_cast<std::size_t>(integer(entry["bins"]));
  request.least_contacts = static_cast<std::size_t>(integer(entry["least_contacts"]));
  request.r_max = number_if(entry, "r_max");
  const Vec3 e = request.max - request.min;
  if (request.r_max && *request.r_max > std::min({e.x, e.y, e.z}))
    build.problems.report(entry["r_max"],
                          fmt::format("{} m is more than the smallest side of the region, {} m",
                                      *request.r_max, std::min({e.x, e.y, e.z})));
  if (const Node* plane = entry.find("plane")) {
    const auto normal = unit_direction((*plane)["normal"], build.problems);
    if (normal) request.plane = {vec3((*plane)["point"]), *normal};
  }
  request.force_chains = entry["force_chains"].truth;
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
    build.problems.warn(
        output["frame_interval"],
        fmt::format("this writes {:.3g} frames", build.scene.until / settings.frame_interval));
  if (sound(output["contacts"])) settings.contacts = output["contacts"].truth;
  std::set<std::string> names;
  for (const Node& entry : entries_of(output["analysis"]))
    if (sound(entry)) add_analysis(build, entry, names);
  std::set<std::string> files;
  for (const Node& entry : entries_of(output["pictures"]))
    for (const Node& picture : entry.children)
      if (sound(entry)) add_picture(build, picture, files);
}

}  // namespace scree::scene
