/// Reads numbers, flags and orientations of MJCF files, and forgives what is clear all the same.
#include "scene/mjcf/values.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numbers>

#include "scene/xml_file.hpp"
#include "scree/core/error.hpp"

namespace scree::robots {
namespace {

std::string list_of(const std::vector<double>& values) {
  return values.empty() ? "missing" : fmt::format("{}", fmt::join(values, " "));
}

Vec3 unit_along(char axis) {
  return {axis == 'x' ? 1.0 : 0, axis == 'y' ? 1.0 : 0, axis == 'z' ? 1.0 : 0};
}

}  // namespace

void Values::refuse(const Tag& at, const std::string& what) const {
  throw InputError(
      fmt::format("{}:{}: {}", findings_.file_of(at.place).string(), at.place.line, what));
}

void Values::report(const Tag& tag, const char* attribute, const std::string& lacks,
                    const std::string& counts_as) const {
  const Tag::Attribute& found = *tag.find(attribute);
  findings_.repair(
      found.place,
      fmt::format("{} has {}=\"{}\", which is not {}", tag.name, attribute, found.text, lacks),
      fmt::format("it counts as {}", counts_as));
}

std::vector<double> Values::numbers(const Tag& tag, const char* attribute, std::size_t most) const {
  const Tag::Attribute* found = tag.find(attribute);
  if (!found) return {};
  scene::NumberList list = scene::numbers_in(found->text.c_str());
  bool clean = list.clean && list.values.size() <= most && !list.values.empty();
  list.values.resize(std::min(most, list.values.size()));
  for (double& value : list.values)
    if (!std::isfinite(value)) {
      value = 0;
      clean = false;
    }
  if (!clean)
    report(tag, attribute, most == 1 ? "one number" : fmt::format("up to {} numbers", most),
           list_of(list.values));
  return list.values;
}

double Values::number(const Tag& tag, const char* attribute, double otherwise) const {
  const std::vector<double> values = numbers(tag, attribute, 1);
  return values.empty() ? otherwise : values[0];
}

double Values::not_below_zero(const Tag& tag, const char* attribute) const {
  const double value = number(tag, attribute, 0);
  if (value < 0) report(tag, attribute, "0 or above", "0");
  return std::max(0.0, value);
}

Vec3 Values::vector(const Tag& tag, const char* attribute, const Vec3& otherwise) const {
  if (!tag.find(attribute)) return otherwise;
  const std::vector<double> values = numbers(tag, attribute, 3);
  Vec3 result = otherwise;
  for (std::size_t k = 0; k < values.size(); ++k) result[static_cast<int>(k)] = values[k];
  if (!values.empty() && values.size() < 3)
    report(tag, attribute, "three numbers", fmt::format("{} {} {}", result.x, result.y, result.z));
  return result;
}

bool Values::flag(const Tag& tag, const char* attribute, bool otherwise) const {
  const std::string text = tag.text(attribute);
  if (text == "true" || text == "enable" || text == "1") return true;
  if (text == "false" || text == "disable" || text == "0") return false;
  if (!text.empty() && text != "auto")
    report(tag, attribute, "true or false", otherwise ? "true" : "false");
  return otherwise;
}

void Values::read(const Tag& tag) {
  Compiler& c = compiler_;
  if (const std::string angle = tag.text("angle"); !angle.empty()) c.degrees = angle != "radian";
  if (const std::string in = tag.text("coordinate"); !in.empty()) c.global = in == "global";
  c.auto_limits = flag(tag, "autolimits", c.auto_limits);
  c.balances_inertia = flag(tag, "balanceinertia", c.balances_inertia);
  c.fuses_static = flag(tag, "fusestatic", c.fuses_static);
  c.strips_paths = flag(tag, "strippath", c.strips_paths);
  if (const std::string euler = tag.text("eulerseq"); !euler.empty()) {
    if (euler.size() == 3 && euler.find_first_not_of("xyzXYZ") == std::string::npos)
      c.euler = euler;
    else
      report(tag, "eulerseq", "three of x, y, z, X, Y and Z", c.euler);
  }
  if (const std::string from = tag.text("inertiafromgeom"); !from.empty())
    c.from_geoms = from == "true"    ? Compiler::Inertia::yes
                   : from == "false" ? Compiler::Inertia::no
                                     : Compiler::Inertia::where_missing;
  if (const auto range = numbers(tag, "inertiagrouprange", 2); range.size() == 2) {
    c.first_group = static_cast<int>(std::clamp(range[0], -1e3, 1e3));
    c.last_group = static_cast<int>(std::clamp(range[1], -1e3, 1e3));
  }
  c.min_mass = number(tag, "boundmass", c.min_mass);
  c.min_moment = number(tag, "boundinertia", c.min_moment);
  c.total_mass = number(tag, "settotalmass", c.total_mass);
  for (const char* folder : {"assetdir", "meshdir"})
    if (tag.find(folder)) c.mesh_folder = tag.text(folder);
}

double Values::angle(double value) const {
  return compiler_.degrees ? value * std::numbers::pi / 180 : value;
}

Quaternion Values::by_euler(const Tag& tag) const {
  const Vec3 angles = vector(tag, "euler", {});
  Quaternion result;
  for (int k = 0; k < 3; ++k) {
    const char axis = compiler_.euler[static_cast<std::size_t>(k)];
    const bool is_fixed = axis < 'a';
    const Quaternion turn = rotation(
        unit_along(is_fixed ? static_cast<char>(axis - 'A' + 'a') : axis), angle(angles[k]));
    result = is_fixed ? turn * result : result * turn;
  }
  return normalised(result);
}

Quaternion Values::by_axes(const Tag& tag) const {
  const std::vector<double> n = numbers(tag, "xyaxes", 6);
  const auto fall_back = [&] {
    report(tag, "xyaxes", "two directions", "no rotation");
    return Quaternion{};
  };
  if (n.size() < 6) return fall_back();
  Eigen::Vector3d x(n[0], n[1], n[2]), y(n[3], n[4], n[5]);
  x.normalize();
  y = (y - x.dot(y) * x).eval();
  if (!(x.norm() > 0.5) || !(y.norm() > 1e-9)) return fall_back();
  y.normalize();
  Eigen::Matrix3d turn;
  turn << x, y, x.cross(y);
  const Eigen::Quaterniond q(turn);
  return normalised(Quaternion{q.w(), q.x(), q.y(), q.z()});
}

Quaternion Values::orientation(const Tag& tag) const {
  if (tag.find("quat")) {
    const std::vector<double> n = numbers(tag, "quat", 4);
    const double length =
        n.size() == 4 ? std::hypot(std::hypot(n[0], n[1]), std::hypot(n[2], n[3])) : 0;
    if (length > 0 && std::isfinite(length))
      return normalised(Quaternion{n[0] / length, n[1] / length, n[2] / length, n[3] / length});
    report(tag, "quat", "a quaternion", "no rotation");
    return {};
  }
  if (tag.find("axisangle")) {
    const std::vector<double> n = numbers(tag, "axisangle", 4);
    const Vec3 axis = n.size() == 4 ? Vec3{n[0], n[1], n[2]} : Vec3{};
    if (norm(axis) > 0 && std::isfinite(norm(axis)))
      return rotation(axis / norm(axis), angle(n[3]));
    report(tag, "axisangle", "an axis and an angle", "no rotation");
    return {};
  }
  if (tag.find("euler")) return by_euler(tag);
  if (tag.find("xyaxes")) return by_axes(tag);
  if (tag.find("zaxis")) {
    const Vec3 z = vector(tag, "zaxis", {0, 0, 1});
    if (norm(z) > 0 && std::isfinite(norm(z))) return rotation_between({0, 0, 1}, z / norm(z));
    report(tag, "zaxis", "a direction", "no rotation");
  }
  return {};
}

Pose Values::pose(const Tag& tag) const { return {vector(tag, "pos", {}), orientation(tag)}; }

}  // namespace scree::robots
