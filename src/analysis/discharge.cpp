/// Counts bodies that pass a plane between frames.
#include "scree/analysis/discharge.hpp"

#include <cmath>

#include "scree/core/error.hpp"

namespace scree {

Discharge::Discharge(const Plane& plane, const OpenEnds& ends)
    : plane_(plane), entries_(side_of(ends.entries)), exits_(side_of(ends.exits)) {}

Discharge::Side Discharge::side_of(const Vec3& point) const {
  return dot(point - plane_.point, plane_.normal) >= 0 ? Side::beyond : Side::before;
}

Discharge::Side Discharge::side_of(const std::vector<Region>& boxes) const {
  bool all_before = !boxes.empty(), all_beyond = !boxes.empty();
  for (const Region& box : boxes) {
    // Distances of the nearest and the farthest corner; infinite sides along the plane must not
    // become NaN.
    double nearest = 0, farthest = 0;
    for (int k = 0; k < 3; ++k) {
      const double n = plane_.normal[k];
      if (n == 0) continue;
      nearest += n * ((n > 0 ? box.min : box.max)[k] - plane_.point[k]);
      farthest += n * ((n > 0 ? box.max : box.min)[k] - plane_.point[k]);
    }
    all_beyond = all_beyond && nearest >= 0;
    all_before = all_before && farthest <= 0 && nearest < 0;
  }
  return all_beyond ? Side::beyond : all_before ? Side::before : Side::unknown;
}

void Discharge::count(Side from, Side to, double mass, Passage& passage) {
  if (from == Side::unknown || to == Side::unknown) {
    ++passage.unknown;
  } else if (from != to) {
    ++(to == Side::beyond ? passage.forward : passage.backward);
    passage.mass += to == Side::beyond ? mass : -mass;
  }
}

std::optional<Passage> Discharge::add(double time, const Bodies& bodies) {
  std::vector<Seen> now;
  now.reserve(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i)
    now.push_back({bodies.id[i], bodies.mass[i], side_of(bodies.position[i])});

  Passage passage;
  auto was = last_.begin();
  for (const Seen& body : now) {
    for (; was != last_.end() && was->id < body.id; ++was)
      count(was->side, exits_, was->mass, passage);
    if (was != last_.end() && was->id == body.id) {
      count(was->side, body.side, body.mass, passage);
      ++was;
      continue;
    }
    count(entries_, body.side, body.mass, passage);
    // Ids are consecutive: those in between belonged to bodies that entered and left unseen.
    if (body.id.value > next_id_ && (entries_ == Side::unknown || entries_ != exits_))
      passage.unknown += body.id.value - next_id_;
    next_id_ = body.id.value + 1;
  }
  for (; was != last_.end(); ++was) count(was->side, exits_, was->mass, passage);

  last_ = std::move(now);
  last_time_ = time;
  if (frames_++ == 0) {
    first_time_ = time;
    return {};
  }
  total_.forward += passage.forward;
  total_.backward += passage.backward;
  total_.mass += passage.mass;
  total_.unknown += passage.unknown;
  return passage;
}

std::vector<double> Discharge::tally() const {
  const auto number = [](auto count) { return static_cast<double>(count); };
  std::vector<double> tally{number(frames_),
                            first_time_,
                            last_time_,
                            number(next_id_),
                            number(total_.forward),
                            number(total_.backward),
                            number(total_.unknown),
                            total_.mass};
  // A body's side is the sign of its mass.
  for (const Seen& body : last_) {
    tally.push_back(number(body.id.value));
    tally.push_back(body.side == Side::beyond ? body.mass : -body.mass);
  }
  return tally;
}

void Discharge::restore(std::span<const double> tally) {
  constexpr std::size_t kHead = 8;
  if (tally.size() < kHead || (tally.size() - kHead) % 2 != 0)
    throw InputError("the tally to continue is not one of a discharge");
  const auto count = [&](std::size_t k) { return static_cast<std::uint64_t>(tally[k]); };
  frames_ = count(0);
  first_time_ = tally[1];
  last_time_ = tally[2];
  next_id_ = count(3);
  total_ = {.forward = count(4), .backward = count(5), .mass = tally[7], .unknown = count(6)};
  last_.clear();
  for (std::size_t k = kHead; k < tally.size(); k += 2)
    last_.push_back(
        {{count(k)}, std::abs(tally[k + 1]), tally[k + 1] > 0 ? Side::beyond : Side::before});
}

}  // namespace scree
