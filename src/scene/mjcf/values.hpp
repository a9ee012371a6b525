/// Values of attributes in MJCF files.
#pragma once

#include <Eigen/Core>

#include "scene/mjcf/tag.hpp"

namespace scree::robots {

/// What the element `compiler` says about all others.
struct Compiler {
  bool degrees = true, global = false, auto_limits = true, balances_inertia = false;
  bool fuses_static = false;
  std::string euler = "xyz";  ///< axes of rotations: capitals are fixed, others turn with the body
  enum class Inertia { no, yes, where_missing } from_geoms = Inertia::where_missing;
  int first_group = 0, last_group = 5;  ///< of geoms with a mass
  double min_mass = 0, min_moment = 0;  ///< [kg, kg m²]
  double total_mass = 0;                ///< [kg]; 0: as it is
  std::string mesh_folder;
  bool strips_paths = false;
};

/// Attributes of elements; those that cannot be read get other values, which are reported.
class Values {
 public:
  explicit Values(Findings& findings) : findings_(findings) {}

  [[noreturn]] void refuse(const Tag& at, const std::string& what) const;

  double number(const Tag& tag, const char* attribute, double otherwise) const;
  /// At most `most` numbers; fewer are allowed. Numbers that are not finite count as 0.
  std::vector<double> numbers(const Tag& tag, const char* attribute, std::size_t most) const;
  Vec3 vector(const Tag& tag, const char* attribute, const Vec3& otherwise) const;
  /// True or false; `otherwise` for other texts, such as auto.
  bool flag(const Tag& tag, const char* attribute, bool otherwise) const;
  double not_below_zero(const Tag& tag, const char* attribute) const;

  void read(const Tag& compiler);
  const Compiler& compiler() const { return compiler_; }
  double angle(double value) const;  ///< in rad
  /// Orientation by any of its attributes.
  Quaternion orientation(const Tag& tag) const;
  Pose pose(const Tag& tag) const;

 private:
  void report(const Tag& tag, const char* attribute, const std::string& lacks,
              const std::string& counts_as) const;
  Quaternion by_euler(const Tag& tag) const;
  Quaternion by_axes(const Tag& tag) const;

  Findings& findings_;
  Compiler compiler_;
};

}  // namespace scree::robots
