/// Reads problems in the HDF5 format of FCLIB, with errors that name the dataset.
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <vector>

#include "io/hdf5.hpp"
#include "scree/core/error.hpp"
#include "scree/io/fclib.hpp"

namespace scree {
namespace {

using Entries = std::vector<Eigen::Triplet<double>>;

/// Reads the parts of FCLIB's structures from one file.
class Source {
 public:
  explicit Source(const std::filesystem::path& path)
      : path_(path), file_(path, "problem of FCLIB") {}

  /// PATH: PLACE: WRONG; WHAT TO DO.
  void require(bool good, const std::string& location, const std::string& wrong,
               std::string_view what_to_do) const {
    if (!good)
      throw InputError(fmt::format("{}: {}: {}; {}", path_.string(), location, wrong, what_to_do));
  }
  bool has(const std::string& location) const { return file_.has(location); }
  std::string root() const;
  std::string text(const std::string& location) const {
    return has(location) ? file_.text(location) : "";
  }
  int number(const std::string& location) const;
  std::vector<int> integers(const std::string& location) const;
  std::vector<double> reals(const std::string& location) const;
  Vector vector(const std::string& location) const;
  SparseMatrix matrix(const std::string& location, Eigen::Index rows, Eigen::Index columns) const;

 private:
  Entries triplets(const std::string& location, int count) const;
  Entries compressed(const std::string& location, int lines, bool by_rows) const;
  void require_as_many(const std::string& location, std::size_t found, std::size_t needed) const {
    require(found >= needed, location,
            fmt::format("has {} numbers, and {} are needed", found, needed),
            "write the file again");
  }

  std::filesystem::path path_;
  hdf5::Reader file_;
};

std::string Source::root() const {
  const bool local = has("/fclib_local"), global = has("/fclib_global");
  file_.require(local || global, "it has neither a group /fclib_local nor /fclib_global");
  require(!(local && global), "/fclib_local",
          "is present together with /fclib_global, but a file holds one problem",
          "write one file for each problem");
  return local ? "/fclib_local" : "/fclib_global";
}

std::vector<double> Source::reals(const std::string& location) const {
  std::vector<double> values = file_.numbers(location);
  for (std::size_t k = 0; k < values.size(); ++k)
    require(std::isfinite(values[k]), location,
            fmt::format("{} at {}, counted from 0", values[k], k), "all numbers must be finite");
  return values;
}

std::vector<int> Source::integers(const std::string& location) const {
  const std::vector<double> values = reals(location);
  std::vector<int> integers(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    require(std::abs(values[k]) <= std::numeric_limits<int>::max() &&
                values[k] == std::floor(values[k]),
            location, fmt::format("{} at {}, counted from 0", values[k], k),
            "an integer of 32 bits is needed");
    integers[k] = static_cast<int>(values[k]);
  }
  return integers;
}

int Source::number(const std::string& location) const {
  const std::vector<int> values = integers(location);
  require(values.size() == 1, location, fmt::format("has {} numbers", values.size()),
          "one is needed");
  return values[0];
}

Vector Source::vector(const std::string& location) const {
  const std::vector<double> values = reals(location);
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

Entries Source::triplets(const std::string& location, int count) const {
  const std::vector<int> row = integers(location + "/i"), column = integers(location + "/p");
  const std::vector<double> value = reals(location + "/x");
  const auto needed = static_cast<std::size_t>(count);
  require_as_many(location + "/i", row.size(), needed);
  require_as_many(location + "/p", column.size(), needed);
  require_as_many(location + "/x", value.size(), needed);
  Entries entries;
  for (std::size_t k = 0; k < needed; ++k) entries.emplace_back(row[k], column[k], value[k]);
  return entries;
}

Entries Source::compressed(const std::string& location, int lines, bool by_rows) const {
  const std::vector<int> start = integers(location + "/p"), index = integers(location + "/i");
  const std::vector<double> value = reals(location + "/x");
  require_as_many(location + "/p", start.size(), static_cast<std::size_t>(lines) + 1);
  require(start[0] == 0, location + "/p", fmt::format("begins with {}", start[0]),
          "it must begin with 0");
  for (int line = 0; line < lines; ++line)
    require(start[line] <= start[line + 1], location + "/p",
            fmt::format("decreases from {} to {} at {}", start[line], start[line + 1], line),
            "write the file again");
  require_as_many(location + "/i", index.size(), static_cast<std::size_t>(start[lines]));
  require_as_many(location + "/x", value.size(), static_cast<std::size_t>(start[lines]));
  Entries entries;
  for (int line = 0; line < lines; ++line)
    for (int k = start[line]; k < start[line + 1]; ++k)
      entries.emplace_back(by_rows ? line : index[k], by_rows ? index[k] : line, value[k]);
  return entries;
}

SparseMatrix Source::matrix(const std::string& location, Eigen::Index rows,
                            Eigen::Index columns) const {
  const int m = number(location + "/m"), n = number(location + "/n"),
            storage = number(location + "/nz");
  require(m == rows && n == columns, location,
          fmt::format("is {} × {}, but the vectors need {} × {}", m, n, rows, columns),
          "write the file again");
  require(storage >= -2, location + "/nz", fmt::format("{} is not a storage format", storage),
          "write -2 for compressed rows, -1 for compressed columns, or the number of triplets");
  const Entries entries = storage >= 0 ? triplets(location, storage)
                                       : compressed(location, storage == -2 ? m : n, storage == -2);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const int row = entries[k].row(), column = entries[k].col();
    require(row >= 0 && row < m && column >= 0 && column < n, location,
            fmt::format("has an entry in row {}, column {}, but is {} × {}", row, column, m, n),
            "count from 0, and give triplets as (i, p, x) = (row, column, value)");
  }
  SparseMatrix matrix(m, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

/// Adds the other triangle to a matrix that has only one.
SparseMatrix completed(const SparseMatrix& matrix) {
  const SparseMatrix lower = matrix.triangularView<Eigen::StrictlyLower>(),
                     upper = matrix.triangularView<Eigen::StrictlyUpper>();
  const bool one_only = (lower.norm() == 0) != (upper.norm() == 0);
  return one_only ? SparseMatrix(matrix + SparseMatrix((lower + upper).transpose())) : matrix;
}

FclibLocal read_local(const Source& source, Eigen::Index rows) {
  FclibLocal local;
  local.q = source.vector("/fclib_local/vectors/q");
  source.require(local.q.size() == rows, "/fclib_local/vectors/q",
                 fmt::format("has {} numbers", local.q.size()),
                 "three for each coefficient in mu are needed");
  local.W = source.matrix("/fclib_local/W", rows, rows);
  const bool joints = source.has("/fclib_local/V");
  source.require(joints == source.has("/fclib_local/R"), "/fclib_local", "has only one of V and R",
                 "joints need both");
  if (joints) local.s = source.vector("/fclib_local/vectors/s");
  local.V.resize(rows, local.s.size());
  local.R.resize(local.s.size(), local.s.size());
  if (joints) {
    local.V = source.matrix("/fclib_local/V", rows, local.s.size());
    local.R = source.matrix("/fclib_local/R", local.s.size(), local.s.size());
  }
  return local;
}

FclibGlobal read_global(const Source& source, Eigen::Index rows) {
  FclibGlobal global;
  global.f = source.vector("/fclib_global/vectors/f");
  global.w = source.vector("/fclib_global/vectors/w");
  source.require(global.w.size() == rows, "/fclib_global/vectors/w",
                 fmt::format("has {} numbers", global.w.size()),
                 "three for each coefficient in mu are needed");
  const Eigen::Index freedoms = global.f.size();
  global.M = completed(source.matrix("/fclib_global/M", freedoms, freedoms));
  global.H = source.matrix("/fclib_global/H", freedoms, rows);
  const bool joints = source.has("/fclib_global/G");
  if (joints) global.b = source.vector("/fclib_global/vectors/b");
  global.G.resize(freedoms, global.b.size());
  if (joints) global.G = source.matrix("/fclib_global/G", freedoms, global.b.size());
  return global;
}

}  // namespace

FclibFile read_fclib(const std::filesystem::path& path) {
  const Source source(path);
  const std::string root = source.root();
  const int dimension = source.number(root + "/spacedim");
  source.require(
      dimension == 3, root + "/spacedim", fmt::format("is {}", dimension),
      "give each contact a second tangent; scree solves problems in three dimensions only");
  FclibFile file{path,
                 source.text(root + "/info/title"),
                 source.text(root + "/info/description"),
                 source.text(root + "/info/math_info"),
                 source.vector(root + "/vectors/mu"),
                 {}};
  for (Eigen::Index k = 0; k < file.mu.size(); ++k)
    source.require(file.mu[k] >= 0, root + "/vectors/mu",
                   fmt::format("{} at {}, counted from 0", file.mu[k], k),
                   "a friction coefficient must be ≥ 0");
  const Eigen::Index rows = 3 * file.mu.size();
  if (root == "/fclib_local")
    file.equations = read_local(source, rows);
  else
    file.equations = read_global(source, rows);
  return file;
}

}  // namespace scree
