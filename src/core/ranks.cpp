#include "scree/core/ranks.hpp"

namespace scree {

Ranks& one_rank() {
  static Ranks only;
  return only;
}

}  // namespace scree
