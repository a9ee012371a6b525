/// Tables of numbers in CSV files whose first line names the columns, in any order.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// A column of numbers; required, optional, or required together with others.
struct NumberColumn {
  enum class Need { needed, optional, together };  ///< together: all columns of this kind, or none
  std::string name;
  Need need = Need::needed;
  double missing = 0;  ///< value in tables without this column
};

struct TableFormat {
  std::vector<NumberColumn> columns;
  std::string label;          ///< a column of text in front of the numbers
  bool needs_label = false;   ///< otherwise rows without it have their index as label, from 0
  std::string together = {};  ///< message if some of the columns of that kind are missing
  std::string first_line;     ///< example for the message on empty files
  std::string undone;         ///< consequence of bad rows: "nothing was solved"
};

/// Receives the label and numbers of a row, in the order of TableFormat::columns; returns an error
/// message, or an empty string.
using TakeRow = std::function<std::string(std::string label, std::span<const double> numbers)>;

/// Passes every row of the table to `take`. Throws InputError with the lines of bad rows.
void read_number_table(const std::filesystem::path& file, const TableFormat& format,
                       const TakeRow& take);

}  // namespace scree
