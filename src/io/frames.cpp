#include "scree/io/frames.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <type_traits>

#include "io/hdf5.hpp"
#include "scree/io/checksum.hpp"
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

/// Numbers of a value, one behind the other.
template <class T>
struct Row {
  using Number = T;
  static constexpr std::size_t columns = 0;
};
template <>
struct Row<Vec3> {
  using Number = double;
  static constexpr std::size_t columns = 3;
};
template <>
struct Row<Quaternion> {
  using Number = double;
  static constexpr std::size_t columns = 4;
};
static_assert(sizeof(Vec3) == 3 * sizeof(double) && sizeof(Quaternion) == 4 * sizeof(double));

/// An array of a frame that is written piece by piece.
template <class T>
class Column {
 public:
  Column(hdf5::Writer& file, const std::string& name, std::size_t rows, hdf5::Storage storage)
      : rows_(file.begin<typename Row<T>::Number>(name, rows, Row<T>::columns, storage)) {}

  /// value(0) … value(count − 1) are the next.
  template <class Value>
  void add(std::size_t count, Value&& value) {
    for (std::size_t begin = 0; begin < count; begin += hdf5::kRowsPerPiece) {
      piece_.clear();
      for (std::size_t i = begin; i < std::min(begin + hdf5::kRowsPerPiece, count); ++i) piece_.push_back(value(i));
      rows_.add(reinterpret_cast<const typename Row<T>::Number*>(piece_.data()), piece_.size());
    }
  }

 private:
  hdf5::RowWriter rows_;
  std::vector<T> piece_;
};

/// A whole array: value(0) … value(count − 1).
template <class Value>
void write_column(hdf5::Writer& file, const std::string& name, std::size_t count, hdf5::Storage storage,
                  Value&& value) {
  Column<std::decay_t<decltype(value(std::size_t{}))>>(file, name, count, storage).add(count, value);
}

constexpr auto kPlain = hdf5::Storage::plain, kPacked = hdf5::Storage::packed;

/// What makes a VTKHDF file out of points: cells that have one or two of them each, in their order. The points are yet to come.
void write_grid(hdf5::Writer& file, std::size_t points, std::uint8_t cell_type) {
  const std::size_t per_cell = cell_type == kVtkLine ? 2 : 1, cells = points / per_cell;
  file.group("/VTKHDF");
  const std::int64_t version[2] = {1, 0};
  file.attribute("/VTKHDF", "Version", version, 2);
  file.attribute("/VTKHDF", "Type", "UnstructuredGrid");
  const std::pair<const char*, std::size_t> counts[] = {
      {"NumberOfPoints", points}, {"NumberOfCells", cells}, {"NumberOfConnectivityIds", points}};
  for (const auto& [name, count] : counts) {
    const auto number = static_cast<std::int64_t>(count);
    file.dataset(std::string("/VTKHDF/") + name, &number, 1);
  }
  write_column(file, "/VTKHDF/Offsets", cells + 1, kPacked,
               [&](std::size_t k) { return static_cast<std::int64_t>(k * per_cell); });
  write_column(file, "/VTKHDF/Connectivity", points, kPacked,
               [](std::size_t k) { return static_cast<std::int64_t>(k); });
  write_column(file, "/VTKHDF/Types", cells, kPacked, [&](std::size_t) { return cell_type; });
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

namespace {

/// Places of the bodies that have not left, in the order of their ids.
std::vector<std::uint32_t> order_of_ids(const Bodies& bodies, const Neighbours& list = {}) {
  std::vector<std::uint32_t> order;
  order.reserve(bodies.size());
  for (std::uint32_t i = 0; i < bodies.size(); ++i)
    if (!list.has_left(i)) order.push_back(i);
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return bodies.id[i]; });
  return order;
}

std::uint64_t write_bodies(const std::filesystem::path& path, double time, std::uint64_t step, const Bodies& bodies,
                           const std::vector<std::uint32_t>& order) {
  hdf5::Writer file(path);
  write_header(file, "grains", time, step);
  write_grid(file, order.size(), kVtkVertex);
  const auto column = [&](const std::string& name, hdf5::Storage storage, const auto& field) {
    write_column(file, name, order.size(), storage, [&](std::size_t k) { return field[order[k]]; });
  };
  column("/VTKHDF/Points", kPlain, bodies.position);
  column(kPointData + "radius", kPacked, bodies.radius);
  column(kPointData + "mass", kPacked, bodies.mass);
  column(kPointData + "velocity", kPlain, bodies.velocity);
  column(kPointData + "angular_velocity", kPlain, bodies.angular_velocity);
  column(kPointData + "quaternion", kPlain, bodies.orientation);
  write_column(file, kPointData + "id", order.size(), kPacked,
               [&](std::size_t k) { return static_cast<std::int64_t>(bodies.id[order[k]].value); });
  write_column(file, kPointData + "material", order.size(), kPacked,
               [&](std::size_t k) { return std::int32_t{bodies.material[order[k]]}; });
  return file.finish();
}

/// The arrays of a frame of contacts, while it is written.
class ContactColumns {
 public:
  ContactColumns(hdf5::Writer& file, std::size_t count)
      : point_(file, "/VTKHDF/Points", count, kPlain),
        normal_(file, kPointData + "normal", count, kPlain),
        percussion_(file, kPointData + "percussion", count, kPacked),
        gap_(file, kPointData + "gap", count, kPacked),
        class_(file, kPointData + "class", count, kPacked),
        residual_(file, kPointData + "residual", count, kPacked),
        id_a_(file, kPointData + "id_a", count, kPacked),
        id_b_(file, kPointData + "id_b", count, kPacked) {
    for (const auto& field : kCertificateFields)
      certificate_.emplace_back(file, kPointData + field.first, count, kPacked);
  }

  void add(std::span<const ContactRecord> contacts) {
    const auto add = [&](auto& column, auto member) {
      column.add(contacts.size(), [&](std::size_t i) { return contacts[i].*member; });
    };
    const auto add_id = [&](Column<std::int64_t>& column, BodyId ContactRecord::*member) {
      column.add(contacts.size(),
                 [&](std::size_t i) { return static_cast<std::int64_t>((contacts[i].*member).value); });
    };
    add(point_, &ContactRecord::point);
    add(normal_, &ContactRecord::normal);
    add(percussion_, &ContactRecord::percussion);
    add(gap_, &ContactRecord::gap);
    class_.add(contacts.size(), [&](std::size_t i) { return static_cast<std::int32_t>(contacts[i].kind); });
    add(residual_, &ContactRecord::residual);
    for (std::size_t k = 0; k < certificate_.size(); ++k) add(certificate_[k], kCertificateFields[k].second);
    add_id(id_a_, &ContactRecord::a);
    add_id(id_b_, &ContactRecord::b);
  }

 private:
  Column<Vec3> point_, normal_, percussion_;
  Column<double> gap_;
  Column<std::int32_t> class_;
  Column<double> residual_;
  Column<std::int64_t> id_a_, id_b_;
  std::vector<Column<double>> certificate_;
};

}  // namespace

GrainsFrame grains_of(const State& state) {
  const std::vector<std::uint32_t> order = order_of_ids(state.bodies, state.neighbours);
  GrainsFrame frame{state.time, state.step, state.bodies};
  frame.bodies.for_each_field([&](auto& field) {
    const auto unsorted = field;
    for (std::size_t i = 0; i < order.size(); ++i) field[i] = unsorted[order[i]];
    field.resize(order.size());
  });
  return frame;
}

std::uint64_t write_grains(const std::filesystem::path& path, const State& state) {
  return write_bodies(path, state.time, state.step, state.bodies, order_of_ids(state.bodies, state.neighbours));
}

std::uint64_t write_grains(const std::filesystem::path& path, const GrainsFrame& frame) {
  return write_bodies(path, frame.time, frame.step, frame.bodies, order_of_ids(frame.bodies));
}

std::uint64_t write_lines(const std::filesystem::path& path, const std::string& kind, const LinesFrame& frame) {
  hdf5::Writer file(path);
  write_header(file, kind, frame.time, frame.step);
  write_grid(file, frame.ends.size(), kVtkLine);
  write_column(file, "/VTKHDF/Points", frame.ends.size(), kPlain, [&](std::size_t end) { return frame.ends[end]; });
  for (const auto& value : frame.values)
    write_column(file, kPointData + value.first, frame.ends.size(), kPlain,
                 [&](std::size_t end) { return value.second[end / 2]; });
  return file.finish();
}

std::uint64_t write_contacts(const std::filesystem::path& path, std::size_t count, ContactPieces pieces, double time,
                             std::uint64_t step) {
  hdf5::Writer file(path);
  write_header(file, "contacts", time, step);
  write_grid(file, count, kVtkVertex);
  {
    ContactColumns columns(file, count);
    pieces([&](std::span<const ContactRecord> piece) { columns.add(piece); });
  }
  return file.finish();
}

std::uint64_t write_contacts(const std::filesystem::path& path, std::span<const ContactRecord> contacts, double time,
                             std::uint64_t step) {
  const auto whole = [&](FunctionRef<void(std::span<const ContactRecord>)> take) { take(contacts); };
  return write_contacts(path, contacts.size(), whole, time, step);
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

FrameSeries::FrameSeries(std::filesystem::path run_directory, std::string name, const nlohmann::json& mark)
    : FrameSeries(std::move(run_directory), std::move(name)) {
  written_ = written_of(mark);
  if (written_.empty()) return;
  remove_from(size());
  write_series();
}

nlohmann::json FrameSeries::mark() const {
  auto mark = nlohmann::json::array();
  for (const Written& frame : written_) mark.push_back({frame.time, frame.checksum});
  return mark;
}

std::vector<FrameSeries::Written> FrameSeries::written_of(const nlohmann::json& mark) {
  std::vector<Written> written;
  for (const auto& frame : mark) written.push_back({frame.at(0).get<double>(), frame.at(1).get<std::uint64_t>()});
  return written;
}

void FrameSeries::require(const nlohmann::json& mark) const {
  const std::vector<Written> written = written_of(mark);
  if (written.empty()) return;
  require_length(series_file(), 1);
  const std::vector<ListedFrame> listed = read_series(series_file());
  for (std::size_t k = 0; k < written.size(); ++k) {
    if (k >= listed.size() || listed[k].file != file_of(k) || listed[k].time != written[k].time)
      throw InputError(
          fmt::format("cannot go on: {} frames were written, but {} does not list them; put it back, or begin anew "
                      "with --force",
                      written.size(), series_file().string()));
    require_content(directory_ / file_of(k), written[k].checksum);
  }
}

void FrameSeries::remove_from(std::size_t frame) const {
  while (remove_file(directory_ / file_of(frame))) ++frame;
}

void FrameSeries::remove() const {
  remove_file(series_file());
  remove_from(0);
}

std::filesystem::path FrameSeries::series_file() const { return directory_ / (name_ + ".hdf.series"); }

std::filesystem::path FrameSeries::file_of(std::size_t frame) const {
  return fmt::format("frames/{}_{:06}.hdf", name_, frame);
}

std::filesystem::path FrameSeries::next_path() const { return directory_ / file_of(size()); }

void FrameSeries::append(double time, std::uint64_t checksum) {
  written_.push_back({time, checksum});
  write_series();
}

void FrameSeries::write_series() const {
  auto files = nlohmann::json::array();
  for (std::size_t k = 0; k < size(); ++k) files.push_back({{"name", file_of(k).string()}, {"time", written_[k].time}});
  const nlohmann::ordered_json series{{"file-series-version", "1.0"}, {"files", files}};
  write_file(series_file(), series.dump(1) + "\n");
}

std::vector<ListedFrame> read_series(const std::filesystem::path& series) {
  std::vector<ListedFrame> frames;
  std::error_code error;
  if (!std::filesystem::exists(series, error)) return frames;
  const auto require = [&](bool good, const char* wrong) {
    if (!good)
      throw InputError(fmt::format("{} is no series of frames, or damaged: {}; put the file back as the run wrote it",
                                   series.string(), wrong));
  };
  const auto json = nlohmann::json::parse(read_file(series), nullptr, false);
  require(json.is_object() && json.contains("files") && json["files"].is_array(), "it has no list of files");
  for (const auto& entry : json["files"]) {
    require(entry.is_object() && entry.contains("name") && entry["name"].is_string() && entry.contains("time") &&
                entry["time"].is_number(),
            "a file in it lacks its name or its time");
    const std::filesystem::path file = entry["name"].get<std::string>();
    require(file.is_relative() && std::ranges::find(file, "..") == file.end(),
            "a file in it lies in another directory");
    frames.push_back({file, entry["time"].get<double>()});
  }
  return frames;
}

}  // namespace scree
