/// Forces and energies of one pair with prescribed motion, for `scree pair`.
#include "scree/run/pair_lab.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <optional>

#include "run/number_table.hpp"
#include "scree/core/csv.hpp"
#include "scree/core/error.hpp"
#include "scree/scene/scene.hpp"

namespace scree {
namespace {

/// The law as given; without a dashpot unless one is given.
std::vector<std::pair<std::string, std::string>> with_dashpot(
    std::vector<std::pair<std::string, std::string>> law) {
  const bool has_dashpot = std::ranges::any_of(law, [](const auto& entry) {
    return entry.first == "restitution" || entry.first == "normal_damping";
  });
  if (!has_dashpot) law.emplace_back("restitution", "1");
  return law;
}

/// Material of a wall: that of the sphere, except for the given keys.
std::vector<std::pair<std::string, std::string>> wall_material_of(const PairDescription& d) {
  auto material = d.material;
  for (const auto& given : d.wall_material) {
    std::erase_if(material, [&](const auto& entry) { return entry.first == given.first; });
    const bool rigid = given.first == "young" && given.second == "rigid";
    if (!rigid) material.push_back(given);
  }
  return material;
}

/// Scene of the two bodies, so that the scene reader checks units and keys.
std::string scene_of(const PairDescription& d) {
  const auto map = [](const auto& entries) {
    std::string text;
    for (const auto& [key, value] : entries)
      text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", key, value);
    return text;
  };
  std::string text =
      fmt::format("scree: 1\nuntil: 1e6\nstep: {{h: {}, allow_unstable: true}}\n", d.h);
  text += fmt::format("materials: {{body: {{{}}}, wall: {{{}}}}}\n", map(d.material),
                      map(wall_material_of(d)));
  text += fmt::format("default_law: {{{}}}\nbodies:\n", map(with_dashpot(d.law)));
  for (std::size_t k = 0; k < d.radius.size(); ++k)
    text +=
        fmt::format("  - sphere: {{position: [{}, 0, 0], radius: {}, mass: 1, material: body}}\n",
                    1e8 * static_cast<double>(k), d.radius[k]);
  return text;
}

Vec3 normal_of(const std::string& text) {
  std::array<double, 3> v{};
  std::size_t begin = 0;
  for (int k = 0; k < 3; ++k) {
    const std::size_t end = text.find(',', begin);
    const auto number = read_number(std::string_view(text).substr(begin, end - begin));
    if (!number || !std::isfinite(*number) || (k < 2) != (end != std::string::npos))
      throw InputError(
          fmt::format("--wall: found '{}', expected the normal of a plane as x,y,z", text));
    v[static_cast<std::size_t>(k)] = *number;
    begin = end + 1;
  }
  const Vec3 normal{v[0], v[1], v[2]};
  if (!(norm(normal) > 0 && std::isfinite(norm(normal))))
    throw InputError("--wall: the normal must have a finite length > 0");
  return normal / norm(normal);
}

/// Positions and velocities of both bodies are required, spins and times are optional.
TableFormat format_of_motions() {
  TableFormat format{.columns = {},
                     .label = "iter",
                     .together = "give all columns wx1 to wz2, or none for bodies without spin",
                     .first_line = "x1,y1,z1,x2,y2,z2,vx1,…",
                     .undone = "nothing was computed"};
  for (const char* of : {"", "v", "w"})
    for (const char* body : {"1", "2"})
      for (const char axis : {'x', 'y', 'z'})
        format.columns.push_back({std::string(of) + axis + body, *of == 'w'
                                                                     ? NumberColumn::Need::together
                                                                     : NumberColumn::Need::needed});
  format.columns.push_back({"t", NumberColumn::Need::optional, std::nan("")});
  return format;
}

/// Checks that rows with times or step numbers are one step apart.
class StepsOfRows {
 public:
  explicit StepsOfRows(double h) : h_(h) {}

  /// Error message for the next row, once; `t` is NaN without a time [s].
  std::string next(const std::string& iter, double t) {
    const std::optional<double> number = read_number(iter);
    std::string trouble;
    if (rows_ > 0 && !complained_) trouble = std::isnan(t) ? trouble_of(number) : trouble_of(t);
    complained_ = complained_ || !trouble.empty();
    if (rows_ == 0) first_t_ = t;
    last_t_ = t;
    last_number_ = number;
    ++rows_;
    return trouble;
  }

 private:
  /// Compares with the previous row, and with the first row, which shows small differences in the
  /// end.
  std::string trouble_of(double t) const {
    const double digits = 1e-5 * std::abs(t);  // relative to t, which may have six digits
    const double slack = 1e-3 * h_ + digits;
    const double since_first = static_cast<double>(rows_) * h_;
    const bool fits = std::abs(t - last_t_ - h_) <= std::min(slack, h_ / 2) &&
                      std::abs(t - first_t_ - since_first) <= slack;
    if (fits) return {};
    return fmt::format(
        "t is {:.6g} s in row {} after the first and {:.6g} s in the row before, but --h is {:.6g} "
        "s: each row must be one step, because the motion between rows is unknown. Write every "
        "step, or give --h the time between rows",
        t, rows_, last_t_, h_);
  }
  std::string trouble_of(std::optional<double> number) const {
    if (!number || !last_number_ || *number - *last_number_ == 1) return {};
    return fmt::format(
        "iter goes from {:.15g} to {:.15g}: each row must be one step of --h, because the motion "
        "between rows is unknown. Write every step. If rows are steps, remove the column iter or "
        "add the times t",
        *last_number_, *number);
  }

  double h_, first_t_ = 0, last_t_ = 0;
  std::optional<double> last_number_;
  std::size_t rows_ = 0;
  bool complained_ = false;
};

void append(std::string& text, double value) {
  fmt::format_to(std::back_inserter(text), ",{:.17g}", value + 0.0);  // no negative zeros
}
void append(std::string& text, const Vec3& v) {
  append(text, v.x);
  append(text, v.y);
  append(text, v.z);
}

}  // namespace

ForcePairSettings pair_settings(const PairDescription& d) {
  const bool wall = !d.wall.empty();
  if (wall && d.radius.size() > 1 && d.radius.front() != d.radius.back())
    throw InputError(
        "--radius: a sphere on a wall has one radius, but two different ones are given");
  if (d.radius.empty() || d.radius.size() > 2)
    throw InputError("--radius: expected one radius, or two: 5mm,5mm");
  if (!wall && !d.wall_material.empty())
    throw InputError(
        fmt::format("--wall_{}: there is no wall; add --wall", d.wall_material.front().first));
  const Scene scene = load_scene_text(scene_of(d), "command line");
  const Bodies& bodies = scene.state.bodies;
  ForcePairSettings settings;
  settings.law = scene.model.laws(0, 0);
  if (!is_compliant(settings.law))
    throw InputError(
        fmt::format("--law: {} is rigid and has no forces; take cundall_strack, hertz_mindlin or "
                    "spring_dashpot, or use scree contact",
                    name(settings.law.kind)));
  settings.h = scene.model.step.h;
  settings.wall = wall;
  if (wall) settings.wall_normal = normal_of(d.wall);
  const auto material = [&](const char* its_name) {
    return *std::ranges::find(scene.model.materials, its_name, &Material::name);
  };
  const ElasticModuli of_body = material("body").moduli, of_wall = material("wall").moduli;
  const double density = material("body").density;
  for (std::size_t k = 0; k < 2; ++k) {
    const double r = bodies.radius[std::min(k, bodies.size() - 1)];
    settings.radius[k] = r;
    settings.mass[k] = density * 4.0 / 3 * 3.14159265358979323846 * r * r * r;
    settings.moduli[k] = wall && k == 0 ? of_wall : of_body;
  }
  const bool from_restitution = !settings.law.force.normal_damping && settings.law.restitution < 1;
  if (from_restitution && !(density > 0))
    throw InputError(
        "--restitution below 1 needs the masses for its dashpot: add --density, or give "
        "--normal_damping instead");
  return settings;
}

std::vector<PairRow> read_pair_rows(const std::filesystem::path& file, double h) {
  std::vector<PairRow> rows;
  StepsOfRows steps(h);
  read_number_table(file, format_of_motions(), [&](std::string iter, std::span<const double> x) {
    const auto vector = [&](std::size_t k) { return Vec3{x[k], x[k + 1], x[k + 2]}; };
    std::string trouble = steps.next(iter, x[18]);
    rows.push_back(
        {std::move(iter), {vector(0), vector(6), vector(12)}, {vector(3), vector(9), vector(15)}});
    return trouble;
  });
  return rows;
}

std::string pair_forces_csv(const std::vector<PairRow>& rows, const ForcePairSettings& settings,
                            std::size_t every) {
  std::string text = "iter,contact,un,nx,ny,nz,Fnx,Fny,Fnz,Fsx,Fsy,Fsz";
  for (const char* of : {"f", "t"})
    for (const char* body : {"1", "2"})
      for (const char axis : {'x', 'y', 'z'}) text += fmt::format(",{}{}{}", of, axis, body);
  text += ",elastic_normal,elastic_shear,elastic_moment,damped,slid,rolled,work\n";
  ForcePair pair(settings);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const PairForces f = pair.step(rows[k].first, rows[k].second);
    if (!is_finite(f.force_a) || !is_finite(f.torque_a) || !is_finite(f.torque_b))
      throw InputError(
          fmt::format("row {}: the forces are not finite; check the positions, velocities and "
                      "spins of this row",
                      rows[k].iter));
    if (k % every != 0) continue;
    text += fmt::format("{},{}", rows[k].iter, f.contact ? 1 : 0);
    append(text, f.contact ? f.overlap : 0);
    append(text, f.contact ? f.normal : Vec3{});
    for (const Vec3& v :
         {f.normal_force, f.shear_force, f.force_a, f.force_b, f.torque_a, f.torque_b})
      append(text, v);
    const PairEnergy& e = f.energy;
    for (const double energy :
         {e.elastic_normal, e.elastic_shear, e.elastic_moment, e.damped, e.slid, e.rolled, e.work})
      append(text, energy);
    text += '\n';
  }
  return text;
}

}  // namespace scree
