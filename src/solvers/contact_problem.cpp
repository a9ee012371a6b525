/// Reading and writing single lanes of blocks.
#include "scree/solvers/contact_problem.hpp"

namespace scree {

ContactRows ContactBlock::contact(int lane) const {
  ContactRows c{.a = a[lane], .b = b[lane], .law = law};
  c.locked_a = locked_a[lane];
  c.locked_b = locked_b[lane];
  for (int row = 0; row < 3; ++row) {
    for (int k = 0; k < 3; ++k) {
      c.axis[row][k] = axis[row][k][lane];
      c.jw_a[row][k] = jw_a[row][k][lane];
      c.jw_b[row][k] = jw_b[row][k][lane];
    }
    c.bias[row] = bias[row][lane];
    c.impulse[row] = impulse[row][lane];
  }
  c.W = {W[0][lane], W[1][lane], W[2][lane], W[3][lane], W[4][lane], W[5][lane]};
  return c;
}

void ContactBlock::set(int lane, const ContactRows& c) {
  a[lane] = c.a;
  b[lane] = c.b;
  locked_a[lane] = c.locked_a;
  locked_b[lane] = c.locked_b;
  any_locked = any_locked || c.locked_a || c.locked_b;
  for (int row = 0; row < 3; ++row) {
    for (int k = 0; k < 3; ++k) {
      axis[row][k][lane] = c.axis[row][k];
      jw_a[row][k][lane] = c.jw_a[row][k];
      jw_b[row][k][lane] = c.jw_b[row][k];
    }
    bias[row][lane] = c.bias[row];
    impulse[row][lane] = c.impulse[row];
  }
  const double entries[6] = {c.W.xx, c.W.xy, c.W.xz, c.W.yy, c.W.yz, c.W.zz};
  for (int k = 0; k < 6; ++k) W[k][lane] = entries[k];
}

void ContactBlock::clear(BodyIndex at_rest) {
  *this = {};
  std::ranges::fill(a, at_rest);
  std::ranges::fill(b, at_rest);
  // Any positive definite W will do: q = 0 gives r = 0.
  for (const int entry : {0, 3, 5}) std::ranges::fill(W[entry], 1.0);
}

ContactBlock ContactBlock::empty(std::uint32_t law, std::uint32_t stack, BodyIndex at_rest) {
  ContactBlock block;
  block.clear(at_rest);
  block.law = law;
  block.stack = stack;
  block.rolling = kNone;
  return block;
}

RollingRows RollingBlock::rows(int lane) const {
  RollingRows r;
  for (int row = 0; row < 3; ++row) {
    for (int k = 0; k < 3; ++k) {
      r.jw_a[row][k] = jw_a[row][k][lane];
      r.jw_b[row][k] = jw_b[row][k][lane];
    }
    r.bias[row] = bias[row][lane];
    r.impulse[row] = impulse[row][lane];
  }
  r.W_nn = W[0][lane];
  r.W_yy = W[1][lane];
  r.W_yz = W[2][lane];
  r.W_zz = W[3][lane];
  r.spinning = spinning[lane];
  r.rolling = rolling[lane];
  r.lever = lever[lane];
  return r;
}

void RollingBlock::set(int lane, BodyIndex body_a, BodyIndex body_b, const RollingRows& r) {
  a[lane] = body_a;
  b[lane] = body_b;
  for (int row = 0; row < 3; ++row) {
    for (int k = 0; k < 3; ++k) {
      jw_a[row][k][lane] = r.jw_a[row][k];
      jw_b[row][k][lane] = r.jw_b[row][k];
    }
    bias[row][lane] = r.bias[row];
    impulse[row][lane] = r.impulse[row];
  }
  const double entries[4] = {r.W_nn, r.W_yy, r.W_yz, r.W_zz};
  for (int k = 0; k < 4; ++k) W[k][lane] = entries[k];
  spinning[lane] = r.spinning;
  rolling[lane] = r.rolling;
  lever[lane] = r.lever;
}

RollingBlock RollingBlock::empty(std::uint32_t contacts, BodyIndex at_rest) {
  RollingBlock block{};
  block.contacts = contacts;
  std::ranges::fill(block.a, at_rest);
  std::ranges::fill(block.b, at_rest);
  for (const int entry : {0, 1, 3}) std::ranges::fill(block.W[entry], 1.0);
  std::ranges::fill(block.lever, 1.0);
  return block;
}

}  // namespace scree
