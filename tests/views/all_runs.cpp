// SPDX-License-Identifier: Apache-2.0
#include "tests/views/all_runs.h"

#include <vector>

#include "reports/queries/runs.h"

namespace ampprof::views {

struct AllRuns::Opened {
  explicit Opened(const std::filesystem::path& path) : report(path) {}

  queries::Report report;
  std::vector<queries::RunRow> runs = queries::runs(report);
  ViewSource source{report, runs, analysis::Targets(runs)};
};

AllRuns::AllRuns(const std::filesystem::path& path) : opened_(std::make_unique<Opened>(path)) {}
AllRuns::~AllRuns() = default;

ViewSource& AllRuns::source() { return opened_->source; }

}  // namespace ampprof::views
