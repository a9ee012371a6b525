/// Traces that Yade 2023.02 wrote, and the law it computes.
#pragma once

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "scree/core/csv.hpp"
#include "scree/laws/pair_law.hpp"

namespace scree::test {

using Columns = std::map<std::string, std::vector<double>, std::less<>>;

inline Columns read_columns(const std::string& file) {
  Columns columns;
  std::vector<std::string> names;
  const std::string trouble = read_csv(
      SCREE_TEST_DATA "/yade/" + file, [&](int, const std::vector<std::string_view>& cells) {
        if (names.empty()) {
          names.assign(cells.begin(), cells.end());
          return true;
        }
        for (std::size_t k = 0; k < cells.size(); ++k)
          columns[names[k]].push_back(read_number(cells[k]).value());
        return true;
      });
  EXPECT_EQ(trouble, "");
  return columns;
}

/// Of `name`, x, y or z, and `suffix`.
inline Vec3 vector_of(const Columns& c, const std::string& name, const std::string& suffix,
                      std::size_t row) {
  return {c.find(name + "x" + suffix)->second[row], c.find(name + "y" + suffix)->second[row],
          c.find(name + "z" + suffix)->second[row]};
}

inline PairLaw yades_law(BranchVectors branch) {
  PairLaw law{.kind = LawKind::cundall_strack, .friction = 0.4, .restitution = 1};
  law.force.k_n = 1e5;
  law.force.k_t = 3e4;
  law.force.rotations = RotationScheme::first_order;
  law.force.branch = branch;
  return law;
}

inline double largest(const std::vector<double>& column) {
  double largest_entry = 0;
  for (const double x : column) largest_entry = std::max(largest_entry, std::abs(x));
  return largest_entry;
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest_entry = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    largest_entry = std::max(largest_entry, std::abs(a[k] - b[k]));
  return largest_entry;
}

/// Largest difference of a column over its largest value.
inline double miss(const Columns& theirs, const Columns& ours, const std::string& column) {
  const auto &a = theirs.find(column)->second, &b = ours.find(column)->second;
  const double largest_entry = largest(a), difference = largest_difference(a, b);
  return largest_entry > 0 ? difference / largest_entry : difference;
}

}  // namespace scree::test
