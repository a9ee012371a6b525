/// Coarse-grained fields: spreads bodies and contacts over the cells of a grid.
#include "scree/analysis/coarse_fields.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/branches.hpp"
#include "scree/analysis/images.hpp"
#include "scree/core/error.hpp"

namespace scree {
namespace {

/// Gauss's rule of four points on [-1, 1], with weights that add up to 1.
constexpr std::array<double, 4> kNode{-0.8611363115940526, -0.3399810435848563, 0.3399810435848563,
                                      0.8611363115940526};
constexpr std::array<double, 4> kWeight{0.1739274225687269, 0.3260725774312731, 0.3260725774312731,
                                        0.1739274225687269};

void add_product(Tensor& sum, double factor, const Vec3& a, const Vec3& b) {
  for (int i = 0; i < 3; ++i) sum[static_cast<std::size_t>(i)] += (factor * a[i]) * b;
}

double trace(const Tensor& t) { return t[0].x + t[1].y + t[2].z; }

}  // namespace

double FieldCell::pressure() const { return (trace(contact_stress) + trace(kinetic_stress)) / 3; }

CoarseFields::CoarseFields(const Grid& grid, double width) : grid_(grid), width_(width) {
  if (!(grid.region.volume() > 0))
    throw InputError("the region of the fields is empty; give one with a volume");
  if (grid.size() == 0) throw InputError("fields need at least one cell along each axis");
  if (!(width > 0) || !std::isfinite(width))
    throw InputError("fields need a kernel width > 0; take about a mean diameter");
  const double reach = kKernelReach * width;
  reach_ = {grid.region.min - Vec3{reach, reach, reach},
            grid.region.max + Vec3{reach, reach, reach}};
  sums_.resize(grid.size());
  line_.resize(grid.size());
}

void CoarseFields::weigh(int axis, double centre, Weights& weights) const {
  const double low = grid_.region.min[axis], extent = grid_.region.extent()[axis];
  const auto cells = static_cast<double>(grid_.cells[static_cast<std::size_t>(axis)]);
  const double reach = kKernelReach * width_;
  const auto [first, last] = grid_.range(axis, centre - reach, centre + reach);
  // Fraction of the truncated kernel below a face.
  const double whole = std::erf(kKernelReach / std::sqrt(2.0));
  const auto below = [&](std::uint32_t face) {
    const double x = low + extent * (static_cast<double>(face) / cells) - centre;
    return 0.5 + 0.5 * std::clamp(std::erf(x / (std::sqrt(2.0) * width_)) / whole, -1.0, 1.0);
  };
  weights.first = first;
  weights.fraction.clear();
  double before = below(first);
  for (std::uint32_t cell = first; cell <= last; ++cell) {
    const double after = below(cell + 1);
    weights.fraction.push_back(after - before);
    before = after;
  }
}

template <class F>
void CoarseFields::for_each_fraction(const Vec3& centre, F&& f) {
  for (int axis = 0; axis < 3; ++axis)
    weigh(axis, centre[axis], weights_[static_cast<std::size_t>(axis)]);
  const auto& [x, y, z] = weights_;
  for (std::uint32_t i = 0; i < x.fraction.size(); ++i) {
    for (std::uint32_t j = 0; j < y.fraction.size(); ++j) {
      const double fraction = x.fraction[i] * y.fraction[j];
      const std::size_t row = grid_.index({x.first + i, y.first + j, z.first});
      for (std::uint32_t k = 0; k < z.fraction.size(); ++k) f(row + k, fraction * z.fraction[k]);
    }
  }
}

bool CoarseFields::reaches(const Vec3& low, const Vec3& high) const {
  for (int axis = 0; axis < 3; ++axis)
    if (!(high[axis] > reach_.min[axis] && low[axis] < reach_.max[axis])) return false;
  return true;
}

void CoarseFields::add(const Bodies& bodies, const Domain& domain) {
  ++frames_;
  const Bodies images = domain.repeats() ? images_in(reach_, bodies, domain) : Bodies{};
  const Bodies& all = domain.repeats() ? images : bodies;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Vec3 &centre_of_body = all.position[i], &velocity = all.velocity[i];
    const double mass = all.mass[i];
    if (!is_finite(velocity) || !reaches(centre_of_body, centre_of_body)) continue;
    if (grid_.region.contains(centre_of_body)) mass_centred_ += mass;
    for_each_fraction(centre_of_body, [&](std::size_t cell, double fraction) {
      Sums& sums = sums_[cell];
      sums.mass += fraction * mass;
      sums.momentum += (fraction * mass) * velocity;
      add_product(sums.flux, fraction * mass, velocity, velocity);
    });
  }
}

void CoarseFields::add_contacts(const Bodies& bodies, std::span<const ContactRecord> contacts,
                                double h, const Domain& domain) {
  if (!(h > 0))
    throw InputError("a stress needs the time step h > 0, by which impulses are divided");
  ++contact_frames_;
  const Branches branches(bodies, domain);
  for (const ContactRecord& contact : contacts) {
    if (contact.impulse == Vec3{}) continue;
    branches.for_each_image(contact, reach_, [&](const Branch& branch) {
      spread(branch.from, branch.to - branch.from, contact.impulse / h);
    });
  }
}

/// Integrates over pieces of the branch no longer than the kernel width: the rule is exact there to
/// some 1e-7, and its weights add up to 1.
void CoarseFields::spread(const Vec3& from, const Vec3& branch_vector, const Vec3& force) {
  Vec3 low, high;
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] = std::min(from[axis], from[axis] + branch_vector[axis]);
    high[axis] = std::max(from[axis], from[axis] + branch_vector[axis]);
  }
  if (!is_finite(force) || !reaches(low, high)) return;
  const double pieces = std::max(1.0, std::ceil(norm(branch_vector) / width_));
  for (double piece = 0; piece < pieces; ++piece) {
    for (std::size_t n = 0; n < kNode.size(); ++n) {
      const double along = (piece + 0.5 + 0.5 * kNode[n]) / pieces, share = kWeight[n] / pieces;
      for_each_fraction(from + along * branch_vector, [&](std::size_t cell, double fraction) {
        line_[cell] += share * fraction;
      });
    }
  }
  const double reach = kKernelReach * width_;
  std::array<std::array<std::uint32_t, 2>, 3> range{};
  for (int axis = 0; axis < 3; ++axis)
    range[static_cast<std::size_t>(axis)] =
        grid_.range(axis, low[axis] - reach, high[axis] + reach);
  const auto& [x, y, z] = range;
  for (std::uint32_t i = x[0]; i <= x[1]; ++i) {
    for (std::uint32_t j = y[0]; j <= y[1]; ++j) {
      for (std::uint32_t k = z[0]; k <= z[1]; ++k) {
        const std::size_t cell = grid_.index({i, j, k});
        add_product(sums_[cell].virial, line_[cell], branch_vector, force);
        line_[cell] = 0;
      }
    }
  }
}

std::vector<FieldCell> CoarseFields::cells() const {
  std::vector<FieldCell> cells(sums_.size());
  const double volume = grid_.region.volume() / static_cast<double>(grid_.size());
  const double per_frame = frames_ > 0 ? 1 / (volume * frames_) : 0;
  const double per_contacts = contact_frames_ > 0 ? 1 / (volume * contact_frames_) : 0;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const Sums& sums = sums_[k];
    FieldCell& cell = cells[k];
    for (std::size_t i = 0; i < 3; ++i) cell.contact_stress[i] = per_contacts * sums.virial[i];
    if (!(sums.mass > 0)) continue;
    cell.density = per_frame * sums.mass;
    cell.velocity = sums.momentum / sums.mass;
    for (std::size_t i = 0; i < 3; ++i) cell.kinetic_stress[i] = per_frame * sums.flux[i];
    add_product(cell.kinetic_stress, -cell.density, cell.velocity, cell.velocity);
    cell.temperature = std::max(0.0, trace(cell.kinetic_stress) / (3 * cell.density));
  }
  return cells;
}

CoarseFields::Totals CoarseFields::totals() const {
  if (frames_ == 0) return {};
  double mass = 0;
  for (const Sums& sums : sums_) mass += sums.mass;
  return {mass / frames_, mass_centred_ / frames_};
}

std::vector<double> CoarseFields::tally() const {
  std::vector<double> tally{frames_, contact_frames_, mass_centred_};
  const auto put = [&](const Vec3& v) { tally.insert(tally.end(), {v.x, v.y, v.z}); };
  for (const Sums& sums : sums_) {
    tally.push_back(sums.mass);
    put(sums.momentum);
    for (const Tensor& tensor : {sums.flux, sums.virial})
      for (const Vec3& row : tensor) put(row);
  }
  return tally;
}

void CoarseFields::restore(std::span<const double> tally) {
  constexpr std::size_t kHead = 3, kNumbers = 22;
  if (tally.size() != kHead + kNumbers * sums_.size())
    throw InputError(
        "the tally to continue is not one of fields on a grid with the same number of cells");
  frames_ = tally[0];
  contact_frames_ = tally[1];
  mass_centred_ = tally[2];
  auto next = tally.begin() + kHead;
  const auto take = [&](Vec3& v) {
    for (int i = 0; i < 3; ++i) v[i] = *next++;
  };
  for (Sums& sums : sums_) {
    sums.mass = *next++;
    take(sums.momentum);
    for (Tensor* tensor : {&sums.flux, &sums.virial})
      for (Vec3& row : *tensor) take(row);
  }
}

}  // namespace scree
