/// Every number of a model and of a state is looked at before the first step.
#include <functional>
#include <gtest/gtest.h>
#include <vector>

#include "scree/core/error.hpp"
#include "support/worlds.hpp"
#include "unit/sim/common.hpp"

namespace scree {
namespace {

using namespace test;

/// One of everything: an obstacle of each shape, a plate with its inflow, an outflow, two bodies.
struct Sample {
  Model model;
  State state;
};

Sample sound_sample() {
  World world({LawKind::polyhedral, 0.4, 0.5}, 1e-3);
  for (const Shape& shape : {Shape{HalfSpace{}}, Shape{Sphere{1}}, Shape{Box{{1, 1, 1}}},
                             Shape{Cylinder{1, 1}}, Shape{Capsule{1, 1}}})
    world.obstacle(shape, {{0, 0, -1}, {}});
  world.obstacle(HalfSpace{}, {{-1, 0, 0}, rotation_between({0, 0, 1}, {1, 0, 0})});
  world.model.prototypes.push_back({Sphere{1}, {0.2, 0.4, 0.5}});
  Inflow inflow{.name = "inflow", .plate = 5, .velocity = {1, 0, 0}, .advance = 0.1};
  inflow.layer = {{-0.9, 0, 0}, {-0.9, 0, 0.2}};
  inflow.radius = 0.1;
  world.model.inflows.push_back(inflow);
  world.model.outflows.push_back({"exit", {5, -kInfinity, 0}, {kInfinity, kInfinity, 1}});
  Sample sample{world.model, initial_state(world.model)};
  for (const double x : {1.0, 2.0}) {
    Body body{.id = {sample.state.next_id++}, .position = {x, 0, 1}};
    body.radius = 0.1, body.mass = 1;
    sample.state.bodies.push_back(body);
  }
  return sample;
}

using Change = std::function<void(Model& m, State& s)>;

struct Fault {
  const char* reported;  ///< how the message begins
  Change spoil;
};

const std::vector<Fault>& faults_of_settings() {
  static const std::vector<Fault> faults{
      {"step.h is 0;", [](Model& m, State&) { m.step.h = 0; }},
      {"step.h is nan;", [](Model& m, State&) { m.step.h = kNan; }},
      {"step.h is inf;", [](Model& m, State&) { m.step.h = kInfinity; }},
      {"step.error_reduction is 1.1;", [](Model& m, State&) { m.step.error_reduction = 1.1; }},
      {"step.error_reduction is nan;", [](Model& m, State&) { m.step.error_reduction = kNan; }},
      {"step.recovery_speed is -1;",
       [](Model& m, State&) {
         m.step.overlap_correction = OverlapCorrection::velocities;
         m.step.recovery_speed = -1;
       }},
      {"step.recovery_speed is nan;",
       [](Model& m, State&) {
         m.step.overlap_correction = OverlapCorrection::velocities;
         m.step.recovery_speed = kNan;
       }},
      {"step.recovery_speed is 1; it limits a gap term,",
       [](Model& m, State&) { m.step.recovery_speed = 1; }},
      {"step.impacts is 7; there is no such law of impacts",
       [](Model& m, State&) { m.step.impacts = static_cast<ImpactLaw>(7); }},
      {"step.restitution_threshold is nan;",
       [](Model& m, State&) { m.step.restitution_threshold = kNan; }},
      {"step.local_damping is 1;", [](Model& m, State&) { m.step.local_damping = 1; }},
      {"step.local_damping is nan;", [](Model& m, State&) { m.step.local_damping = kNan; }},
      {"step.margin is -1;", [](Model& m, State&) { m.step.margin = -1; }},
      {"step.margin is inf;", [](Model& m, State&) { m.step.margin = kInfinity; }},
      {"solver.method is 77;",
       [](Model& m, State&) { m.solver.method = static_cast<SolverKind>(77); }},
      {"solver.method is admm, which does not support the law polyhedral of laws(0, 0);",
       [](Model& m, State&) { m.solver.method = SolverKind::admm; }},
      {"solver.tolerance is 0;", [](Model& m, State&) { m.solver.tolerance = 0; }},
      {"solver.tolerance is nan;", [](Model& m, State&) { m.solver.tolerance = kNan; }},
      {"solver.max_sweeps is 0;", [](Model& m, State&) { m.solver.max_sweeps = 0; }},
      {"solver.acceleration is 1;",
       [](Model& m, State&) { m.solver.acceleration = Acceleration::anderson; }},
      {"solver.relaxation is 2;", [](Model& m, State&) { m.solver.relaxation = 2; }},
      {"solver.facets is 2;", [](Model& m, State&) { m.solver.facets = 2; }},
      {"solver.minimum_norm is 1;", [](Model& m, State&) { m.solver.minimum_norm = true; }},
      {"gravity is (0, nan, 0);",
       [](Model& m, State&) {
         m.gravity = {0, kNan, 0};
       }},
  };
  return faults;
}

const std::vector<Fault>& faults_of_materials() {
  static const std::vector<Fault> faults{
      {"materials[0].density is -1;", [](Model& m, State&) { m.materials[0].density = -1; }},
      {"materials[0].density is nan;", [](Model& m, State&) { m.materials[0].density = kNan; }},
      {"laws has 2 materials;", [](Model& m, State&) { m.laws = LawTable(2); }},
      {"laws(0, 0).kind is 9;",
       [](Model& m, State&) { m.laws = LawTable(1, {static_cast<LawKind>(9)}); }},
      {"laws(0, 0).friction is -1;", [](Model& m, State&) { m.laws = LawTable(1, coulomb(-1)); }},
      {"laws(0, 0).friction is nan;",
       [](Model& m, State&) { m.laws = LawTable(1, coulomb(kNan)); }},
      {"laws(0, 0).restitution is 5;",
       [](Model& m, State&) { m.laws = LawTable(1, coulomb(0.1, 5)); }},
      {"laws(0, 0).restitution is nan;",
       [](Model& m, State&) { m.laws = LawTable(1, coulomb(0.1, kNan)); }},
      {"laws(0, 1).friction is -2;",
       [](Model& m, State&) {
         m.materials.push_back({"wood", 500});
         m.laws = LawTable(2, coulomb(0.4));
         m.laws.assign(1, 0, coulomb(-2));
       }},
      {"laws(0, 0).facets is 3;",
       [](Model& m, State&) {
         m.laws = LawTable(1, {LawKind::polyhedral, 0.4, 0, 3});
       }},
      {"prototypes[1].shape must be a convex body of finite volume",
       [](Model& m, State&) { m.prototypes[1].shape = HalfSpace{}; }},
      {"prototypes[1].shape must be a convex body of finite volume",
       [](Model& m, State&) {
         m.prototypes[1].shape = Hollow{0.5, 0.5, -0.5, 0.5};
       }},
      {"prototypes[1].shape must reach 1 from its origin",
       [](Model& m, State&) {
         m.prototypes[1].shape = Capsule{0.5, 0.6};
       }},
      {"prototypes[1].shape must have its centre of mass at its origin",
       [](Model& m, State&) {
         m.prototypes[1].shape = Frustum{0.6, 0, -0.8, 0.8};
       }},
      {"prototypes[1].shape.lateral is 1.5;",
       [](Model& m, State&) {
         m.prototypes[1].shape = Superellipsoid{{1, 1, 1}, 1.5, 2};
       }},
      {"prototypes[1].shape must reach 1 from its origin",
       [](Model& m, State&) {
         m.prototypes[1].shape = Box{{1, 1, 1}};
       }},
      {"prototypes[1].shape.half_extent is 0;",
       [](Model& m, State&) {
         m.prototypes[1].shape = Box{{0, 0.6, 0.8}};
       }},
      {"prototypes[0].shape must be a sphere of radius 1",
       [](Model& m, State&) { m.prototypes[0].shape = Sphere{2}; }},
      {"prototypes[1].inertia is 0;", [](Model& m, State&) { m.prototypes[1].inertia.y = 0; }},
      {"prototypes[1].inertia is nan;", [](Model& m, State&) { m.prototypes[1].inertia.x = kNan; }},
      {"prototypes[1].inertia is (0.1, 0.1, 0.4); no moment",
       [](Model& m, State&) {
         m.prototypes[1].inertia = {0.1, 0.1, 0.4};
       }},
  };
  return faults;
}

/// All pairs have a sound compliant law, but for what spoils it.
Change with_law(LawKind kind, void (*spoil)(PairLaw&)) {
  return [=](Model& model, State&) {
    PairLaw law{kind, 0.4, 0.5};
    law.force.k_n = 1e5;
    law.force.k_t = 3e4;
    spoil(law);
    model.laws = LawTable(1, law);
  };
}
Change with_springs(void (*spoil)(PairLaw&)) { return with_law(LawKind::cundall_strack, spoil); }
Change hertz(void (*spoil)(PairLaw&)) { return with_law(LawKind::hertz_mindlin, spoil); }

const std::vector<Fault>& faults_of_compliant_laws() {
  static const std::vector<Fault> faults{
      {"laws(0, 0).force.k_n is 0;", with_springs([](PairLaw& l) { l.force.k_n = 0; })},
      {"laws(0, 0).force.k_n is nan;", with_springs([](PairLaw& l) { l.force.k_n = kNan; })},
      {"laws(0, 0).force.k_n is inf;", with_springs([](PairLaw& l) { l.force.k_n = kInfinity; })},
      {"laws(0, 0).force.k_n is -1;", hertz([](PairLaw& l) { l.force.k_n = -1; })},
      {"laws(0, 0).force.k_t is -1;", with_springs([](PairLaw& l) { l.force.k_t = -1; })},
      {"laws(0, 0).force.k_t is inf;", with_springs([](PairLaw& l) { l.force.k_t = kInfinity; })},
      {"laws(0, 0).force.normal_damping is -1;",
       with_springs([](PairLaw& l) { l.force.normal_damping = -1; })},
      {"laws(0, 0).force.normal_damping is nan;",
       with_springs([](PairLaw& l) { l.force.normal_damping = kNan; })},
      {"laws(0, 0).force.tangential_damping is -1;",
       with_springs([](PairLaw& l) { l.force.tangential_damping = -1; })},
      {"laws(0, 0).force.damping_ratio is nan;",
       with_springs([](PairLaw& l) { l.force.damping_ratio = kNan; })},
      {"laws(0, 0).force.rolling_stiffness is -1;",
       with_springs([](PairLaw& l) { l.force.rolling_stiffness = -1; })},
      {"laws(0, 0).force.spinning_stiffness is inf;",
       with_springs([](PairLaw& l) { l.force.spinning_stiffness = kInfinity; })},
      {"laws(0, 0).force.rolling_damping is -1;",
       with_springs([](PairLaw& l) { l.force.rolling_damping = -1; })},
      {"laws(0, 0).force.rotations is 7;",
       with_springs([](PairLaw& l) { l.force.rotations = static_cast<RotationScheme>(7); })},
      {"laws(0, 0).force.branch is 7;",
       with_springs([](PairLaw& l) { l.force.branch = static_cast<BranchVectors>(7); })},
      {"laws(0, 0).adhesion is nan;", hertz([](PairLaw& l) { l.adhesion = kNan; })},
      {"laws(0, 0).rolling_friction is nan;",
       with_springs([](PairLaw& l) { l.rolling_friction = kNan; })},
      {"laws(0, 0).cohesion is -1;", with_springs([](PairLaw& l) { l.cohesion = -1; })},
      {"materials[0].moduli.young is 0;",
       [](Model& m, State&) { m.materials[0].moduli.young = 0; }},
      {"materials[0].moduli.young is nan;",
       [](Model& m, State&) { m.materials[0].moduli.young = kNan; }},
      {"materials[0].moduli.poisson is -1;",
       [](Model& m, State&) { m.materials[0].moduli.poisson = -1; }},
      {"materials[0].moduli.poisson is 0.6;",
       [](Model& m, State&) { m.materials[0].moduli.poisson = 0.6; }},
      {"hertz_mindlin between 'stone' and 'stone' has no stiffness",
       hertz([](PairLaw& l) { l.force.k_n = 0; })},
  };
  return faults;
}

const std::vector<Fault>& faults_of_obstacles() {
  static const std::vector<Fault> faults{
      {"obstacles[0].material is 3;", [](Model& m, State&) { m.obstacles[0].material = 3; }},
      {"obstacles[1].shape.radius is 0;",
       [](Model& m, State&) { m.obstacles[1].shape = Sphere{0}; }},
      {"obstacles[2].shape.half_extent is -1;",
       [](Model& m, State&) {
         m.obstacles[2].shape = Box{{1, -1, 1}};
       }},
      {"obstacles[3].shape.radius is nan;",
       [](Model& m, State&) {
         m.obstacles[3].shape = Cylinder{kNan, 1};
       }},
      {"obstacles[3].shape.half_length is 0;",
       [](Model& m, State&) {
         m.obstacles[3].shape = Cylinder{1, 0};
       }},
      {"obstacles[4].shape.radius is inf;",
       [](Model& m, State&) {
         m.obstacles[4].shape = Capsule{kInfinity, 1};
       }},
      {"obstacles[4].shape.half_length is -1;",
       [](Model& m, State&) {
         m.obstacles[4].shape = Capsule{1, -1};
       }},
      {"obstacles[0].pose.position is (nan, 0, -1);",
       [](Model& m, State&) { m.obstacles[0].pose.position.x = kNan; }},
      {"obstacles[2].pose.orientation is (2, 0, 0, 0);",
       [](Model& m, State&) {
         m.obstacles[2].pose.orientation = {2, 0, 0, 0};
       }},
      {"obstacles[2].pose.orientation is (nan, 0, 0, 0);",
       [](Model& m, State&) {
         m.obstacles[2].pose.orientation = {kNan, 0, 0, 0};
       }},
      {"outflows[0].min is (5, -inf, 2);", [](Model& m, State&) { m.outflows[0].min.z = 2; }},
      {"outflows[0].min is (nan, -inf, 0);", [](Model& m, State&) { m.outflows[0].min.x = kNan; }},
  };
  return faults;
}

const std::vector<Fault>& faults_of_inflows() {
  static const std::vector<Fault> faults{
      {"inflows[0].plate is 6;", [](Model& m, State&) { m.inflows[0].plate = 6; }},
      {"inflows[0].plate is 5; this obstacle must have no prescribed",
       [](Model& m, State&) { m.obstacles[5].motion = [](double) { return Twist{}; }; }},
      {"inflows[1].plate is 5; another inflow",
       [](Model& m, State& s) {
         m.inflows.push_back(m.inflows[0]);
         s.inflows.push_back(s.inflows[0]);
       }},
      {"inflows[0].velocity is (0, 0, 0);", [](Model& m, State&) { m.inflows[0].velocity = {}; }},
      {"inflows[0].velocity is (1, nan, 0);",
       [](Model& m, State&) { m.inflows[0].velocity.y = kNan; }},
      {"inflows[0].jitter is -1;", [](Model& m, State&) { m.inflows[0].jitter.z = -1; }},
      {"inflows[0].jitter is inf;", [](Model& m, State&) { m.inflows[0].jitter.z = kInfinity; }},
      {"inflows[0].advance is 0;", [](Model& m, State&) { m.inflows[0].advance = 0; }},
      {"inflows[0].advance is 0.00075; the plate",
       [](Model& m, State&) { m.inflows[0].advance = 7.5e-4; }},
      {"inflows[0].radius is -0.1;", [](Model& m, State&) { m.inflows[0].radius = -0.1; }},
      {"inflows[0].radius is 0.1; with the density",
       [](Model& m, State&) { m.materials[0].density = 0; }},
      {"inflows[0].material is 1;", [](Model& m, State&) { m.inflows[0].material = 1; }},
      {"inflows[0].prototype is 2;", [](Model& m, State&) { m.inflows[0].prototype = 2; }},
      {"inflows[0].layer is (nan, 0, 0);",
       [](Model& m, State&) { m.inflows[0].layer[0].x = kNan; }},
      {"inflows[0].layer is (-0.95, 0, 0); it must be at least a radius",
       [](Model& m, State&) { m.inflows[0].layer[0].x = -0.95; }},
      {"inflows[0].layer is (-0.9, 0, 0.15); it must be at least two radii",
       [](Model& m, State&) { m.inflows[0].layer[1].z = 0.15; }},
  };
  return faults;
}

const std::vector<Fault>& faults_of_states() {
  static const std::vector<Fault> faults{
      {"the state is not one of this model", [](Model&, State& s) { s.obstacles.pop_back(); }},
      {"the state is not one of this model", [](Model&, State& s) { s.inflows.clear(); }},
      {"time is nan;", [](Model&, State& s) { s.time = kNan; }},
      {"ledger.dissipated is nan;", [](Model&, State& s) { s.ledger.dissipated = kNan; }},
      {"ledger.wall_work is inf;", [](Model&, State& s) { s.ledger.wall_work = kInfinity; }},
      {"force_total.ledger or energy is nan;",
       [](Model&, State& s) { s.force_total.ledger.shear = kNan; }},
      {"neighbours.force_memory, force_moment, force_radius, force_held and angular_impulse",
       [](Model&, State& s) { s.neighbours.force_memory.resize(3); }},
      {"neighbours.force_memory, force_moment, force_radius, force_held and angular_impulse",
       [](Model&, State& s) { s.neighbours.force_moment.resize(3); }},
      {"obstacles[1].pose.position is",
       [](Model&, State& s) { s.obstacles[1].pose.position.y = kNan; }},
      {"obstacles[1].pose.orientation is (0, 0, 0, 0);",
       [](Model&, State& s) { s.obstacles[1].pose.orientation.w = 0; }},
      {"obstacles[0].twist.linear is (nan, 0, 0);",
       [](Model&, State& s) { s.obstacles[0].twist.linear.x = kNan; }},
      {"obstacles[0].twist.angular is (0, 0, inf);",
       [](Model&, State& s) { s.obstacles[0].twist.angular.z = kInfinity; }},
      {"obstacles[1].twist.linear is (0, 0, 1); an obstacle without a motion must be at rest",
       [](Model&, State& s) { s.obstacles[1].twist.linear.z = 1; }},
      {"inflows[0].travelled is nan;", [](Model&, State& s) { s.inflows[0].travelled = kNan; }},
      {"bodies.radius.size() is 1;", [](Model&, State& s) { s.bodies.radius.pop_back(); }},
      {"bodies[0].id is 7;", [](Model&, State& s) { s.bodies.id[0] = {7}; }},
      {"bodies[0].id is 4611686018427387904;",
       [](Model&, State& s) {
         s.bodies.id[0] = obstacle_id(0);
         s.next_id = s.bodies.id[0].value + 1;
       }},
      {"bodies.id has 1 twice;", [](Model&, State& s) { s.bodies.id[0] = {1}; }},
      {"bodies[1].position is (nan, 0, 1);",
       [](Model&, State& s) { s.bodies.position[1].x = kNan; }},
      {"bodies[1].orientation is (0, 0, 0, 0);",
       [](Model&, State& s) {
         s.bodies.orientation[1] = {0, 0, 0, 0};
       }},
      {"bodies[1].velocity is (0, inf, 0);",
       [](Model&, State& s) { s.bodies.velocity[1].y = kInfinity; }},
      {"bodies[1].angular_velocity is (0, 0, nan);",
       [](Model&, State& s) { s.bodies.angular_velocity[1].z = kNan; }},
      {"bodies[0].radius is -1;", [](Model&, State& s) { s.bodies.radius[0] = -1; }},
      {"bodies[0].mass is 0;", [](Model&, State& s) { s.bodies.mass[0] = 0; }},
      {"bodies[0].mass is nan;", [](Model&, State& s) { s.bodies.mass[0] = kNan; }},
      {"bodies[0].prototype is 7;", [](Model&, State& s) { s.bodies.prototype[0] = 7; }},
      {"bodies[0].material is 7;", [](Model&, State& s) { s.bodies.material[0] = 7; }},
      {"neighbours is a list of other bodies;",
       [](Model&, State& s) { s.neighbours.valid = true; }},
      {"neighbours is a list of other bodies;",
       [](Model&, State& s) {
         s.neighbours.pairs.push_back({0, 1});
       }},
  };
  return faults;
}

std::string reported_of(const Fault& fault) {
  Sample sample = sound_sample();
  fault.spoil(sample.model, sample.state);
  try {
    Simulation(sample.model, sample.state);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(CheckModel, TakesWhatIsSound) {
  const Sample sample = sound_sample();
  EXPECT_NO_THROW(Simulation(sample.model, sample.state).step());
}

TEST(CheckModel, TakesSoundCompliantLaws) {
  const auto takes = [](const Change& change) {
    Sample sample = sound_sample();
    change(sample.model, sample.state);
    sample.model.step.h = 1e-5;
    EXPECT_NO_THROW(Simulation(sample.model, sample.state).step());
  };
  takes(with_springs([](PairLaw& l) { l.force.k_t = 0; }));
  takes(hertz([](PairLaw&) {}));
  takes([](Model& m, State& s) {
    hertz([](PairLaw& l) { l.force.k_n = l.force.k_t = 0; })(m, s);
    m.materials[0].moduli = {1e9, 0.5};
  });
}

TEST(CheckModel, RefusesWhatACompliantContactCannotRemember) {
  PairLaw law{LawKind::cundall_strack, 0.4, 0.5};
  law.force.k_n = law.force.k_t = 1e4;
  World world = random_pile(20, law, 1e-5, 1);
  Simulation simulation = world.simulation();
  simulation.step();
  const State good = simulation.state();
  EXPECT_NO_THROW(Simulation(simulation.model(), good));
  const auto expect_refused = [&](auto&& spoil) {
    State state = good;
    spoil(state.neighbours);
    EXPECT_THROW(Simulation(simulation.model(), state), InputError);
  };
  expect_refused([](Neighbours& list) { list.force_memory[0].shear.x = kNan; });
  expect_refused([](Neighbours& list) { list.force_memory[0].normal.y = kInfinity; });
  expect_refused([](Neighbours& list) { list.force_memory[0].overlap = kNan; });
  expect_refused([](Neighbours& list) { list.force_memory[0].closing = kNan; });
  expect_refused([](Neighbours& list) { list.force_memory.pop_back(); });
}

TEST(CheckModel, NamesTheFieldThatIsRefusedAndWhatItHolds) {
  for (const auto* faults :
       {&faults_of_settings(), &faults_of_materials(), &faults_of_compliant_laws(),
        &faults_of_obstacles(), &faults_of_inflows(), &faults_of_states()})
    for (const Fault& fault : *faults)
      EXPECT_TRUE(reported_of(fault).starts_with(fault.reported)) << fault.reported << "\n"
                                                                  << reported_of(fault);
}

void expect_refused_list(const Model& model, const State& good,
                         const std::function<void(Neighbours&)>& spoil) {
  State state = good;
  spoil(state.neighbours);
  EXPECT_THROW(Simulation(model, state), InputError);
}

TEST(CheckModel, RefusesAListOfPairsThatWasTamperedWith) {
  World world = random_pile(20, coulomb(0.4), 1e-3, 1);
  Simulation simulation = world.simulation();
  simulation.step();
  const State good = simulation.state();
  EXPECT_NO_THROW(Simulation(simulation.model(), good));
  const auto expect_refused = [&](auto&& spoil) {
    expect_refused_list(simulation.model(), good, spoil);
  };
  expect_refused([](Neighbours& list) { list.pairs[0].owner = 20; });
  expect_refused([](Neighbours& list) { list.pairs[0].other = 20; });
  expect_refused([](Neighbours& list) { list.pairs[0].other = list.pairs[0].owner; });
  expect_refused([](Neighbours& list) { list.pairs[0].other = Neighbours::kObstacle | 5; });
  expect_refused([](Neighbours& list) { list.first[1] = 1u << 30; });
  expect_refused([](Neighbours& list) { list.impulse.pop_back(); });
  expect_refused([](Neighbours& list) { list.angular_impulse.push_back({}); });
  expect_refused([](Neighbours& list) { list.skin.pop_back(); });
  expect_refused([](Neighbours& list) { list.obstacle_skin.clear(); });
  expect_refused([](Neighbours& list) { list.feature.push_back(0); });
}

TEST(CheckModel, RefusesAMemoryOfContactsThatDoesNotFitTheShapes) {
  Simulation simulation = random_boxes(20, coulomb(0.4), 1e-3, 1).simulation();
  simulation.step();
  const State good = simulation.state();
  EXPECT_NO_THROW(Simulation(simulation.model(), good));
  const auto expect_refused = [&](auto&& spoil) {
    expect_refused_list(simulation.model(), good, spoil);
  };
  expect_refused([](Neighbours& list) { list.impulse.pop_back(); });
  expect_refused([](Neighbours& list) { list.feature.pop_back(); });
  expect_refused([](Neighbours& list) { list.first_place.pop_back(); });
  expect_refused([](Neighbours& list) { list.first_place[1] = list.first_place.back() + 1; });
  expect_refused([](Neighbours& list) {  // more than a pair can have
    list.feature.resize(list.feature.size() + 12, Neighbours::kNoFeature);
    list.impulse.resize(list.feature.size());
    list.first_place.back() += 12;
  });
  expect_refused([](Neighbours& list) {
    list.first_place.clear();
    list.feature.clear();
    list.impulse.resize(list.pairs.size());
  });
}

}  // namespace
}  // namespace scree
