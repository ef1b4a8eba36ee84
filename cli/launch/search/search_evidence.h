// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/search/candidates.h"
#include "cli/launch/program/options.h"

namespace ampprof::cli {

/// How to record the program for a search.
struct Survey {
  RunOptions options;
  std::string level;  ///< "" as the program decides
};

/// The runs of a report that tell what a search may keep in high precision, and in which order.
class SearchEvidence {
 public:
  virtual ~SearchEvidence() = default;

  /// Looks at the report again.
  virtual void read() = 0;
  virtual bool is_known() const = 0;
  /// Returns how to record the program next for it: `options` with loss impacts. Empty where that was done.
  virtual std::optional<Survey> next_survey(const RunOptions& options) const = 0;
  /// Says why there is none, and what to do.
  virtual std::string why_none() const = 0;

  // These need is_known().
  /// Returns the level that sets are to be run at: "" as the program decides.
  virtual std::string level() const = 0;
  /// Returns the type that functions are cast into, as policies name it: what was asked for, else that of a report
  /// which was named; "" where the program decides.
  virtual std::string type() const = 0;
  virtual search::Candidates candidates() const = 0;
  /// Returns what to know of candidates that come from a report which was named, for a search of this command line:
  /// sentences.
  virtual std::vector<std::string> doubts(const std::string& command, const search::Candidates& candidates) const = 0;
};

/// Says which runs of a report count.
struct EvidenceSource {
  std::filesystem::path report;
  std::string program = {};   ///< of this command line, and those that ended well; "" for all runs
  std::string type = {};      ///< with casts into this one, "bf16" say; "" for any
  std::string recipe = {};    ///< that matmuls are kept from; "" where functions are kept from casts
  bool has_amp_core = false;  ///< the program knows opt levels, and may choose one with casts by itself
};

std::unique_ptr<SearchEvidence> evidence_for_search(const EvidenceSource& source);

/// Returns `options` with as many steps looked at as a survey needs. `steps` is how many the program has, where that is
/// known.
RunOptions survey_options_of(RunOptions options, std::optional<std::int64_t> steps);

}  // namespace ampprof::cli
