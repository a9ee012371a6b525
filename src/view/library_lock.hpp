/// The lock that every reader of frames takes: Debian's HDF5 may be used by one thread at a time.
#pragma once

#include <mutex>

namespace scree::view {

inline std::mutex& library_lock() {
  static std::mutex lock;
  return lock;
}

}  // namespace scree::view
