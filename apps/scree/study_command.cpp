/// scree study: recomputes a published table or figure. A study is a directory studies/NAME with a
/// README.md, its scenes, and study.py, which runs this program, writes the table and draws the
/// figures. Studies of a single contact have no scene: this program computes their numbers first
/// (module studies), and their script draws.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>
#include <vector>

#include "app_config.hpp"
#include "commands.hpp"
#include "pictures.hpp"
#include "scree/io/files.hpp"
#include "scree/run/exit_status.hpp"
#include "scree/studies/studies.hpp"

namespace scree::cli {
namespace {

namespace fs = std::filesystem;

struct Study {
  std::string name;
  std::string title;  ///< heading of its README.md
  fs::path script;
};

/// All directories with a study.py, sorted by name: of the installed program, or of the source it
/// was built from.
std::vector<Study> all_studies() {
  std::vector<Study> studies;
  for (const fs::path& home : {share_directory() / "studies", fs::path(SCREE_SOURCE_STUDIES)}) {
    if (!fs::is_directory(home)) continue;
    for (const fs::directory_entry& entry : fs::directory_iterator(home)) {
      if (!fs::exists(entry.path() / "study.py")) continue;
      std::string title;
      std::getline(std::ifstream(entry.path() / "README.md"), title);
      title.erase(0, title.find_first_not_of("# "));
      studies.push_back({entry.path().filename().string(), title, entry.path() / "study.py"});
    }
    break;
  }
  std::sort(studies.begin(), studies.end(),
            [](const Study& a, const Study& b) { return a.name < b.name; });
  return studies;
}

int list(const std::vector<Study>& studies) {
  for (const Study& study : studies)
    std::printf("%-16s %s\n", study.name.c_str(), study.title.c_str());
  return kDone;
}

/// Writes the numbers of a study without a scene.
void compute_numbers(const std::string& name, const fs::path& out) {
  for (const studies::Study& study : studies::all()) {
    if (study.name != name) continue;
    make_directories(out);
    study.compute(out);
  }
}

}  // namespace

int run_study(const StudyOptions& options) {
  const std::vector<Study> studies = all_studies();
  if (studies.empty())
    throw InputError("there are no studies with the program or in its source; install scree again");
  if (options.name.empty()) return list(studies);
  const auto study = std::find_if(studies.begin(), studies.end(),
                                  [&](const Study& s) { return s.name == options.name; });
  if (study == studies.end()) {
    std::string names;
    for (const Study& s : studies) names += (names.empty() ? "" : ", ") + s.name;
    throw InputError(fmt::format("there is no study {}; there are {}", options.name, names));
  }
  const fs::path out =
      options.out.empty() ? fs::path("out") / ("study_" + options.name) : options.out;
  std::vector<std::string> words{kPython,   study->script.string(),
                                 "--scree", fs::read_symlink("/proc/self/exe").string(),
                                 "--out",   fs::absolute(out).string()};
  if (options.threads > 0)
    words.insert(words.end(), {"--threads", std::to_string(options.threads)});
  if (options.quick) words.emplace_back("--quick");

  compute_numbers(options.name, out);

  // The script replaces this process, with its output, signals and exit status.
  std::fflush(stdout);
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(kPython, pointers.data());
  throw InputError(fmt::format(
      "cannot start {}: {}; run apt install python3 python3-numpy python3-matplotlib python3-h5py",
      kPython, std::strerror(errno)));
}

}  // namespace scree::cli
