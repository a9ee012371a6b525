/// Builds the text of VTK XML files with appended raw data.
#include "scree/io/vtk_file.hpp"

#include <bit>
#include <fmt/format.h>

namespace scree {
namespace {

constexpr std::size_t kBytesOfNumber = 8;  // bytes, of any kind

}  // namespace

VtkFile::VtkFile(std::string type, std::string_view attributes) : type_(std::move(type)) {
  open(type_, attributes);
}

void VtkFile::open(std::string_view name, std::string_view attributes) {
  xml_ += fmt::format("<{}{}{}>\n", name, attributes.empty() ? "" : " ", attributes);
  open_.emplace_back(name);
}

void VtkFile::close() {
  xml_ += fmt::format("</{}>\n", open_.back());
  open_.pop_back();
}

void VtkFile::put(const Header& header, const void* data, std::size_t bytes) {
  xml_ += fmt::format(
      "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" "
      "NumberOfTuples=\"{}\" format=\"appended\" offset=\"{}\">",
      header.type, header.name, header.components, bytes / (kBytesOfNumber * header.components),
      data_.size());
  if (!header.unit.empty())
    xml_ += fmt::format(
        "<InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">{}</InformationKey>",
        header.unit);
  xml_ += "</DataArray>\n";
  const std::uint64_t size = bytes;
  data_.append(reinterpret_cast<const char*>(&size), sizeof size);
  data_.append(static_cast<const char*>(data), bytes);
}

void VtkFile::array(std::string_view name, std::string_view unit, std::size_t components,
                    std::span<const double> values) {
  put({"Float64", name, unit, components}, values.data(), values.size_bytes());
}

void VtkFile::array(std::string_view name, std::string_view unit, std::size_t components,
                    std::span<const std::int64_t> values) {
  put({"Int64", name, unit, components}, values.data(), values.size_bytes());
}

void VtkFile::array(std::string_view name, std::string_view unit, std::span<const Vec3> values) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  put({"Float64", name, unit, 3}, values.data(), values.size_bytes());
}

std::string VtkFile::text() {
  while (!open_.empty()) close();
  constexpr bool kLittle = std::endian::native == std::endian::little;
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"{}\" header_type=\"UInt64\">\n"
      "{}<AppendedData encoding=\"raw\">\n_{}\n</AppendedData>\n</VTKFile>\n",
      type_, kLittle ? "LittleEndian" : "BigEndian", xml_, data_);
}

}  // namespace scree
