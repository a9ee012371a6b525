/// Reads tables of poses that obstacles follow.
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "scene/yaml/number_table.hpp"
#include "scene/yaml/table_limits.hpp"
#include "scree/core/spelling.hpp"

namespace scree::scene {

namespace {

enum PoseColumn {
  kPoseT,
  kPoseX,
  kPoseY,
  kPoseZ,
  kPoseAngle,
  kPoseQw,
  kPoseQx,
  kPoseQy,
  kPoseQz,
  kPoseColumns
};
constexpr std::array<const char*, kPoseColumns> kPoseNames{"t",  "x",  "y",  "z", "angle",
                                                           "qw", "qx", "qy", "qz"};

class PoseReader {
 public:
  PoseReader(Build& build, const Node& motion, bool has_axis, const Vec3& pivot)
      : table_(build, motion["table"]), has_axis_(has_axis), pivot_(pivot) {
    column_.fill(-1);
  }

  std::vector<PoseTable::Row> read() {
    table_.read(
        "poses", [&](int line, const Cells& cells) { read_header(line, cells); },
        [&](int line, const Cells& cells) { read_row(line, cells); });
    return std::move(rows_);
  }

  bool failed() const { return table_.failed(); }

 private:
  using Cells = NumberTable::Cells;

  bool has(PoseColumn column) const { return column_[column] >= 0; }

  void complain(int line, std::string message) { table_.complain(line, std::move(message)); }

  void read_header(int line, const Cells& cells) {
    const std::vector<std::string> known(kPoseNames.begin(), kPoseNames.end());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto name = std::ranges::find(known, cells[i]);
      if (name == known.end())
        complain(line, fmt::format("the column '{}' is not known{}", cells[i],
                                   suggestion(cells[i], known)));
      else if (int& index = column_[name - known.begin()]; index >= 0)
        complain(line, fmt::format("the column '{}' appears twice", cells[i]));
      else
        index = static_cast<int>(i);
    }
    const int position_columns = has(kPoseX) + has(kPoseY) + has(kPoseZ),
              orientation_columns = has(kPoseQw) + has(kPoseQx) + has(kPoseQy) + has(kPoseQz);
    if (!has(kPoseT)) complain(line, "the first line must name the columns, including t");
    if (position_columns != 0 && position_columns != 3)
      complain(line, "give all of the columns x, y and z, or none");
    if (orientation_columns != 0 && orientation_columns != 4)
      complain(line, "give all of the columns qw, qx, qy and qz, or none");
    if (has(kPoseAngle) && orientation_columns > 0)
      complain(line, "a table can have an angle or orientations, not both");
    if (has(kPoseAngle) != has_axis_)
      complain(line, has_axis_ ? "the motion has an axis, but the table has no column angle"
                               : "the column angle needs the key axis of the motion");
    if (position_columns == 0 && orientation_columns == 0 && !has(kPoseAngle))
      complain(line, "the table has no pose: name x, y, z, or angle, or qw, qx, qy, qz");
  }

  void read_row(int line, const Cells& cells) {
    std::array<double, kPoseColumns> value{};
    for (std::size_t column = 0; column < kPoseColumns; ++column) {
      if (column_[column] < 0) continue;
      const auto read =
          table_.number(line, kPoseNames[column], cells[column_[column]], kLargestNumber);
      if (!read) return;
      value[column] = *read;
    }
    add_row(line, value);
  }

  void add_row(int line, const std::array<double, kPoseColumns>& value) {
    constexpr double kMinNorm = 1e-3;
    const Vec3 position{value[kPoseX], value[kPoseY], value[kPoseZ]};
    const Quaternion orientation{value[kPoseQw], value[kPoseQx], value[kPoseQy], value[kPoseQz]};
    if (!rows_.empty() && !table_.is_later(line, value[kPoseT], rows_.back().t)) return;
    if (has(kPoseQw) && !(norm(orientation) > kMinNorm)) {
      complain(line, "the quaternion has zero length; 1, 0, 0, 0 means no rotation");
    } else {
      rows_.push_back({value[kPoseT], has(kPoseX) ? position : pivot_, value[kPoseAngle],
                       has(kPoseQw) ? normalised(orientation) : Quaternion{}});
    }
  }

  NumberTable table_;
  bool has_axis_;
  Vec3 pivot_;
  std::array<int, kPoseColumns> column_{};  ///< index of each column in a row, −1 if missing
  std::vector<PoseTable::Row> rows_;
};

}  // namespace

std::optional<PoseTable> read_pose_table(Build& build, const Node& motion,
                                         const std::optional<Vec3>& axis, const Vec3& pivot) {
  PoseReader reader(build, motion, axis.has_value(), pivot);
  std::vector<PoseTable::Row> rows = reader.read();
  if (reader.failed() || rows.empty()) return {};
  return PoseTable(std::move(rows), axis);
}

}  // namespace scree::scene
