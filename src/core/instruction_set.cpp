#include "scree/core/instruction_set.hpp"

#include <array>

namespace scree {
namespace {

constexpr std::array kAllInstructionSets{InstructionSet::scalar, InstructionSet::avx2,
                                         InstructionSet::avx512};

/// Number of instruction sets that this machine can run.
std::size_t count_here() {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2")) return 1;
  const bool wider = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                     __builtin_cpu_supports("avx512vl");
  return wider ? 3 : 2;
#else
  return 1;
#endif
}

}  // namespace

std::string_view name(InstructionSet set) {
  constexpr std::array<std::string_view, kAllInstructionSets.size()> kNames{"scalar", "avx2",
                                                                            "avx512"};
  return kNames[static_cast<std::size_t>(set)];
}

std::span<const InstructionSet> instruction_sets() {
  static const std::size_t count = count_here();
  return std::span(kAllInstructionSets).first(count);
}

InstructionSet widest_instruction_set() { return instruction_sets().back(); }

}  // namespace scree
