#include "scree/run/exit_status.hpp"

#include <filesystem>

#include "scree/core/error.hpp"

namespace scree {

ExitStatus exit_status_of(const std::exception& error) {
  const bool of_files = dynamic_cast<const OutputError*>(&error) ||
                        dynamic_cast<const std::filesystem::filesystem_error*>(&error);
  if (of_files) return kInputOutputFailure;
  return dynamic_cast<const InputError*>(&error) ? kBadInput : kInternalError;
}

}  // namespace scree
