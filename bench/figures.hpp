// What a benchmark leaves for tools/bench_figures.py: times by name, and the type of the machine.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace scree {

/// CPU model and instruction set. Programs that link this tell it in the context of their file.
std::string machine();

/// Times of a program that measures by itself, in the form of google-benchmark's files.
class Figures {
 public:
  void add(const std::string& name, double nanoseconds) { times_.emplace_back(name, nanoseconds); }
  /// To the file that `--benchmark_out=FILE` names, if one of the arguments does.
  void write(int argc, char** argv) const;

 private:
  std::vector<std::pair<std::string, double>> times_;
};

}  // namespace scree
