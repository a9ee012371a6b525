/// The message of a frame, read back as the page reads it.
#include "view/frame_message.hpp"

#include <cstring>
#include <gtest/gtest.h>

namespace scree::view {
namespace {

template <class T>
T number_at(const std::string& bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// A message, taken apart.
struct ReadMessage {
  std::string bytes;
  std::size_t body;  ///< offset of the columns
  Json header;

  explicit ReadMessage(std::string message) : bytes(std::move(message)) {
    const auto length = number_at<std::uint32_t>(bytes, 0);
    body = sizeof length + length;
    header = Json::parse(bytes.substr(sizeof length, length));
  }
  std::size_t offset(std::size_t column) const {
    return body + header["columns"][column]["offset"].get<std::size_t>();
  }
};

TEST(FrameMessage, HasItsHeaderAndItsColumnsAtMultiplesOfFour) {
  FrameMessage message;
  message.add_quantised("odd", 1, {1, 2, 3});
  message.add_integers("integers", 1, {7, 8});
  const ReadMessage read(message.bytes({{"time", 0.5}}));
  EXPECT_EQ(read.header["time"], 0.5);
  EXPECT_EQ(read.header["columns"][1]["rows"], 2);
  EXPECT_EQ(read.offset(0) % 4, 0U);
  EXPECT_EQ(read.offset(1) % 4, 0U);
  EXPECT_EQ(number_at<std::uint32_t>(read.bytes, read.offset(1) + 4), 8U);
}

TEST(FrameMessage, QuantisesEachBlockByItsOwnRange) {
  std::vector<double> values(FrameMessage::kRowsOfBlock, 1e6);
  values[0] = 1e6 + 1;
  values.insert(values.end(), {-1, 0, 3});
  FrameMessage message;
  message.add_quantised("value", 1, values);
  const ReadMessage read(message.bytes(Json::object()));
  const std::size_t second = read.offset(0) + 8 + 2 * FrameMessage::kRowsOfBlock;
  const auto low = number_at<float>(read.bytes, second),
             step = number_at<float>(read.bytes, second + 4);
  EXPECT_EQ(low, -1);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto steps = number_at<std::uint16_t>(read.bytes, second + 8 + 2 * k);
    EXPECT_NEAR(low + step * steps, values[FrameMessage::kRowsOfBlock + k], step / 2);
  }
}

TEST(FrameMessage, HasEqualValuesWithoutSteps) {
  FrameMessage message;
  message.add_quantised("value", 1, {2.5, 2.5});
  const ReadMessage read(message.bytes(Json::object()));
  EXPECT_EQ(number_at<float>(read.bytes, read.offset(0)), 2.5F);
  EXPECT_EQ(number_at<float>(read.bytes, read.offset(0) + 4), 0);
  EXPECT_EQ(number_at<std::uint32_t>(read.bytes, read.offset(0) + 8), 0U);
}

}  // namespace
}  // namespace scree::view
