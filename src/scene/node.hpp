/// The tree a scene file is read into: every value with its place in the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scree::scene {

/// Where a value was written.
struct Place {
  int origin = 0;            ///< 0: the scene file; k > 0: override number k
  int line = 0, column = 0;  ///< from 1; 0 where a default was filled in
};

struct Node {
  enum class Kind : std::uint8_t { null, boolean, number, string, list, map };

  Kind kind = Kind::null;
  bool truth = false;           ///< of a boolean
  bool integral = false;        ///< the number was written as an integer and `integer` holds it
  mutable bool faulty = false;  ///< a problem was reported here
  double number = 0;
  std::int64_t integer = 0;
  std::string text;  ///< of a scalar, as written
  std::string unit;  ///< SI unit that a quantity was converted to
  Place place;

  std::string key;  ///< in the parent, where that is a map
  Place key_place;
  std::vector<Node> children;  ///< of a list or a map
  const Node* parent = nullptr;

  bool is_map() const { return kind == Kind::map; }
  bool is_list() const { return kind == Kind::list; }
  bool is_number() const { return kind == Kind::number; }
  bool is_string() const { return kind == Kind::string; }

  /// The value of a key, or null.
  const Node* find(std::string_view wanted) const;
  Node* find(std::string_view wanted);
  /// The value of a key that the schema requires or fills in.
  const Node& operator[](std::string_view wanted) const;
};

/// Path of a node from the root, as in bodies[2].sphere.radius; empty for the root. Parents must be
/// linked.
std::string path_of(const Node& node);

/// Sets the parents of everything beneath a node; they hold until a list or map grows.
void link_parents(Node& node);

/// No problem was reported at the node or beneath it.
bool sound(const Node& node);

/// What the value is, for messages: "the number 3", "the string 'abc'", "a list of 2", …
std::string describe(const Node& node);

Node number_node(double value);
Node integer_node(std::int64_t value);
Node string_node(std::string_view value);

}  // namespace scree::scene
