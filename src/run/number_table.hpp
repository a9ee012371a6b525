/// Tables of numbers in CSV files whose first line names the columns, in any order.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// A column of numbers, and whether a table must have it.
struct NumberColumn {
  enum class Need { needed, optional, together };  ///< together: all columns of this kind, or none
  std::string name;
  Need need = Need::needed;
  double missing = 0;  ///< what rows of a table without this column are given
};

struct TableFormat {
  std::vector<NumberColumn> columns;
  std::string label;          ///< a column of words beside the numbers
  bool needs_label = false;   ///< else rows without it are called by their number, from 0
  std::string together = {};  ///< what is said of columns of that kind of which some are missing
  std::string first_line;     ///< an example, for files that are empty
  std::string undone;         ///< what bad rows prevented: "nothing was solved"
};

/// A row's label and its numbers, in the order of TableFormat::columns; returns what is wrong with
/// them, or nothing.
using TakeRow = std::function<std::string(std::string label, std::span<const double> numbers)>;

/// Gives `take` every row of the table. Throws InputError that names bad rows by their lines.
void read_number_table(const std::filesystem::path& file, const TableFormat& format,
                       const TakeRow& take);

}  // namespace scree
