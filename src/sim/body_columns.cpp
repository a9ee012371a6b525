#include "scree/sim/body_columns.hpp"

#include <stdexcept>

namespace scree {

const Bodies& BodyColumns::bodies() const {
  if (!is_current())
    throw std::logic_error(
        "these columns are stale: bodies were reordered, added or removed since; get new "
        "ones from the simulation");
  return state_->bodies;
}

bool BodyColumns::has_left(std::size_t row) const {
  bodies();
  return state_->neighbours.has_left(row);
}

}  // namespace scree
