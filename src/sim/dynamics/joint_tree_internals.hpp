/// Data of a JointTree, and the functions that its files share.
#pragma once

#include <span>
#include <vector>

#include "scree/sim/joint_tree.hpp"
#include "sim/dynamics/spatial.hpp"

namespace scree {

struct JointTree::Internals {
  static constexpr std::uint32_t kFloats = 0xffffffff;
  static constexpr std::size_t kRoot = static_cast<std::size_t>(-1);

  /// Body of a tree. Parents come before their children.
  struct Link {
    BodyId id;
    std::size_t parent = kRoot;     ///< index of its link; kRoot: the world or an obstacle
    std::uint32_t joint = kFloats;  ///< joint towards the parent; kFloats for a base
    double sign = 1;                ///< of its columns: −1 if the parent is end B of the joint
    std::size_t first = 0, count = 0, first_coordinate = 0;  ///< its rates and coordinates
    bool is_base() const { return joint == kFloats; }
  };
  /// Motion of B relative to A per unit of a rate. It moves with A and the first `carriers` columns
  /// of the joint.
  struct Column {
    SpatialMotion motion;
    std::size_t carriers;
  };

  Simulation& simulation;
  std::vector<Link> links{};
  std::vector<Column> columns{};  ///< one per rate
  std::size_t coordinates = 0;    ///< their number
  Vec3 origin{};                  ///< reference point of motions and forces [m]

  const Joint& joint_of(const Link& link) const { return simulation.model().joints[link.joint]; }
  const JointState& state_of(const Link& link) const {
    return simulation.state().joints[link.joint];
  }
  Pose pose_of_end(BodyId end) const;
  Twist twist_of_end(BodyId end) const;
  Pose frame_of_base(const Link& base) const;

  void find_links();
  void add_link(std::uint32_t joint, std::size_t parent, BodyId id);
  void add_children(std::size_t from, std::vector<bool>& used);
  void number_rates();
  void find_columns();

  std::vector<Pose> poses_at(std::span<const double> q) const;
  /// Velocity of each link at these rates, and its acceleration at these accelerations.
  struct Motions {
    std::vector<SpatialMotion> velocity, acceleration;
  };
  enum class Ground { moves, rests };  ///< obstacles with trees on them
  Motions motions_at(std::span<const double> rates, std::span<const double> accelerations,
                     Ground ground) const;
  std::vector<double> efforts_at(std::span<const double> rates,
                                 std::span<const double> accelerations, Ground ground) const;
  SpatialInertia inertia_of(const Link& link) const;
  double armature_of(std::size_t rate) const;  ///< [kg] or [kg m²]
  void accelerate_rotors(std::span<const double> before, std::span<const double> after) const;
};

}  // namespace scree
