/// Imported MJCF files against MuJoCo: masses, centres of mass and tensors of inertia in the world,
/// at random positions of the joints and at keyframes; motions; equations of motion.
#include <gtest/gtest.h>

#ifdef SCREE_HAVE_MUJOCO
#include <Eigen/Geometry>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mujoco/mujoco.h>
#include <regex>
#include <sstream>
#include <unistd.h>

#include "scree/math/random.hpp"
#include "scree/scene/robots.hpp"
#include "scree/scene/scene.hpp"
#include "scree/sim/joint_tree.hpp"
#include "scree/sim/simulation.hpp"
#endif

namespace scree {
namespace {

#ifdef SCREE_HAVE_MUJOCO
namespace fs = std::filesystem;

/// A body, about its centre of mass along the axes of the world.
struct Mass {
  double mass = 0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Matrix3d tensor = Eigen::Matrix3d::Zero();
};

Eigen::Matrix3d point_tensor(double mass, const Eigen::Vector3d& at) {
  return mass * (at.squaredNorm() * Eigen::Matrix3d::Identity() - at * at.transpose());
}

/// Copy of the data without what has no effect on masses and places and MuJoCo may not know, and
/// without planes, which raise robots. It is removed at the end.
class PlainCopy {
 public:
  PlainCopy()
      : folder_(fs::path(testing::TempDir()) / ("scree_mjcf_" + std::to_string(::getpid()))) {
    fs::copy(SCREE_TEST_DATA "/robots", folder_, fs::copy_options::recursive);
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      if (entry.path().extension() == ".xml") simplify(entry.path());
  }
  ~PlainCopy() { fs::remove_all(folder_); }
  PlainCopy(const PlainCopy&) = delete;
  PlainCopy& operator=(const PlainCopy&) = delete;

  fs::path file_of(const std::string& robot) const { return folder_ / (robot + ".xml"); }

 private:
  static void simplify(const fs::path& file) {
    static const std::regex dynamics(" (kv|fusestatic)=\"[^\"]*\""),
        planes("<geom[^>]*type=\"plane\"[^>]*/>");
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    std::ofstream(file) << std::regex_replace(std::regex_replace(text.str(), dynamics, ""), planes,
                                              "");
  }

  fs::path folder_;
};

class Mujoco {
 public:
  explicit Mujoco(const fs::path& file) {
    char error[1000] = "";
    model.reset(mj_loadXML(file.c_str(), nullptr, error, sizeof(error)));
    if (!model) throw std::runtime_error(error);
    data.reset(mj_makeData(model.get()));
  }

  std::string name(int type, int id) const {
    const char* found = mj_id2name(model.get(), type, id);
    return found ? found : "";
  }

  /// True if an equality gives the position of a joint.
  bool follows(int joint) const {
    for (int e = 0; e < model->neq; ++e)
      if (model->eq_type[e] == mjEQ_JOINT && model->eq_obj1id[e] == joint) return true;
    return false;
  }

  /// Puts joints that follow others where these say.
  void close() {
    for (int e = 0; e < model->neq; ++e) {
      if (model->eq_type[e] != mjEQ_JOINT) continue;
      const int own = model->jnt_qposadr[model->eq_obj1id[e]],
                other = model->jnt_qposadr[model->eq_obj2id[e]];
      const mjtNum* c = model->eq_data + e * mjNEQDATA;
      data->qpos[own] = model->qpos0[own] + c[0] + c[1] * (data->qpos[other] - model->qpos0[other]);
    }
  }

  /// Body of a name, with those that it is welded to.
  Mass mass_of(const std::string& body) const {
    const int id = mj_name2id(model.get(), mjOBJ_BODY, body.c_str());
    Mass sum;
    for (int b = 1; b < model->nbody; ++b)
      if (model->body_weldid[b] == model->body_weldid[id]) {
        sum.mass += model->body_mass[b];
        sum.centre += model->body_mass[b] * Eigen::Map<Eigen::Vector3d>(data->xipos + 3 * b);
      }
    sum.centre /= sum.mass;
    for (int b = 1; b < model->nbody; ++b)
      if (model->body_weldid[b] == model->body_weldid[id]) {
        const Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> turn(data->ximat + 9 * b);
        const Eigen::Map<Eigen::Vector3d> moments(model->body_inertia + 3 * b),
            at(data->xipos + 3 * b);
        sum.tensor += turn * moments.asDiagonal() * turn.transpose() +
                      point_tensor(model->body_mass[b], at - sum.centre);
      }
    return sum;
  }

  bool has(const std::string& body) const {
    return mj_name2id(model.get(), mjOBJ_BODY, body.c_str()) > 0;
  }

  struct Delete {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
    void operator()(mjData* d) const { mj_deleteData(d); }
  };
  std::unique_ptr<mjModel, Delete> model;
  std::unique_ptr<mjData, Delete> data;
};

std::map<std::string, Mass> masses_of(const Scene& scene) {
  std::map<std::string, Mass> masses;
  const Bodies& bodies = scene.state.bodies;
  for (const NamedBody& named : scene.named_bodies) {
    const auto i =
        static_cast<std::size_t>(std::ranges::find(bodies.id, named.id) - bodies.id.begin());
    const Vec3 at = bodies.position[i], unit = scene.model.prototypes[bodies.prototype[i]].inertia;
    const Quaternion q = bodies.orientation[i];
    const Eigen::Matrix3d turn = Eigen::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
    const double mass = bodies.mass[i], square = mass * bodies.radius[i] * bodies.radius[i];
    masses[named.name] = {
        mass,
        {at.x, at.y, at.z},
        turn * (square * Eigen::Vector3d(unit.x, unit.y, unit.z)).asDiagonal() * turn.transpose()};
  }
  return masses;
}

/// Compares all bodies that both have. Returns their number.
int compare(const Mujoco& mujoco, const Scene& scene, double tolerance) {
  int compared = 0;
  for (const auto& [name, ours] : masses_of(scene)) {
    if (!mujoco.has(name)) continue;
    const Mass theirs = mujoco.mass_of(name);
    EXPECT_NEAR(ours.mass, theirs.mass, tolerance * theirs.mass) << name;
    EXPECT_LT((ours.centre - theirs.centre).norm(), tolerance) << name;
    EXPECT_LT((ours.tensor - theirs.tensor).norm(), tolerance * theirs.tensor.norm()) << name;
    ++compared;
  }
  return compared;
}

Scene imported(const fs::path& file, const RobotOptions& options) {
  return load_scene_text(import_robot(file, options).scene, file);
}

struct Case {
  std::string robot;
  int bodies;               // that both have
  double tolerance = 1e-9;  // MuJoCo keeps the points of meshes in single precision
};
void PrintTo(const Case& of, std::ostream* out) { *out << of.robot; }

class ImportedRobots : public testing::TestWithParam<Case> {};

TEST_P(ImportedRobots, HaveTheMassesAndPlacesOfMujocoAtRandomPositionsAndAtKeyframes) {
  const PlainCopy copy;
  const fs::path file = copy.file_of(GetParam().robot);
  Mujoco mujoco(file);
  const mjModel& model = *mujoco.model;
  constexpr std::uint64_t kSeed = 7;
  SCOPED_TRACE("seed 7");
  RandomStream random{kSeed, 0};
  for (int trial = 0; trial < 5; ++trial) {
    RobotOptions options;
    mju_copy(mujoco.data->qpos, model.qpos0, model.nq);
    for (int j = 0; j < model.njnt; ++j) {
      const bool is_simple = model.jnt_type[j] == mjJNT_HINGE || model.jnt_type[j] == mjJNT_SLIDE;
      if (!is_simple || mujoco.follows(j)) continue;
      const bool limited = model.jnt_limited[j];
      const double value = random.uniform(limited ? model.jnt_range[2 * j] : -1,
                                          limited ? model.jnt_range[2 * j + 1] : 1);
      mujoco.data->qpos[model.jnt_qposadr[j]] = value;
      options.start[mujoco.name(mjOBJ_JOINT, j)] = value;
    }
    mujoco.close();
    mj_kinematics(&model, mujoco.data.get());
    EXPECT_EQ(compare(mujoco, imported(file, options), GetParam().tolerance), GetParam().bodies);
  }
  for (int k = 0; k < model.nkey; ++k) {
    const std::string name = mujoco.name(mjOBJ_KEY, k);
    mju_copy(mujoco.data->qpos, model.key_qpos + k * model.nq, model.nq);
    mj_kinematics(&model, mujoco.data.get());
    const RobotOptions options{.keyframe = name.empty() ? std::to_string(k) : name};
    compare(mujoco, imported(file, options), GetParam().tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, ImportedRobots,
                         testing::Values(Case{"arm", 4}, Case{"quadruped", 13},
                                         Case{"humanoid", 10}, Case{"walker", 4},
                                         Case{"cartpole", 2}, Case{"ant", 1}, Case{"gripper", 4},
                                         Case{"balls", 3}, Case{"loop", 4},
                                         Case{"includes", 2, 1e-6}, Case{"inertia_bounds", 2},
                                         Case{"inertial_only", 2}, Case{"screw_and_gimbal", 3}),
                         [](const auto& of) { return of.param.robot; });

class MovingRobots : public testing::TestWithParam<Case> {};

TEST_P(MovingRobots, FollowMujocoUnderGravitySpringsDampersFrictionAndMotors) {
  const PlainCopy copy;
  const fs::path file = copy.file_of(GetParam().robot);
  Mujoco mujoco(file);
  // Velocities differ by half a step, so distances by the step over the time, 0.002
  constexpr double kStep = 1e-4, kUntil = 0.05;
  mujoco.model->opt.timestep = kStep;
  if (mujoco.model->nkey > 0) mj_resetDataKeyframe(mujoco.model.get(), mujoco.data.get(), 0);
  const std::string name = mujoco.name(mjOBJ_KEY, 0);
  std::string text = import_robot(file, {.keyframe = mujoco.model->nkey == 0 ? ""
                                                     : name.empty()          ? "0"
                                                                             : name})
                         .scene;
  text.replace(text.find("h: 1 ms"), 7, "h: 0.1 ms");
  Scene scene = load_scene_text(text, file);
  mj_kinematics(mujoco.model.get(), mujoco.data.get());
  const auto start = masses_of(scene);
  Simulation simulation(scene.model, scene.state);
  for (int step = 0; step < static_cast<int>(kUntil / kStep + 0.5); ++step) {
    simulation.step();
    mj_step(mujoco.model.get(), mujoco.data.get());
  }
  mj_kinematics(mujoco.model.get(), mujoco.data.get());
  scene.state = simulation.state();
  double moved = 0, apart = 0;
  for (const auto& [body, ours] : masses_of(scene)) {
    if (!mujoco.has(body)) continue;
    moved = std::max(moved, (ours.centre - start.at(body).centre).norm());
    apart = std::max(apart, (ours.centre - mujoco.mass_of(body).centre).norm());
  }
  EXPECT_GT(moved, 1e-4);
  EXPECT_LT(apart, GetParam().tolerance * moved);
}

INSTANTIATE_TEST_SUITE_P(Robots, MovingRobots,
                         testing::Values(Case{"arm", 4, 0.005}, Case{"cartpole", 2, 0.005},
                                         Case{"humanoid", 10, 0.005}, Case{"balls", 3, 0.005},
                                         Case{"inertial_only", 2, 0.005}, Case{"walker", 4, 0.005},
                                         Case{"screw_and_gimbal", 3, 0.005}),
                         [](const auto& of) { return of.param.robot; });
/// Rates of a tree in the order of MuJoCo: rates = turn · qvel. Angular velocities of free joints
/// are along the axes of the body there.
Eigen::MatrixXd rates_by_qvel(const Mujoco& mujoco, const JointTree& tree,
                              const Eigen::Matrix3d& base) {
  const mjModel& model = *mujoco.model;
  const auto names = tree.rate_names([](BodyId) { return "base"; });
  Eigen::MatrixXd turn = Eigen::MatrixXd::Zero(model.nv, model.nv);
  for (int j = 0; j < model.njnt; ++j) {
    const int at = model.jnt_dofadr[j];
    if (model.jnt_type[j] == mjJNT_FREE) {
      turn.block(0, at, 3, 3).setIdentity();
      turn.block(3, at + 3, 3, 3) = base;
    } else {
      const auto own = std::ranges::find(names, mujoco.name(mjOBJ_JOINT, j));
      if (own != names.end()) turn(own - names.begin(), at) = 1;
    }
  }
  return turn;
}

Eigen::Map<const Eigen::VectorXd> vector_of(const std::vector<double>& numbers) {
  return {numbers.data(), static_cast<Eigen::Index>(numbers.size())};
}

class ControlledRobots : public testing::TestWithParam<Case> {};

TEST_P(ControlledRobots, HaveTheMassMatrixTheBiasForcesAndTheJacobiansOfMujoco) {
  const PlainCopy copy;
  const fs::path file = copy.file_of(GetParam().robot);
  Mujoco mujoco(file);
  const mjModel& model = *mujoco.model;
  mjData& data = *mujoco.data;
  RandomStream random{8, 0};
  RobotOptions options;
  for (int j = 0; j < model.njnt; ++j) {
    if (model.jnt_type[j] != mjJNT_HINGE && model.jnt_type[j] != mjJNT_SLIDE) continue;
    const bool limited = model.jnt_limited[j];
    const double value = random.uniform(limited ? model.jnt_range[2 * j] : -1,
                                        limited ? model.jnt_range[2 * j + 1] : 1);
    data.qpos[model.jnt_qposadr[j]] = options.start[mujoco.name(mjOBJ_JOINT, j)] = value;
  }
  for (int k = 0; k < model.nv; ++k) data.qvel[k] = random.uniform(-2, 2);
  mj_forward(&model, &data);
  const Scene scene = imported(file, options);
  Simulation simulation(scene.model, scene.state);
  JointTree tree(simulation);
  ASSERT_EQ(tree.size(), static_cast<std::size_t>(model.nv));
  const Eigen::Quaterniond base(data.qpos[3], data.qpos[4], data.qpos[5], data.qpos[6]);
  const bool floats = !tree.bases().empty();
  const Eigen::MatrixXd turn = rates_by_qvel(
      mujoco, tree,
      floats ? base.toRotationMatrix() : Eigen::Matrix3d(Eigen::Matrix3d::Identity()));
  const Eigen::Map<Eigen::VectorXd> qvel(data.qvel, model.nv), bias(data.qfrc_bias, model.nv);
  const Eigen::VectorXd rates = turn * qvel;
  tree.change_rates({rates.data(), tree.size()});
  EXPECT_LT((vector_of(JointTree(simulation).rates()) - rates).norm(), 1e-12 * rates.norm());

  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Rows theirs(model.nv, model.nv);
  mj_fullM(&model, theirs.data(), data.qM);
  const std::vector<double> matrix = tree.mass_matrix();
  const Eigen::Map<const Rows> ours(matrix.data(), model.nv, model.nv);
  EXPECT_LT((turn.transpose() * ours * turn - theirs).norm(), GetParam().tolerance * theirs.norm());
  // MuJoCo differentiates angular velocities along the axes of a free body, we along those of the
  // world: the accelerations differ by none, as ω × ω = 0.
  EXPECT_LT((turn.transpose() * vector_of(tree.bias_forces()) - bias).norm(),
            GetParam().tolerance * bias.norm());

  const int body = model.nbody - 1;
  const Vec3 point{0.1, 0.2, 0.3};
  Rows linear(3, model.nv), angular(3, model.nv);
  const mjtNum at[] = {point.x, point.y, point.z};
  mj_jac(&model, &data, linear.data(), angular.data(), at, body);
  const std::vector<double> jacobian =
      tree.jacobian(scene.body(mujoco.name(mjOBJ_BODY, body)), point);
  const Eigen::Map<const Rows> both(jacobian.data(), 6, model.nv);
  EXPECT_LT((both.topRows(3) * turn - linear).norm(), GetParam().tolerance);
  EXPECT_LT((both.bottomRows(3) * turn - angular).norm(), GetParam().tolerance);
}

INSTANTIATE_TEST_SUITE_P(Robots, ControlledRobots,
                         testing::Values(Case{"arm", 4}, Case{"quadruped", 13},
                                         Case{"cartpole", 2}),
                         [](const auto& of) { return of.param.robot; });
#else
TEST(ImportedRobots, HaveTheMassesAndPlacesOfMujocoAtRandomPositionsAndAtKeyframes) {
  GTEST_SKIP() << "Built without MuJoCo: apt-get install libmujoco-dev, and configure again";
}
#endif

}  // namespace
}  // namespace scree
