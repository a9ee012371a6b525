/// Frames of contacts and of lines, and the .hdf.series file that lists frames.
#include "scree/io/frames.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <type_traits>

#include "io/frame_file.hpp"
#include "scree/io/checksum.hpp"
#include "scree/io/files.hpp"
#include "scree/io/parsed_json.hpp"

namespace scree {
namespace {

using namespace frame_file;

/// Arrays that older frames do not have.
constexpr std::pair<const char*, double ContactRecord::*> kCertificateFields[] = {
    {"cone_violation", &ContactRecord::cone_violation},
    {"complementarity_violation", &ContactRecord::complementarity_violation},
    {"dissipated_energy", &ContactRecord::dissipated_energy},
    {"painleve_number", &ContactRecord::painleve_number}};

/// Arrays of a frame of contacts during writing.
class ContactColumns {
 public:
  ContactColumns(hdf5::Writer& file, std::size_t count, ContactFields fields)
      : point_(file, kPoints, count, kPlain),
        normal_(file, kPointData + "normal", count, kPlain),
        impulse_(file, kPointData + "impulse", count, kPacked),
        gap_(file, kPointData + "gap", count, kPacked),
        class_(file, kPointData + "class", count, kPacked),
        residual_(file, kPointData + "residual", count, kPacked),
        id_a_(file, kPointData + "id_a", count, kPacked),
        id_b_(file, kPointData + "id_b", count, kPacked) {
    for (const auto& field : kCertificateFields)
      certificate_.emplace_back(file, kPointData + field.first, count, kPacked);
    if (fields.angular_impulse)
      angular_impulse_.emplace(file, kPointData + "angular_impulse", count, kPacked);
  }

  void add(std::span<const ContactRecord> contacts) {
    const auto add = [&](auto& column, auto member) {
      column.add(contacts.size(), [&](std::size_t i) { return contacts[i].*member; });
    };
    const auto add_id = [&](Column<std::int64_t>& column, BodyId ContactRecord::*member) {
      column.add(contacts.size(), [&](std::size_t i) {
        return static_cast<std::int64_t>((contacts[i].*member).value);
      });
    };
    add(point_, &ContactRecord::point);
    add(normal_, &ContactRecord::normal);
    add(impulse_, &ContactRecord::impulse);
    add(gap_, &ContactRecord::gap);
    class_.add(contacts.size(),
               [&](std::size_t i) { return static_cast<std::int32_t>(contacts[i].kind); });
    add(residual_, &ContactRecord::residual);
    for (std::size_t k = 0; k < certificate_.size(); ++k)
      add(certificate_[k], kCertificateFields[k].second);
    if (angular_impulse_) add(*angular_impulse_, &ContactRecord::angular_impulse);
    add_id(id_a_, &ContactRecord::a);
    add_id(id_b_, &ContactRecord::b);
  }

 private:
  Column<Vec3> point_, normal_, impulse_;
  Column<double> gap_;
  Column<std::int32_t> class_;
  Column<double> residual_;
  Column<std::int64_t> id_a_, id_b_;
  std::vector<Column<double>> certificate_;
  std::optional<Column<Vec3>> angular_impulse_;
};

}  // namespace

std::uint64_t write_lines(const std::filesystem::path& path, const std::string& kind,
                          const LinesFrame& frame) {
  hdf5::Writer file(path);
  write_header(file, kind, frame.time, frame.step);
  write_grid(file, frame.ends.size(), frame.ends.size() / 2,
             [](std::size_t) { return CellType::line; });
  write_column(file, kPoints, frame.ends.size(), kPlain,
               [&](std::size_t end) { return frame.ends[end]; });
  for (const auto& value : frame.values)
    write_column(file, kPointData + value.first, frame.ends.size(), kPlain,
                 [&](std::size_t end) { return value.second[end / 2]; });
  return file.finish();
}

std::uint64_t write_contacts(const std::filesystem::path& path, std::size_t count,
                             ContactPieces pieces, double time, std::uint64_t step,
                             ContactFields fields) {
  hdf5::Writer file(path);
  write_header(file, "contacts", time, step);
  write_grid(file, count, count, [](std::size_t) { return CellType::vertex; });
  {
    ContactColumns columns(file, count, fields);
    pieces([&](std::span<const ContactRecord> piece) { columns.add(piece); });
  }
  return file.finish();
}

std::uint64_t write_contacts(const std::filesystem::path& path,
                             std::span<const ContactRecord> contacts, double time,
                             std::uint64_t step, ContactFields fields) {
  const auto whole = [&](FunctionRef<void(std::span<const ContactRecord>)> take) {
    take(contacts);
  };
  return write_contacts(path, contacts.size(), whole, time, step, fields);
}

ContactsFrame read_contacts(const std::filesystem::path& path) {
  const FrameReader file(path, "contacts", kPoints);
  ContactsFrame frame;
  file.header(frame.time, frame.step);
  frame.contacts.resize(file.rows());
  const auto field = [&]<class T>(const std::string& name, T ContactRecord::*member) {
    AlignedVector<T> values;
    file.read(name, values);
    for (std::size_t i = 0; i < values.size(); ++i) frame.contacts[i].*member = values[i];
  };
  const auto id_field = [&](const std::string& name, BodyId ContactRecord::*member) {
    const auto ids = file.numbers<std::int64_t>(name, std::numeric_limits<std::int64_t>::max());
    for (std::size_t i = 0; i < ids.size(); ++i)
      frame.contacts[i].*member = {static_cast<std::uint64_t>(ids[i])};
  };
  field(kPoints, &ContactRecord::point);
  field(kPointData + "normal", &ContactRecord::normal);
  field(kPointData + "impulse", &ContactRecord::impulse);
  field(kPointData + "gap", &ContactRecord::gap);
  field(kPointData + "residual", &ContactRecord::residual);
  for (const auto& [name, member] : kCertificateFields)
    if (file.has(kPointData + name)) field(kPointData + name, member);
  if (file.has(kPointData + "angular_impulse"))
    field(kPointData + "angular_impulse", &ContactRecord::angular_impulse);
  id_field(kPointData + "id_a", &ContactRecord::a);
  id_field(kPointData + "id_b", &ContactRecord::b);
  const auto classes = file.numbers<std::int32_t>(
      kPointData + "class", static_cast<std::uint64_t>(ContactClass::sliding));
  for (std::size_t i = 0; i < classes.size(); ++i)
    frame.contacts[i].kind = static_cast<ContactClass>(classes[i]);
  return frame;
}

FrameSeries::FrameSeries(std::filesystem::path run_directory, std::string name)
    : directory_(std::move(run_directory)), name_(std::move(name)) {}

FrameSeries::FrameSeries(std::filesystem::path run_directory, std::string name,
                         const nlohmann::json& mark)
    : FrameSeries(std::move(run_directory), std::move(name)) {
  written_ = written_of(mark);
  if (written_.empty()) {
    remove();
  } else {
    remove_from(size());
    write_series();
  }
}

nlohmann::json FrameSeries::mark() const {
  auto mark = nlohmann::json::array();
  for (const Written& frame : written_) mark.push_back({frame.time, frame.checksum});
  return mark;
}

std::vector<FrameSeries::Written> FrameSeries::written_of(const nlohmann::json& mark) {
  std::vector<Written> written;
  for (const auto& frame : mark)
    written.push_back({frame.at(0).get<double>(), frame.at(1).get<std::uint64_t>()});
  return written;
}

void FrameSeries::require(const nlohmann::json& mark) const {
  const std::vector<Written> written = written_of(mark);
  for (std::size_t k = 0; k < written.size(); ++k)
    require_content(directory_ / file_of(k), written[k].checksum);
}

void FrameSeries::remove_from(std::size_t frame) const {
  while (remove_file(directory_ / file_of(frame))) ++frame;
}

void FrameSeries::remove() const {
  remove_file(series_file());
  remove_from(0);
}

std::filesystem::path FrameSeries::series_file() const {
  return directory_ / (name_ + ".hdf.series");
}

std::filesystem::path FrameSeries::file_of(std::size_t frame) const {
  return fmt::format("frames/{}_{:06}.hdf", name_, frame);
}

std::filesystem::path FrameSeries::next_path() const { return directory_ / file_of(size()); }

void FrameSeries::append(double time, std::uint64_t checksum) {
  written_.push_back({time, checksum});
  if (kFramesPerListing * (size() - listed_) >= size()) write_series();
}

void FrameSeries::list_all() {
  if (listed_ < size()) write_series();
}

void FrameSeries::write_series() {
  auto files = nlohmann::json::array();
  for (std::size_t k = 0; k < size(); ++k)
    files.push_back({{"name", file_of(k).string()}, {"time", written_[k].time}});
  const nlohmann::ordered_json series{{"file-series-version", "1.0"}, {"files", files}};
  write_file(series_file(), series.dump(1) + "\n");
  listed_ = size();
}

std::vector<ListedFrame> read_series(const std::filesystem::path& series) {
  std::vector<ListedFrame> frames;
  std::error_code error;
  if (!std::filesystem::exists(series, error)) return frames;
  const auto require = [&](bool good, const char* wrong) {
    if (!good)
      throw InputError(fmt::format(
          "{} is not a series of frames, or is damaged: {}; restore the file that the run wrote",
          series.string(), wrong));
  };
  const auto json = parsed_json<nlohmann::json>(read_file(series));
  require(json.is_object() && json.contains("files") && json["files"].is_array(),
          "it has no list of files");
  for (const auto& entry : json["files"]) {
    require(entry.is_object() && entry.contains("name") && entry["name"].is_string() &&
                entry.contains("time") && entry["time"].is_number(),
            "an entry lacks its name or its time");
    const std::filesystem::path file = entry["name"].get<std::string>();
    require(file.is_relative() && std::ranges::find(file, "..") == file.end(),
            "an entry is in another directory");
    frames.push_back({file, entry["time"].get<double>()});
  }
  return frames;
}

}  // namespace scree
