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
  std::string level;  ///< "" if the program decides
};

/// The runs of a report that determine the candidates of a search and their order.
class SearchEvidence {
 public:
  virtual ~SearchEvidence() = default;

  /// Reads the report again.
  virtual void read() = 0;
  virtual bool is_known() const = 0;
  /// Returns how to record the program next as evidence: `options` with loss impacts. Empty if nothing is left to
  /// record.
  virtual std::optional<Survey> next_survey(const RunOptions& options) const = 0;
  /// Returns why evidence is missing, and a remedy.
  virtual std::string why_none() const = 0;

  // The following need is_known().
  /// Returns the level for running sets: "" if the program decides.
  virtual std::string level() const = 0;
  /// Returns the type of the casts, as policies name it: the requested one, else that of a named report; "" if the
  /// program decides.
  virtual std::string type() const = 0;
  virtual search::Candidates candidates() const = 0;
  /// Returns sentences about candidates from a named report, for a search with this command line.
  virtual std::vector<std::string> doubts(const std::string& command, const search::Candidates& candidates) const = 0;
};

/// Selects runs of a report.
struct EvidenceSource {
  std::filesystem::path report;
  std::string program = {};   ///< of this command line, and ended well; "" for all runs
  std::string type = {};      ///< with casts into this type, such as "bf16"; "" for any
  std::string recipe = {};    ///< recipe that matmuls are kept from; "" if functions are kept from casts
  bool has_amp_core = false;  ///< the program supports opt levels, and may choose one with casts itself
};

std::unique_ptr<SearchEvidence> evidence_for_search(const EvidenceSource& source);

/// Returns `options` with the number of recorded steps that a survey needs. `steps` is the program's number, if known.
RunOptions survey_options_of(RunOptions options, std::optional<std::int64_t> steps);

}  // namespace ampprof::cli
