/// Checks motions of obstacles at sampled times and steps.
#include "scene/motion/motion_checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "scree/sim/steps.hpp"

namespace scree::scene {

namespace {

/// Step in which a motion is checked: the time that the run evaluates, and times around it.
struct TriedStep {
  double middle;                 ///< [s]
  std::array<double, 8> within;  ///< spread over the step, symmetric about the middle [s]
};

/// Steps to check, in order of time: the first ones, the last, and others in between without a
/// period that a motion could share. The last may end later than `until`.
std::vector<TriedStep> steps_to_try(const Build& build) {
  constexpr std::uint64_t kMax = 500;
  constexpr double kGolden = 0.6180339887498949, kSilver = 0.41421356237309503;
  const double until = build.scene.until, h = build.scene.model.step.h;
  const std::uint64_t steps = h > 0 ? std::max<std::uint64_t>(steps_until(until, h), 1) : 1;
  const double length = h > 0 ? h : until;
  const std::uint64_t tried = std::min(steps, kMax);
  std::vector<TriedStep> result;
  for (std::uint64_t i = 0; i < tried; ++i) {
    const double fraction = std::fmod(static_cast<double>(i) * kGolden, 1.0);
    const std::uint64_t step =
        steps == tried   ? i
        : i + 1 == tried ? steps - 1
        : i < tried / 5  ? i
                         : static_cast<std::uint64_t>(fraction * static_cast<double>(steps));
    const double begin = static_cast<double>(step) * length;
    TriedStep& at = result.emplace_back(TriedStep{begin + length / 2, {}});
    const double offset = std::fmod(static_cast<double>(i) * kSilver, 1.0);
    const std::size_t count = at.within.size();
    for (std::size_t k = 0; k < count / 2; ++k) {
      const double apart = length * (static_cast<double>(k) + offset) / static_cast<double>(count);
      at.within[k] = begin + apart;
      at.within[count - 1 - k] = begin + length - apart;
    }
  }
  std::ranges::sort(result, {}, &TriedStep::middle);
  return result;
}

/// Times of the beginning and the end of a step.
std::pair<double, double> ends_of(const Build& build, const TriedStep& step) {
  const double h = build.scene.model.step.h, half = (h > 0 ? h : build.scene.until) / 2;
  return {std::max(0.0, step.middle - half), step.middle + half};
}

/// Twist of an obstacle in a step; none if its motion is invalid there, which the step reports in
/// the run.
std::optional<Twist> twist_in(const Build& build, const ObstacleMotion& motion,
                              const TriedStep& step) {
  try {
    if (motion.twist) return motion.twist(step.middle, {});
    const auto [begin, end] = ends_of(build, step);
    return twist_between(displacement(motion.motions, begin), displacement(motion.motions, end),
                         end - begin);
  } catch (const InputError&) {
    return {};
  }
}

/// Path lengths of a motion in the checked steps: in total, and missed by the steps.
struct PathLengths {
  double travelled = 0, missed = 0;
};
PathLengths path_lengths(const Build& build, const Motion& motion, const TimeLaw& law) {
  PathLengths lengths;
  for (const TriedStep& step : steps_to_try(build)) {
    const auto [begin, end] = ends_of(build, step);
    const double first = law(motion.own_time(begin));
    double last = first, travelled = 0;
    const auto go_to = [&](double t) {
      const double now = law(motion.own_time(t));
      travelled += std::abs(now - last);
      last = now;
    };
    for (const double t : step.within) go_to(t);
    go_to(end);
    lengths.travelled += travelled;
    lengths.missed += travelled - std::abs(last - first);
  }
  return lengths;
}

/// Times to check an expression at, from the start to the last time that a step evaluates, which
/// may be later than `until`.
std::array<double, 101> sample_times(const Build& build) {
  const double until = build.scene.until, h = build.scene.model.step.h;
  const double end =
      h > 0 ? std::max(until, (static_cast<double>(steps_until(until, h)) - 0.5) * h) : until;
  std::array<double, 101> times;
  for (std::size_t i = 0; i < times.size(); ++i)
    times[i] = end * static_cast<double>(i) / static_cast<double>(times.size() - 1);
  return times;
}

}  // namespace

std::string in_words(double value) { return std::isnan(value) ? "nan" : fmt::format("{}", value); }

bool check_samples(Build& build, const Node& node, const TimeExpression& expression) {
  const auto times = sample_times(build);
  const auto bad = std::ranges::find_if(
      times, [&](double t) { return !(std::abs(expression(t)) <= kMaxSpeed); });
  if (bad == times.end()) return true;
  build.problems.report(
      node,
      fmt::format("'{}' is {} at t = {} s; a finite value below {:.0e} is needed from 0 to {} s",
                  node.text, in_words(expression(*bad)), *bad, kMaxSpeed, times.back()));
  return false;
}

bool check_law(Build& build, const Node& node, const Motion& motion, const TimeLaw& law,
               bool is_angle) {
  double furthest = 0;
  try {
    for (const double t : sample_times(build)) law(motion.own_time(t));
    for (const TriedStep& step : steps_to_try(build)) {
      const auto [begin, end] = ends_of(build, step);
      const double before = law(motion.own_time(begin));
      furthest = std::max(furthest, std::abs(law(motion.own_time(end)) - before));
    }
  } catch (const InputError& error) {
    build.problems.report(node, error.what());
    return false;
  }
  const bool has_step = build.scene.model.step.h > 0;  // else the step is the problem
  if (!is_angle || !has_step || furthest <= kMaxRotationOfPath) return true;
  build.problems.report(
      node, fmt::format("the obstacle rotates by {:.3g} rad in one step; at most {} rad is "
                        "supported: take step.h = {:.2g} s or less",
                        furthest, kMaxRotationOfPath, 0.02 * build.scene.model.step.h / furthest));
  return false;
}

void warn_of_haste(Build& build, const Node& node, const TimeExpression& expression) {
  constexpr double kMuch = 0.02;  // fraction of the path; a sine with nine steps per period
  constexpr double kMax = 0.5;    // fraction of the path, for oscillation within steps
  double missed = 0, oscillated = 0, path = 0;
  for (const TriedStep& step : steps_to_try(build)) {
    const double middle = expression(step.middle);
    double mean = 0;
    for (const double t : step.within) {
      const double value = expression(t);
      if (!std::isfinite(value)) return;
      const double weight = 1.0 / static_cast<double>(step.within.size());
      mean += weight * value;
      path += weight * std::abs(value);
      oscillated += weight * std::abs(value - middle);
    }
    missed += std::abs(middle - mean);
  }
  const bool misses = missed > kMuch * path;
  if (!misses && !(oscillated > kMax * path)) return;
  const std::string lost =
      misses ? fmt::format("and misses {:.3g} % of the path", 100 * std::min(missed / path, 1.0))
             : "and misses the oscillation around it";
  build.problems.warn(
      node, fmt::format("'{}' changes within a step of {} s: a step uses its value at the middle "
                        "{}; take a step.h of a twentieth of its period, or of its shortest pulse",
                        node.text, build.scene.model.step.h, lost));
}

void warn_of_haste(Build& build, const Node& node, const Motion& motion, const TimeLaw& law) {
  constexpr double kMuch = 0.02;  // fraction of the path; a sine with nine steps per period
  PathLengths lengths;
  try {
    lengths = path_lengths(build, motion, law);
  } catch (const InputError&) {
    return;  // the step reports it in the run
  }
  if (!(lengths.missed > kMuch * lengths.travelled)) return;
  build.problems.warn(
      node, fmt::format("the obstacle moves to and fro within a step of {} s: a step goes straight "
                        "from its start to its end and misses {:.3g} % of the path; take a step.h "
                        "of a twentieth of its period, or of its shortest pulse",
                        build.scene.model.step.h, 100 * lengths.missed / lengths.travelled));
}

void warn_of_rotation(Build& build, const Node& node, const ObstacleMotion& motion) {
  constexpr double kMaxRotation = 0.02;  // [rad]
  double fastest = 0;
  for (const TriedStep& step : steps_to_try(build))
    if (const auto twist = twist_in(build, motion, step))
      fastest = std::max(fastest, norm(twist->angular));
  const double h = build.scene.model.step.h, angle = fastest * h;
  if (angle <= kMaxRotation) return;
  build.problems.warn(node,
                      fmt::format("the obstacle rotates by up to {:.3g} rad in one step, so bodies "
                                  "may pass through it; take step.h = {:.2g} s or less",
                                  angle, h * kMaxRotation / angle));
}

void warn_of_unrest(Build& build, const Node& node, const ObstacleMotion& motion) {
  // Motion under a load is unknown before the run
  if (!build.scene.rest || motion.answers_to_load) return;
  double first_stands = std::numeric_limits<double>::infinity(), last_moves = 0;
  for (const TriedStep& step : steps_to_try(build)) {
    const auto twist = twist_in(build, motion, step);
    if (twist && !moves(*twist))
      first_stands = std::min(first_stands, step.middle);
    else
      last_moves = std::max(last_moves, step.middle);
  }
  if (std::isinf(first_stands))
    build.problems.warn(
        node, "the obstacle never stops, so the run does not come to rest before rest.at_most");
  else if (first_stands < last_moves)
    build.problems.warn(
        node, fmt::format(
                  "the obstacle stands still at t = {:.3g} s and moves at t = {:.3g} s; the run "
                  "may end at rest before that: let it move from the start, or set until to a time",
                  first_stands, last_moves));
}

}  // namespace scree::scene
