/// A directory of its own for each test.
#pragma once

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <unistd.h>

namespace scree {

class InDirectory : public testing::Test {
 protected:
  InDirectory() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    directory =
        std::filesystem::temp_directory_path() / ("scree-" + std::to_string(::getpid()) + "-" +
                                                  test->test_suite_name() + "-" + test->name());
    std::filesystem::create_directories(directory);
  }
  ~InDirectory() override { std::filesystem::remove_all(directory); }

  static std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  std::filesystem::path directory;
};

}  // namespace scree
