// Output of a benchmark for tools/bench_figures.py: times by name, and the type of the machine.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace scree {

/// CPU model and instruction set. Programs that link this write it to the context of their file.
std::string machine();

/// Times of a program with its own measurement, in the format of google-benchmark's files.
class Figures {
 public:
  void add(const std::string& name, double nanoseconds) { times_.emplace_back(name, nanoseconds); }
  /// Writes them to the file of the argument `--benchmark_out=FILE`, if there is one.
  void write(int argc, char** argv) const;

 private:
  std::vector<std::pair<std::string, double>> times_;
};

}  // namespace scree
