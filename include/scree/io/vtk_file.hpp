/// Files of VTK's XML formats, which ParaView and VTK open: .vtp of points and lines, .vti of
/// grids.
///
/// Numbers follow the XML in binary form ("appended", "raw"), so that none is rounded.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/math/vec3.hpp"

namespace scree {

/// Text of a VTK file, built from its outermost element inwards.
class VtkFile {
 public:
  /// Begins a file; `type` is VTK's: "PolyData", "ImageData"; with the attributes of its element.
  explicit VtkFile(std::string type, std::string_view attributes = "");

  /// Begins an element: `<NAME ATTRIBUTES>`.
  void open(std::string_view name, std::string_view attributes = "");
  /// Ends the innermost open element.
  void close();

  /// Adds an array of numbers, so many to a row. Its name and unit (VTK's UNITS_LABEL) must not
  /// need escapes in XML; an empty unit is left out.
  void array(std::string_view name, std::string_view unit, std::size_t components,
             std::span<const double> values);
  void array(std::string_view name, std::string_view unit, std::size_t components,
             std::span<const std::int64_t> values);
  void array(std::string_view name, std::string_view unit, std::span<const Vec3> values);

  /// Ends all elements and gives the whole file.
  std::string text();

 private:
  /// An array, by its name and unit.
  struct Header {
    std::string_view type, name, unit;
    std::size_t components;
  };
  void put(const Header& header, const void* data, std::size_t bytes);

  std::string type_, xml_, data_;
  std::vector<std::string> open_;  ///< open elements
};

}  // namespace scree
