/// Tree of a scene file: every value with its position in the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scree::scene {

/// Position of a value in the file or an override.
struct SourcePosition {
  int origin = 0;            ///< 0: the scene file; k > 0: override number k
  int line = 0, column = 0;  ///< from 1; 0 for a default
};

struct Node {
  enum class Kind : std::uint8_t { null, boolean, number, string, list, map };

  Kind kind = Kind::null;
  bool truth = false;           ///< value of a boolean
  bool integral = false;        ///< number written as an integer; `integer` holds it
  mutable bool faulty = false;  ///< a problem was reported here
  double number = 0;
  std::int64_t integer = 0;
  std::string text;  ///< scalar as written
  std::string unit;  ///< SI unit of a converted quantity
  SourcePosition position;

  std::string key;  ///< key in the parent, if that is a map
  SourcePosition key_position;
  /// Path, where it is not that of its place: of entries that robots add at the front of lists
  std::string label;
  std::vector<Node> children;  ///< entries of a list or a map
  const Node* parent = nullptr;

  bool is_map() const { return kind == Kind::map; }
  bool is_list() const { return kind == Kind::list; }
  bool is_number() const { return kind == Kind::number; }
  bool is_string() const { return kind == Kind::string; }

  /// Value of a key, or null.
  const Node* find(std::string_view wanted) const;
  Node* find(std::string_view wanted);
  /// Value of a key that the schema requires or fills in.
  const Node& operator[](std::string_view wanted) const;
};

/// Path of a node from the root, as in bodies[2].sphere.radius; empty for the root. Parents must be
/// linked.
std::string path_of(const Node& node);

/// Sets the parents of everything below a node; valid until a list or map grows.
void link_parents(Node& node);

/// True if no problem was reported at the node or below it.
bool sound(const Node& node);

/// Description of a value for messages: 3, 'abc', a list of 2, …
std::string describe(const Node& node);

Node number_node(double value);
Node integer_node(std::int64_t value);
Node string_node(std::string_view value);

}  // namespace scree::scene
