/// Sweeps and Newton steps over few contacts that one dense matrix couples. Our own.
#include "solvers/methods/dense_contacts.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/methods/newton_functions.hpp"

namespace scree {

void DenseContacts::push(std::size_t coordinate, double d) {
  if (Y.empty()) {
    z[coordinate] += d;
    return;
  }
  const double* const column = &Y[coordinate * size()];
  for (std::size_t i = 0; i < z.size(); ++i) z[i] += d * column[i];
}

void DenseContacts::sweep() {
  for (Contact& c : contacts) {
    const Vec3 before = c.impulse, u = velocity_of(c);
    Vec3 x = before;
    std::visit([&](const auto& law) { law.solve(c.W, u - c.W * before, x); }, *c.law);
    const Vec3 d = x - before;
    if (d == Vec3{} || !is_finite(d)) continue;
    c.impulse = x;
    for (const Side& side : c.each_side()) {
      const auto& [first, width] = runs[side.run];
      for (std::size_t k = 0; k < width; ++k)
        push(first + k, side.J[0][k] * d.x + side.J[1][k] * d.y + side.J[2][k] * d.z);
    }
  }
  for (Drive& drive : drives) {
    const double before = drive.impulse;
    drive.impulse = drive.best(velocity_of(drive));
    push(coordinate_of(drive), drive.impulse - before);
  }
}

DenseContacts::Buffers& DenseContacts::buffers() {
  thread_local Buffers all;
  return all;
}

void DenseContacts::linearise_contacts(Buffers& with) const {
  with.linear.resize(contacts.size());
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const Contact& c = contacts[k];
    Linear& of = with.linear[k] = {c.impulse, {}};
    const Vec3 u = velocity_of(c);
    const Linearisation l = std::visit(
        [&](const auto& law) {
          return linearise(NewtonFunction::alart_curnier, law, c.W, u, c.impulse);
        },
        *c.law);
    if (!l.open) {
      const double s = compliance + shift_ * c.W.trace() / 3;
      const Eigen::Matrix3d inverse = (l.by_r + s * l.by_u).inverse(), C = inverse * l.by_u;
      const Eigen::Vector3d G = inverse * l.F;
      of.G = {G[0], G[1], G[2]};
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) of.C[i][j] = C(i, j);
    }
    add_impulse(c, of.G, with.impulse);
    if (!l.open) add_feedback(c, of.C, with.K);
  }
}

void DenseContacts::linearise_drives(Buffers& with) const {
  with.linear_drives.clear();
  for (const Drive& drive : drives) {
    const double u = velocity_of(drive), best = drive.best(u);
    LinearDrive of{drive.impulse - best, 0};
    if (best > drive.lower && best < drive.upper) {
      const double s = drive.compliance + shift_ * drive.W;
      of.G = u / s;
      of.C = 1 / s;
    }
    const std::size_t k = coordinate_of(drive);
    with.impulse[k] += of.G;
    with.K[k * (size() + 1)] += of.C;
    with.linear_drives.push_back(of);
  }
}

void DenseContacts::linearise_all(Buffers& with) const {
  with.K.assign(size() * size(), 0.0);
  with.impulse.assign(size(), 0.0);
  linearise_contacts(with);
  linearise_drives(with);
}

void DenseContacts::follow(Buffers& with) {
  with.impulse.assign(size(), 0.0);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    Contact& c = contacts[k];
    Linear& of = with.linear[k];
    const Vec3 moved = answer(c, with.dz);
    Vec3 d = -of.G;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) d[i] -= of.C[i][j] * moved[j];
    c.impulse += d;
    add_impulse(c, d, with.impulse);
  }
  for (std::size_t k = 0; k < drives.size(); ++k) {
    const auto& [G, C] = with.linear_drives[k];
    const std::size_t coordinate = coordinate_of(drives[k]);
    const double d = -G - C * with.dz[coordinate];
    drives[k].impulse += d;
    with.impulse[coordinate] += d;
  }
  // Compute velocities from impulses: dz differs from them in the last bits.
  add_answer(with.impulse, z);
}

bool DenseContacts::newton(Buffers& with, double squared_before) {
  linearise_all(with);
  fill_answer_to(with.K, 1, with.elimination.clear(size()));
  if (!with.elimination.factorise(*kernels)) return false;
  with.dz.assign(size(), 0.0);
  add_answer(with.impulse, with.dz);
  for (double& x : with.dz) x = -x;
  with.elimination.solve(with.dz);
  keep(with.before);
  follow(with);
  if (squared_residual() < squared_before) return true;
  restore(with.before);
  return false;
}

void DenseContacts::keep(State& state) const {
  state.z = z;
  state.impulses.clear();
  for (const Contact& c : contacts) state.impulses.push_back(c.impulse);
  state.of_drives.clear();
  for (const Drive& drive : drives) state.of_drives.push_back(drive.impulse);
}
void DenseContacts::restore(const State& state) {
  z = state.z;
  for (std::size_t k = 0; k < contacts.size(); ++k) contacts[k].impulse = state.impulses[k];
  for (std::size_t k = 0; k < drives.size(); ++k) drives[k].impulse = state.of_drives[k];
}

double DenseContacts::speed() const {
  double largest = 0;
  for (const Contact& c : contacts)
    largest = std::max(largest, norm(c.velocity) + c.W.trace() / 3 * norm(c.impulse));
  for (const Drive& drive : drives)
    largest = std::max(largest, std::abs(drive.velocity) + drive.W * std::abs(drive.impulse));
  return largest;
}

bool DenseContacts::polish(Buffers& with, double allowed) {
  const double target = kPolishedResidual * speed();
  keep(with.start);
  shift_ = 0;
  const double at_start = squared_residual();
  double squared = at_start;
  for (int k = 0; k < kMaxPolishSteps && !(squared <= target * target); ++k) {
    const double before = squared;
    if (!newton(with, std::numeric_limits<double>::infinity())) break;
    squared = squared_residual();
    if (squared <= allowed * allowed && squared > before / 4) break;
  }
  // A sweep leaves impulses that the laws allow.
  sweep();
  squared = squared_residual();
  if (!(squared <= at_start)) restore(with.start);
  return squared <= allowed * allowed;
}

void DenseContacts::reach(Buffers& with, double allowed, bool rest) {
  shift_ = kFirstNewtonShift;
  bool interior = true;
  const double interior_allowed = kInteriorToleranceFraction * allowed;
  for (int k = 0; k < kMaxDenseSweeps; ++k) {
    sweep();
    const double squared = squared_residual();
    if (squared <= allowed * allowed || k + 1 == kMaxDenseSweeps) return;
    if (rest) {
      rest = interior = false;
      with.interior.solve(*this, interior_allowed, DenseInterior::Law::relaxed);
      if (squared_residual() > allowed * allowed)
        with.interior.solve(*this, interior_allowed, DenseInterior::Law::coulomb);
    } else if (interior && (k >= kMaxDenseNewtonSteps || shift_ > kMaxNewtonShift)) {
      interior = false;
      with.interior.solve(*this, interior_allowed, DenseInterior::Law::coulomb);
      shift_ = kFirstNewtonShift;
    } else if (shift_ <= kMaxNewtonShift) {
      shift_ = newton(with, squared) ? std::max(shift_ / kNewtonShiftFactor, kMinNewtonShift)
                                     : shift_ * kNewtonShiftFactor;
    }
  }
}

bool DenseContacts::slips() const {
  const double still = std::sqrt(kPolishedResidual) * speed();
  return std::ranges::any_of(contacts, [&](const Contact& c) {
    return c.impulse.x > 0 && tangential_norm(velocity_of(c)) > still;
  });
}

void DenseContacts::rest_where_friction_can_hold(Buffers& with, double allowed) {
  keep(with.found);
  restore(with.at_first);
  with.interior.solve(*this, kInteriorToleranceFraction * allowed, DenseInterior::Law::relaxed);
  if (squared_residual() > allowed * allowed || !polish(with, allowed)) restore(with.found);
}

void DenseContacts::sweep_only(double allowed) {
  for (int k = 0; k < kMaxDenseSweeps; ++k) {
    centre_at_impulses();
    sweep();
    centre_at_impulses();
    if (squared_residual() <= allowed * allowed) return;
  }
}

void DenseContacts::solve(Start start, double allowed) {
  centre_at_impulses();
  const bool may_stay = start == Start::again || start == Start::sweeps;
  if (may_stay && squared_residual() <= allowed * allowed) return;
  if (start == Start::sweeps || size() > kMaxEliminatedCoordinates) {
    sweep_only(allowed);
    return;
  }
  Buffers& with = buffers();
  // Later solves of the step keep to the answer of the first: drives have found their bounds by it.
  if (start == Start::of_step) centre_at_zero();
  keep(with.at_first);
  if (!polish(with, allowed)) {
    reach(with, allowed, touch_each_other());
    polish(with, allowed);
  } else if (seeks_rest && touch_each_other() && slips()) {
    rest_where_friction_can_hold(with, allowed);
  }
  const double target = std::min(allowed, kCentredResidual * speed());
  for (int k = 0; k < kMaxCentrings; ++k) {
    centre_at_impulses();
    if (squared_residual() <= target * target) return;
    polish(with, allowed);
  }
  centre_at_impulses();
  if (squared_residual() > allowed * allowed) reach(with, allowed, touch_each_other());
}

}  // namespace scree
