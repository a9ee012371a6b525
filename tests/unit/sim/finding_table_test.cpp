#include <gtest/gtest.h>
#include <set>

#include "scree/sim/run_summary.hpp"

namespace scree {
namespace {

TEST(FindingTable, GivesEachFindingAnIdOfItsOwnAndSentencesWhereItMatters) {
  std::set<std::string_view> ids;
  for (const FindingRow& row : finding_table()) {
    EXPECT_TRUE(ids.insert(row.id).second) << row.id;
    EXPECT_EQ(row.sentences != nullptr, row.severity != Severity::figure) << row.id;
    EXPECT_EQ(&finding_table()[Finding(std::string(row.id).c_str()).index()], &row);
    EXPECT_FALSE(row.keys.who && row.who == Who::nobody) << row.id;
    EXPECT_FALSE(row.column && !row.is_of_step()) << row.id;
  }
}

TEST(FindingTable, EndsTheProgramAtAnUnknownId) {
  EXPECT_DEATH((void)Finding("energy_invented"), "");
}

TEST(Tally, FoldsASeriesOfSteps) {
  Tally tally;
  EXPECT_FALSE(tally.add({}, 0.1, 1));
  EXPECT_TRUE(tally.add(on_joint(2, 7), 0.2, 2));
  EXPECT_TRUE(tally.add(on_joint(-3, 8), 0.3, 3));
  EXPECT_FALSE(tally.add(on_joint(1, 9), 0.4, 4));
  EXPECT_EQ(folded(tally, Fold::total), 0);
  EXPECT_EQ(folded(tally, Fold::steps), 2) << "values above 0";
  EXPECT_EQ(folded(tally, Fold::largest), 3) << "by size";
  EXPECT_EQ(folded(tally, Fold::last), 1);
  EXPECT_EQ(tally.first.joint(), 7U);
  EXPECT_EQ(tally.first_time, 0.2);
  EXPECT_EQ(tally.of_largest.joint(), 8U);
  EXPECT_EQ(tally.largest.step, 3U);
}

Model model_of_words() {
  Model model;
  model.step.h = 1e-3;
  model.step.margin = 2e-3;
  model.step.restitution_threshold = 0.01;
  model.obstacles.resize(1);
  model.obstacles[0].name = "lid";
  model.joints = {{.name = "hub"}};
  model.fillings.resize(1);
  model.fillings[0].name = "hose";
  return model;
}

/// A run of a single step, which dissipated 4 J and has this finding.
RunSummary run_with(const char* finding, const Measured& measured) {
  RunSummary summary(1e-4, Report{});
  Report report{.time = 0.1, .step = 100, .bodies = 5};
  report.kinetic_energy = 10;
  report.dissipated_energy = 4;
  report.wall_work = 14;
  summary.add(report);
  summary[finding] = {};
  summary[finding].add(measured, 0.1, 100);
  return summary;
}

struct Said {
  const char* id;
  Measured measured;
  std::string sentence;
  void (*spoil)(RunSummary&) = nullptr;  ///< for what is looked up besides
};

const std::vector<Said>& sayings() {
  static const std::vector<Said> all{
      {"motion_fault",
       {},
       "The run stopped at t = 0.1 s: at t = 0.15 s the motion of 'lid' is invalid: velocity[2] is "
       "nan. All earlier results are valid. Correct the scene and start the run again.",
       [](RunSummary& s) {
         s.motion_fault = MotionFault{0, 0.15, "velocity[2] is nan"};
       }},
      {"bodies_not_finite",
       {2},
       "Do not trust the state: at t = 0.1 s 2 bodies have a position or velocity that is not "
       "finite. Take a smaller time step (step.h), and look at the last frames."},
      {"energy_growth", on_body(3, {7}),
       "Do not trust the state: by t = 0.1 s, step 100, springs had released 3 J more than they "
       "received. body 7 is the fastest body. The step 0.001 s is too long for the springs: take a "
       "smaller one, or step.h: auto."},
      {"excessive_rotation", on_body(4, obstacle_id(0)),
       "Do not trust the state: at t = 0.1 s, step 100, lid, which has contacts or a joint, "
       "rotated by 4 rad in a step. Compliant contacts and joints mistake more than half a "
       "revolution for a rotation in the opposite direction. Take a smaller step (step.h): 2.5e-05 "
       "s or less."},
      {"soft_overlap", on_body(0.2, {1}, {2}),
       "Compliant contacts were too soft in 1 step: first at t = 0.1 s body 1 and body 2 "
       "overlapped by 0.001 m, 20 % of the smaller radius. Contact laws are valid up to 10 %. Take "
       "stiffer contacts (k_n, young), with a smaller step.",
       [](RunSummary& s) { s["soft_depth"].first.value = 1e-3; }},
      {"steps_over_tolerance",
       {1},
       "The tolerance 0.0001 was missed in 1 of 1 step, first at t = 0.1 s; worst residual 0.01 at "
       "t = 0.1 s. Allow more sweeps or iterations (solver.max_sweeps).",
       [](RunSummary& s) {
         s.worst_missed = Report{.time = 0.1, .contacts = 3, .residual = 0.01};
         s["worst_residual"].largest.value = 1;
       }},
      {"contacts_left_out",
       {3},
       "3 pairs met within a step without a contact: impulses reach more bodies in a step than the "
       "search for new contacts can follow. Take a smaller time step (step.h)."},
      {"contacts_growing_penetration",
       {2},
       "Bodies were driven into each other in 1 step: at t = 0.1 s body 7 and lid overlapped by "
       "0.0006 m, 6 % of the smaller radius, and an overlap of more than 5 % still grew. Obstacles "
       "squeeze bodies there, in each step by less than the tolerance, or steps are too long for "
       "the speed of impacts. Look at moving obstacles, or take a smaller time step (step.h).",
       [](RunSummary& s) {
         s.growing_penetration = {0.1, {7}, obstacle_id(0), 6e-4, 0.06};
       }},
      {"energy_created",
       {0.75},
       "Contacts created energy, which no law allows, in 1 step: 0.75 J in all, at most 0.75 J in "
       "a "
       "step, at t = 0.1 s. Take a smaller tolerance (solver.tolerance)."},
      {"energy_created",
       {1e-9},
       "Contacts created 1e-09 J in 1 step, 2.5e-10 of the energy that they turned over, which is "
       "within the bound of the tolerance."},
      {"energy_of_rebounds",
       {0.5},
       "Rebounds created energy: 0.5 J in all, 5 % of the largest kinetic energy of the run, and "
       "at "
       "most 0.5 J in a step, at t = 0.1 s. Newton's law of impacts can create energy where bodies "
       "hit at several contacts at once; step.impacts: energetic cannot."},
      {"joint_work", on_joint(-3, 0),
       "Joints removed 3 J, 30 % of the largest kinetic energy of the run; exact joints do no "
       "work. "
       "Steps are too long for the rotation of the jointed bodies. The largest error in a step is "
       "3 "
       "J at t = 0.1 s, mainly at 'hub'. Take a smaller step (step.h). Motions are sudden where "
       "links align, or a universal joint bends by a right angle: there few steps are short "
       "enough."},
      {"energy_unaccounted",
       {},
       "2 J of energy vanished without a cause, 14.3 % of the largest energy of the run, 14 J: "
       "bodies with unequal moments of inertia rotate too far in a step. Take a smaller time step "
       "(step.h).",
       [](RunSummary& s) { s.last.kinetic_energy = 8; }},
      {"field_swing", on_body(1.5, {1}),
       "Fields slowed or reversed bodies by more than their speed in one step: by 1.5 times the "
       "velocity of body 1 at t = 0.1 s. Take a smaller time step (step.h): 6.7e-05 s or less."},
      {"bodies_skipped",
       {10},
       "Inflows found no room for 10 of 200 bodies (5 %), which strict_inflow counts as missed. "
       "Look for bodies or obstacles in front of the plate, or insert fewer bodies "
       "(inflows[].advance, layer.spacing).",
       [](RunSummary& s) {
         s.strict_inflow = true;
         s["bodies_added"].total = 190;
       }},
      {"fillings_waiting",
       {1},
       "Fillings found no room for the next body in 1 step, which strict_inflow counts as missed. "
       "Enlarge their region, lower their rate, or let bodies leave the region faster "
       "(fillings[].velocity).",
       [](RunSummary& s) { s.strict_inflow = true; }},
      {"starved_fillings",
       {},
       "No body of the filling 'hose' entered, although some were due: the obstacle 'lid' fills "
       "its "
       "region. Move or enlarge its region (fillings[].region), or move the obstacles or bodies in "
       "it.",
       [](RunSummary& s) {
         s.starved = {{0, 0}};
       }},
      {"contacts_beyond_margin",
       {1},
       "1 pair met within a step beyond step.margin and got no contact: they overlap or pass "
       "through each other. Without step.margin the engine finds a margin that lets none pass."},
      {"bodies_beyond_margin",
       {2},
       "step.margin is 0.002 m: 2 times a body moved further than that in a step, and may have "
       "passed uncounted through other bodies or walls. Leave step.margin out, or take a smaller "
       "time step (step.h)."},
      {"missed_restitution",
       {0.5},
       "Rebounds are missing: 1 impact was between bodies that were brought together only by other "
       "impulses in the same step. If each of them had rebounded alone, they would have kept at "
       "most 0.5 J of the 4 J that contacts dissipated. This matters where bodies bounce and fly; "
       "in a dense bed or flow other bodies stop a rebound at once. A smaller time step (step.h) "
       "makes them rarer.",
       [](RunSummary& s) { s["missed_impacts"].total = 1; }},
      {"slow_restitution",
       {0.5},
       "Rebounds are missing: 2 impacts were slower than step.restitution_threshold, 0.01 m/s. If "
       "each of them had rebounded alone, they would have kept at most 0.5 J of the 4 J that "
       "contacts dissipated. This matters where bodies bounce and fly; in a dense bed or flow "
       "other "
       "bodies stop a rebound at once. A lower threshold lets them rebound.",
       [](RunSummary& s) { s["slow_impacts"].total = 2; }},
      {"unordered_impacts",
       {2},
       "2 sets of bodies hit each other again and again within a step and came to touch, first at "
       "t = 0.1 s: the solve of the step stopped them together. A smaller time step (step.h) "
       "follows more of their impacts."},
      {"step_too_long",
       {},
       "The step 0.001 s is too long for compliant contacts: at t = 0.1 s, step 100, body 1 and "
       "body 2 overlapped by 0.0001 m; an impact of this depth lasts 0.01 s, or 10 steps, but 20 "
       "are needed. Take 0.0002 s or less (step.h).",
       [](RunSummary& s) {
         s.step_fit = {
             .time = 0.1, .step = 100, .of_contact = 0.1, .a = {1}, .b = {2}, .depth = 1e-4};
       }},
      {"max_rotation",
       {0.2},
       "Some pairs rotated by up to 0.2 rad during the step in which they hit, at t = 0.1 s. Their "
       "direction after the impact may be off by twice that. A smaller time step (step.h) reduces "
       "this error in proportion."},
      {"max_relative_penetration",
       {0.3},
       "At t = 0.1 s bodies overlapped by 30 % of the smaller radius. They were placed so, "
       "obstacles pressed them together, or steps are too long for the speed of impacts."},
      {"lasting_overlap",
       {},
       "At the end body 1 and lid overlap by 0.001 m, 10 % of the smaller radius. They were placed "
       "so, obstacles hold them, or steps are too long or the tolerance too large for the speed of "
       "impacts.",
       [](RunSummary& s) {
         s.lasting_overlap = {0.1, {1}, obstacle_id(0), 1e-3, 0.1};
       }},
      {"falling_bodies",
       {},
       "At the end 2 bodies are below all obstacles and fall without end; body 3 is the lowest. "
       "Close the gap or the edge that they passed, or let an outflow remove them.",
       [](RunSummary& s) {
         s.falling = {2, {3}};
       }},
      {"local_failures",
       {1},
       "1 contact had no solution under its own law; the solver used the impulse of maximum "
       "dissipation."},
      {"painleve", on_body(1.25, {7}),
       "Painlevé's paradox: at t = 0.1 s body 7 slides so that friction presses its contact "
       "together faster than the load opens it (Painlevé number 1.25; the limit is 1). There is no "
       "force, or there are several. The step takes an impulse that stops the slip, or none."}};
  return all;
}

TEST(FindingTable, SaysASentenceOfEachFinding) {
  std::set<std::string_view> said;
  for (const auto& [id, measured, sentence, spoil] : sayings()) {
    said.insert(id);
    RunSummary summary = run_with(id, measured);
    if (spoil) spoil(summary);
    const Sentences lines = verdict(summary, 2, model_of_words());
    EXPECT_EQ(std::ranges::count(lines, sentence), 1) << id << ":\n"
                                                      << [&] {
                                                           std::string all;
                                                           for (const std::string& line : lines)
                                                             all += line + '\n';
                                                           return all;
                                                         }();
  }
  for (const FindingRow& row : finding_table())
    EXPECT_EQ(said.contains(row.id), row.severity != Severity::figure) << row.id;
}

TEST(FindingTable, LetsARunMissItsVerdictByEachSevereFinding) {
  for (const auto& [id, measured, sentence, spoil] : sayings()) {
    RunSummary summary = run_with(id, measured);
    if (spoil) spoil(summary);
    const Severity severity = finding_table()[Finding(id).index()].severity;
    const bool misses = summary.exceeds(id) && severity >= Severity::missed;
    EXPECT_EQ(summary.is_met(), !misses) << id;
    EXPECT_EQ(summary.failed(), misses && severity == Severity::failed) << id;
  }
}

}  // namespace
}  // namespace scree
