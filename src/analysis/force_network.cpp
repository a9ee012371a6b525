#include "scree/analysis/force_network.hpp"

#include <cmath>

#include "analysis/branches.hpp"
#include "scree/core/error.hpp"

namespace scree {

ForceNetwork force_network(const Bodies& bodies, std::span<const ContactRecord> contacts, double h,
                           const Region& region, const Domain& domain) {
  if (!(h > 0)) throw InputError("forces need the time step h > 0, by which impulses are divided");
  ForceNetwork network;
  const Branches branches(bodies, domain);
  std::vector<double> virial;  // l·f of each line [J]
  double sum = 0;
  const auto add = [&](const ContactRecord& contact, const Branch& branch) {
    if (!is_loaded_in(region, contact, branch)) return;
    const double normal = dot(contact.impulse, contact.normal) / h;
    network.lines.push_back({branch.from, branch.to, normal,
                             norm(contact.impulse / h - normal * contact.normal), false});
    virial.push_back(dot(branch.to - branch.from, contact.impulse) / h);
    sum += normal;
    network.max_normal_force = std::max(network.max_normal_force, normal);
  };
  for (const ContactRecord& contact : contacts)
    branches.for_each_image(contact, region, [&](const Branch& branch) { add(contact, branch); });
  if (network.lines.empty()) return network;

  network.mean_normal_force = sum / static_cast<double>(network.lines.size());
  double of_strong = 0, of_all = 0;
  for (std::size_t k = 0; k < network.lines.size(); ++k) {
    ForceLine& line = network.lines[k];
    line.strong = line.normal_force > network.mean_normal_force;
    network.strong += line.strong ? 1 : 0;
    of_strong += line.strong ? virial[k] : 0;
    of_all += virial[k];
  }
  network.pressure_share = of_all != 0 ? of_strong / of_all : 0;
  return network;
}

}  // namespace scree
