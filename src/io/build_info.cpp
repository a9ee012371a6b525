/// Version, compiler and libraries of this binary, and the machine it runs on.
#include "scree/io/build_info.hpp"

#include <fmt/format.h>
#include <fstream>
#include <hdf5.h>
#include <sched.h>
#include <sys/utsname.h>

#include "scree/core/instruction_set.hpp"
#include "scree_build_config.hpp"
#include "scree_revision.hpp"

namespace scree {
namespace {

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

std::string baseline() {
#if defined(__AVX512F__)
  return "AVX-512";
#elif defined(__AVX2__)
  return "AVX2";
#elif defined(__x86_64__)
  return "x86-64";
#elif defined(__aarch64__)
  return "AArch64";
#else
  return "unknown";
#endif
}

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const auto colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

}  // namespace

BuildInfo build_info() {
  return {SCREE_VERSION,
          SCREE_COMMIT,
          SCREE_MODIFIED != 0,
          SCREE_COMPILER,
          SCREE_FLAGS,
          SCREE_BUILD_TYPE,
          baseline(),
          {{"hdf5", hdf5_version()},
           {"tbb", SCREE_TBB_VERSION},
           {"yaml-cpp", SCREE_YAML_CPP_VERSION},
           {"fmt", SCREE_FMT_VERSION},
           {"nlohmann_json", SCREE_NLOHMANN_JSON_VERSION}}};
}

MachineInfo machine_info() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  const bool known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  utsname names{};
  uname(&names);
  return {cpu_model(), std::string(name(widest_instruction_set())),
          known ? static_cast<unsigned>(CPU_COUNT(&allowed)) : 1U,
          fmt::format("{} {} {}", names.sysname, names.release, names.machine)};
}

}  // namespace scree
