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

#include "scree/core/error.hpp"
#include "scree/io/files.hpp"

namespace scree {
namespace {

/// The larger of the two; NaN if either is, so that a bad step shows in its row.
double larger(double a, double b) { return a != a || a > b ? a : b; }

}  // namespace

std::string statistics_columns() {
  std::string line =
      "time,step,bodies,bodies_added,bodies_removed,bodies_skipped,bodies_asleep,contacts,contacts_"
      "touching,"
      "contacts_loaded,"
      "contacts_sliding,contacts_asleep,contacts_left_out,contacts_growing_penetration,"
      "max_penetration,"
      "kinetic_energy,"
      "potential_energy,"
      "dissipated_energy,wall_work,field_work,"
      "elastic_normal,elastic_shear,elastic_moment,damped,slid,rolled,joint_energy,joint_error,"
      "energy_created,residual,worst_residual,share_within_tolerance,sweeps_mean,sweeps_max,steps_"
      "not_converged,local_"
      "failures,state_hash";
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
  SinceRow::for_each(since_row_,
                     [&](const char* name, auto& field) { mark.at(name).get_to(field); });
}

nlohmann::json StatisticsFile::mark() const {
  nlohmann::json mark{{"bytes", bytes_}, {"checksum", checksum_.value()}};
  SinceRow::for_each(since_row_, [&](const char* name, const auto& field) { mark[name] = field; });
  return mark;
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
  SinceRow& s = since_row_;
  ++s.steps;
  s.steps_not_converged += report.converged ? 0 : 1;
  s.bodies_added += report.bodies_added;
  s.bodies_removed += report.bodies_removed;
  s.bodies_skipped += report.bodies_skipped;
  s.local_failures += report.local_failures;
  s.contacts += report.contacts - report.contacts_asleep;
  s.contacts_left_out += report.contacts_left_out;
  s.contacts_growing_penetration += report.contacts_growing_penetration;
  s.contacts_over_tolerance += report.contacts_over_tolerance;
  s.energy_created += report.energy_created;
  s.max_penetration = larger(report.max_penetration, s.max_penetration);
  s.residual = larger(report.residual, s.residual);
  s.worst_residual = larger(report.worst_residual, s.worst_residual);
  s.sweeps += report.sweeps;
  s.sweeps_max = std::max(s.sweeps_max, report.sweeps);
  for (std::size_t k = 0; k < s.stage_seconds.size(); ++k)
    s.stage_seconds[k] += report.stage_seconds[k];
}

void StatisticsFile::write_row(std::uint64_t state_hash) {
  const Report& r = last_;
  const SinceRow& s = since_row_;
  const double sweeps_mean =
      s.steps == 0 ? 0 : static_cast<double>(s.sweeps) / static_cast<double>(s.steps);
  std::string row = fmt::format("{},{},{},{},{},{},{},", r.time, r.step, r.bodies, s.bodies_added,
                                s.bodies_removed, s.bodies_skipped, r.bodies_asleep);
  row += fmt::format("{},{},{},{},{},{},{},{},", r.contacts, r.contacts_touching, r.contacts_loaded,
                     r.contacts_sliding, r.contacts_asleep, s.contacts_left_out,
                     s.contacts_growing_penetration, s.max_penetration);
  row += fmt::format("{},{},{},{},{},", r.kinetic_energy, r.potential_energy, r.dissipated_energy,
                     r.wall_work, r.field_work);
  const ForceEnergy& e = r.force_energy;
  row += fmt::format("{},{},{},{},{},{},{},{},{},", e.elastic_normal, e.elastic_shear,
                     e.elastic_moment, e.damped, e.slid, e.rolled, r.joint_energy, r.joint_error,
                     s.energy_created);
  row += fmt::format("{},{},{},{},{},{},{},", s.residual, s.worst_residual,
                     share_within_tolerance(s.contacts, s.contacts_over_tolerance), sweeps_mean,
                     s.sweeps_max, s.steps_not_converged, s.local_failures);
  row += fmt::format("0x{:016x}", state_hash);
  for (const double seconds : s.stage_seconds) row += fmt::format(",{:.6g}", seconds);
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
