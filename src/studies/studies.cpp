#include "scree/studies/studies.hpp"

#include <array>

namespace scree::studies {

std::span<const Study> all() {
  static constexpr std::array<Study, 2> studies{{{"academic", academic}, {"painleve", painleve}}};
  return studies;
}

}  // namespace scree::studies
