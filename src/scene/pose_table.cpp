/// Reads tables of poses that parts follow.
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "scene/build.hpp"
#include "scree/core/csv.hpp"
#include "scree/core/spelling.hpp"

namespace scree::scene {

namespace {

constexpr int kMostBadRows = 20;  // told one by one
constexpr double kLargest = 1e9;  // of any number in a file, as for lengths in the schema

enum Column { kT, kX, kY, kZ, kAngle, kQw, kQx, kQy, kQz, kColumns };
constexpr std::array<const char*, kColumns> kNames{"t",  "x",  "y",  "z", "angle",
                                                   "qw", "qx", "qy", "qz"};

class PoseReader {
 public:
  PoseReader(Build& build, const Node& motion, std::filesystem::path file, bool has_axis,
             const Vec3& pivot)
      : build_(build), motion_(motion), file_(std::move(file)), has_axis_(has_axis), pivot_(pivot) {
    column_.fill(-1);
  }

  std::vector<PoseTable::Row> read() {
    const std::string trouble = read_csv(file_, [&](int line, const Cells& cells) {
      if (columns_ > 0) return read_row(line, cells);
      return read_header(line, cells);
    });
    const Node& node = motion_["table"];
    if (!trouble.empty())
      build_.problems.report(node, fmt::format("'{}' {}", file_.string(), trouble));
    else if (bad_rows_ == 0 && rows_.empty())
      build_.problems.report(node, fmt::format("'{}' has no poses", file_.string()));
    if (bad_rows_ > kMostBadRows)
      build_.problems.report_in(file_.string(), 0, path_of(node),
                                fmt::format("… and {} more bad rows", bad_rows_ - kMostBadRows));
    return std::move(rows_);
  }

  bool failed() const { return bad_rows_ > 0; }

 private:
  using Cells = std::vector<std::string_view>;

  bool has(Column column) const { return column_[column] >= 0; }

  void complain(int line, std::string message) {
    motion_["table"].faulty = true;
    if (++bad_rows_ <= kMostBadRows)
      build_.problems.report_in(file_.string(), line, path_of(motion_["table"]),
                                std::move(message));
  }

  bool read_header(int line, const Cells& cells) {
    columns_ = cells.size();
    const std::vector<std::string> known(kNames.begin(), kNames.end());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto name = std::ranges::find(known, cells[i]);
      if (name == known.end())
        complain(line, fmt::format("the column '{}' is not known{}", cells[i],
                                   suggestion(cells[i], known)));
      else if (int& place = column_[name - known.begin()]; place >= 0)
        complain(line, fmt::format("the column '{}' is there twice", cells[i]));
      else
        place = static_cast<int>(i);
    }
    const int place = has(kX) + has(kY) + has(kZ), turn = has(kQw) + has(kQx) + has(kQy) + has(kQz);
    if (!has(kT)) complain(line, "the first line must name the columns, t among them");
    if (place != 0 && place != 3) complain(line, "x, y and z go together");
    if (turn != 0 && turn != 4) complain(line, "qw, qx, qy and qz go together");
    if (has(kAngle) && turn > 0) complain(line, "a table has either angle or orientations");
    if (has(kAngle) != has_axis_)
      complain(line, has_axis_ ? "the motion has an axis, and the table no column angle"
                               : "the column angle needs the key axis of the motion");
    if (place == 0 && turn == 0 && !has(kAngle))
      complain(line, "there is nothing to follow: name x, y, z, or angle, or qw, qx, qy, qz");
    return bad_rows_ == 0;
  }

  bool read_row(int line, const Cells& cells) {
    if (cells.size() != columns_) {
      complain(line,
               fmt::format("found {} columns, the first line has {}", cells.size(), columns_));
      return true;
    }
    std::array<double, kColumns> value{};
    for (std::size_t column = 0; column < kColumns; ++column) {
      if (column_[column] < 0) continue;
      const std::string_view cell = cells[column_[column]];
      value[column] = read_number(cell).value_or(std::nan(""));
      if (std::abs(value[column]) <= kLargest) continue;
      complain(line, fmt::format("column '{}': found '{}', expected a number in SI units",
                                 kNames[column], cell));
      return true;
    }
    add_row(line, value);
    return true;
  }

  void add_row(int line, const std::array<double, kColumns>& value) {
    constexpr double kLeastNorm = 1e-3;
    const Vec3 position{value[kX], value[kY], value[kZ]};
    const Quaternion turn{value[kQw], value[kQx], value[kQy], value[kQz]};
    if (!rows_.empty() && !(value[kT] > rows_.back().t)) {
      complain(line, fmt::format("t = {} is not later than {}, that of the row before", value[kT],
                                 rows_.back().t));
    } else if (has(kQw) && !(norm(turn) > kLeastNorm)) {
      complain(line, "the quaternion has no length, so no orientation; 1, 0, 0, 0 is no rotation");
    } else {
      rows_.push_back({value[kT], has(kX) ? position : pivot_, value[kAngle],
                       has(kQw) ? normalised(turn) : Quaternion{}});
    }
  }

  Build& build_;
  const Node& motion_;
  std::filesystem::path file_;
  bool has_axis_;
  Vec3 pivot_;
  std::array<int, kColumns> column_{};  ///< where each stands in a row, −1 if it is not there
  std::size_t columns_ = 0;
  int bad_rows_ = 0;
  std::vector<PoseTable::Row> rows_;
};

}  // namespace

std::optional<PoseTable> read_pose_table(Build& build, const Node& motion,
                                         const std::optional<Vec3>& axis, const Vec3& pivot) {
  const std::filesystem::path file = (build.directory / motion["table"].text).lexically_normal();
  build.scene.inputs.push_back(file);
  PoseReader reader(build, motion, file, axis.has_value(), pivot);
  std::vector<PoseTable::Row> rows = reader.read();
  if (reader.failed() || rows.empty()) return {};
  return PoseTable(std::move(rows), axis);
}

}  // namespace scree::scene
