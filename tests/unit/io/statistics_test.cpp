#include "scree/io/statistics.hpp"

#include <limits>
#include <map>
#include <sstream>
#include <vector>

#include "scree/core/error.hpp"
#include "unit/io/io_fixture.hpp"

namespace scree {
namespace {

using Statistics = InDirectory;
using Row = std::map<std::string, std::string>;

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> all;
  std::stringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) all.push_back(cell);
  return all;
}

std::vector<Row> rows(const std::string& text) {
  std::stringstream stream(text);
  std::string line;
  std::getline(stream, line);
  const auto names = cells(line);
  std::vector<Row> all;
  while (std::getline(stream, line)) {
    const auto values = cells(line);
    EXPECT_EQ(values.size(), names.size());
    Row row;
    for (std::size_t k = 0; k < names.size(); ++k) row[names[k]] = values[k];
    all.push_back(row);
  }
  return all;
}

Report step_with(double residual, int sweeps, bool converged) {
  Report report;
  report.residual = residual;
  report.sweeps = sweeps;
  report.converged = converged;
  report.stage_seconds.fill(0.5);
  report.bodies_added = 2;
  return report;
}

TEST_F(Statistics, GatherTheStepsSinceTheLastRow) {
  StatisticsFile file(directory / "statistics.csv");
  file.add(step_with(1e-5, 10, true));
  file.add(step_with(3e-4, 40, false));
  Report last = step_with(2e-5, 10, true);
  last.time = 0.1;
  last.kinetic_energy = 1.0 / 3;
  file.add(last);
  file.write_row(0xabcULL);
  file.add(step_with(1e-6, 4, true));
  file.write_row(0);
  file.close();

  const auto table = rows(text_of(directory / "statistics.csv"));
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table[0].at("time"), "0.1");
  EXPECT_EQ(std::stod(table[0].at("kinetic_energy")), 1.0 / 3) << "numbers are read back exactly";
  EXPECT_EQ(table[0].at("residual"), "0.0003");
  EXPECT_EQ(table[0].at("sweeps_mean"), "20");
  EXPECT_EQ(table[0].at("sweeps_max"), "40");
  EXPECT_EQ(table[0].at("steps_not_converged"), "1");
  EXPECT_EQ(table[0].at("bodies_added"), "6");
  EXPECT_EQ(table[0].at("state_hash"), "0x0000000000000abc");
  EXPECT_EQ(table[0].at("seconds_solve"), "1.5");
  EXPECT_EQ(table[1].at("steps_not_converged"), "0");
  EXPECT_EQ(table[1].at("residual"), "1e-06");
}

TEST_F(Statistics, TellTheShareOfContactsWithinTheToleranceAndTheEnergyMade) {
  StatisticsFile file(directory / "statistics.csv");
  file.write_row(0);
  Report report;
  report.contacts = 30, report.contacts_over_tolerance = 3, report["energy_created"].value = 0.5;
  file.add(report);
  report.contacts = 10, report.contacts_over_tolerance = 0, report["energy_created"].value = 0.25;
  file.add(report);
  file.write_row(0);
  file.close();
  const auto table = rows(text_of(directory / "statistics.csv"));
  EXPECT_EQ(table[0].at("share_within_tolerance"), "1") << "without contacts";
  EXPECT_EQ(std::stod(table[1].at("share_within_tolerance")), 1 - 3.0 / 40);
  EXPECT_EQ(table[1].at("energy_created"), "0.75");
}

TEST_F(Statistics, ShowAResidualThatIsNoNumber) {
  StatisticsFile file(directory / "statistics.csv");
  file.add(step_with(std::numeric_limits<double>::quiet_NaN(), 1, false));
  file.add(step_with(1, 1, true));
  file.write_row(0);
  EXPECT_EQ(rows(text_of(directory / "statistics.csv")).at(0).at("residual"), "nan");
}

TEST_F(Statistics, AreReadBackAsFarAsEnergiesGo) {
  const auto path = directory / "statistics.csv";
  StatisticsFile file(path);
  Report report;
  for (const double x : {1.0 / 3, -1e-300}) {
    report.time = 0.1 * x, report.kinetic_energy = x, report.potential_energy = 2 * x,
    report.dissipated_energy = 3 * x;
    report.wall_work = 4 * x, ++report.step;
    file.add(report);
    file.write_row(0);
  }
  file.close();
  const auto reports = read_energies(path);
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[1].step, 2U);
  EXPECT_EQ(reports[1].time, report.time);
  EXPECT_EQ(reports[1].kinetic_energy, report.kinetic_energy);
  EXPECT_EQ(reports[1].potential_energy, report.potential_energy);
  EXPECT_EQ(reports[1].dissipated_energy, report.dissipated_energy);
  EXPECT_EQ(reports[1].wall_work, report.wall_work);

  // A row that is being written is none yet; one that is cut short or no number is refused.
  const std::string text = text_of(path);
  std::ofstream(path) << text.substr(0, text.size() - 5);
  EXPECT_EQ(read_energies(path).size(), 1U);
  std::ofstream(path) << text + "0.1,3,5\n";
  EXPECT_THROW((void)read_energies(path), InputError);
  std::ofstream(path) << "time,step\n0,0\n";
  EXPECT_THROW((void)read_energies(path), InputError);
  EXPECT_THROW((void)read_energies(directory / "missing.csv"), OutputError);
}

TEST_F(Statistics, TellOfAFullDisk) {
  try {
    StatisticsFile file("/dev/full");
    FAIL() << "no error";
  } catch (const OutputError& error) {
    EXPECT_NE(std::string(error.what()).find("/dev/full: No space left on device; free some space"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace scree
