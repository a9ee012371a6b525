#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

#include "scree/analysis/contact_statistics.hpp"
#include "scree/analysis/run_summary.hpp"
#include "unit/io/io_fixture.hpp"

namespace scree {
namespace {

TEST(ContactStatistics, CountEachLoadedContactForBothItsFreeBodies) {
  // 1 - 2 - 3 in a row, 1 on the floor; 3 also comes near 4 without touching; 5 is alone.
  const std::vector contacts{contact_between({1}, {2}, 1, ContactClass::sticking),
                             contact_between({2}, {3}, 3, ContactClass::sliding),
                             contact_between({3}, {4}, 0, ContactClass::separating),
                             contact_between({1}, obstacle_id(0), 2, ContactClass::sticking)};
  const ContactStatistics s = contact_statistics(contacts, 5);
  EXPECT_EQ(s.loaded, 3U);
  EXPECT_EQ(s.sliding, 1U);
  EXPECT_EQ(s.bodies_loaded, 3U);
  EXPECT_EQ(s.bodies_by_contacts, (std::vector<std::size_t>{2, 1, 2}));
  EXPECT_DOUBLE_EQ(s.coordination_number, 5.0 / 5);
  EXPECT_DOUBLE_EQ(s.coordination_number_loaded, 5.0 / 3);
  EXPECT_DOUBLE_EQ(s.mean_normal_percussion, 2);
}

TEST(ContactStatistics, AreZeroWithoutContacts) {
  const ContactStatistics s = contact_statistics({}, 2);
  EXPECT_EQ(s.coordination_number, 0);
  EXPECT_EQ(s.coordination_number_loaded, 0);
  EXPECT_EQ(s.bodies_by_contacts, std::vector<std::size_t>{2});
  EXPECT_EQ(contact_statistics({}, 0).coordination_number, 0);
}

Report report_at(double time, double residual, bool converged) {
  Report report;
  report.time = time;
  report.step = static_cast<std::uint64_t>(10 * time);
  report.bodies = 3;
  report.residual = residual;
  report.converged = converged;
  return report;
}

TEST(RunSummary, SaysWhereTheToleranceWasMissed) {
  RunSummary summary(1e-4, Report{});
  summary.add(report_at(0.1, 1e-5, true));
  EXPECT_TRUE(summary.within_tolerance());
  summary.add(report_at(0.2, 2e-4, false));
  summary.add(report_at(0.3, 5e-4, false));
  summary.add(report_at(0.4, 1e-5, true));
  EXPECT_FALSE(summary.within_tolerance());
  EXPECT_EQ(summary.steps_over_tolerance, 2U);
  EXPECT_EQ(summary.first_time_over_tolerance, 0.2);
  EXPECT_EQ(summary.residual.time, 0.3);
  EXPECT_EQ(summary.body_steps, 12U);
  const std::string first = verdict(summary, 2).front();
  EXPECT_NE(first.find("missed in 2 of 4 steps, first at t = 0.2 s; worst residual 0.0005 at t = 0.3 s"),
            std::string::npos)
      << first;
}

TEST(RunSummary, SaysThatEveryStepMetTheTolerance) {
  RunSummary summary(1e-4, Report{});
  summary.add(report_at(0.1, 1e-5, true));
  EXPECT_EQ(verdict(summary, 2).front(), "Every step met the tolerance 0.0001; worst residual 1e-05 at t = 0.1 s.");
}

TEST(RunSummary, MissesItsVerdictWhenContactsMakeEnergy) {
  RunSummary summary(1e-4, Report{});
  summary.add(report_at(0.1, 1e-5, true));
  EXPECT_TRUE(summary.is_met());
  Report bad = report_at(0.2, 1e-5, true);
  bad.energy_created = 0.25;
  summary.add(bad);
  bad.energy_created = 0.5, bad.time = 0.3;
  summary.add(bad);
  EXPECT_TRUE(summary.within_tolerance());
  EXPECT_FALSE(summary.is_met());
  EXPECT_EQ(summary.energy_created, 0.75);
  EXPECT_EQ(
      judgement(summary).back().find("Contacts made energy, which no law allows, in 2 steps: 0.75 J in all, at most "
                                     "0.5 J, at t = 0.3 s."),
      0U)
      << judgement(summary).back();
}

TEST(RunSummary, AsksForTheWorstContactWhenItIsTheWorstSoFar) {
  RunSummary summary(1e-4, Report{});
  Report report = report_at(0.1, 1e-5, true);
  EXPECT_FALSE(summary.add(report)) << "no contact has a residual";
  report.worst_residual = 2e-3, report.contacts = 50, report.contacts_over_tolerance = 2;
  EXPECT_TRUE(summary.add(report));
  summary.worst_contact = {{7}, obstacle_id(1), 2e-3, ContactClass::sliding};
  report.worst_residual = 1e-3, report.contacts_over_tolerance = 0;
  EXPECT_FALSE(summary.add(report));
  const auto lines = verdict(summary, 2);
  EXPECT_NE(std::ranges::find_if(lines,
                                 [](const std::string& line) {
                                   return line.starts_with(
                                       "Contacts within their part of the tolerance: 98 %, all but 2 "
                                       "of 100. Worst contact: body 7 to obstacle 1, sliding, "
                                       "residual 0.002 m/s at t = 0.1 s");
                                 }),
            lines.end())
      << lines[2];
}

TEST(RunSummary, PutsBodiesThatAreNotFiniteFirst) {
  RunSummary summary(1e-4, Report{});
  Report bad = report_at(0.1, std::numeric_limits<double>::quiet_NaN(), false);
  bad.bodies_not_finite = 1;
  summary.add(bad);
  EXPECT_FALSE(summary.within_tolerance());
  EXPECT_NE(verdict(summary, 2).front().find("1 body has a position or velocity that is not finite"),
            std::string::npos);
}

TEST(RunSummary, ClosesTheEnergyBudget) {
  Report start, end;
  start.kinetic_energy = 5, start.potential_energy = 10;
  end.kinetic_energy = 3, end.potential_energy = 8, end.dissipated_energy = 6, end.wall_work = 1;
  RunSummary summary(1e-4, start);
  summary.add(end);
  const auto budget = summary.energy_budget();
  EXPECT_DOUBLE_EQ(budget.change, -4);
  EXPECT_DOUBLE_EQ(budget.unaccounted, 1);
}

}  // namespace
}  // namespace scree
