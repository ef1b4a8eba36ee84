// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/probes.h"

#include "reports/queries/lookups.h"
#include "reports/store/probe_tables.h"
#include "reports/store/sqlite.h"

namespace ampprof::queries {

namespace {

template <class Row, class Declared>
std::vector<Row> probe_rows(const Report& report, const Declared& table, RunFilter run, const char* order) {
  const auto read = [&](store::Statement& row) { return Row{row.integer(), store::take(row, table)}; };
  return store::rows_of(report, store::select_from(table, "run") + "WHERE " + is_of_run("run") + "ORDER BY " + order,
                        read, run);
}

}  // namespace

std::vector<ProbeTimeRow> probe_times(const Report& report, RunFilter run) {
  return probe_rows<ProbeTimeRow>(report, store::kProbeTime, run, "run, rowid");
}

std::vector<ProbeAlgorithmRow> probe_algorithms(const Report& report, RunFilter run) {
  return probe_rows<ProbeAlgorithmRow>(report, store::kProbeAlgorithm, run, "run, op, signature, dtype");
}

}  // namespace ampprof::queries
