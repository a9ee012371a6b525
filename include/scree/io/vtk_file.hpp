/// Files of VTK's XML formats, which ParaView and VTK open: .vtp of points and lines, .vti of
/// grids.
///
/// Numbers stand behind the XML as they are in memory ("appended", "raw"), so that none is rounded.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/math/vec3.hpp"

namespace scree {

/// The text of such a file, from its outermost element inwards.
class VtkFile {
 public:
  /// `type` as VTK calls it: "PolyData", "ImageData"; with the attributes of its element.
  explicit VtkFile(std::string type, std::string_view attributes = "");

  /// Begins an element: `<NAME ATTRIBUTES>`.
  void open(std::string_view name, std::string_view attributes = "");
  /// Ends the one that was begun last.
  void close();

  /// An array of numbers, so many to a row. Its name and its unit, which VTK knows as UNITS_LABEL,
  /// must need no escape in XML; without a unit it has none.
  void array(std::string_view name, std::string_view unit, std::size_t components,
             std::span<const double> values);
  void array(std::string_view name, std::string_view unit, std::size_t components,
             std::span<const std::int64_t> values);
  void array(std::string_view name, std::string_view unit, std::span<const Vec3> values);

  /// Ends all elements; the whole file.
  std::string text();

 private:
  /// An array, by its name and unit.
  struct Header {
    std::string_view type, name, unit;
    std::size_t components;
  };
  void put(const Header& header, const void* data, std::size_t bytes);

  std::string type_, xml_, data_;
  std::vector<std::string> open_;  ///< elements that are not closed
};

}  // namespace scree
