// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "reports/records/batch.h"
#include "reports/store/writer.h"
#include "tests/cli/synthetic_report.h"

namespace ampprof::gui {

/// Writes a synthetic report whose run at O1 has one finding: the run computed with a stale cast.
inline void writeStaleCast(const std::filesystem::path& path) {
  cli::write_synthetic_report(path);
  Batch stale;
  stale.stale_casts.push_back({.segment = 1,
                               .call_site = 1,
                               .parameter = "features.conv1.weight",
                               .dtype = DType::Half,
                               .cast_segment = 1,
                               .elements = 4,
                               .differing = 2,
                               .sum_sq_change = 1.0,
                               .sum_sq_cast = 4.0});
  store::ReportWriter(path).append(2, stale);
}

}  // namespace ampprof::gui
