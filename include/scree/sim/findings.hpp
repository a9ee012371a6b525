/// Findings: what steps measure to judge a run. One table, src/sim/diagnosis/finding_table.cpp, has
/// a row for each; reports, summaries, the verdict, files and Python loop over it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/core/ids.hpp"

namespace scree {

struct FindingRow;
struct Model;
struct Report;
struct RunSummary;

/// Size of arrays with an entry for each row of the table.
inline constexpr std::size_t kMaxFindings = 64;

/// A row of the table, by its id. Ends the program if no row has this id.
class Finding {
 public:
  Finding(const char* id) noexcept;         // NOLINT(google-explicit-constructor): ids are literals
  Finding(const FindingRow& row) noexcept;  // NOLINT(google-explicit-constructor)
  std::size_t index() const { return index_; }

 private:
  std::size_t index_;
};

/// Value of a finding in a step.
struct Measured {
  double value = 0;                    ///< in the unit of its row; 0: nothing was found
  std::array<std::uint64_t, 2> who{};  ///< see FindingRow::who

  explicit operator bool() const { return value != 0; }
  BodyId body() const { return {who[0]}; }
  BodyId other_body() const { return {who[1]}; }
  std::uint32_t joint() const { return static_cast<std::uint32_t>(who[0]); }
};
inline Measured on_body(double value, BodyId a, BodyId b = {}) {
  return {value, {a.value, b.value}};
}
inline Measured on_joint(double value, std::uint32_t joint) { return {value, {joint, 0}}; }

/// Largest value of a quantity, with its time and step.
struct Extreme {
  double value = 0;
  double time = 0;  ///< [s]
  std::uint64_t step = 0;
};

/// A finding in several steps.
struct Tally {
  double total = 0;
  std::uint64_t steps = 0;  ///< steps with a value above 0
  Extreme largest;          ///< by size
  Measured of_largest;
  Measured first;         ///< value above 0
  double first_time = 0;  ///< of it [s]
  Measured last;

  /// Adds a step. True if its value is the largest so far.
  bool add(const Measured& measured, double time, std::uint64_t step);
};

/// Tallies of all findings.
class Tallies {
 public:
  Tally& operator[](Finding finding) { return all_[finding.index()]; }
  const Tally& operator[](Finding finding) const { return all_[finding.index()]; }

  /// Adds a step.
  void add(const Report& report);

 private:
  std::array<Tally, kMaxFindings> all_{};
};

/// Number of a tally that counts for a run.
enum class Fold : std::uint8_t { total, largest, steps, last };
double folded(const Tally& tally, Fold fold);

/// Consequence of a finding above its limit. `figure`: none; `remark`: a sentence at the end;
/// `missed`: the run misses its verdict; `failed`: the state is not reliable, and the run ends.
enum class Severity : std::uint8_t { figure, remark, missed, failed };

/// Meaning of Measured::who: nothing; the id of a body or obstacle, or of two; an index in
/// Model::joints.
enum class Who : std::uint8_t { nobody, body, pair, joint };

using Sentences = std::vector<std::string>;

struct FindingRow {
  std::string_view id;
  std::string_view unit = "1";  ///< "1": a count
  std::string_view meaning;     ///< in a step, for users of Python
  Who who = Who::nobody;
  /// Null: stages set it in Report::findings
  Measured (*of)(const Report& report) = nullptr;
  Fold fold = Fold::total;
  double limit = 0;  ///< of the folded value
  Severity severity = Severity::figure;
  /// Rule instead of the limit
  bool (*exceeds)(const RunSummary& summary) = nullptr;
  /// Said of a run that exceeds the limit
  Sentences (*sentences)(const RunSummary& summary, const Model& model) = nullptr;
  /// Remarks on a run that does not
  Sentences (*remarks)(const RunSummary& summary, const Model& model) = nullptr;
  /// Places of the numbers of its tally in verdict.json, as JSON pointers; null: none. `who` goes
  /// with the largest value; `first_who` and `first_time` with the first, and are null without one.
  struct Keys {
    const char *total = nullptr, *steps = nullptr, *largest = nullptr, *who = nullptr,
               *first_who = nullptr, *first_time = nullptr;
  } keys{};
  /// Number of the steps since the last row that statistics.csv has in a column of this id
  std::optional<Fold> column{};

  /// False for what is known of a run only.
  bool is_of_step() const { return of || !meaning.empty(); }
};

/// All findings, in the order in which a verdict tells them.
std::span<const FindingRow> finding_table();

/// Value of a finding in a step.
Measured measured(const FindingRow& row, const Report& report);

}  // namespace scree
