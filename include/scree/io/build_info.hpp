/// What this binary is, and what it runs on: for manifests and `scree --version`.
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
  std::string instruction_set;  ///< that kernels run with, such as "avx2"
  unsigned cores;               ///< that this process may use
  std::string system;           ///< kernel and machine, as uname tells them
};
MachineInfo machine_info();

}  // namespace scree
