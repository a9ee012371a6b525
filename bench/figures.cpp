#include "figures.hpp"

#include <benchmark/benchmark.h>
#include <fstream>
#include <string_view>

#include "scree/core/instruction_set.hpp"

namespace scree {
namespace {

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

const bool machine_is_told = (benchmark::AddCustomContext("machine", machine()), true);

}  // namespace

std::string machine() { return cpu_model() + ", " + std::string(name(widest_instruction_set())); }

void Figures::write(int argc, char** argv) const {
  constexpr std::string_view kOption = "--benchmark_out=";
  for (int k = 1; k < argc; ++k) {
    const std::string_view argument = argv[k];
    if (!argument.starts_with(kOption)) continue;
    std::ofstream file{std::string(argument.substr(kOption.size()))};
    file << "{\"context\": {\"machine\": \"" << machine() << "\"}, \"benchmarks\": [";
    const char* separator = "\n";
    for (const auto& [name, nanoseconds] : times_) {
      file << separator << "{\"name\": \"" << name << "\", \"run_type\": \"iteration\", "
           << "\"real_time\": " << nanoseconds << ", \"time_unit\": \"ns\"}";
      separator = ",\n";
    }
    file << "\n]}\n";
  }
}

}  // namespace scree
