// Packs of an instruction set. The scalar set has packs of two, whose bits equal those of any
// other.
#pragma once

#include "scree/math/vec3_lanes.hpp"

namespace scree::kernels {
namespace {

constexpr int N = SCREE_LANES < 2 ? 2 : SCREE_LANES;
using Pack = Lanes<N>;
using Packs = Vec3Lanes<N>;

Pack all(double x) { return x - Pack{}; }
Packs all(const Vec3& v) { return {all(v.x), all(v.y), all(v.z)}; }

}  // namespace
}  // namespace scree::kernels
