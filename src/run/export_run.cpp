/// Exports frames of a run as VTK polygons or CSV tables.
#include "scree/run/export_run.hpp"

#include <fmt/format.h>
#include <numeric>
#include <regex>

#include "scree/io/files.hpp"
#include "scree/io/json_text.hpp"
#include "scree/io/vtk_file.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAbout = "export.json";

template <class T, class Field>
std::vector<T> numbers(std::size_t count, Field&& field) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(field(i));
  return values;
}

template <class T>
std::vector<T> copy_of(const AlignedVector<T>& values) {
  return {values.begin(), values.end()};
}

void add_cells(std::string& row, double value) { row += fmt::format(",{}", value); }
void add_cells(std::string& row, std::int64_t value) { row += fmt::format(",{}", value); }
void add_cells(std::string& row, const Vec3& v) { row += fmt::format(",{},{},{}", v.x, v.y, v.z); }
void add_cells(std::string& row, const Quaternion& q) {
  row += fmt::format(",{},{},{},{}", q.w, q.x, q.y, q.z);
}

/// Suffixes of the names of a column's components.
std::vector<std::string> endings(const ExportColumn& column) {
  if (std::holds_alternative<std::vector<Vec3>>(column.values)) return {"_x", "_y", "_z"};
  if (std::holds_alternative<std::vector<Quaternion>>(column.values))
    return {"_w", "_x", "_y", "_z"};
  return {""};
}

void add_array(VtkFile& file, const ExportColumn& column) {
  const auto add = [&](const auto& values) {
    using Value = typename std::decay_t<decltype(values)>::value_type;
    if constexpr (std::is_same_v<Value, Vec3>) {
      file.array(column.name, column.unit, std::span<const Vec3>(values));
    } else if constexpr (std::is_same_v<Value, Quaternion>) {
      std::vector<double> flat;
      flat.reserve(4 * values.size());
      for (const Quaternion& q : values) flat.insert(flat.end(), {q.w, q.x, q.y, q.z});
      file.array(column.name, column.unit, 4, std::span<const double>(flat));
    } else {
      file.array(column.name, column.unit, 1, std::span<const Value>(values));
    }
  };
  std::visit(add, column.values);
}

/// Written frames of one kind, for a .pvd file.
struct ExportSeries {
  std::string name;
  std::string datasets{};  ///< XML

  void add(double time, const std::string& file) {
    datasets += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", time, file);
  }
  std::string text() const {
    return fmt::format(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n{}"
        "</Collection>\n</VTKFile>\n",
        datasets);
  }
};

/// Removes the files of an earlier export.
void remove_export(const fs::path& directory) {
  static const std::regex ours(
      "((grains|contacts)(_[0-9]{6,}\\.(vtp|csv)|\\.pvd)|export\\.json)(\\.part)?");
  std::error_code ignored;
  std::vector<fs::path> old;
  for (const auto& entry : fs::directory_iterator(directory, ignored))
    if (std::regex_match(entry.path().filename().string(), ours)) old.push_back(entry.path());
  for (const fs::path& file : old) remove_file(file);
}

Json units_of(const ExportFrame& frame) {
  Json units{{"x", "m"}, {"y", "m"}, {"z", "m"}};
  for (const ExportColumn& column : frame.columns)
    for (const std::string& ending : endings(column)) units[column.name + ending] = column.unit;
  return units;
}

class Exporter {
 public:
  Exporter(const ExportRequest& request, fs::path directory)
      : request_(request), ending_(request.format == ExportFormat::vtp ? ".vtp" : ".csv") {
    done_.directory = std::move(directory);
  }

  void add(const RunFrame& frame) {
    put(grains_, frame.grains_file, export_frame(frame.grains));
    Json about{{"time", frame.grains.time}, {"step", frame.grains.step}};
    if (frame.grains.velocity_time) about["velocity_time"] = *frame.grains.velocity_time;
    about["grains"] = done_.files.back();
    if (frame.contacts && request_.contacts) {
      put(contacts_, frame.contacts_file, export_frame(*frame.contacts));
      about["contacts"] = done_.files.back();
    }
    frames_.push_back(std::move(about));
    ++done_.frames;
  }

  RunExport finish(const fs::path& run) {
    for (const ExportSeries* series : {&grains_, &contacts_})
      if (request_.format == ExportFormat::vtp && !series->datasets.empty())
        write(series->name + ".pvd", series->text());
    write(kAbout, as_text({{"run", run.string()}, {"units", units_}, {"frames", frames_}}));
    return std::move(done_);
  }

 private:
  void put(ExportSeries& series, const fs::path& file, const ExportFrame& frame) {
    const std::string name = file.stem().string() + ending_;
    write(name, request_.format == ExportFormat::vtp ? vtp_text(frame) : csv_text(frame));
    series.add(frame.time, name);
    units_[series.name] = units_of(frame);
  }
  void write(const std::string& name, const std::string& text) {
    write_file(done_.directory / name, text);
    done_.files.push_back(name);
  }

  const ExportRequest& request_;
  std::string ending_;
  ExportSeries grains_{"grains"}, contacts_{"contacts"};
  Json units_ = Json::object(), frames_ = Json::array();
  RunExport done_;
};

}  // namespace

ExportFrame export_frame(const GrainsFrame& frame) {
  const Bodies& b = frame.bodies;
  return {
      frame.time,
      frame.step,
      copy_of(b.position),
      {{"id", "-", numbers<std::int64_t>(b.size(), [&](auto i) { return b.id[i].value; })},
       {"radius", "m", copy_of(b.radius)},
       {"mass", "kg", copy_of(b.mass)},
       {"velocity", "m/s", copy_of(b.velocity)},
       {"angular_velocity", "rad/s", copy_of(b.angular_velocity)},
       {"quaternion", "-", copy_of(b.orientation)},
       {"material", "-", numbers<std::int64_t>(b.size(), [&](auto i) { return b.material[i]; })}}};
}

ExportFrame export_frame(const ContactsFrame& frame) {
  const auto& contacts = frame.contacts;
  const auto column = [&]<class T>(T ContactRecord::*member) {
    return numbers<T>(contacts.size(), [&](std::size_t i) { return contacts[i].*member; });
  };
  const auto whole = [&](auto&& field) {
    return numbers<std::int64_t>(contacts.size(),
                                 [&](std::size_t i) { return field(contacts[i]); });
  };
  using Record = ContactRecord;
  return {frame.time,
          frame.step,
          column(&Record::point),
          {{"id_a", "-", whole([](const Record& c) { return c.a.value; })},
           {"id_b", "-", whole([](const Record& c) { return c.b.value; })},
           {"normal", "-", column(&Record::normal)},
           {"impulse", "N s", column(&Record::impulse)},
           {"gap", "m", column(&Record::gap)},
           {"class", "-", whole([](const Record& c) { return c.kind; })},
           {"residual", "m/s", column(&Record::residual)},
           {"cone_violation", "N s", column(&Record::cone_violation)},
           {"complementarity_violation", "J", column(&Record::complementarity_violation)},
           {"dissipated_energy", "J", column(&Record::dissipated_energy)},
           {"painleve_number", "-", column(&Record::painleve_number)},
           {"angular_impulse", "N m s", column(&Record::angular_impulse)}}};
}

std::string vtp_text(const ExportFrame& frame) {
  const std::size_t count = frame.points.size();
  VtkFile file("PolyData");
  file.open("FieldData");
  file.array("TimeValue", "s", 1, std::span(&frame.time, 1));
  file.close();
  file.open("Piece", fmt::format("NumberOfPoints=\"{}\" NumberOfVerts=\"{}\"", count, count));
  file.open("Points");
  file.array("Points", "m", std::span<const Vec3>(frame.points));
  file.close();
  file.open("Verts");
  std::vector<std::int64_t> index(count);
  std::iota(index.begin(), index.end(), 0);
  file.array("connectivity", "", 1, std::span<const std::int64_t>(index));
  std::iota(index.begin(), index.end(), 1);
  file.array("offsets", "", 1, std::span<const std::int64_t>(index));
  file.close();
  file.open("PointData");
  for (const ExportColumn& column : frame.columns) add_array(file, column);
  return file.text();
}

std::string csv_text(const ExportFrame& frame) {
  std::string text = "x,y,z";
  for (const ExportColumn& column : frame.columns)
    for (const std::string& ending : endings(column)) text += "," + column.name + ending;
  text += "\n";
  for (std::size_t i = 0; i < frame.points.size(); ++i) {
    const Vec3& p = frame.points[i];
    text += fmt::format("{},{},{}", p.x, p.y, p.z);
    for (const ExportColumn& column : frame.columns)
      std::visit([&](const auto& values) { add_cells(text, values[i]); }, column.values);
    text += "\n";
  }
  return text;
}

RunExport export_run(const fs::path& run, const ExportRequest& request, const Warn& warn) {
  const RunManifest manifest(run);
  const fs::path out = request.out.empty() ? run / "export" : request.out;
  require_writable(out);
  const RunFrames frames(run, manifest, request.frames, request.even_so);
  require_sound(frames.complaints(), run, request.even_so, warn);
  if (frames.size() == 0) throw InputError(fmt::format("{} has no usable frame", run.string()));
  make_directories(out);
  remove_export(out);
  Exporter exporter(request, out);
  for (std::size_t k = 0; k < frames.size(); ++k) exporter.add(frames.read(k));
  return exporter.finish(run);
}

}  // namespace scree
