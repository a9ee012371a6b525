/// Contacts of an island of joints, solved with the island: sweeps that alternate between feet and
/// legs would need hundreds. Held rows, and drives that are at no bound, are eliminated from the
/// mobility of contact bodies, such as feet. DenseContacts solves the rest. Our own.
#include <algorithm>
#include <tuple>
#include <utility>

#include "solvers/kernels/contact_kernels.hpp"
#include "solvers/methods/joint_island.hpp"

namespace scree {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

bool has_own_rule(const AnyLaw& law) {
  return std::visit([]<class Law>(const Law&) { return Law::traits.rule == Rule::own; }, law);
}

}  // namespace

void JointIsland::add_contact(const ContactProblem& problem, std::uint32_t block, int lane,
                              std::size_t of_body, std::size_t with_body) {
  const std::size_t slot = std::size_t{kBlock} * block + static_cast<std::size_t>(lane);
  const std::uint64_t key = problem.contact_keys.empty() ? slot : problem.contact_keys[slot];
  candidates_.push_back({block, lane, std::min(of_body, with_body), std::max(of_body, with_body),
                         key, problem.contact_blocks[block].impulse[0][lane]});
}

void JointIsland::choose_contacts(const ContactProblem& problem) {
  const auto by_key = [](const Candidate& one, const Candidate& other) {
    return std::tie(one.of_body, one.with_body, one.key) <
           std::tie(other.of_body, other.with_body, other.key);
  };
  const auto by_load = [&](const Candidate& one, const Candidate& other) {
    return one.last_normal_impulse > other.last_normal_impulse ||
           (one.last_normal_impulse == other.last_normal_impulse && by_key(one, other));
  };
  if (candidates_.size() > kMaxIslandContacts) {
    std::ranges::nth_element(candidates_, candidates_.begin() + kMaxIslandContacts, by_load);
    candidates_.resize(kMaxIslandContacts);
  }
  std::ranges::sort(candidates_, by_key);
  contacts_.clear();
  for (const Candidate& chosen : candidates_)
    contacts_.push_back({.block = chosen.block,
                         .lane = chosen.lane,
                         .rows = problem.contact_blocks[chosen.block].contact(chosen.lane),
                         .before = {}});
  find_contact_bodies(problem);
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    contacts_[k].contact_body = contact_body_of(candidates_[k].of_body);
    contacts_[k].with_contact_body = contact_body_of(candidates_[k].with_body);
  }
}

JointBlock JointIsland::rows_of_body(const ContactProblem& problem, const ContactRows& c,
                                     bool is_b) {
  JointBlock rows{
      .a = is_b ? problem.at_rest() : c.a, .b = is_b ? c.b : problem.at_rest(), .rows = 3};
  for (int k = 0; k < 3; ++k) {
    rows.axis[k] = c.axis[k];
    rows.jw_a[k] = c.jw_a[k];
    rows.jw_b[k] = c.jw_b[k];
  }
  rows.locked_a = c.locked_a;
  rows.locked_b = c.locked_b;
  return rows;
}

std::size_t JointIsland::contact_body_of(std::size_t of_body) const {
  if (of_body == kNone) return kNone;
  const auto found = std::ranges::lower_bound(contact_bodies_, of_body, {}, &ContactBody::of_body);
  return static_cast<std::size_t>(found - contact_bodies_.begin());
}

void JointIsland::find_contact_bodies(const ContactProblem& problem) {
  constexpr Vec3 kAxes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  ends_.clear();
  for (std::size_t k = 0; k < candidates_.size(); ++k)
    for (const std::size_t body : {candidates_[k].of_body, candidates_[k].with_body})
      if (body != kNone) ends_.push_back({body, k});
  std::ranges::sort(ends_);
  contact_bodies_.clear();
  for (std::size_t first = 0, end = 0; first < ends_.size(); first = end) {
    const auto [of_body, candidate] = ends_[first];
    while (end < ends_.size() && ends_[end].first == of_body) ++end;
    const BodyIndex body = bodies_[of_body].body;
    const ContactRows& contact = contacts_[candidate].rows;
    const bool is_b = contact.b == body;
    if (end - first == 1) {
      contact_bodies_.push_back({of_body, rows_of_body(problem, contact, is_b)});
      continue;
    }
    JointBlock rows{.a = problem.at_rest(), .b = body, .rows = DenseContacts::kMaxWidth};
    for (int k = 0; k < 3; ++k) rows.axis[k] = rows.jw_b[3 + k] = kAxes[k];
    rows.locked_b = is_b ? contact.locked_b : contact.locked_a;
    contact_bodies_.push_back({of_body, rows});
  }
}

void JointIsland::lay_out_contacts(const ContactProblem& problem) {
  dense_.runs.clear();
  dense_.contacts.clear();
  dense_.seeks_rest = true;
  std::size_t first = 0;
  for (const ContactBody& contact_body : contact_bodies_) {
    const auto width = static_cast<std::size_t>(contact_body.rows.rows);
    dense_.runs.push_back({first, width});
    first += width;
  }
  for (const Contact& c : contacts_) {
    DenseContacts::Contact& of = dense_.contacts.emplace_back();
    of.law = &problem.laws[problem.contact_blocks[c.block].law];
    for (const std::size_t contact_body : {c.contact_body, c.with_contact_body}) {
      if (contact_body == kNone) continue;
      const bool is_b = c.rows.b == bodies_[contact_bodies_[contact_body].of_body].body,
                 only_contact = dense_.runs[contact_body].width == 3;
      DenseContacts::Side& side = of.side[of.sides++];
      side.run = contact_body;
      for (int row = 0; row < 3; ++row)
        for (int k = 0; k < 3; ++k) {
          const auto linear = static_cast<std::size_t>(k), angular = linear + 3;
          side.J[row][angular] = only_contact ? 0 : (is_b ? c.rows.jw_b : c.rows.jw_a)[row][k];
          side.J[row][linear] =
              only_contact ? (row == k ? 1 : 0) : (is_b ? 1 : -1) * c.rows.axis[row][k];
        }
    }
  }
}

void JointIsland::reduce_contacts(const ContactProblem& problem) {
  lay_out_contacts(problem);
  const std::size_t n = dense_.size();
  kept_for_.reset();
  solved_ = 0;
  of_contact_bodies_.begin(held_.size());
  for (std::size_t f = 0; f < contact_bodies_.size(); ++f) {
    OfBody& of = bodies_[contact_bodies_[f].of_body];
    lay_out_reach(problem, of);
    of_contact_bodies_.add_columns(of.reach, dense_.runs[f].first, dense_.runs[f].width);
  }
  of_contact_bodies_.make_room();
  Y_zz_.assign(n * n, 0.0);
  Y_dz_.assign(n * coordinates(), 0.0);
  if (n == 0) return;
  for (std::size_t f = 0; f < contact_bodies_.size(); ++f) add_contact_body(problem, f);
  W_.forward(of_contact_bodies_, *dense_.kernels);
  W_.take_products(of_contact_bodies_, of_contact_bodies_, Y_zz_.data(), n, *dense_.kernels);
  W_.take_products(of_drives_, of_contact_bodies_, Y_dz_.data(), n, *dense_.kernels);
  for (std::size_t p = 0; p < n; ++p)
    for (std::size_t c = 0; c < p; ++c) Y_zz_[p * n + c] = Y_zz_[c * n + p];
}

/// Fills W of a contact body with itself, and with the rows of its joints.
void JointIsland::add_contact_body(const ContactProblem& problem, std::size_t contact_body) {
  const JointBlock& rows = contact_bodies_[contact_body].rows;
  const OfBody& of = bodies_[contact_bodies_[contact_body].of_body];
  const std::size_t n = dense_.size();
  const std::size_t first = dense_.runs[contact_body].first,
                    width = dense_.runs[contact_body].width;
  const DelassusBlock own = delassus(problem, rows, rows);
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t k = 0; k <= i; ++k) Y_zz_[(first + k) * n + first + i] = own[i][k];
  const auto for_each_row = [&](const std::vector<Member>& joints, auto&& f) {
    for (const Member& joint : joints) {
      const JointBlock& block = problem.joints[joint.joint];
      const DelassusBlock W = delassus(problem, rows, block);
      for (int k = 0; k < block.directions(); ++k)
        for (std::size_t i = 0; i < width; ++i)
          f(joint, k, first + i, W[i][static_cast<std::size_t>(k)]);
    }
  };
  for_each_row(of.held, [&](const Member& joint, int row, std::size_t column, double value) {
    of_contact_bodies_.at(position_of(static_cast<int>(joint.first) + row), column) = value;
  });
  for_each_row(of.driven, [&](const Member& joint, int, std::size_t column, double value) {
    Y_dz_[static_cast<std::size_t>(coordinate_of(joint)) * n + column] = value;
  });
}

void JointIsland::gather_contacts(const ContactProblem& problem) {
  std::vector<double>& moved = dense_.z;
  moved.assign(dense_.size(), 0.0);
  of_contact_bodies_.take_products(half_solved_, moved);
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    Contact& contact = contacts_[k];
    DenseContacts::Contact& of = dense_.contacts[k];
    const ContactBlock& block = problem.contact_blocks[contact.block];
    // The bias of an impact's phase differs from that of the step: read it from the block.
    Vec3 bias;
    for (int row = 0; row < 3; ++row) {
      bias[row] = block.bias[row][contact.lane];
      contact.before[row] = of.impulse[row] = block.impulse[row][contact.lane];
    }
    of.velocity =
        kernels::relative_velocity(problem.bodies, contact.rows) + bias + dense_.answer(of, moved);
  }
}

void JointIsland::keep_drives() {
  kept_for_ = bounded_.factorisations();
  dense_.Y = Y_zz_;
  if (!driven_.empty()) bounded_.take_free(Y_dz_, dense_.size(), dense_.Y, *dense_.kernels);
  prepare(dense_);
}

void JointIsland::prepare(DenseContacts& dense) const {
  dense.prepare();
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Contact& contact = contacts_[k];
    DenseContacts::Contact& of = dense.contacts[k];
    // The solution of such a law depends on W; take the W of the two bodies alone.
    if (has_own_rule(*of.law)) of.W = contact.rows.W;
  }
  dense.add_compliance(dense_.smallest_mobility());
}

void JointIsland::lay_out_with_drives() {
  const std::size_t n = dense_.size(), drives = driven_.size(), size = n + drives;
  DenseContacts& all = with_drives_;
  all.kernels = dense_.kernels;
  all.runs = dense_.runs;
  all.contacts = dense_.contacts;
  all.drives.clear();
  all.Y.resize(size * size);
  for (std::size_t p = 0; p < n; ++p) std::copy_n(&Y_zz_[p * n], n, &all.Y[p * size]);
  const Eigen::MatrixXd& S = bounded_.matrix();
  const VectorXd& own = bounded_.softness();
  bounded_.add_up(start_, sums_);
  u_c_.noalias() = S * sums_;
  for (std::size_t d = 0; d < drives; ++d) {
    const auto i = static_cast<Index>(d), c = bounded_.coordinate_of(i);
    const double u = q_[i] + u_c_[c] + own[i] * start_[i];
    all.drives.push_back({all.runs.size(), u, r_[i], lower_[i], upper_[i]});
    all.runs.push_back({n + d, 1});
    for (std::size_t p = 0; p < n; ++p)
      all.Y[p * size + n + d] = all.Y[(n + d) * size + p] =
          Y_dz_[static_cast<std::size_t>(c) * n + p];
    for (std::size_t k = 0; k < drives; ++k)
      all.Y[(n + d) * size + n + k] =
          S(c, bounded_.coordinate_of(static_cast<Index>(k))) + (k == d ? own[i] : 0);
  }
  body_impulse_.resize(size);
  for (std::size_t d = 0; d < drives; ++d)
    body_impulse_[n + d] = r_[static_cast<Index>(d)] - start_[static_cast<Index>(d)];
  all.z.assign(size, 0.0);
  all.add_answer(body_impulse_, all.z);
  prepare(all);
}

void JointIsland::relax_with_drives(double allowed) {
  find_body_impulse();
  lay_out_with_drives();
  with_drives_.solve(DenseContacts::Start::onward, allowed);
  for (std::size_t k = 0; k < contacts_.size(); ++k)
    dense_.contacts[k].impulse = with_drives_.contacts[k].impulse;
  for (std::size_t d = 0; d < driven_.size(); ++d)
    r_[static_cast<Index>(d)] = with_drives_.drives[d].impulse;
}

void JointIsland::find_body_impulse() {
  body_impulse_.assign(dense_.size(), 0.0);
  for (std::size_t k = 0; k < contacts_.size(); ++k)
    dense_.add_impulse(dense_.contacts[k], dense_.contacts[k].impulse - contacts_[k].before,
                       body_impulse_);
}

void JointIsland::relax_driven(double allowed) {
  const std::size_t n = dense_.size(), drives = driven_.size();
  for (int round = 0; round < kMaxDriveRounds; ++round) {
    // Solve drives with the impulses of contacts fixed.
    find_body_impulse();
    u_c_.setZero();
    for (std::size_t c = 0; c < coordinates(); ++c)
      for (std::size_t p = 0; p < n; ++p)
        u_c_[static_cast<Index>(c)] += Y_dz_[c * n + p] * body_impulse_[p];
    for (Index d = 0; d < q_.size(); ++d) q_now_[d] = q_[d] + u_c_[bounded_.coordinate_of(d)];
    if (drives > 0) bounded_.solve(q_now_, lower_, upper_, r_);
    if (n == 0 || (round > 0 && kept_for_ == bounded_.factorisations())) return;
    // Solve contacts; the drives that are at no bound follow them.
    if (kept_for_ != bounded_.factorisations()) keep_drives();
    dense_.z.assign(n, 0.0);
    find_change();
    for (std::size_t c = 0; c < coordinates(); ++c)
      for (std::size_t p = 0; p < n; ++p)
        dense_.z[p] += sums_[static_cast<Index>(c)] * Y_dz_[c * n + p];
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t p = 0; p < n; ++p) dense_.z[p] += body_impulse_[k] * Y_zz_[k * n + p];
    using Start = DenseContacts::Start;
    // Drives find their bounds by the impulses of contacts: with drives, these go on from the last.
    dense_.solve(solved_ == 0 ? (drives == 0 ? Start::of_step : Start::onward)
                 : solved_ < kMaxDirectContactSolves ? Start::again
                                                     : Start::sweeps,
                 allowed);
    ++solved_;
    if (drives == 0) return;
  }
  if (n + drives <= kMaxEliminatedCoordinates) relax_with_drives(allowed);
}

void JointIsland::add_contacts(ContactProblem& problem) const {
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Contact& contact = contacts_[c];
    ContactBlock& block = problem.contact_blocks[contact.block];
    const Vec3& r = dense_.contacts[c].impulse;
    for (int row = 0; row < 3; ++row) block.impulse[row][contact.lane] = r[row];
    kernels::add_impulse(problem.bodies, problem.free_bodies, contact.rows, r - contact.before);
  }
}

}  // namespace scree
