/// Reads and writes checkpoints as sealed HDF5 files.
#include "scree/io/checkpoint.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <regex>

#include "io/hdf5.hpp"
#include "scree/core/error.hpp"
#include "scree/io/files.hpp"
#include "scree/io/sha256.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kCheckpointVersion = 22;
constexpr std::size_t kCheckpointsKept = 2;
/// SHA-256 in hexadecimal digits, after the HDF5 file itself, which ignores it
constexpr std::size_t kSealLength = 64;

/// Type of the numbers of which a struct of the state consists.
template <class T>
struct Layout {
  using Number = T;
};
// clang-format off
template <> struct Layout<bool> { using Number = std::uint8_t; };
template <> struct Layout<BodyId> { using Number = std::uint64_t; };
template <> struct Layout<BodyPair> { using Number = BodyIndex; };
template <> struct Layout<Vec3> { using Number = double; };
template <> struct Layout<Quaternion> { using Number = double; };
template <> struct Layout<ObstacleApproach> { using Number = double; };
template <> struct Layout<ObstacleState> { using Number = double; };
template <> struct Layout<JointState> { using Number = double; };
template <> struct Layout<CellState> { using Number = double; };
template <> struct Layout<Wrench> { using Number = double; };
template <> struct Layout<ObstacleLoad> { using Number = double; };
template <> struct Layout<Wear> { using Number = double; };
template <> struct Layout<ForceMemory> { using Number = double; };
template <> struct Layout<ForceHeld> { using Number = double; };
template <> struct Layout<ForceBooks> { using Number = double; };
// the bits of a double, then whole numbers
template <> struct Layout<InflowState> { using Number = std::uint64_t; };
template <> struct Layout<FillingState> { using Number = std::uint64_t; };
template <> struct Layout<SleepingContact> { using Number = std::uint64_t; };
// clang-format on

template <class T>
constexpr std::size_t columns_of() {
  constexpr std::size_t size = sizeof(T), number = sizeof(typename Layout<T>::Number);
  static_assert(std::is_trivially_copyable_v<T> && size % number == 0);
  return size / number;
}

std::string location_of(const char* field) { return std::string("/scree/state/") + field; }

template <class T>
void write_array(hdf5::Writer& file, const std::string& location, const T* data,
                 std::size_t count) {
  // Packing gains little on changing data: their digits are almost random.
  const bool packs = !std::is_same_v<typename Layout<T>::Number, double> ||
                     std::is_same_v<T, double> || location == location_of("impulse") ||
                     location == location_of("angular_impulse");
  file.dataset(location, reinterpret_cast<const typename Layout<T>::Number*>(data), count,
               columns_of<T>(), packs ? hdf5::Storage::packed : hdf5::Storage::plain);
}

void write_text(hdf5::Writer& file, const std::string& location, const std::string& text) {
  file.dataset(location, reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

template <class T>
void read_array(const hdf5::Reader& file, const std::string& location, T* data, std::size_t count) {
  file.dataset(location, reinterpret_cast<typename Layout<T>::Number*>(data), count,
               columns_of<T>());
}

std::string read_text(const hdf5::Reader& file, const std::string& location) {
  std::string text(file.rows(location), '\0');
  file.dataset(location, reinterpret_cast<std::uint8_t*>(text.data()), text.size(), 1);
  return text;
}

/// True if the seal at the end of the file matches the bytes before it.
bool is_as_written(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t length = fs::file_size(path, error);
  if (error || length <= kSealLength) return false;
  std::string seal(kSealLength, '\0');
  std::ifstream file(path, std::ios::binary);
  file.seekg(-static_cast<std::streamoff>(kSealLength), std::ios::end);
  file.read(seal.data(), kSealLength);
  return bool(file) && seal == sha256_of_file(path, length - kSealLength);
}

/// The hash and all that comes later index the arrays of a state by each other.
void require_arrays(const hdf5::Reader& file, const State& state) {
  try {
    check_arrays(state);
  } catch (const InputError& error) {
    file.require(false, error.what());
  }
}

fs::path path_of(const fs::path& directory, std::uint64_t step) {
  return directory / fmt::format("step_{:012}.hdf", step);
}

}  // namespace

Checkpoint read_checkpoint(const fs::path& path) {
  const hdf5::Reader file(path, "checkpoint of scree");
  const std::string kind = file.attribute("/scree", "kind");
  file.require(kind == "checkpoint", "it holds " + kind);
  file.require(is_as_written(path), "it was cut short or changed");
  std::uint64_t version = 0, hash = 0;
  file.attribute("/scree", "version", version);
  file.require(
      version == kCheckpointVersion,
      fmt::format("it has format version {}, this program reads {}", version, kCheckpointVersion));
  file.attribute("/scree", "state_hash", hash);

  Checkpoint checkpoint;
  checkpoint.scene = read_text(file, "/scree/scene");
  checkpoint.progress = read_text(file, "/scree/progress");
  for_each_field(checkpoint.state, [&]<class Field>(const char* name, Field& field) {
    const std::string location = location_of(name);
    if constexpr (requires { field.data(); }) {
      field.resize(file.rows(location));
      read_array(file, location, field.data(), field.size());
    } else if constexpr (std::is_same_v<Field, bool>) {
      std::uint8_t number = 0;
      file.dataset(location, &number, 1, 1);
      file.require(number <= 1, location + " is neither 0 nor 1");
      field = number == 1;
    } else {
      read_array(file, location, &field, 1);
    }
  });
  require_arrays(file, checkpoint.state);
  file.require(state_hash(checkpoint.state) == hash, "its state was changed");
  return checkpoint;
}

std::uint64_t step_of_checkpoint(const fs::path& file) {
  return std::strtoull(file.stem().string().substr(std::string_view("step_").size()).c_str(),
                       nullptr, 10);
}

CheckpointFiles::CheckpointFiles(const fs::path& run_directory)
    : directory_(run_directory / "restart") {}

void CheckpointFiles::write(const State& state, const std::string& scene,
                            const std::string& progress) const {
  make_directories(directory_);
  const fs::path path = path_of(directory_, state.step);
  hdf5::Writer file(path);
  file.group("/scree");
  file.attribute("/scree", "kind", "checkpoint");
  const std::uint64_t version = kCheckpointVersion, hash = state_hash(state);
  file.attribute("/scree", "version", &version, 1);
  file.attribute("/scree", "state_hash", &hash, 1);
  file.attribute("/scree", "time", &state.time, 1);
  file.attribute("/scree", "step", &state.step, 1);
  write_text(file, "/scree/scene", scene);
  write_text(file, "/scree/progress", progress);
  file.group("/scree/state");
  for_each_field(state, [&]<class Field>(const char* name, const Field& field) {
    if constexpr (requires { field.data(); }) {
      write_array(file, location_of(name), field.data(), field.size());
    } else {
      write_array(file, location_of(name), &field, 1);
    }
  });
  file.finish_sealed();

  const auto all = list();
  for (std::size_t k = kCheckpointsKept; k < all.size(); ++k) remove_file(all[k]);
}

std::vector<fs::path> CheckpointFiles::list() const {
  static const std::regex name("step_[0-9]{12,}\\.hdf");
  std::vector<fs::path> all;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory_, ignored))
    if (std::regex_match(entry.path().filename().string(), name)) all.push_back(entry.path());
  std::ranges::sort(all, std::greater<>(), step_of_checkpoint);
  return all;
}

}  // namespace scree
