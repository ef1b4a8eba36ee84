// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "gui/data/run_place.h"
#include "reports/store/writer.h"
#include "tests/reports/sample_report.h"

namespace ampprof::gui {

inline void PrintTo(const RunPlace& place, std::ostream* out) {
  *out << "run " << place.run << ", step " << place.step.value_or(-1);
}

inline constexpr std::int64_t kSiteOfBackward = 2;
inline constexpr std::int64_t kSiteOfCollective = 3;
inline constexpr std::int64_t kStepsOfRank = 6;
inline constexpr std::int64_t kStepOfOverflow = 4;

/// A rank of a program with kStepsOfRank steps.
struct RecordedRank {
  std::int64_t rank = 0;
  std::int64_t step_ms = 4;
  std::int64_t first_site = 0;  ///< call site where the overflow in kStepOfOverflow begins; 0 for no overflow
  bool ends = true;
  std::optional<double> loss = {};  ///< loss of every step
};

inline Batch batchOf(const RecordedRank& rank) {
  using testing_reports::site;
  Batch batch;
  batch.signatures = {{1, "f32[8,4]"}};
  batch.call_sites = {site(1, Phase::Forward, "fc", "linear"), site(kSiteOfBackward, Phase::Backward, "fc", "mm"),
                      site(kSiteOfCollective, Phase::Backward, "", "c10d::allreduce_")};
  std::int64_t now_ms = 10;
  for (std::int64_t step = 1; step <= kStepsOfRank; ++step) {
    batch.segments.push_back(testing_reports::segment(step, step, now_ms, now_ms + rank.step_ms));
    for (const std::int64_t at : {std::int64_t{1}, kSiteOfBackward, kSiteOfCollective}) {
      OpCall call = testing_reports::call(step, at);
      call.start_ns = now_ms * 1'000'000 + at * 500'000;
      batch.calls.push_back(call);
    }
    if (rank.loss) batch.losses.push_back({.segment = step, .loss_id = 0, .value = *rank.loss});
    now_ms += rank.step_ms;
  }
  if (rank.first_site == 0) return batch;
  NonfiniteEvent& event = batch.events.emplace_back();
  event.segment = kStepOfOverflow;
  event.first_site = rank.first_site;
  event.by_scaler = true;
  event.parameters = {{.name = "fc.weight", .inf = 1, .finite_amax = std::nullopt}};
  return batch;
}

/// Writes a report of a launch at O1. Its runs have the ids 1, 2 and so on.
inline void writeRanks(const std::filesystem::path& path, const std::vector<RecordedRank>& ranks,
                       std::int64_t world_size) {
  store::create_report(path, true);
  store::ReportWriter writer(path);
  for (const RecordedRank& rank : ranks) {
    const std::int64_t run = writer.begin_run(testing_reports::start_of("O1"));
    RunAttach attach{"cpu", "2.11.0", "{}", "O1"};
    attach.rank = rank.rank;
    attach.world_size = world_size;
    attach.host = "node" + std::to_string(rank.rank / 2);
    writer.attach(run, attach);
    writer.append(run, batchOf(rank));
    if (rank.ends) writer.detach(run, {.peak_bytes = 1, .wall_ns = 2, .overhead_ns = 1});
    if (rank.ends) writer.end_run(run, 0);
  }
  writer.fold();
}

/// Writes three of four ranks: an overflow begins on rank 1 and reaches rank 0; rank 2 is slower and fails.
inline void writeThreeRanks(const std::filesystem::path& path) {
  writeRanks(path,
             {{.rank = 0, .first_site = kSiteOfCollective},
              {.rank = 1, .first_site = kSiteOfBackward},
              {.rank = 2, .step_ms = 8, .ends = false}},
             4);
}

}  // namespace ampprof::gui
