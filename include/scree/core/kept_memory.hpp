/// Memory of AlignedVectors that views outlive.
#pragma once

namespace scree {

/// While it lives, a piece of memory that allocate_aligned gave stays readable, also when its owner
/// gives it back: for views that outlive what they look at. Its content is the owner's to change
/// until then, and nobody's after. May be made while the owner holds the piece; any thread may end
/// it.
class KeptMemory {
 public:
  explicit KeptMemory(const void* piece);
  ~KeptMemory();
  KeptMemory(const KeptMemory&) = delete;
  KeptMemory& operator=(const KeptMemory&) = delete;

 private:
  const void* piece_;
};

}  // namespace scree
