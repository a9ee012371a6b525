#include "scree/io/frames.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>
#include <type_traits>

#include "io/hdf5.hpp"
#include "scree/io/files.hpp"

namespace scree {
namespace {

constexpr std::uint8_t kVtkVertex = 1, kVtkLine = 3;
const std::string kPointData = "/VTKHDF/PointData/";

/// Not in frames that were written before they were.
constexpr std::pair<const char*, double ContactRecord::*> kCertificateFields[] = {
    {"cone_violation", &ContactRecord::cone_violation},
    {"complementarity_violation", &ContactRecord::complementarity_violation},
    {"dissipated_energy", &ContactRecord::dissipated_energy},
    {"painleve_number", &ContactRecord::painleve_number}};

// Vectors are written as rows of a two-dimensional dataset, straight from where they lie.
static_assert(sizeof(Vec3) == 3 * sizeof(double) && sizeof(Quaternion) == 4 * sizeof(double));

void write_rows(hdf5::Writer& file, const std::string& name, const AlignedVector<Vec3>& rows) {
  file.dataset(name, reinterpret_cast<const double*>(rows.data()), rows.size(), 3);
}
void write_rows(hdf5::Writer& file, const std::string& name, const AlignedVector<Quaternion>& rows) {
  file.dataset(name, reinterpret_cast<const double*>(rows.data()), rows.size(), 4);
}
template <class T>
void write_rows(hdf5::Writer& file, const std::string& name, const AlignedVector<T>& rows) {
  file.dataset(name, rows.data(), rows.size());
}

/// value(0) … value(count − 1) as an array that can be written.
template <class Value>
auto gathered(std::size_t count, Value&& value) {
  AlignedVector<std::decay_t<decltype(value(std::size_t{}))>> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = value(i);
  return values;
}

/// What makes a VTKHDF file out of points: cells that have one or two of them each, in their order.
void write_grid(hdf5::Writer& file, const AlignedVector<Vec3>& points, std::uint8_t cell_type) {
  const std::size_t per_cell = cell_type == kVtkLine ? 2 : 1, cells = points.size() / per_cell;
  file.group("/VTKHDF");
  const std::int64_t version[2] = {1, 0};
  file.attribute("/VTKHDF", "Version", version, 2);
  file.attribute("/VTKHDF", "Type", "UnstructuredGrid");
  const std::pair<const char*, std::size_t> counts[] = {
      {"NumberOfPoints", points.size()}, {"NumberOfCells", cells}, {"NumberOfConnectivityIds", points.size()}};
  for (const auto& [name, count] : counts) {
    const auto number = static_cast<std::int64_t>(count);
    file.dataset(std::string("/VTKHDF/") + name, &number, 1);
  }
  write_rows(file, "/VTKHDF/Points", points);
  write_rows(file, "/VTKHDF/Offsets",
             gathered(cells + 1, [&](std::size_t k) { return static_cast<std::int64_t>(k * per_cell); }));
  write_rows(file, "/VTKHDF/Connectivity",
             gathered(points.size(), [](std::size_t k) { return static_cast<std::int64_t>(k); }));
  write_rows(file, "/VTKHDF/Types", AlignedVector<std::uint8_t>(cells, cell_type));
  file.group("/VTKHDF/PointData");
}

/// VTK does not look outside /VTKHDF, so what only scree needs stands there.
void write_header(hdf5::Writer& file, const std::string& kind, double time, std::uint64_t step) {
  file.group("/scree");
  file.attribute("/scree", "kind", kind);
  file.attribute("/scree", "time", &time, 1);
  file.attribute("/scree", "step", &step, 1);
}

/// A frame that is read: its header, and arrays with a row for each of its points.
class FrameReader {
 public:
  FrameReader(const std::filesystem::path& path, std::string_view kind) : file_(path, "frame of scree") {
    const std::string found = file_.attribute("/scree", "kind");
    file_.require(found == kind, fmt::format("it holds {}, not {}", found, kind));
    points_ = file_.rows("/VTKHDF/Points");
  }

  std::size_t points() const { return points_; }
  bool has(const std::string& name) const { return file_.has(name); }
  void header(double& time, std::uint64_t& step) const {
    file_.attribute("/scree", "time", time);
    file_.attribute("/scree", "step", step);
  }
  template <class T>
  void rows(const std::string& name, AlignedVector<T>& into) const {
    into.resize(points_);
    if constexpr (std::is_same_v<T, Vec3>)
      file_.dataset(name, reinterpret_cast<double*>(into.data()), points_, 3);
    else if constexpr (std::is_same_v<T, Quaternion>)
      file_.dataset(name, reinterpret_cast<double*>(into.data()), points_, 4);
    else
      file_.dataset(name, into.data(), points_, 1);
  }
  /// Integers, no less than 0 and no larger than `most`.
  template <class T>
  AlignedVector<T> numbers(const std::string& name, std::uint64_t most) const {
    AlignedVector<T> values;
    rows(name, values);
    for (const T value : values)
      file_.require(value >= 0 && static_cast<std::uint64_t>(value) <= most, fmt::format("{} has a {}", name, value));
    return values;
  }

 private:
  hdf5::Reader file_;
  std::size_t points_ = 0;
};

}  // namespace

GrainsFrame grains_of(const State& state) {
  const auto& id = state.bodies.id;
  std::vector<std::size_t> order(id.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return id[a] < id[b]; });
  GrainsFrame frame{state.time, state.step, state.bodies};
  frame.bodies.for_each_field([&](auto& field) {
    const auto unsorted = field;
    for (std::size_t i = 0; i < order.size(); ++i) field[i] = unsorted[order[i]];
  });
  return frame;
}

void write_grains(const std::filesystem::path& path, const GrainsFrame& frame) {
  const Bodies& bodies = frame.bodies;
  hdf5::Writer file(path);
  write_header(file, "grains", frame.time, frame.step);
  write_grid(file, bodies.position, kVtkVertex);
  write_rows(file, kPointData + "radius", bodies.radius);
  write_rows(file, kPointData + "mass", bodies.mass);
  write_rows(file, kPointData + "velocity", bodies.velocity);
  write_rows(file, kPointData + "angular_velocity", bodies.angular_velocity);
  write_rows(file, kPointData + "quaternion", bodies.orientation);
  write_rows(file, kPointData + "id",
             gathered(bodies.size(), [&](std::size_t i) { return static_cast<std::int64_t>(bodies.id[i].value); }));
  write_rows(file, kPointData + "material",
             gathered(bodies.size(), [&](std::size_t i) { return std::int32_t{bodies.material[i]}; }));
  file.finish();
}

void write_lines(const std::filesystem::path& path, const std::string& kind, const LinesFrame& frame) {
  hdf5::Writer file(path);
  write_header(file, kind, frame.time, frame.step);
  write_grid(file, frame.ends, kVtkLine);
  for (const auto& value : frame.values)
    write_rows(file, kPointData + value.first,
               gathered(frame.ends.size(), [&](std::size_t end) { return value.second[end / 2]; }));
  file.finish();
}

void write_contacts(const std::filesystem::path& path, std::span<const ContactRecord> contacts, double time,
                    std::uint64_t step) {
  const std::size_t count = contacts.size();
  const auto field = [&](auto member) { return gathered(count, [&](std::size_t i) { return contacts[i].*member; }); };
  const auto id_of = [&](BodyId ContactRecord::*member) {
    return gathered(count, [&](std::size_t i) { return static_cast<std::int64_t>((contacts[i].*member).value); });
  };

  hdf5::Writer file(path);
  write_header(file, "contacts", time, step);
  write_grid(file, field(&ContactRecord::point), kVtkVertex);
  write_rows(file, kPointData + "normal", field(&ContactRecord::normal));
  write_rows(file, kPointData + "percussion", field(&ContactRecord::percussion));
  write_rows(file, kPointData + "gap", field(&ContactRecord::gap));
  write_rows(file, kPointData + "class",
             gathered(count, [&](std::size_t i) { return static_cast<std::int32_t>(contacts[i].kind); }));
  write_rows(file, kPointData + "residual", field(&ContactRecord::residual));
  for (const auto& [name, member] : kCertificateFields) write_rows(file, kPointData + name, field(member));
  write_rows(file, kPointData + "id_a", id_of(&ContactRecord::a));
  write_rows(file, kPointData + "id_b", id_of(&ContactRecord::b));
  file.finish();
}

GrainsFrame read_grains(const std::filesystem::path& path) {
  const FrameReader file(path, "grains");
  GrainsFrame frame;
  file.header(frame.time, frame.step);
  Bodies& bodies = frame.bodies;
  file.rows("/VTKHDF/Points", bodies.position);
  file.rows(kPointData + "radius", bodies.radius);
  file.rows(kPointData + "mass", bodies.mass);
  file.rows(kPointData + "velocity", bodies.velocity);
  file.rows(kPointData + "angular_velocity", bodies.angular_velocity);
  file.rows(kPointData + "quaternion", bodies.orientation);
  for (const std::int64_t id : file.numbers<std::int64_t>(kPointData + "id", kFirstObstacleId - 1))
    bodies.id.push_back({static_cast<std::uint64_t>(id)});
  constexpr auto kMostMaterial = std::numeric_limits<MaterialId>::max();
  for (const std::int32_t material : file.numbers<std::int32_t>(kPointData + "material", kMostMaterial))
    bodies.material.push_back(static_cast<MaterialId>(material));
  bodies.prototype.assign(file.points(), 0);
  return frame;
}

ContactsFrame read_contacts(const std::filesystem::path& path) {
  const FrameReader file(path, "contacts");
  ContactsFrame frame;
  file.header(frame.time, frame.step);
  frame.contacts.resize(file.points());
  const auto field = [&]<class T>(const std::string& name, T ContactRecord::*member) {
    AlignedVector<T> values;
    file.rows(name, values);
    for (std::size_t i = 0; i < values.size(); ++i) frame.contacts[i].*member = values[i];
  };
  const auto id_field = [&](const std::string& name, BodyId ContactRecord::*member) {
    const auto ids = file.numbers<std::int64_t>(name, std::numeric_limits<std::int64_t>::max());
    for (std::size_t i = 0; i < ids.size(); ++i) frame.contacts[i].*member = {static_cast<std::uint64_t>(ids[i])};
  };
  field("/VTKHDF/Points", &ContactRecord::point);
  field(kPointData + "normal", &ContactRecord::normal);
  field(kPointData + "percussion", &ContactRecord::percussion);
  field(kPointData + "gap", &ContactRecord::gap);
  field(kPointData + "residual", &ContactRecord::residual);
  for (const auto& [name, member] : kCertificateFields)
    if (file.has(kPointData + name)) field(kPointData + name, member);
  id_field(kPointData + "id_a", &ContactRecord::a);
  id_field(kPointData + "id_b", &ContactRecord::b);
  const auto classes =
      file.numbers<std::int32_t>(kPointData + "class", static_cast<std::uint64_t>(ContactClass::sliding));
  for (std::size_t i = 0; i < classes.size(); ++i) frame.contacts[i].kind = static_cast<ContactClass>(classes[i]);
  return frame;
}

FrameSeries::FrameSeries(std::filesystem::path run_directory, std::string name)
    : directory_(std::move(run_directory)), name_(std::move(name)) {}

FrameSeries::FrameSeries(std::filesystem::path run_directory, std::string name, std::size_t kept)
    : FrameSeries(std::move(run_directory), std::move(name)) {
  if (kept == 0) return;
  times_ = times_of(kept);
  remove_from(kept);
  write_series();
}

void FrameSeries::remove_from(std::size_t frame) const {
  while (std::filesystem::remove(directory_ / file_of(frame))) ++frame;
}

void FrameSeries::remove() const {
  std::filesystem::remove(series_file());
  remove_from(0);
}

std::vector<double> FrameSeries::times_of(std::size_t kept) const {
  std::vector<double> times;
  if (kept == 0) return times;
  require_length(series_file(), 1);
  const auto series = nlohmann::json::parse(read_file(series_file()), nullptr, false);
  const bool whole = series.is_object() && series.contains("files") && series["files"].size() >= kept;
  if (!whole)
    throw InputError(fmt::format(
        "cannot go on: {} frames were written, but {} does not list them; put it back, or begin anew with --force",
        kept, series_file().string()));
  for (std::size_t k = 0; k < kept; ++k) {
    require_length(directory_ / file_of(k), 1);
    times.push_back(series["files"][k].at("time").get<double>());
  }
  return times;
}

std::filesystem::path FrameSeries::series_file() const { return directory_ / (name_ + ".hdf.series"); }

std::filesystem::path FrameSeries::file_of(std::size_t frame) const {
  return fmt::format("frames/{}_{:06}.hdf", name_, frame);
}

std::filesystem::path FrameSeries::next_path() const { return directory_ / file_of(times_.size()); }

void FrameSeries::append(double time) {
  times_.push_back(time);
  write_series();
}

void FrameSeries::write_series() const {
  auto files = nlohmann::json::array();
  for (std::size_t k = 0; k < times_.size(); ++k) files.push_back({{"name", file_of(k).string()}, {"time", times_[k]}});
  const nlohmann::ordered_json series{{"file-series-version", "1.0"}, {"files", files}};
  write_file(series_file(), series.dump(1) + "\n");
}

}  // namespace scree
