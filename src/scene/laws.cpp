/// Reads materials and contact laws.
#include <fmt/format.h>
#include <set>

#include "scene/build.hpp"
#include "scree/core/spelling.hpp"

namespace scree::scene {

namespace {

constexpr std::size_t kMaxMaterials = 1000;  // the law table grows with their square

/// Reports a law that the solver does not support.
void check_law_suits_solver(Build& build, const Node& law, LawKind kind) {
  const SolverKind solver = build.scene.model.solver.method;
  if (suits(solver, kind)) return;
  std::string known;
  for (const LawKind other : kLawKinds)
    if (suits(solver, other)) known += fmt::format("{}{}", known.empty() ? "" : ", ", name(other));
  const std::string_view hint = traits(kind).coulomb_for_spheres && suits(solver, LawKind::coulomb)
                                    ? "; between spheres coulomb gives the same"
                                    : "";
  build.problems.report(
      law,
      fmt::format(
          "the solver {} does not support the law {}: choose another solver.method, or one of {}{}",
          name(solver), name(kind), known, hint));
}

/// Keys of compliant laws, and the laws that have them.
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
          *node, fmt::format("the law {} is rigid and has no {}; remove the key, or choose a "
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
                            fmt::format("the law {} has no {}; remove the key", law, of.key));
  }
}

/// Reads the stiffnesses of a law in its unit; reports missing ones.
void read_stiffness(Build& build, const Node& map, PairLaw& law) {
  const bool hertz = force_kind(law.kind) == ForceKind::hertz_mindlin;
  const auto read = [&](const char* key, double& to) {
    const Node* node = map.find(key);
    if (!node) return false;
    to = node->number;
    const std::string_view wanted = hertz ? "Pa" : "N/m";
    if (!node->unit.empty() && node->unit != wanted)
      build.problems.report(*node, fmt::format("the law {} needs {} in {}, found {}",
                                               name(law.kind), key, wanted, node->unit));
    return true;
  };
  const bool normal = read("k_n", law.force.k_n), shear = read("k_t", law.force.k_t);
  if (hertz) {
    if (normal != shear)
      build.problems.report(map,
                            "give hertz_mindlin both k_n and k_t, or neither and the materials' "
                            "moduli young and poisson");
    return;
  }
  if (!normal)
    build.problems.report(
        map, fmt::format("the key 'k_n' is missing; the law {} needs it", name(law.kind)));
  if (!shear && force_kind(law.kind) == ForceKind::linear)
    build.problems.report(map, fmt::format("the key 'k_t' is missing; the law {} needs it (2/7 of "
                                           "k_n gives both directions the same frequency)",
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
            map, fmt::format("the key '{}' is missing; the law {} needs it", key, of_law));
  }
  if (!force.normal_damping && !(restitution > 0))
    build.problems.report(map, fmt::format("the law {} needs normal_damping, or a restitution "
                                           "above 0 (1: only friction dissipates)",
                                           of_law));
  if (force.normal_damping && restitution > 0)
    build.problems.report(
        *map.find("normal_damping"),
        "restitution already determines the normal dashpot; remove one of the two");
  if (force.tangential_damping && map.find("damping_ratio"))
    build.problems.report(
        *map.find("damping_ratio"),
        "damping_ratio and tangential_damping exclude each other; remove one of the two");
}

/// Reads rolling and spinning friction, and cohesion.
void read_resistances(Build& build, const Node& map, PairLaw& law) {
  const auto read = [&](const char* key) {
    const Node& node = map[key];
    const double value = sound(node) ? node.number : 0;
    if (value > 0 && !traits(law.kind).unilateral && !traits(law.kind).compliant)
      build.problems.report(node,
                            fmt::format("the law {} does not support this key, because its "
                                        "contacts may pull; remove the key or choose another law",
                                        name(law.kind)));
    return value;
  };
  const auto read_rolling = [&](const char* key) {
    const double length = read(key);
    const SolverKind solver = build.scene.model.solver.method;
    if (length > 0 && !traits(law.kind).compliant && !takes_rolling(solver))
      build.problems.report(map[key],
                            fmt::format("the solver {} does not support rolling friction: remove "
                                        "the key, or take solver.method: gauss_seidel",
                                        name(solver)));
    return length;
  };
  law.rolling_friction = read_rolling("rolling_friction");
  law.spinning_friction = read_rolling("spinning_friction");
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
        fmt::format("the law {} has no friction; remove the key or choose another law", kind));
  if (of_law.has_friction() && !friction)
    problems.report(map, fmt::format("the key 'friction' is missing; the law {} needs it", kind));
  if (friction) law.friction = friction->number;
  if (const Node* facets = map.find("facets")) {
    if (!of_law.has_facets())
      problems.report(
          *facets,
          fmt::format("the law {} has no facets; remove the key or take polyhedral", kind));
    else if (sound(*facets))
      law.facets = static_cast<int>(integer(*facets));
  }
  if (const Node* policy = map.find("policy")) {
    if (law.kind != LawKind::coulomb)
      problems.report(*policy, fmt::format("policy chooses among the solutions of coulomb; remove "
                                           "the key, or take coulomb instead of {}",
                                           kind));
    else if (const auto choice = choice_named(policy->text))
      law.choice = *choice;
  }
  law.restitution = map["restitution"].number;
  check_force_keys(build, map, law.kind);
  if (of_law.compliant) read_force(build, map, law);
  read_resistances(build, map, law);
  return law;
}

}  // namespace

void build_laws(Build& build, const Node* standard, const Node& laws) {
  LawTable& table = build.scene.model.laws;
  const std::size_t n = build.scene.model.materials.size();
  const auto everywhere = standard ? read_law(build, *standard) : std::nullopt;
  table = LawTable(n, everywhere.value_or(PairLaw{}));

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
      build.problems.report(*between,
                            "this pair of materials already has a law; remove one of the two");
    table.assign(*pair[0], *pair[1], *law);
  }
}

void build_materials(Build& build) {
  const Node* materials = build.root.find("materials");
  if (!materials || !materials->is_map()) return;
  if (materials->children.size() > kMaxMaterials) {
    build.problems.report(*materials,
                          fmt::format("the scene has {} materials; at most {} are supported",
                                      materials->children.size(), kMaxMaterials));
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
  build_laws(build, build.root.find("default_law"), build.root["laws"]);
}

}  // namespace scree::scene
