/// Build of this binary and its machine: for manifests and `scree --version`.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace scree {

struct BuildInfo {
  std::string version;
  std::string commit;    ///< of the source, "unknown" if it was built outside git
  bool modified;         ///< the source differed from that commit
  std::string compiler;  ///< name and version
  std::string flags;
  std::string build_type;
  std::string baseline;  ///< instruction set that all code may use, such as "x86-64"
  std::vector<std::pair<std::string, std::string>> libraries;  ///< name, version
};
BuildInfo build_info();

struct MachineInfo {
  std::string cpu;              ///< model name
  std::string instruction_set;  ///< used by kernels, such as "avx2"
  unsigned cores;               ///< usable by this process
  std::string system;           ///< kernel and machine, from uname
};
MachineInfo machine_info();

}  // namespace scree
