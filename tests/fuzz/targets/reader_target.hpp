/// What libFuzzer calls: writes its input to a file and has a reader read it, which returns or
/// throws one of scree's errors, whatever the file holds.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <unistd.h>

#include "scree/core/error.hpp"

namespace scree::test {

/// Defined by each target. What it writes goes beside the file, into a directory of its own.
void read_input(const std::filesystem::path& file);

}  // namespace scree::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path directory =
      std::filesystem::temp_directory_path() / ("scree_fuzz_" + std::to_string(getpid()));
  std::filesystem::create_directories(directory);
  const std::filesystem::path file = directory / "input";
  std::FILE* out = std::fopen(file.c_str(), "wb");
  std::fwrite(data, 1, size, out);
  std::fclose(out);
  try {
    scree::test::read_input(file);
  } catch (const scree::InputError&) {
  } catch (const scree::OutputError&) {
  }
  std::filesystem::remove_all(directory);
  return 0;
}
