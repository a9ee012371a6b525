/// A frame as the page receives it: a header in JSON, and columns of quantised numbers.
///
///   uint32 length of the header [byte]
///   header, with the name, offset, kind, rows and components of each column; blanks up to a
///   multiple of 4
///   columns, each from a multiple of 4 on; offsets count from the end of the header
///
/// Kinds of columns: `float32` and `uint32` are plain numbers. `quantised` are blocks of 4096 rows:
/// for each component its lowest value and the step (float32), then for each row and component the
/// number of steps above it (uint16). As rows follow a space-filling curve, a block is small, and a
/// position is exact to 1/65535 of it.
#pragma once

#include <string>
#include <vector>

#include "scree/io/json_text.hpp"

namespace scree::view {

class FrameMessage {
 public:
  static constexpr std::size_t kRowsOfBlock = 4096;

  /// Adds a column of values by row and component.
  void add_floats(const std::string& name, std::size_t components,
                  const std::vector<float>& values);
  void add_integers(const std::string& name, std::size_t components,
                    const std::vector<std::uint32_t>& values);
  void add_quantised(const std::string& name, std::size_t components,
                     const std::vector<double>& values);

  /// The message with this header, to which the list of columns is added.
  std::string bytes(Json header) const;

 private:
  void begin_column(const std::string& name, const char* kind, std::size_t values,
                    std::size_t components);
  void append(const void* data, std::size_t size);

  Json columns_ = Json::array();
  std::string body_;
};

}  // namespace scree::view
