/// Instruction sets that kernels are compiled for. Results have the same bits on all of them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace scree {

enum class InstructionSet : std::uint8_t { scalar, avx2, avx512 };
std::string_view name(InstructionSet set);

/// Instruction sets that this machine can run, narrowest first.
std::span<const InstructionSet> instruction_sets();
InstructionSet widest_instruction_set();

}  // namespace scree
