// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "reports/queries/report.h"
#include "reports/records/batch.h"
#include "tests/reports/sample_report.h"

namespace ampprof::testing_reports {

/// Writes a report of one run.
class OneRun : public testing::Test {
 protected:
  queries::Report written(const Batch& batch) {
    store::create_report(path_, true);
    store::ReportWriter writer(path_);
    writer.append(writer.begin_run(start_of("O1")), batch);
    return queries::Report(path_);
  }

  TemporaryFolder folder_;
  fs::path path_ = folder_ / "r.ampprof";
};

}  // namespace ampprof::testing_reports
