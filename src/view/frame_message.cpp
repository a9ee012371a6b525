/// Packs columns into a message.
#include "view/frame_message.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace scree::view {
namespace {

constexpr std::size_t kAlignment = 4;  // of columns, for typed arrays of JavaScript [byte]
constexpr double kSteps = std::numeric_limits<std::uint16_t>::max();

void pad(std::string& text, char filler) {
  while (text.size() % kAlignment != 0) text += filler;
}

/// Extent of a component over some rows.
struct ComponentRange {
  float low, step;
};
ComponentRange range_of(const double* first, std::size_t rows, std::size_t stride) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t i = 0; i < rows; ++i) {
    low = std::min(low, first[i * stride]);
    high = std::max(high, first[i * stride]);
  }
  return {static_cast<float>(low), static_cast<float>((high - low) / kSteps)};
}

std::uint16_t steps_above(double value, const ComponentRange& range) {
  if (!(range.step > 0)) return 0;
  return static_cast<std::uint16_t>(
      std::clamp(std::round((value - range.low) / range.step), 0.0, kSteps));
}

}  // namespace

void FrameMessage::append(const void* data, std::size_t size) {
  if (size > 0) body_.append(static_cast<const char*>(data), size);
}

void FrameMessage::begin_column(const std::string& name, const char* kind, std::size_t values,
                                std::size_t components) {
  pad(body_, '\0');
  columns_.push_back({{"name", name},
                      {"kind", kind},
                      {"offset", body_.size()},
                      {"rows", values / components},
                      {"components", components}});
}

void FrameMessage::add_floats(const std::string& name, std::size_t components,
                              const std::vector<float>& values) {
  begin_column(name, "float32", values.size(), components);
  append(values.data(), values.size() * sizeof(float));
}

void FrameMessage::add_integers(const std::string& name, std::size_t components,
                                const std::vector<std::uint32_t>& values) {
  begin_column(name, "uint32", values.size(), components);
  append(values.data(), values.size() * sizeof(std::uint32_t));
}

void FrameMessage::add_quantised(const std::string& name, std::size_t components,
                                 const std::vector<double>& values) {
  begin_column(name, "quantised", values.size(), components);
  const std::size_t rows = values.size() / components;
  std::vector<std::uint16_t> block;
  for (std::size_t begin = 0; begin < rows; begin += kRowsOfBlock) {
    const std::size_t count = std::min(kRowsOfBlock, rows - begin);
    const double* first = values.data() + begin * components;
    std::vector<ComponentRange> ranges;
    for (std::size_t c = 0; c < components; ++c)
      ranges.push_back(range_of(first + c, count, components));
    block.clear();
    for (std::size_t i = 0; i < count * components; ++i)
      block.push_back(steps_above(first[i], ranges[i % components]));
    append(ranges.data(), ranges.size() * sizeof(ComponentRange));
    append(block.data(), block.size() * sizeof(std::uint16_t));
    pad(body_, '\0');
  }
}

std::string FrameMessage::bytes(Json header) const {
  header["columns"] = columns_;
  std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  pad(text, ' ');
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string message(sizeof length, '\0');
  std::memcpy(message.data(), &length, sizeof length);
  return message + text + body_;
}

}  // namespace scree::view
