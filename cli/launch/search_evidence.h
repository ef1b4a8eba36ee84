// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/search/candidates.h"
#include "cli/launch/options.h"
#include "reports/queries/queries.h"

namespace ampprof::cli {

/// The run of a report that tells which functions a search may keep in high precision, and in which order.
class SearchEvidence {
 public:
  /// `program`: only runs of this command line count, and those that ended well; "" for all runs of the report. `type`:
  /// only runs with casts into this one count, "bf16" say; "" for any.
  SearchEvidence(std::filesystem::path report, std::string program, std::string type);

  /// Looks at the report again.
  void read();

  bool is_known() const { return run_.has_value(); }
  /// Returns the level of the run to record next for it: "" as the program decides, then the one with casts at
  /// functions, at once where the program has amp_core. Empty where both were recorded.
  std::optional<std::string> next_level(bool has_amp_core) const;
  /// Says why there is none, and what to do.
  std::string why_none() const;

  /// Returns the level that sets are to be run at: "" for the program's own autocast. These need is_known().
  std::string level() const;
  /// Returns the type that sets are kept from, as policies name it: what was asked for, else that of a report which was
  /// named; "" where the program decides.
  std::string type() const;
  search::Candidates candidates() const;
  /// Returns what to know of candidates that come from a report which was named, for a search of this command line:
  /// sentences.
  std::vector<std::string> doubts(const std::string& command, const search::Candidates& candidates) const;

 private:
  std::filesystem::path report_;
  std::string program_;
  std::string type_;
  std::vector<queries::RunRow> runs_;   ///< that count
  std::optional<queries::RunRow> run_;  ///< the one of them that is chosen
};

/// Returns how to record a program for that: with loss impacts, on steps that are few enough. `steps` is how many it
/// has, where that is known.
RunOptions survey_options_of(RunOptions options, std::optional<std::int64_t> steps);

}  // namespace ampprof::cli
