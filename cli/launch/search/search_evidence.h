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

/// Describes how to record a survey: a run of the program from which a search gets its candidates and their order.
struct Survey {
  RunOptions options;
  std::string level;  ///< "" if the program decides
};

/// The runs of a report that determine the candidates of a search and their order. level(), type(), candidates() and
/// doubts() need is_known().
class SearchEvidence {
 public:
  virtual ~SearchEvidence() = default;

  /// Reads the report again.
  virtual void read() = 0;
  virtual bool is_known() const = 0;
  /// Returns the survey to record next: `options` with loss impacts. Empty if nothing is left to record.
  virtual std::optional<Survey> next_survey(const RunOptions& options) const = 0;
  /// Returns why the report has no evidence, and a remedy.
  virtual std::string why_none() const = 0;

  /// Returns the opt level of the search's runs; "" if the program decides.
  virtual std::string level() const = 0;
  /// Returns the cast type, as policies name it: the requested type, else the type in the report of --start; "" if the
  /// program decides.
  virtual std::string type() const = 0;
  virtual search::Candidates candidates() const = 0;
  /// Returns warnings about candidates from the report of --start, such as one recorded with a command line other than
  /// `command`.
  virtual std::vector<std::string> doubts(const std::string& command, const search::Candidates& candidates) const = 0;
};

/// Selects runs of a report.
struct EvidenceSource {
  std::filesystem::path report;
  std::string program = {};   ///< takes only runs with this command line that ended with 0; "" takes all runs
  std::string type = {};      ///< takes only runs with casts into this type, such as "bf16"; "" for any
  std::string recipe = {};    ///< recipe that the search keeps matmuls out of; "" to keep functions from casts
  bool has_amp_core = false;  ///< the program is built on amp_core: it takes opt levels, and may select one itself
};

std::unique_ptr<SearchEvidence> evidence_for_search(const EvidenceSource& source);

/// Returns `options` with everything that a survey records, on about 50 steps. `steps` is the program's number of
/// steps, if known.
RunOptions survey_options_of(RunOptions options, std::optional<std::int64_t> steps);

}  // namespace ampprof::cli
