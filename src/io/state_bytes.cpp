/// States as bytes: a header, the fields in their order, each array after its size.
#include "scree/io/state_bytes.hpp"

#include <cstring>
#include <fmt/format.h>

#include "io/state_layout.hpp"
#include "scree/core/error.hpp"
#include "scree/io/checksum.hpp"

namespace scree {
namespace {

constexpr std::uint64_t kMark = 0x6565726373ULL;  // "scree"

struct Header {
  std::uint64_t mark, version, checksum;  ///< checksum of all bytes that follow
};

template <class T>
void append(std::string& bytes, const T* data, std::size_t count) {
  static_assert(columns_of<T>() > 0);
  bytes.append(reinterpret_cast<const char*>(data), count * sizeof(T));
}

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  template <class T>
  void read(T* data, std::size_t count) {
    static_assert(columns_of<T>() > 0);
    require_room(count, sizeof(T));
    if (count > 0) std::memcpy(data, left_.data(), count * sizeof(T));
    left_.remove_prefix(count * sizeof(T));
  }
  template <class T>
  T number() {
    T value;
    read(&value, 1);
    return value;
  }
  void require_room(std::size_t count, std::size_t size) const {
    if (count > left_.size() / size) throw InputError("the bytes of a state were cut short");
  }
  bool is_at_end() const { return left_.empty(); }

 private:
  std::string_view left_;
};

/// Throws InputError unless the bytes are whole.
void check_header(std::string_view bytes) {
  Header header{};
  ByteReader(bytes).read(&header, 1);
  if (header.mark != kMark) throw InputError("these bytes are no state of scree");
  if (header.version != kStateVersion)
    throw InputError(fmt::format("the state has the version {}, this program reads {}",
                                 header.version, kStateVersion));
  if (checksum(bytes.substr(sizeof header)) != header.checksum)
    throw InputError("the bytes of a state were cut short or changed");
}

}  // namespace

std::string state_bytes(const State& state) {
  std::string bytes(sizeof(Header), '\0');
  for_each_field(state, [&]<class Field>(const char*, const Field& field) {
    if constexpr (requires { field.data(); }) {
      const std::uint64_t size = field.size();
      append(bytes, &size, 1);
      append(bytes, field.data(), field.size());
    } else {
      append(bytes, &field, 1);
    }
  });
  const Header header{kMark, kStateVersion,
                      checksum(std::string_view(bytes).substr(sizeof(Header)))};
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

State state_of_bytes(std::string_view bytes) {
  check_header(bytes);
  ByteReader reader(bytes.substr(sizeof(Header)));
  State state;
  for_each_field(state, [&]<class Field>(const char*, Field& field) {
    if constexpr (requires { field.data(); }) {
      const auto size = reader.number<std::uint64_t>();
      reader.require_room(size, sizeof(typename Field::value_type));
      field.resize(size);
      reader.read(field.data(), field.size());
    } else if constexpr (std::is_same_v<Field, bool>) {
      field = reader.number<std::uint8_t>() != 0;
    } else {
      reader.read(&field, 1);
    }
  });
  if (!reader.is_at_end()) throw InputError("bytes follow those of a state");
  check_arrays(state);
  return state;
}

}  // namespace scree
