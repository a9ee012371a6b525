#include "solvers/explicit/pivoting.hpp"

#include <cmath>
#include <numbers>
#include <type_traits>

#include "scree/math/lcp.hpp"

namespace scree {
namespace {

/// One unknown of the percussion: a length along a direction of a block's frame.
struct Generator {
  int row;  ///< first of its block
  Vec3 direction;
};

}  // namespace

bool pivot(int facets, Vector& r, Progress& progress) {
  const System& system = progress.system();
  // Percussions: r_n, and β_k ≥ 0 along each corner of the polygon. Slip λ ≥ 0 of each contact with friction.
  std::vector<Generator> generators;
  struct Contact {
    int normal, first, count;
    double mu;
  };
  std::vector<Contact> contacts;
  bool unsuited = false;
  system.for_each_block([&]<class Law>(const Law& law, int block) {
    const int row = system.first_row(block);
    // The relaxation of a polyhedral cone is another problem, in the lengths along its edges alone.
    if constexpr (std::is_same_v<Law, JointRows> || std::is_same_v<Law, ConeComplementarity>) {
      unsuited = true;
    } else {
      double mu = 0;
      int corners = facets;
      if constexpr (!std::is_same_v<Law, Frictionless>) mu = law.mu;
      if constexpr (std::is_same_v<Law, Polyhedral>) corners = law.facets;
      Contact contact{static_cast<int>(generators.size()), static_cast<int>(generators.size()) + 1,
                      mu > 0 ? corners : 0, mu};
      generators.push_back({row, {1, 0, 0}});
      for (int k = 0; k < contact.count; ++k) {
        const double angle = 2 * std::numbers::pi * k / corners;
        generators.push_back({row, {0, std::cos(angle), std::sin(angle)}});
      }
      contacts.push_back(contact);
    }
  });
  std::size_t slips = 0;
  for (const Contact& c : contacts) slips += c.count > 0;
  const std::size_t unknowns = generators.size(), n = unknowns + slips;
  if (unsuited || n > static_cast<std::size_t>(kMostPivotRows)) return false;

  Lcp lcp;
  lcp.M.assign(n * n, 0), lcp.q.assign(n, 0);
  Vector unit = Vector::Zero(system.rows());
  const auto along = [](const Generator& g, const Vector& u) {
    return u[g.row] * g.direction.x + u[g.row + 1] * g.direction.y + u[g.row + 2] * g.direction.z;
  };
  for (std::size_t j = 0; j < unknowns; ++j) {
    System::put(unit, generators[j].row, generators[j].direction);
    const Vector u = system.velocity(unit) - system.q();
    System::put(unit, generators[j].row, {});
    for (std::size_t i = 0; i < unknowns; ++i) lcp.M[i * n + j] = along(generators[i], u);
    lcp.q[j] = along(generators[j], system.q());
  }
  std::size_t slip = unknowns;
  for (const Contact& c : contacts) {
    if (c.count == 0) continue;
    lcp.M[slip * n + c.normal] = c.mu;
    for (int k = c.first; k < c.first + c.count; ++k) lcp.M[k * n + slip] = 1, lcp.M[slip * n + k] = -1;
    ++slip;
  }
  // Rows of one size: z = S y, with S M S of diagonal one.
  std::vector<double> scale(n, 1);
  for (std::size_t j = 0; j < unknowns; ++j)
    if (lcp.M[j * n + j] > 0) scale[j] = 1 / std::sqrt(lcp.M[j * n + j]);
  slip = unknowns;
  for (const Contact& c : contacts)
    if (c.count > 0) scale[slip++] = 1 / scale[c.first];
  Lcp scaled = lcp;
  for (std::size_t i = 0; i < n; ++i) {
    scaled.q[i] *= scale[i];
    for (std::size_t j = 0; j < n; ++j) scaled.M[i * n + j] *= scale[i] * scale[j];
  }
  // No ray can end the path, M being copositive, but rounding can; the path without scaling is another one.
  LemkeResult result = solve_lemke(scaled);
  if (result.status == LcpStatus::solved)
    for (std::size_t j = 0; j < n; ++j) result.point.z[j] *= scale[j];
  else
    result = solve_lemke(lcp);
  if (result.status != LcpStatus::solved) return progress.book(r, result.pivots), true;
  r.setZero();
  for (std::size_t j = 0; j < unknowns; ++j)
    System::put(r, generators[j].row, System::at(r, generators[j].row) + result.point.z[j] * generators[j].direction);
  progress.book(r, result.pivots);
  return true;
}

}  // namespace scree
