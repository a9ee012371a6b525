/// Writes and reads statistics.csv.
#include "scree/io/statistics.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "io/tallies_json.hpp"
#include "scree/core/error.hpp"
#include "scree/io/files.hpp"

namespace scree {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StepsSinceRow, steps, tallies, sweeps, sweeps_max, stage_seconds)

namespace {

constexpr std::string_view kFirstColumns =
    "time,step,bodies,bodies_added,bodies_removed,bodies_skipped,bodies_asleep,contacts,"
    "contacts_touching,contacts_loaded,contacts_sliding,contacts_asleep,contacts_left_out,"
    "contacts_growing_penetration,max_penetration,kinetic_energy,potential_energy,"
    "dissipated_energy,wall_work,field_work,elastic_normal,elastic_shear,elastic_moment,damped,"
    "slid,rolled,joint_energy,joint_error,energy_created,residual,worst_residual,"
    "share_within_tolerance,sweeps_mean,sweeps_max,steps_not_converged,local_failures,";

/// Names of the columns before state_hash: those above, then of other findings with a column.
std::vector<std::string_view> names_of_numbers() {
  std::vector<std::string_view> names;
  for (std::size_t begin = 0, end = 0; begin < kFirstColumns.size(); begin = end + 1) {
    end = kFirstColumns.find(',', begin);
    names.push_back(kFirstColumns.substr(begin, end - begin));
  }
  for (const FindingRow& row : finding_table())
    if (row.column && std::ranges::find(names, row.id) == names.end()) names.push_back(row.id);
  return names;
}

using NamedNumbers = std::vector<std::pair<std::string_view, double>>;

/// Numbers of these columns, in any order.
NamedNumbers numbers_of(const Report& r, const StepsSinceRow& s) {
  const auto number = [](auto n) { return static_cast<double>(n); };
  const ForceEnergy& e = r.force_energy;
  NamedNumbers numbers{{"time", r.time},
                       {"step", number(r.step)},
                       {"bodies", number(r.bodies)},
                       {"bodies_asleep", number(r.bodies_asleep)},
                       {"contacts", number(r.contacts)},
                       {"contacts_touching", number(r.contacts_touching)},
                       {"contacts_loaded", number(r.contacts_loaded)},
                       {"contacts_sliding", number(r.contacts_sliding)},
                       {"contacts_asleep", number(r.contacts_asleep)},
                       {"kinetic_energy", r.kinetic_energy},
                       {"potential_energy", r.potential_energy},
                       {"dissipated_energy", r.dissipated_energy},
                       {"wall_work", r.wall_work},
                       {"field_work", r.field_work},
                       {"elastic_normal", e.elastic_normal},
                       {"elastic_shear", e.elastic_shear},
                       {"elastic_moment", e.elastic_moment},
                       {"damped", e.damped},
                       {"slid", e.slid},
                       {"rolled", e.rolled},
                       {"joint_energy", r.joint_energy},
                       {"share_within_tolerance",
                        share_within_tolerance(s.tallies["contacts_solved"].total,
                                               s.tallies["contacts_over_tolerance"].total)},
                       {"sweeps_mean", s.steps == 0 ? 0 : number(s.sweeps) / number(s.steps)},
                       {"sweeps_max", s.sweeps_max},
                       {"steps_not_converged", s.tallies["steps_over_tolerance"].total}};
  for (const FindingRow& row : finding_table())
    if (row.column) numbers.emplace_back(row.id, folded(s.tallies[row], *row.column));
  return numbers;
}

}  // namespace

std::string statistics_columns() {
  std::string line;
  for (const std::string_view name : names_of_numbers()) line += fmt::format("{},", name);
  line += "state_hash";
  for (const std::string_view stage : kStageNames) line += fmt::format(",seconds_{}", stage);
  return line;
}

StatisticsFile::StatisticsFile(std::filesystem::path path) : path_(std::move(path)) {
  errno = 0;
  file_.reset(std::fopen(path_.c_str(), "we"));
  if (!file_) throw cannot_write(path_, errno);
  write(statistics_columns() + "\n");
}

StatisticsFile::StatisticsFile(std::filesystem::path path, const nlohmann::json& mark)
    : path_(std::move(path)) {
  bytes_ = mark.at("bytes").get<std::uint64_t>();
  checksum_ = require_content(path_, bytes_, mark.at("checksum"));
  std::error_code error;
  std::filesystem::resize_file(path_, bytes_, error);
  if (error) throw cannot_write(path_, error.value());
  errno = 0;
  file_.reset(std::fopen(path_.c_str(), "ae"));
  if (!file_) throw cannot_write(path_, errno);
  mark.at("since_row").get_to(since_row_);
}

nlohmann::json StatisticsFile::mark() const {
  return {{"bytes", bytes_}, {"checksum", checksum_.value()}, {"since_row", since_row_}};
}

void StatisticsFile::write(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() ||
      std::fflush(file_.get()) != 0) {
    throw cannot_write(path_, errno);
  }
  bytes_ += text.size();
  checksum_.add(text);
}

void StatisticsFile::close() {
  errno = 0;
  if (file_ && std::fclose(file_.release()) != 0) throw cannot_write(path_, errno);
}

void StatisticsFile::add(const Report& report) {
  last_ = report;
  StepsSinceRow& s = since_row_;
  ++s.steps;
  s.tallies.add(report);
  s.sweeps += report.sweeps;
  s.sweeps_max = std::max(s.sweeps_max, report.sweeps);
  for (std::size_t k = 0; k < s.stage_seconds.size(); ++k)
    s.stage_seconds[k] += report.stage_seconds[k];
}

void StatisticsFile::write_row(std::uint64_t state_hash) {
  std::string row;
  static const std::vector<std::string_view> names = names_of_numbers();
  const NamedNumbers numbers = numbers_of(last_, since_row_);
  for (const std::string_view name : names)
    row += fmt::format("{},",
                       std::ranges::find(numbers, name, &NamedNumbers::value_type::first)->second);
  row += fmt::format("0x{:016x}", state_hash);
  for (const double seconds : since_row_.stage_seconds) row += fmt::format(",{:.6g}", seconds);
  write(row + "\n");
  since_row_ = {};
}

std::vector<Report> read_energies(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  const auto number_of = [](Report& report, std::size_t field) -> double& {
    ForceEnergy& force = report.force_energy;
    double* const fields[] = {&report.time,
                              &report.kinetic_energy,
                              &report.potential_energy,
                              &report.dissipated_energy,
                              &report.wall_work,
                              &force.elastic_normal,
                              &force.elastic_shear,
                              &force.elastic_moment,
                              &report.joint_energy};
    return *fields[field];
  };
  constexpr std::size_t kMayLack = 8;  // joint_energy: older runs have no joints
  const std::array<std::string_view, 10> names{
      "time",           "kinetic_energy", "potential_energy", "dissipated_energy", "wall_work",
      "elastic_normal", "elastic_shear",  "elastic_moment",   "joint_energy",      "step"};
  std::vector<std::size_t> field_of_column;  // index in `names`; its size for unused columns
  std::vector<Report> reports;
  std::size_t line_number = 0;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    std::string_view line(&text[begin], end - begin);
    Report report;
    std::size_t found = 0;
    for (std::size_t column = 0; !line.empty(); ++column) {
      const std::string_view cell = line.substr(0, line.find(','));
      line.remove_prefix(std::min(line.size(), cell.size() + 1));
      if (line_number == 0)
        field_of_column.push_back(std::ranges::find(names, cell) - names.begin());
      const std::size_t field =
          column < field_of_column.size() ? field_of_column[column] : names.size();
      if (line_number == 0 || field == names.size()) continue;
      const char* last = cell.data() + cell.size();
      const auto result = field + 1 < names.size()
                              ? std::from_chars(cell.data(), last, number_of(report, field))
                              : std::from_chars(cell.data(), last, report.step);
      const bool read = result.ec == std::errc() && result.ptr == last;
      found += read && field != kMayLack ? 1 : 0;
    }
    if (line_number++ == 0) continue;
    if (found + 1 != names.size())
      throw InputError(fmt::format(
          "{}:{}: this row lacks time, step or an energy; is it the statistics.csv of a run?",
          path.string(), line_number));
    reports.push_back(report);
  }
  return reports;
}

}  // namespace scree
