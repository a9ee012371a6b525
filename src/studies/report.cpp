#include "studies/report.hpp"

#include <cmath>
#include <fmt/format.h>

#include "scree/io/files.hpp"

namespace scree::studies {

bool Comparison::agrees() const {
  const std::size_t point = printed.find('.');
  const int digits = point == std::string::npos ? 0 : static_cast<int>(printed.size() - point - 1);
  return std::abs(difference()) <= 0.5000001 * std::pow(10.0, -digits);
}

void Report::write() {
  std::string table =
      "| quantity | printed | ours | difference | same digits |\n|---|---|---|---|---|\n";
  Json rows = Json::array();
  for (const Comparison& row : rows_) {
    table += fmt::format("| {} | {} | {:.10g} | {:+.1e} | {} |\n", row.quantity, row.printed,
                         row.ours, row.difference(),
                         row.agrees() ? "yes" : "no" + (row.note.empty() ? "" : ": " + row.note));
    rows.push_back({{"quantity", row.quantity},
                    {"printed", row.printed},
                    {"ours", row.ours},
                    {"difference", row.difference()},
                    {"same_digits", row.agrees()},
                    {"note", row.note}});
  }
  results_["table"] = std::move(rows);
  write_file(directory_ / "table.md", table);
  write_file(directory_ / "results.json", as_text(results_));
}

void Csv::row(std::initializer_list<double> values) {
  std::string line;
  for (const double v : values) line += fmt::format("{}{:.12g}", line.empty() ? "" : ",", v);
  text_ += line + '\n';
}

void Csv::write(const Report& report, std::string_view name) const {
  write_file(report.directory() / name, text_);
}

}  // namespace scree::studies
