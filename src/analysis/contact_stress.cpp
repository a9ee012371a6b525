/// Stress, fabric and distribution of contact forces in a region.
#include "scree/analysis/contact_stress.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/branches.hpp"
#include "scree/core/decimal.hpp"
#include "scree/core/error.hpp"

namespace scree {
namespace {

/// Fraction of the line from a to b in the region.
double fraction_in(const Region& region, const Vec3& a, const Vec3& b) {
  double enter = 0, leave = 1;
  for (int k = 0; k < 3; ++k) {
    const double span = b[k] - a[k];
    if (span == 0) {
      if (!(a[k] >= region.min[k] && a[k] < region.max[k])) return 0;
      continue;
    }
    const double at_min = (region.min[k] - a[k]) / span, at_max = (region.max[k] - a[k]) / span;
    enter = std::max(enter, std::min(at_min, at_max));
    leave = std::min(leave, std::max(at_min, at_max));
  }
  return std::max(0.0, leave - enter);
}

}  // namespace

ContactStress contact_stress(const Bodies& bodies, std::span<const ContactRecord> contacts,
                             double h, const Region& region, const Domain& domain) {
  if (!(region.volume() > 0))
    throw InputError("the region of a stress is empty; give one with a volume");
  if (!(h > 0))
    throw InputError("a stress needs the time step h > 0, by which impulses are divided");
  ContactStress result;
  const Branches branches(bodies, domain);
  const auto add = [&](const ContactRecord& contact, const Branch& branch) {
    const Vec3 inside = fraction_in(region, branch.from, branch.to) * (branch.to - branch.from);
    for (int i = 0; i < 3; ++i)
      result.stress[static_cast<std::size_t>(i)] += inside[i] * contact.impulse;
    if (!is_loaded_in(region, contact, branch)) return;
    ++result.contacts;
    const Vec3& n = contact.normal;
    SymMat3& f = result.fabric;
    f.xx += n.x * n.x, f.xy += n.x * n.y, f.xz += n.x * n.z, f.yy += n.y * n.y, f.yz += n.y * n.z,
        f.zz += n.z * n.z;
  };
  for (const ContactRecord& contact : contacts)
    branches.for_each_image(contact, region, [&](const Branch& branch) { add(contact, branch); });
  for (Vec3& row : result.stress) row *= 1 / (h * region.volume());
  if (result.contacts > 0) {
    SymMat3& f = result.fabric;
    for (double* entry : {&f.xx, &f.xy, &f.xz, &f.yy, &f.yz, &f.zz})
      *entry /= static_cast<double>(result.contacts);
  }
  return result;
}

ForceDistribution::ForceDistribution(double x_max, std::size_t bins)
    : x_max_(x_max), counts_(bins, 0) {
  if (!(x_max > 0) || bins == 0)
    throw InputError("a distribution of forces needs a range > 0 and at least one bin");
}

void ForceDistribution::add(const Bodies& bodies, std::span<const ContactRecord> contacts,
                            const Region& region, const Domain& domain) {
  const Branches branches(bodies, domain);
  std::vector<double> forces;
  for (const ContactRecord& contact : contacts)
    branches.for_each_image(contact, region, [&](const Branch& branch) {
      if (is_loaded_in(region, contact, branch)) forces.push_back(norm(contact.impulse));
    });
  contacts_ += forces.size();
  const double mean =
      std::accumulate(forces.begin(), forces.end(), 0.0) / static_cast<double>(forces.size());
  for (const double force : forces) {
    const double bin = force / mean / x_max_ * static_cast<double>(counts_.size());
    if (bin < static_cast<double>(counts_.size())) ++counts_[static_cast<std::size_t>(bin)];
  }
}

std::vector<double> ForceDistribution::tally() const {
  std::vector<double> tally{static_cast<double>(contacts_)};
  tally.insert(tally.end(), counts_.begin(), counts_.end());
  return tally;
}

void ForceDistribution::restore(std::span<const double> tally) {
  if (tally.size() != 1 + counts_.size())
    throw InputError(
        "the tally to continue is not a distribution of forces with the same number of bins");
  contacts_ = static_cast<std::uint64_t>(tally[0]);
  for (std::size_t k = 0; k < counts_.size(); ++k)
    counts_[k] = static_cast<std::uint64_t>(tally[1 + k]);
}

std::vector<ForceDistribution::Bin> ForceDistribution::bins() const {
  const double width = x_max_ / static_cast<double>(counts_.size());
  std::vector<Bin> bins;
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    const double share =
        contacts_ == 0 ? 0 : static_cast<double>(counts_[k]) / static_cast<double>(contacts_);
    bins.push_back({decimal_multiple(k, x_max_, counts_.size()),
                    decimal_multiple(k + 1, x_max_, counts_.size()), counts_[k], share / width});
  }
  return bins;
}

}  // namespace scree
