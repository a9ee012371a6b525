#include "scree/io/checkpoint.hpp"

#include "support/worlds.hpp"
#include "unit/io/io_fixture.hpp"

namespace scree {
namespace {

class Checkpoints : public InDirectory {};

TEST_F(Checkpoints, KeepForcesThatWaitAndPartsThatAreMovedByHand) {
  test::World world = test::random_pile(30, test::coulomb(0.4), 1e-3, 2);
  Simulation whole = world.simulation();
  for (int k = 0; k < 50; ++k) whole.step();
  whole.move_obstacle(1, {{0.1, 0, 0}, {}});
  whole.apply_force({3}, {0, 0, 0.1}, {1e-4, 0, 0});
  whole.remove({4});
  whole.add(whole.body({5}));
  const CheckpointFiles files(directory);
  files.write(whole.state(), "scene", "{}");

  Simulation read(world.model, read_checkpoint(files.list().front()).state);
  ASSERT_EQ(state_hash(read.state()), state_hash(whole.state()));
  for (int k = 0; k < 50; ++k) {
    whole.step();
    read.step();
    ASSERT_EQ(state_hash(read.state()), state_hash(whole.state())) << k;
  }
}

TEST_F(Checkpoints, KeepWhatResistsTurning) {
  PairLaw law = test::coulomb(0.4);
  law.rolling_friction = law.spinning_friction = 5e-4;
  law.cohesion = 1e-3;
  test::World world = test::random_pile(30, law, 1e-3, 2);
  Simulation whole = world.simulation();
  for (int k = 0; k < 150; ++k) whole.step();
  const CheckpointFiles files(directory);
  files.write(whole.state(), "scene", "{}");

  Simulation read(world.model, read_checkpoint(files.list().front()).state);
  const auto& remembered = read.state().neighbours.angular_impulse;
  ASSERT_TRUE(std::ranges::any_of(remembered, [](const Vec3& m) { return m != Vec3{}; }));
  for (int k = 0; k < 50; ++k) {
    whole.step();
    read.step();
    ASSERT_EQ(state_hash(read.state()), state_hash(whole.state())) << k;
  }
}

}  // namespace
}  // namespace scree
