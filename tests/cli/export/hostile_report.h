// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/reports/sample_report.h"

namespace ampprof::cli {

/// Writes a report with `text` in every text field that the recorded program can influence.
inline void write_report_with(const std::string& text, const std::filesystem::path& path) {
  store::create_report(path, true);
  store::ReportWriter writer(path);
  RunStart start = testing_reports::start_of("O1");
  start.program = text;
  const std::int64_t run = writer.begin_run(start);
  writer.attach(run, {.device = text, .torch_version = text, .settings_json = text, .level = "O1"});
  Batch batch = testing_reports::two_steps();
  for (CallSite& site : batch.call_sites) site.module = site.op = site.source = text;
  batch.signatures[0].text = text;
  for (EventParameter& parameter : batch.events[0].parameters) parameter.name = text;
  batch.updates = {{.segment = 1, .call_site = 1, .parameter = text, .lost = std::nullopt}};
  batch.impacts = {{.segment = 1, .source = ImpactSource::Parameter, .name = text, .impact = 1.0}};
  batch.missing = {{text, 1, text, text}};
  writer.append(run, batch);
  writer.detach(run, {.peak_bytes = 1, .wall_ns = 1, .overhead_ns = 1});
  writer.end_run(run, 0);
  writer.fold();
}

}  // namespace ampprof::cli
