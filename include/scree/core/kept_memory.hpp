/// Guard for views that outlive the AlignedVector they look at.
#pragma once

namespace scree {

/// Keeps one allocation of allocate_aligned() readable after its owner frees it. The owner may
/// change the content until it frees the memory; afterwards nobody does. Construct it while the
/// owner still holds the memory. Any thread may destroy it.
class KeptMemory {
 public:
  explicit KeptMemory(const void* block);
  ~KeptMemory();
  KeptMemory(const KeptMemory&) = delete;
  KeptMemory& operator=(const KeptMemory&) = delete;

 private:
  const void* block_;
};

}  // namespace scree
