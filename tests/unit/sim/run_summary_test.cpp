#include "scree/sim/run_summary.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

#include "support/worlds.hpp"

namespace scree {
namespace {

Report report_at(double time, double residual, bool converged) {
  Report report;
  report.time = time;
  report.step = static_cast<std::uint64_t>(10 * time);
  report.bodies = 3;
  report.residual = residual;
  report.converged = converged;
  return report;
}

Model model_of_walls() {
  Model model;
  model.obstacles.resize(2);
  model.obstacles[0].name = "right wall", model.obstacles[1].name = "left wall";
  return model;
}

TEST(RunSummary, SaysWhereTheToleranceWasMissed) {
  RunSummary summary(1e-4, Report{});
  summary.add(report_at(0.1, 1e-5, true));
  EXPECT_TRUE(summary.within_tolerance());
  summary.add(report_at(0.2, 2e-4, false));
  summary.add(report_at(0.3, 5e-4, false));
  summary.add(report_at(0.4, 1e-5, true));
  EXPECT_FALSE(summary.within_tolerance());
  EXPECT_EQ(summary["steps_over_tolerance"].steps, 2U);
  EXPECT_EQ(summary["steps_over_tolerance"].first_time, 0.2);
  EXPECT_EQ(summary["residual"].largest.time, 0.3);
  EXPECT_EQ(summary.body_steps, 12U);
}

/// The sentence on a step that missed its tolerance.
template <class Spoil>
std::string advice_after(Spoil&& spoil) {
  RunSummary summary(1e-4, Report{});
  Report report = report_at(0.2, 1e-2, false);
  report.contacts = 10;
  summary.worst_contact = {{7}, obstacle_id(1), 2e-3, ContactClass::sliding, 4.5, 0.09};
  Model model = model_of_walls();
  model.solver.max_sweeps = 200;
  spoil(report, summary, model);
  summary.add(report);
  return judgement(summary, model).front();
}

bool says(const std::string& sentence, std::string_view words) {
  return sentence.find(words) != std::string::npos;
}

TEST(RunSummary, AdvisesMoreSweepsOnlyWhereTheResidualStillFalls) {
  // A hundred sweeps made it ten times smaller; a hundred times smaller it should be.
  const std::string falling =
      advice_after([](Report& r, RunSummary&, Model&) { r.convergence_ratio = 0.1; });
  EXPECT_TRUE(says(falling, "the step needs about 4e+02 sweeps or iterations")) << falling;
  const std::string stalled =
      advice_after([](Report& r, RunSummary&, Model&) { r.convergence_ratio = 0.99; });
  EXPECT_TRUE(says(stalled, "more sweeps would hardly help; solver.method: auto may")) << stalled;
  EXPECT_TRUE(says(stalled, "solver.accuracy: engineering has the tolerance 0.03")) << stalled;
  const std::string crowd = advice_after([](Report& r, RunSummary&, Model&) {
    r.convergence_ratio = 0.99;
    r.contacts = 5000;
  });
  EXPECT_FALSE(says(crowd, "auto")) << "it would sweep, too: " << crowd;
}

TEST(RunSummary, AdvisesToLookWhereNothingIsNearASolution) {
  const auto far = [](Report& r, RunSummary&, Model&) {
    r.residual = 0.9, r.convergence_ratio = 0.6;
  };
  const std::string wedge = advice_after([&](Report& r, RunSummary& s, Model& m) {
    far(r, s, m);
    m.obstacles[0].motion = [](double) { return Twist{}; };
  });
  EXPECT_TRUE(says(wedge, "Look at body 7 and left wall")) << wedge;
  EXPECT_FALSE(says(wedge, "the step needs")) << wedge;
  const std::string bed = advice_after(far);
  EXPECT_TRUE(says(bed, "the step needs"))
      << "where no obstacle moves none can wedge a body: " << bed;
}

TEST(RunSummary, TellsOfABallThatPartsHoldInsideThem) {
  test::World world(test::coulomb(0.4), 1e-3);
  world.half_space({0, 0, 0}, {1, 0, 0}).half_space({0.018, 0, 0}, {-1, 0, 0});
  world.sphere({0.009, 0, 0}, 0.01);
  world.sphere({0.009, 0.5, 0}, 0.001);
  Simulation simulation = world.simulation();
  for (int k = 0; k < 50; ++k) simulation.step();
  const WorstOverlap held = worst_overlap(simulation);
  EXPECT_EQ(held.a.value, 0U);
  // 2 mm are too few between the walls.
  EXPECT_NEAR(held.depth, 0.001, 1e-5);
  EXPECT_DOUBLE_EQ(held.share, held.depth / 0.01);

  RunSummary summary(1e-4, Report{});
  summary.lasting_overlap = held;
  EXPECT_TRUE(summary.exceeds("lasting_overlap"));
}

TEST(RunSummary, TellsOfABallThatWasDrivenDeepIntoAnother) {
  RunSummary summary(1e-4, Report{});
  summary["max_relative_penetration"].largest.value = 0.3;
  EXPECT_TRUE(summary.exceeds("max_relative_penetration"));
  summary["max_relative_penetration"].largest.value = 0.03;
  EXPECT_FALSE(summary.exceeds("max_relative_penetration"));
}

TEST(RunSummary, MissesItsVerdictWhereBodiesWereDrivenIntoEachOther) {
  RunSummary summary(1e-4, Report{});
  summary.add(report_at(0.1, 1e-5, true));
  EXPECT_TRUE(summary.is_met());
  Report report = report_at(0.2, 1e-5, true);
  report["contacts_growing_penetration"].value = 2;
  summary.add(report);
  EXPECT_TRUE(summary.began("contacts_growing_penetration"));
  summary.growing_penetration = {0.2, {7}, obstacle_id(1), 6e-4, 0.06};
  EXPECT_FALSE(summary.is_met());
  summary.add(report_at(0.3, 1e-5, true));
  EXPECT_FALSE(summary.began("contacts_growing_penetration"));
  EXPECT_FALSE(summary.is_met());
}

TEST(RunSummary, SaysNothingOfOverlapsThatStepsUndo) {
  test::World world(test::coulomb(0.4), 1e-3);
  world.half_space({0, 0, 0}, {0, 0, 1});
  world.sphere({0, 0, 0.009}, 0.01);
  Simulation simulation = world.simulation();
  for (int k = 0; k < 50; ++k) simulation.step();
  EXPECT_EQ(worst_overlap(simulation).depth, 0);
}

TEST(RunSummary, TellsOfEnergyThatReboundsMake) {
  RunSummary summary(1e-4, Report{});
  Report report = report_at(0.1, 1e-5, true);
  report.kinetic_energy = 1.5, report.dissipated_energy = -0.5;
  summary.add(report);
  const auto lines = verdict(summary, 2, model_of_walls());
  EXPECT_TRUE(std::ranges::any_of(lines, [](const std::string& line) {
    return says(line, "Contacts added 0.5 J more energy than they dissipated");
  }));
}

TEST(RunSummary, BlamesReboundsForEnergyOnlyWhereThereAreSome) {
  RunSummary summary(1e-4, Report{});
  Report report = report_at(0.1, 1e-5, true);
  report.kinetic_energy = 1.5, report.dissipated_energy = -0.5;
  summary.add(report);
  const auto reported = [&](const Model& model) {
    const auto lines = verdict(summary, 2, model);
    const auto line = std::ranges::find_if(
        lines, [](const std::string& l) { return says(l, "more energy than they dissipated"); });
    return line == lines.end() ? "" : *line;
  };
  Model model = model_of_walls();
  EXPECT_TRUE(says(reported(model), "more energy than they dissipated."));
  model.obstacles[1].motion = [](double) { return Twist{}; };
  EXPECT_TRUE(
      says(reported(model), "more energy than they dissipated: obstacles that change their speed"));
  model.laws = LawTable(1, {.kind = LawKind::coulomb, .restitution = 0.5});
  EXPECT_TRUE(says(reported(model),
                   "more energy than they dissipated: rebounds of several contacts at once"));
}

TEST(RunSummary, MissesNoMoreReboundsThanWasDissipated) {
  RunSummary summary(1e-4, Report{});
  Report report = report_at(0.1, 1e-5, true);
  report.kinetic_energy = 1, report.dissipated_energy = 0.5;
  report.missed_restitution = {1, 1000};  // a body between two others, pressed harder than hit
  report.slow_restitution = {1, 0.25};
  summary.add(report);
  EXPECT_EQ(summary.energy_of("missed_restitution"), 0.5);
  EXPECT_EQ(summary.energy_of("slow_restitution"), 0.25);
}

TEST(RunSummary, TellsWhatReboundsMadeFromAHundredthOfTheMotionOn) {
  for (const double made : {0.5, 0.001}) {
    RunSummary summary(1e-4, Report{});
    Report report = report_at(0.1, 1e-5, true);
    report.kinetic_energy = 10, report.dissipated_energy = 3, report.wall_work = 13;
    report["energy_of_rebounds"].value = made;
    summary.add(report);
    EXPECT_EQ(summary.exceeds("energy_of_rebounds"), made > 0.1);
    EXPECT_TRUE(summary.is_met());
  }
}

TEST(RunSummary, TellsThatReboundsAreNotMeasured) {
  RunSummary summary(1e-4, Report{});
  summary.add(report_at(0.1, 1e-5, true));
  Model model = model_of_walls();
  model.laws = LawTable(1, {.kind = LawKind::coulomb, .restitution = 0.5});
  const auto reported = [&] {
    return std::ranges::any_of(verdict(summary, 2, model), [](const std::string& line) {
      return says(line, "created by rebounds was not measured");
    });
  };
  EXPECT_FALSE(reported());
  model.step.overlap_correction = OverlapCorrection::velocities;
  EXPECT_TRUE(reported());
  model.step.impacts = ImpactLaw::energetic;
  EXPECT_FALSE(reported());
}

TEST(RunSummary, TellsWhatPushingOverlapsApartGaveFromWhatReboundsMade) {
  RunSummary summary(1e-4, Report{});
  Report report = report_at(0.1, 1e-5, true);
  report.dissipated_energy = -0.5, report.push_work = 0.5;
  summary.add(report);
  const auto lines = verdict(summary, 2, model_of_walls());
  const auto reported = [&](const char* what) {
    return std::ranges::any_of(lines, [&](const std::string& line) { return says(line, what); });
  };
  EXPECT_TRUE(reported("added 0.5 J"));
  EXPECT_FALSE(reported("Contacts added"));
}

TEST(RunSummary, TellsAJamFromItsOverlaps) {
  const auto overlapping = [](OverlapCorrection correction) {
    return advice_after([=](Report& r, RunSummary&, Model& m) {
      m.step.overlap_correction = correction;
      r.convergence_ratio = 0.99, r.contacts_touching = 9;
    });
  };
  const std::string jam = overlapping(OverlapCorrection::velocities);
  EXPECT_TRUE(says(jam, "9 of 10 contacts overlapped") &&
              says(jam, "overlap_correction: positions"))
      << jam;
  EXPECT_FALSE(says(overlapping(OverlapCorrection::positions), "overlapped"));
}

TEST(RunSummary, NamesWhatSqueezesABody) {
  const auto squeeze = [](bool moving) {
    return advice_after([=](Report&, RunSummary& s, Model& m) {
      m.step.overlap_correction = OverlapCorrection::velocities;
      s.contradiction = {0.2, {{BodyId{3}, obstacle_id(0)}, {BodyId{3}, obstacle_id(1)}}};
      if (moving) m.obstacles[1].motion = [](double) { return Twist{}; };
    });
  };
  EXPECT_TRUE(
      says(squeeze(true), "body 3 to right wall, body 3 to left wall. Moving obstacles squeeze"))
      << squeeze(true);
  EXPECT_TRUE(says(squeeze(false), "Bodies overlap there and have no room")) << squeeze(false);
}

TEST(RunSummary, MissesItsVerdictWhenPairsAreLeftOut) {
  RunSummary summary(1e-4, Report{});
  Report report = report_at(0.1, 1e-5, true);
  report["contacts_left_out"].value = 3;
  summary.add(report);
  EXPECT_FALSE(summary.is_met());
  EXPECT_TRUE(summary.exceeds("contacts_left_out"));
  EXPECT_EQ(summary["contacts_left_out"].total, 3);
}

TEST(RunSummary, SaysThatEveryStepMetTheTolerance) {
  RunSummary summary(1e-4, Report{});
  summary.add(report_at(0.1, 1e-5, true));
  EXPECT_EQ(verdict(summary, 2, model_of_walls()).front(),
            "Every step met the tolerance 0.0001; worst residual 1e-05 at t = 0.1 s.");
}

TEST(RunSummary, NamesTheTolerancesOfStagesThatDiffer) {
  RunSummary summary(0.9, Report{});
  summary.add(report_at(0.1, 0.5, true));
  summary.begin_stage(1e-4);
  summary.add(report_at(0.2, 5e-5, true));
  EXPECT_EQ(judgement(summary, model_of_walls()).front(),
            "Every step met its tolerance (0.9 to 0.0001, by stage); worst residual 0.5 at t = 0.1 "
            "s.");
  summary.add(report_at(0.3, 2e-2, false));
  const std::string missed = judgement(summary, model_of_walls()).front();
  EXPECT_TRUE(says(missed,
                   "1 of 3 steps missed their tolerance (0.9 to 0.0001, by stage), first "
                   "at t = 0.3 s; worst residual 0.02 at t = 0.3 s."))
      << missed;
}

TEST(RunSummary, LetsContactsMakeNoMoreEnergyThanTheSmallestToleranceOfStagesLeavesOpen) {
  for (const auto& [first, second] : {std::pair(0.9, 1e-3), std::pair(1e-3, 0.9)}) {
    RunSummary summary(first, Report{});
    summary.begin_stage(second);
    Report report = report_at(0.1, 1e-5, true);
    report.dissipated_energy = 100;
    summary.add(report);
    EXPECT_DOUBLE_EQ(summary.energy_left_open(), 1e-6 * 100);
  }
}

TEST(RunSummary, JudgesEnergyOfElasticImpactsByTheEnergyThatTheyTurnOver) {
  RunSummary summary(1e-2, Report{});
  Report report = report_at(0.1, 1e-5, true);
  report.kinetic_energy = 2;
  report.impact_work = {.compression = 2, .expansion = 2};
  report["energy_created"].value = 1e-6;  // of impacts that dissipate nothing
  summary.add(report);
  EXPECT_FALSE(summary.exceeds("energy_created"));
  report["energy_created"].value = 1e-3;
  summary.add(report);
  EXPECT_TRUE(summary.exceeds("energy_created"));
}

TEST(RunSummary, GivesNoAllowanceForMotionThatNoImpactTurnsOver) {
  // A belt at 30 m/s beside a bouncing ball must not hide what other contacts make.
  RunSummary summary(1e-2, Report{});
  Report report = report_at(0.1, 1e-5, true);
  report.kinetic_energy = 1e5;
  report.impact_work = {.compression = 1, .expansion = 1};
  report["energy_created"].value = 1e-2;
  summary.add(report);
  EXPECT_TRUE(summary.exceeds("energy_created"));
}

TEST(RunSummary, DoesNotMissEnergyBelowTheRoundingOfSprings) {
  Report first;
  first.force_energy.elastic_normal = 1e-3;
  RunSummary summary(1e-2, first);
  Report report = report_at(0.1, 0, true);
  report.force_energy.elastic_normal = report.force_energy.at_start = 1e-3;
  report.kinetic_energy = 1.2e-29;
  summary.add(report);
  EXPECT_FALSE(summary.exceeds("energy_unaccounted"));
}

TEST(FallingBodies, AreThoseBelowAllObstacles) {
  test::World world(test::coulomb(0.3), 1e-3);
  world.obstacle(Box{{0.1, 0.1, 0.01}}, {});
  world.sphere({0, 0, 0.5}, 0.01);
  world.sphere({0, 0, -0.5}, 0.01);
  const BodyId lowest = world.sphere({0.3, 0, -0.6}, 0.01).id;
  const auto found = [&] {
    Simulation simulation = world.simulation();
    simulation.step();
    return falling_bodies(simulation);
  };
  EXPECT_EQ(found().count, 2u);
  EXPECT_EQ(found().lowest, lowest);
  // A wall catches nothing, a floor all.
  world.half_space({1, 0, 0}, {-1, 0, 0});
  EXPECT_EQ(found().count, 2u);
  world.half_space({0, 0, -9}, {0, 0, 1});
  EXPECT_EQ(found().count, 0u);
}

TEST(RunSummary, SaysFirstWhyItMissedAndThenWhatItMet) {
  RunSummary summary(1e-4, Report{});
  summary.add(report_at(0.1, 1e-5, true));
  summary.condition = ConditionOutcome{"t > 1", 0, false};
  const auto lines = judgement(summary, model_of_walls());
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(says(lines[0], "The condition 't > 1' had not held by t = 0.1 s")) << lines[0];
  EXPECT_TRUE(says(lines[1], "Every step met the tolerance")) << lines[1];
}

TEST(RunSummary, MissesItsVerdictWhenContactsMakeEnergy) {
  RunSummary summary(1e-4, Report{});
  summary.add(report_at(0.1, 1e-5, true));
  EXPECT_TRUE(summary.is_met());
  Report bad = report_at(0.2, 1e-5, true);
  bad["energy_created"].value = 0.25;
  summary.add(bad);
  bad["energy_created"].value = 0.5, bad.time = 0.3;
  summary.add(bad);
  EXPECT_TRUE(summary.within_tolerance());
  EXPECT_FALSE(summary.is_met());
  EXPECT_EQ(summary["energy_created"].total, 0.75);
  EXPECT_EQ(summary["energy_created"].steps, 2U);
  EXPECT_EQ(summary["energy_created"].largest.time, 0.3);
}

TEST(RunSummary, LetsContactsMakeTheSquareOfTheToleranceOfWhatTheyDissipated) {
  constexpr double kTolerance = 0.03, kLost = 100;
  const double max_value = kTolerance * kTolerance * kLost;
  for (const double fraction : {0.999, 1.001}) {
    RunSummary summary(kTolerance, Report{});
    Report report = report_at(0.1, 1e-5, true);
    report["energy_created"].value = fraction * max_value;
    report.dissipated_energy = report.wall_work = kLost;
    summary.add(report);
    ASSERT_EQ(summary.energy_budget().dissipated, kLost);
    EXPECT_EQ(summary.is_met(), fraction < 1);
    EXPECT_EQ(summary.exceeds("energy_created"), fraction > 1);
  }
}

TEST(RunSummary, LetsContactsMakeNoMoreThanAHundredthHoweverLaxTheTolerance) {
  RunSummary summary(1, Report{});
  Report report = report_at(0.1, 1e-5, true);
  report["energy_created"].value = 1.1, report.dissipated_energy = 100;
  summary.add(report);
  EXPECT_FALSE(summary.is_met());
}

TEST(RunSummary, AsksForTheWorstContactWhenItIsTheWorstSoFar) {
  RunSummary summary(1e-4, Report{});
  Report report = report_at(0.1, 1e-5, true);
  EXPECT_FALSE(summary.add(report)) << "no contact has a residual";
  report.worst_residual = 2e-3, report.contacts = 50, report.contacts_over_tolerance = 2;
  EXPECT_TRUE(summary.add(report));
  summary.worst_contact = {{7}, obstacle_id(1), 2e-3, ContactClass::sliding, 4.5, 0.09};
  report.worst_residual = 1e-3, report.contacts_over_tolerance = 0;
  EXPECT_FALSE(summary.add(report));
  const auto lines = verdict(summary, 2, model_of_walls());
  EXPECT_NE(std::ranges::find_if(
                lines,
                [](const std::string& line) {
                  return line.starts_with(
                      "Contacts within their share of the tolerance: 98 %, all but 2 "
                      "of 100. Worst contact: body 7 to left wall, sliding, at t = 0.1 s. "
                      "It carries 4.5 N; 0.09 N (2 %) are unsolved");
                }),
            lines.end())
      << lines[2];
}

TEST(RunSummary, TellsTheShareOfBodiesThatCouldNotEnterAndMissesItsVerdictIfThatCounts) {
  RunSummary summary(1e-4, Report{});
  Report report = report_at(0.1, 1e-5, true);
  report.bodies_added = 190, report.bodies_skipped = 10, report.bodies_removed = 7;
  summary.add(report);
  EXPECT_TRUE(summary.is_met());
  EXPECT_EQ(verdict(summary, 2, model_of_walls()).back(),
            "Bodies: 190 entered, 7 left, 10 found no room to enter (5 % of those due); 3 at "
            "the end.");
  summary.strict_inflow = true;
  EXPECT_FALSE(summary.is_met());
  EXPECT_TRUE(summary.exceeds("bodies_skipped"));
}

TEST(RunSummary, PutsBodiesThatAreNotFiniteFirst) {
  RunSummary summary(1e-4, Report{});
  Report bad = report_at(0.1, std::numeric_limits<double>::quiet_NaN(), false);
  bad["bodies_not_finite"].value = 1;
  summary.add(bad);
  EXPECT_FALSE(summary.within_tolerance());
  EXPECT_TRUE(says(judgement(summary, model_of_walls()).front(), "not finite"));
}

TEST(RunSummary, PutsAMotionThatFailedFirst) {
  RunSummary summary(1e-4, Report{});
  summary.add(report_at(0.1, 1e-5, true));
  summary.motion_fault = MotionFault{1, 0.15, "velocity[2] is nan"};
  EXPECT_FALSE(summary.is_met());
  const auto lines = judgement(summary, model_of_walls());
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(says(lines.front(), "The run stopped")) << lines.front();
}

TEST(RunSummary, MissesWhereMoreThanAPartOfTheEnergyIsUnaccountedFor) {
  const auto judged = [](double unaccounted, double kinetic, double dissipated, double potential) {
    Report start, end = report_at(0.1, 1e-5, true);
    start.kinetic_energy = kinetic;
    start.potential_energy = end.potential_energy = potential;
    end.dissipated_energy = dissipated;
    end.kinetic_energy = kinetic - dissipated + unaccounted;
    RunSummary summary(1e-4, start);
    summary.add(end);
    EXPECT_NEAR(summary.energy_budget().unaccounted, unaccounted, 1e-12 * (1 + kinetic));
    EXPECT_EQ(summary.is_met(), !summary.exceeds("energy_unaccounted"));
    return summary.is_met();
  };
  EXPECT_TRUE(judged(0.4, 10, 1, 0));
  EXPECT_TRUE(judged(-0.4, 10, 1, 0));
  EXPECT_TRUE(judged(0.4, 1, 9, 0));      // dissipation is as good
  EXPECT_TRUE(judged(1e-9, 0, 0, 100));   // rounding
  EXPECT_FALSE(judged(1e-6, 0, 0, 100));  // none
  EXPECT_FALSE(judged(20000, 700, 0, 0));
  EXPECT_FALSE(judged(-2, 10, 1, 0));
}

TEST(RunSummary, NamesTheGearsThatGoWithAJointThatBreaks) {
  Model model = model_of_walls();
  model.joints = {{.name = "hub", .kind = JointKind::revolute},
                  {.name = "rail", .kind = JointKind::prismatic},
                  {.name = "rim", .kind = JointKind::revolute},
                  {.name = "wheels", .kind = JointKind::gear},
                  {.name = "toothed bar", .kind = JointKind::rack}};
  model.joints[3].geared = {GearEnd{0, 0}, GearEnd{2, 0}};
  model.joints[4].geared = {GearEnd{1, 0}, GearEnd{2, 0}};
  const auto reported = [&](std::uint32_t broken) {
    RunSummary summary(1e-4, Report{});
    Report report = report_at(0.1, 1e-5, true);
    report["joints_broken"] = on_joint(1, broken);
    summary.add(report);
    std::string all;
    for (const std::string& line : verdict(summary, 2, model)) all += line + '\n';
    return all;
  };
  EXPECT_TRUE(says(reported(0), "'hub' first, at t = 0.1 s, and with it 'wheels'.")) << reported(0);
  EXPECT_TRUE(says(reported(2), "'rim' first, at t = 0.1 s, and with it 'wheels', 'toothed bar'."));
  EXPECT_TRUE(says(reported(3), "'wheels' first, at t = 0.1 s.")) << reported(3);
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
