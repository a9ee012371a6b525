#include "scree/io/json_text.hpp"

namespace scree {

std::string as_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json as_json(const Vec3& v) { return {v.x, v.y, v.z}; }

}  // namespace scree
