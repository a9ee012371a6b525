/// Reads equalities and tendons of MJCF files.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "scene/mjcf/model.hpp"

namespace scree::robots {
namespace {

/// Coefficients of a polynomial, the constant first.
std::vector<double> coefficients_of(Mjcf& mjcf, const Tag& tag) {
  std::vector<double> c = mjcf.values.numbers(tag, "polycoef", 5);
  if (c.empty()) c = {0, 1};
  c.resize(5);
  if (c[2] != 0 || c[3] != 0 || c[4] != 0)
    mjcf.left_out.count(tag.place, "curved equalities", "of polycoef the first two numbers count");
  return c;
}

/// Lets a coordinate follow another: offset + multiplier times it.
void follow(Mjcf& mjcf, const Tag& tag, const std::string& name, const std::string& other,
            double multiplier, double offset) {
  Coordinate* own = mjcf.robot.coordinate(name);
  const bool is_missing = !own || (!other.empty() && !mjcf.robot.coordinate(other));
  if (is_missing || own->mimic) {
    mjcf.findings.repair(
        tag.place,
        is_missing
            ? fmt::format("there is no hinge or slider '{}' to follow another", own ? other : name)
            : fmt::format("the joint '{}' follows two others", name),
        "the equality is left out");
    return;
  }
  if (other.empty() || multiplier == 0) {
    own->limits = Limits{offset, offset};
    own->wanted = offset;
    return;
  }
  own->mimic = Mimic{other, multiplier, offset, tag.place};
}

void read_joint_equality(Mjcf& mjcf, const Tag& tag) {
  const std::vector<double> c = coefficients_of(mjcf, tag);
  follow(mjcf, tag, tag.text("joint1"), tag.text("joint2"), c[1], c[0]);
}

/// Reads an equality of tendons that couples two joints.
void read_tendon_equality(Mjcf& mjcf, const Tag& tag) {
  const auto tendon = [&](const char* attribute) {
    const auto found = mjcf.tendons.find(tag.text(attribute));
    return found == mjcf.tendons.end() ? nullptr : &found->second;
  };
  const Tendon *one = tendon("tendon1"), *other = tendon("tendon2");
  const std::vector<double> c = coefficients_of(mjcf, tag);
  if (one && !other && tag.text("tendon2").empty() && one->joints.size() == 2) {
    const auto& [a, of_a] = one->joints[0];
    const auto& [b, of_b] = one->joints[1];
    follow(mjcf, tag, a, b, -of_b / of_a, c[0] / of_a);
  } else if (one && other && one->joints.size() == 1 && other->joints.size() == 1) {
    const auto& [a, of_a] = one->joints[0];
    const auto& [b, of_b] = other->joints[0];
    follow(mjcf, tag, a, b, c[1] * of_b / of_a, c[0] / of_a);
  } else {
    mjcf.left_out.count(tag.place, "equalities of tendons over more than two joints");
  }
}

/// End of a loop: a body, or that of a site; none, and reported, if there is none.
std::optional<Mark> end_of(Mjcf& mjcf, const Tag& tag, const char* body, const char* site) {
  if (const std::string name = tag.text(site); !name.empty()) {
    if (const auto found = mjcf.sites.find(name); found != mjcf.sites.end()) return found->second;
    mjcf.findings.repair(tag.place, fmt::format("there is no site '{}'", name),
                         "the equality is left out");
    return {};
  }
  const std::string name = tag.text(body);
  if (name.empty()) return Mark{"world", {}};
  if (mjcf.robot.find(name)) return Mark{name, {}};
  mjcf.findings.repair(tag.place, fmt::format("there is no body '{}'", name),
                       "the equality is left out");
  return {};
}

void read_closure(Mjcf& mjcf, const Tag& tag) {
  const auto a = end_of(mjcf, tag, "body1", "site1"), b = end_of(mjcf, tag, "body2", "site2");
  if (!a || !b) return;
  if (a->link == b->link) {
    mjcf.findings.repair(tag.place, fmt::format("the {} holds '{}' to itself", tag.name, a->link),
                         "it is left out");
    return;
  }
  Closure closure{.name = tag.text("name"),
                  .place = tag.place,
                  .is_weld = tag.name == "weld",
                  .a = a->link,
                  .b = b->link};
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::find(mjcf.robot.closures, name, &Closure::name) !=
               mjcf.robot.closures.end() ||
           std::ranges::find(mjcf.robot.joints, name, &Joint::name) != mjcf.robot.joints.end();
  };
  if (closure.name.empty()) closure.name = fmt::format("{} {} {}", tag.name, a->link, b->link);
  const std::string wish = closure.name;
  for (int k = 2; is_taken(closure.name); ++k) closure.name = fmt::format("{} {}", wish, k);
  closure.at = moved(a->pose, {mjcf.values.vector(tag, "anchor", {}), {}}).position;
  const std::vector<double> n = mjcf.values.numbers(tag, "relpose", 7);
  const double length =
      n.size() == 7 ? std::hypot(std::hypot(n[3], n[4]), std::hypot(n[5], n[6])) : 0;
  if (length > 0)
    closure.relative = Pose{{n[0], n[1], n[2]}, normalised(Quaternion{n[3], n[4], n[5], n[6]})};
  if (!tag.text("site1").empty()) closure.relative = moved(a->pose, seen_from(b->pose, {}));
  mjcf.robot.closures.push_back(closure);
}

// --- tendons ---

/// Gives the limits and the spring of a tendon over one joint to this joint.
void give_to_joint(Mjcf& mjcf, const Tag& tag, const std::string& name, double coefficient) {
  Coordinate& of = *mjcf.robot.coordinate(name);
  const Values& values = mjcf.values;
  const auto at = [&](double length) { return length / coefficient - of.reference; };
  const std::vector<double> range = values.numbers(tag, "range", 2);
  if (range.size() == 2 && tag.text("limited") != "false") {
    const double low = std::min(at(range[0]), at(range[1])),
                 high = std::max(at(range[0]), at(range[1]));
    if (!of.limits) of.limits = Limits{low, high};
    of.limits = Limits{std::max(low, of.limits->lower), std::min(high, of.limits->upper)};
  }
  const double square = coefficient * coefficient,
               stiffness = values.not_below_zero(tag, "stiffness");
  of.damping += square * values.not_below_zero(tag, "damping");
  of.friction += std::abs(coefficient) * values.not_below_zero(tag, "frictionloss");
  if (stiffness == 0) return;
  const std::vector<double> rest = values.numbers(tag, "springlength", 2);
  const double own = rest.empty() || rest[0] < 0 ? 0 : at(rest[0]);
  const double added = stiffness * square;
  of.rest = (of.stiffness * of.rest + added * own) / (of.stiffness + added);
  of.stiffness += added;
}

void read_fixed_tendon(Mjcf& mjcf, const Tag& tag) {
  Tendon tendon;
  for (const Tag& each : tag.children) {
    if (each.name != "joint") continue;
    const std::string name = each.text("joint");
    const double coefficient = mjcf.values.number(each, "coef", 0);
    if (!mjcf.robot.coordinate(name))
      mjcf.findings.repair(each.place,
                           fmt::format("there is no hinge or slider '{}' for a tendon", name),
                           "the tendon goes without it");
    else if (coefficient != 0)
      tendon.joints.emplace_back(name, coefficient);
  }
  if (tendon.joints.size() == 1)
    give_to_joint(mjcf, tag, tendon.joints[0].first, tendon.joints[0].second);
  else
    for (const char* of_all : {"range", "stiffness", "damping", "frictionloss"})
      if (tag.find(of_all) && tendon.joints.size() > 1)
        mjcf.left_out.count(tag.find(of_all)->place,
                            fmt::format("{} of tendons over several joints", of_all));
  mjcf.tendons[tag.text("name")] = std::move(tendon);
}

}  // namespace

void read_tendons(Mjcf& mjcf, const Tag& tendons) {
  for (const Tag& tag : tendons.children)
    if (tag.name == "fixed")
      read_fixed_tendon(mjcf, tag);
    else
      mjcf.left_out.count(tag.place, fmt::format("{} tendons", tag.name));
}

void read_equalities(Mjcf& mjcf, const Tag& equalities) {
  for (const Tag& tag : equalities.children) {
    if (!mjcf.values.flag(tag, "active", true))
      mjcf.left_out.count(tag.place, "equalities that are not active");
    else if (tag.name == "joint")
      read_joint_equality(mjcf, tag);
    else if (tag.name == "tendon")
      read_tendon_equality(mjcf, tag);
    else if (tag.name == "connect" || tag.name == "weld")
      read_closure(mjcf, tag);
    else
      mjcf.left_out.count(tag.place, fmt::format("{} equalities", tag.name));
  }
}

}  // namespace scree::robots
