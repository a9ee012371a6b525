/// Parses YAML into the tree of a scene, and writes the tree as YAML.
#include "scene/yaml/document.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <unordered_map>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "scene/yaml/yaml_faults.hpp"

namespace scree::scene {

namespace {

/// Limit of values that aliases add: stops files that expand to billions
constexpr std::size_t kMaxAliasedNodes = 100'000;

struct AliasesTooMany : std::runtime_error {
  explicit AliasesTooMany(const SourcePosition& p) : std::runtime_error("aliases"), position(p) {}
  SourcePosition position;
};

std::size_t count_nodes(const Node& node) {
  std::size_t n = 1;
  for (const Node& child : node.children) n += count_nodes(child);
  return n;
}

/// Classifies a plain (unquoted) scalar as number, boolean, null or string (YAML 1.2 core schema).
void classify_plain(Node& node) {
  const std::string& t = node.text;
  node.kind = Node::Kind::string;
  if (t.empty() || t == "~" || t == "null" || t == "Null" || t == "NULL") {
    node.kind = Node::Kind::null;
    return;
  }
  const bool yes =
      t == "true" || t == "True" || t == "TRUE" || t == "yes" || t == "Yes" || t == "on";
  if (yes || t == "false" || t == "False" || t == "FALSE" || t == "no" || t == "No" || t == "off") {
    node.kind = Node::Kind::boolean;
    node.truth = yes;
    return;
  }
  const double infinity = std::numeric_limits<double>::infinity();
  static const std::map<std::string_view, double> kSpecial{
      {".inf", infinity},     {".Inf", infinity},    {".INF", infinity},   {"+.inf", infinity},
      {"-.inf", -infinity},   {"-.Inf", -infinity},  {"-.INF", -infinity}, {".nan", std::nan("")},
      {".NaN", std::nan("")}, {".NAN", std::nan("")}};
  if (const auto it = kSpecial.find(t); it != kSpecial.end()) {
    node.kind = Node::Kind::number;
    node.number = it->second;
    return;
  }
  const char* first = t.data() + (t[0] == '+' ? 1 : 0);
  const char* last = t.data() + t.size();
  // from_chars also takes "inf" and "nan", which are plain words in YAML
  if (first == last || std::isalpha(static_cast<unsigned char>(first[*first == '-' ? 1 : 0])))
    return;
  double value = 0;
  const auto [end, status] = std::from_chars(first, last, value);
  if (end != last) return;
  node.kind = Node::Kind::number;
  node.number = status == std::errc::result_out_of_range ? std::nan("") : value;
  const auto whole = std::from_chars(first, last, node.integer);
  node.integral = whole.ec == std::errc() && whole.ptr == last;
}

/// Offset of the first character that controls a terminal, or npos; line breaks and tabs are
/// allowed. For U+0080 to U+009F it is the offset of the second byte.
std::size_t first_control_character(const std::string& text) {
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]),
               before = static_cast<unsigned char>(k > 0 ? text[k - 1] : 0);
    const bool line_break =
        byte == '\n' || (byte == '\r' && k + 1 < text.size() && text[k + 1] == '\n');
    if (byte == 0x7f || (byte < 0x20 && byte != '\t' && !line_break)) return k;
    if (before == 0xc2 && byte >= 0x80 && byte < 0xa0) return k;
  }
  return std::string::npos;
}

/// Builds the tree from the parser's events. yaml-cpp's own tree drops duplicate keys and shares
/// aliased nodes.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(int origin, Problems& problems) : origin_(origin), problems_(problems) {}

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(node_at(mark), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto it = anchored_.find(anchor);
    if (it == anchored_.end()) {
      problems_.report_at(position(mark), "", "an alias is inside the value that it names");
      add(node_at(mark), 0);
      return;
    }
    spend(count_nodes(it->second), mark);
    Node copy = it->second;
    copy.position = position(mark);
    add(std::move(copy), 0);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node node = node_at(mark);
    node.text = value;
    node.kind = Node::Kind::string;
    if (tag == "?") classify_plain(node);
    if (const std::size_t bad = first_control_character(value); bad != std::string::npos)
      problems_.report_at(node.position, path_here(),
                          fmt::format("contains the control character 0x{:02x}; use printable text",
                                      static_cast<unsigned char>(value[bad])));
    add(std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(Node::Kind::list, mark, anchor, style);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(Node::Kind::map, mark, anchor, style);
  }
  void OnMapEnd() override { close(); }

  /// Innermost bracket that is open.
  std::optional<OpenBracket> open_bracket() const {
    const auto frame =
        std::find_if(stack_.rbegin(), stack_.rend(), [](const Frame& f) { return f.has_brackets; });
    if (frame == stack_.rend()) return {};
    return OpenBracket{frame->node.is_list() ? '[' : '{', frame->node.position};
  }

  Node root;

 private:
  struct Frame {
    Node node;
    YAML::anchor_t anchor = 0;
    bool has_brackets = false;  ///< written as [...] or {...}
    bool has_key = false;
    bool drop_value = false;  ///< true after a duplicate key
    std::string key;
    SourcePosition key_position;
    std::unordered_map<std::string, SourcePosition> keys;
  };

  SourcePosition position(const YAML::Mark& mark) const {
    return {origin_, mark.line + 1, mark.column + 1};
  }
  Node node_at(const YAML::Mark& mark) const {
    Node node;
    node.position = position(mark);
    return node;
  }

  void spend(std::size_t nodes, const YAML::Mark& mark) {
    aliased_ += nodes;
    if (aliased_ > kMaxAliasedNodes) throw AliasesTooMany(position(mark));
  }

  void open(Node::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor,
            YAML::EmitterStyle::value style) {
    Frame frame;
    frame.has_brackets = style == YAML::EmitterStyle::Flow;
    frame.node = node_at(mark);
    frame.node.kind = kind;
    frame.anchor = anchor;
    stack_.push_back(std::move(frame));
  }

  void close() {
    Frame frame = std::move(stack_.back());
    stack_.pop_back();
    add(std::move(frame.node), frame.anchor);
  }

  std::string path_here() const {
    std::string path;
    for (const Frame& f : stack_) {
      if (f.node.is_list())
        path += fmt::format("[{}]", f.node.children.size());
      else if (f.has_key)
        path += (path.empty() ? "" : ".") + f.key;
    }
    return path;
  }

  void add(Node node, YAML::anchor_t anchor) {
    if (anchor != 0) {
      aliased_ += count_nodes(node);
      if (aliased_ > kMaxAliasedNodes) throw AliasesTooMany(node.position);
      anchored_[anchor] = node;
    }
    if (stack_.empty()) {
      root = std::move(node);
      return;
    }
    Frame& top = stack_.back();
    if (top.node.is_map() && !top.has_key)
      add_key(top, node);
    else
      add_value(top, std::move(node));
  }

  void add_key(Frame& top, const Node& node) {
    const bool scalar = !node.is_map() && !node.is_list();
    if (!scalar)
      problems_.report_at(node.position, path_here(),
                          "a key must be a name, found " + describe(node));
    top.key = scalar ? node.text : "";
    top.key_position = node.position;
    const auto [first, fresh] = top.keys.try_emplace(top.key, node.position);
    top.has_key = true;
    top.drop_value = !fresh;
    if (!fresh && scalar)
      problems_.report_at(node.position, path_here(),
                          fmt::format("the key '{}' is already at line {}; remove one of the two",
                                      top.key, first->second.line));
  }

  void add_value(Frame& top, Node node) {
    if (top.node.is_map()) {
      node.key = top.key;
      node.key_position = top.key_position;
      top.has_key = false;
      if (top.drop_value) return;
      if (top.key == "name" && node.text.find_first_of("\n\r\t") != std::string::npos)
        problems_.report_at(node.position, path_here(),
                            "a name must be on one line; remove line breaks and tabs");
    }
    top.node.children.push_back(std::move(node));
  }

  int origin_;
  Problems& problems_;
  std::vector<Frame> stack_;
  std::unordered_map<YAML::anchor_t, Node> anchored_;
  std::size_t aliased_ = 0;
};

/// Offset of the first byte that is not UTF-8 text, or npos.
std::size_t first_bad_byte(const std::string& text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool control = c < 0x20 && c != '\t' && c != '\n' && c != '\r';
    const int more = c < 0x80                     ? 0
                     : (c >> 5) == 6 && c >= 0xc2 ? 1
                     : (c >> 4) == 14             ? 2
                     : (c >> 3) == 30             ? 3
                                                  : -1;
    if (control || more < 0 || i + more >= text.size() + (more == 0 ? 1 : 0)) return i;
    for (int k = 1; k <= more; ++k)
      if ((static_cast<unsigned char>(text[i + k]) >> 6) != 2) return i;
    i += 1 + more;
  }
  return std::string::npos;
}

SourcePosition position_of_byte(const std::string& text, std::size_t offset, int origin) {
  SourcePosition position{origin, 1, 1};
  for (std::size_t i = 0; i < offset; ++i) {
    if (text[i] == '\n') {
      ++position.line;
      position.column = 1;
    } else {
      ++position.column;
    }
  }
  return position;
}

void emit(YAML::Emitter& out, const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      out << YAML::Null;
      break;
    case Node::Kind::boolean:
      out << node.truth;
      break;
    case Node::Kind::string:
      out << YAML::DoubleQuoted << node.text;
      break;
    case Node::Kind::number:
      if (node.integral)
        out << fmt::format("{}", node.integer);
      else if (std::isinf(node.number))
        out << (node.number > 0 ? ".inf" : "-.inf");
      else
        out << fmt::format("{:.17g}", node.number);
      break;
    case Node::Kind::list: {
      bool flat = true;
      for (const Node& child : node.children) flat = flat && !child.is_map() && !child.is_list();
      if (flat) out << YAML::Flow;
      out << YAML::BeginSeq;
      for (const Node& child : node.children) emit(out, child);
      out << YAML::EndSeq;
      break;
    }
    case Node::Kind::map:
      out << YAML::BeginMap;
      for (const Node& child : node.children) {
        out << YAML::Key << child.key << YAML::Value;
        emit(out, child);
      }
      out << YAML::EndMap;
      break;
  }
}

}  // namespace

std::optional<Node> parse_document(const std::string& text, int origin, Problems& problems) {
  if (const std::size_t bad = first_bad_byte(text); bad != std::string::npos) {
    problems.report_at(position_of_byte(text, bad, origin), "",
                       fmt::format("byte 0x{:02x} is not UTF-8 text; a scene is a YAML text file",
                                   static_cast<unsigned char>(text[bad])));
    return {};
  }
  TreeBuilder builder(origin, problems);
  try {
    std::istringstream in(text);
    YAML::Parser parser(in);
    if (!parser.HandleNextDocument(builder)) return Node{};
    TreeBuilder second(origin, problems);
    if (parser.HandleNextDocument(second))
      problems.report_at({origin, second.root.position.line, 1}, "",
                         "a second YAML document starts here; a scene file holds one");
  } catch (const YAML::DeepRecursion& e) {
    problems.report_at({origin, e.mark.line + 1, e.mark.column + 1}, "",
                       fmt::format("lists and maps are nested more than {} deep, which no scene "
                                   "needs; look for an extra bracket",
                                   e.depth() - 1));
    return {};
  } catch (const YAML::Exception& e) {
    const YamlFault fault =
        yaml_fault(e.msg, {origin, e.mark.line + 1, e.mark.column + 1}, builder.open_bracket());
    problems.report_at(fault.position, "", fault.message);
    return {};
  } catch (const AliasesTooMany& e) {
    problems.report_at(
        e.position, "",
        fmt::format("the aliases expand to more than {} values; use fewer", kMaxAliasedNodes));
    return {};
  }
  return std::move(builder.root);
}

std::string emit_document(const Node& root) {
  YAML::Emitter out;
  emit(out, root);
  return std::string(out.c_str(), out.size()) + "\n";
}

}  // namespace scree::scene
