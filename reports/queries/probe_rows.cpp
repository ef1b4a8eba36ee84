// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/rows.h"
#include "reports/store/tables.h"

namespace ampprof {
namespace {

template <class Row, class Declared>
std::vector<Row> probe_rows(Database& database, const Declared& table, RunFilter run, const char* order) {
  Statement rows(database, store::select_from(table, "run") + "WHERE ?1 IS NULL OR run = ?1 ORDER BY " + order);
  rows.put(run);
  std::vector<Row> found;
  while (rows.next()) {
    const std::int64_t id = rows.integer();
    found.push_back({id, store::take(rows, table)});
  }
  return found;
}

}  // namespace

std::vector<ProbeTimeRow> probe_time_rows(Database& database, RunFilter run) {
  return probe_rows<ProbeTimeRow>(database, store::kProbeTime, run, "run, rowid");
}

std::vector<ProbeAlgorithmRow> probe_algorithm_rows(Database& database, RunFilter run) {
  return probe_rows<ProbeAlgorithmRow>(database, store::kProbeAlgorithm, run, "run, op, signature, dtype");
}

}  // namespace ampprof
