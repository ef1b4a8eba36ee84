// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/diagnosis/search_journal.h"
#include "reports/store/writer.h"

namespace ampprof::gui {

inline constexpr const char* kSearchedProgram = "./train --layers 3";

/// Writes a search's report like the command line.
class SearchTrials {
 public:
  SearchTrials(std::filesystem::path path, search::SearchProblem question)
      : path_(std::move(path)), question_(std::move(question)) {
    store::create_report(path_, false);
  }

  /// Adds a run under the policy of `set`, with this final loss.
  void add(const search::Set& set, std::int64_t repeat, double loss) const {
    store::ReportWriter writer(path_);
    const std::int64_t run = writer.begin_run({.level = "O1",
                                               .program = kSearchedProgram,
                                               .started_at = "2026-01-02T03:04:05Z",
                                               .reference = "off",
                                               .target_gpu = "sm_90",
                                               .seed = analysis::kFirstSeed + repeat});
    Batch batch;
    batch.segments.push_back({.id = 1, .step = 1, .recorded = true});
    batch.losses.push_back({.segment = 1, .value = loss});
    writer.append(run, batch);
    writer.detach(run, {.wall_ns = 1'000'000'000});
    writer.end_run(run, 0);
    writer.add_trial(run, {.policy = search::policy_of(question_, set), .metric = "loss", .value = loss});
  }

 private:
  std::filesystem::path path_;
  search::SearchProblem question_;
};

}  // namespace ampprof::gui
