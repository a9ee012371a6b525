// Checkpoints with altered arrays, sealed again.
#include <optional>

#include "scree/core/error.hpp"
#include "scree/io/checkpoint.hpp"
#include "scree/io/sha256.hpp"
#include "support/alterations.hpp"
#include "support/worlds.hpp"
#include "unit/io/io_fixture.hpp"
#include "unit/io/read_set.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using namespace test;

/// Gives a dataset other rows, of the same type and columns, and seals the file again; with a state
/// hash, if there is one.
void replace_rows(const fs::path& path, const std::string& name, const void* data, hsize_t rows,
                  std::optional<std::uint64_t> hash) {
  constexpr std::size_t kSealLength = 64;
  fs::resize_file(path, fs::file_size(path) - kSealLength);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t old = H5Dopen2(file, name.c_str(), H5P_DEFAULT), type = H5Dget_type(old),
              old_space = H5Dget_space(old);
  hsize_t extent[2] = {0, 0};
  const int rank = H5Sget_simple_extent_dims(old_space, extent, nullptr);
  extent[0] = rows;
  H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  const hid_t space = H5Screate_simple(rank, extent, nullptr);
  const hid_t set =
      H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (rows > 0) EXPECT_GE(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), 0) << name;
  if (hash) {
    const hid_t group = H5Gopen2(file, "/scree", H5P_DEFAULT), one = H5Screate(H5S_SCALAR);
    H5Adelete(group, "state_hash");
    const hid_t attribute =
        H5Acreate2(group, "state_hash", H5T_NATIVE_UINT64, one, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Awrite(attribute, H5T_NATIVE_UINT64, &*hash), 0);
    H5Aclose(attribute);
    H5Sclose(one);
    H5Gclose(group);
  }
  for (const hid_t dataset : {old, set}) H5Dclose(dataset);
  for (const hid_t dataspace : {old_space, space}) H5Sclose(dataspace);
  H5Tclose(type);
  H5Fclose(file);
  const std::string seal = sha256_of_file(path, fs::file_size(path));
  std::ofstream(path, std::ios::app | std::ios::binary) << seal;
}

/// State hash of an altered state; none if its arrays do not fit each other.
std::optional<std::uint64_t> hash_of(const State& state) {
  try {
    check_arrays(state);
    return state_hash(state);
  } catch (const InputError&) {
    return {};
  }
}

class AlteredCheckpoint : public InDirectory {};

TEST_F(AlteredCheckpoint, IsRefusedOrReadAsItIs) {
  World world = random_boxes(4, coulomb(0.4), 1e-3, 3);
  world.model.step.sleep = true;
  Simulation simulation = world.simulation();
  for (int k = 0; k < 150; ++k) simulation.step();
  simulation.move_obstacle(1, {{0.1, 0, 0}, {}});
  simulation.apply_force({3}, {0, 0, 0.1}, {1e-4, 0, 0});
  const CheckpointFiles files(directory);
  files.write(simulation.state(), "scene", "{}");
  const fs::path file = files.list().front(), other = directory / "other.hdf";

  std::size_t refused = 0, read = 0;
  State altered = simulation.state();
  for_each_field(altered, [&]<class Field>(const char* name, Field& field) {
    using Element = ElementOf<Field>;
    const Rows rows = bytes_of(field);
    for (const auto& [what, changed] : alterations(field)) {
      SCOPED_TRACE(std::string(name) + ": " + what);
      std::optional<std::uint64_t> hash;
      if constexpr (!std::is_same_v<Element, bool>) {
        set_bytes(field, changed);
        hash = hash_of(altered);
        set_bytes(field, rows);
      }
      fs::copy_file(file, other, fs::copy_options::overwrite_existing);
      replace_rows(other, std::string("/scree/state/") + name, changed.data(),
                   changed.size() / sizeof(Element), hash);
      try {
        EXPECT_EQ(state_hash(read_checkpoint(other).state), hash);
        ++read;
      } catch (const InputError& error) {
        EXPECT_FALSE(hash.has_value()) << error.what();
        EXPECT_NE(std::string(error.what()).find("is damaged"), std::string::npos);
        ++refused;
      }
    }
  });
  EXPECT_GT(refused, 100u);
  EXPECT_GT(read, 100u);
}

}  // namespace
}  // namespace scree
