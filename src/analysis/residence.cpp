/// Times of entry and exit of bodies in a region.
#include "scree/analysis/residence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/core/error.hpp"
#include "scree/core/infinity.hpp"

namespace scree {
namespace {

/// The region without faces along periodic axes that it fills.
Region open_region(Region region, const Domain& domain) {
  for (int axis = 0; axis < 3; ++axis) {
    const double period = domain.period()[axis];
    if (!(period > 0) || region.extent()[axis] < period * (1 - 1e-9)) continue;
    region.min[axis] = -kInfinity;
    region.max[axis] = kInfinity;
  }
  return region;
}

/// Interval of a straight path, from 0 to 1, in the region; empty if begin ≥ end.
struct Inside {
  double begin = 0, end = 1;
};

Inside inside(const Region& region, const Vec3& from, const Vec3& to) {
  Inside fraction;
  for (int axis = 0; axis < 3; ++axis) {
    const double displacement = to[axis] - from[axis];
    if (displacement == 0) {
      if (from[axis] < region.min[axis] || from[axis] >= region.max[axis]) return {1, 0};
      continue;
    }
    const double a = (region.min[axis] - from[axis]) / displacement,
                 b = (region.max[axis] - from[axis]) / displacement;
    fraction.begin = std::max(fraction.begin, std::min(a, b));
    fraction.end = std::min(fraction.end, std::max(a, b));
  }
  return fraction;
}

}  // namespace

void ResidenceTimes::enter(Seen& body, double time) {
  if (body.where == Where::out_again) ++returns_;
  body.where = Where::in;
  body.entered = time;
}

void ResidenceTimes::leave(Seen& body, double time, std::vector<Stay>& stays) {
  if (body.where == Where::in) {
    stays.push_back({body.id, body.entered, time});
    const double length = time - body.entered, off = length - mean_;
    shortest_ = stays_ == 0 ? length : std::min(shortest_, length);
    longest_ = stays_ == 0 ? length : std::max(longest_, length);
    mean_ += off / static_cast<double>(++stays_);
    squares_ += off * (length - mean_);
  }
  body.where = Where::out_again;
}

ResidenceTimes::Seen ResidenceTimes::moved(const Seen& was, const Vec3& position, double time,
                                           const Region& region, const Domain& domain,
                                           std::vector<Stay>& stays) {
  Seen now = was;
  now.position = position;
  const Vec3 middle = 0.5 * (region_.min + region_.max), displacement = position - was.position;
  const Vec3 image = domain.nearest(middle, position);
  const auto at = [&](double fraction) { return last_time_ + fraction * (time - last_time_); };
  const bool is_in = region.contains(image);
  if (was.is_in() && is_in) return now;
  if (was.is_in()) {
    const Vec3 from = domain.nearest(middle, was.position);
    leave(now, at(inside(region, from, from + displacement).end), stays);
    return now;
  }
  const Inside fraction = inside(region, image - displacement, image);
  if (is_in) {
    enter(now, at(fraction.begin));
  } else if (fraction.begin < fraction.end) {
    enter(now, at(fraction.begin));
    leave(now, at(fraction.end), stays);
  }
  return now;
}

ResidenceTimes::Seen ResidenceTimes::appeared(BodyId id, const Vec3& position, double time,
                                              bool is_in) const {
  const double came = frames_ == 0 ? time : 0.5 * (last_time_ + time);
  const Where inside = frames_ == 0 ? Where::in_from_the_start : Where::in;
  return {id, position, is_in ? inside : Where::never_in, came};
}

std::vector<Stay> ResidenceTimes::add(double time, const Bodies& bodies, const Domain& domain) {
  if (domain.flows())
    throw InputError("residence times are undefined in a strained cell; remove them");
  const Region region = open_region(region_, domain);
  const Vec3 middle = 0.5 * (region_.min + region_.max);
  const double half_way = 0.5 * (last_time_ + time);
  std::vector<Stay> stays;
  std::vector<Seen> now;
  now.reserve(bodies.size());
  auto was = last_.begin();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyId id = bodies.id[i];
    const Vec3& position = bodies.position[i];
    for (; was != last_.end() && was->id < id; ++was)
      if (was->is_in()) leave(*was, half_way, stays);
    if (was != last_.end() && was->id == id) {
      now.push_back(moved(*was, position, time, region, domain, stays));
      ++was;
      continue;
    }
    now.push_back(appeared(id, position, time, region.contains(domain.nearest(middle, position))));
    if (now.back().where == Where::in_from_the_start) ++from_the_start_;
  }
  for (; was != last_.end(); ++was)
    if (was->is_in()) leave(*was, half_way, stays);
  last_ = std::move(now);
  last_time_ = time;
  ++frames_;
  return stays;
}

StaySummary ResidenceTimes::summary() const {
  StaySummary summary;
  const auto n = static_cast<double>(stays_);
  summary.stays = stays_;
  summary.mean = mean_;
  if (stays_ > 1) summary.scatter = std::sqrt(squares_ / (n - 1));
  if (stays_ > 1) summary.error = summary.scatter / std::sqrt(n);
  summary.shortest = shortest_;
  summary.longest = longest_;
  summary.returns = returns_;
  summary.from_the_start = from_the_start_;
  for (const Seen& body : last_) {
    if (body.where != Where::in) continue;
    ++summary.still_there;
    summary.age +=
        (last_time_ - body.entered - summary.age) / static_cast<double>(summary.still_there);
  }
  return summary;
}

std::vector<double> ResidenceTimes::tally() const {
  const auto number = [](auto count) { return static_cast<double>(count); };
  std::vector<double> tally{
      number(frames_), number(stays_), number(returns_), number(from_the_start_), last_time_, mean_,
      squares_,        shortest_,      longest_};
  for (const Seen& body : last_)
    tally.insert(tally.end(), {number(body.id.value), body.position.x, body.position.y,
                               body.position.z, number(body.where), body.entered});
  return tally;
}

void ResidenceTimes::restore(std::span<const double> tally) {
  constexpr std::size_t kHead = 9, kNumbers = 6;
  if (tally.size() < kHead || (tally.size() - kHead) % kNumbers != 0)
    throw InputError("the tally to continue is not one of residence times");
  const auto count = [&](std::size_t k) { return static_cast<std::uint64_t>(tally[k]); };
  frames_ = count(0);
  stays_ = count(1);
  returns_ = count(2);
  from_the_start_ = count(3);
  last_time_ = tally[4];
  mean_ = tally[5];
  squares_ = tally[6];
  shortest_ = tally[7];
  longest_ = tally[8];
  last_.clear();
  for (std::size_t k = kHead; k < tally.size(); k += kNumbers)
    last_.push_back({{count(k)},
                     {tally[k + 1], tally[k + 2], tally[k + 3]},
                     static_cast<Where>(count(k + 4)),
                     tally[k + 5]});
}

}  // namespace scree
