// SPDX-License-Identifier: Apache-2.0
#include "reports/store/probe_rows.h"

namespace ampprof {
namespace {

constexpr const char* kInsertTime =
    "INSERT INTO probe_time (run, op, signature, dtype, timed_dtype, tf32, padded, sizes, cudnn_benchmark, median_ns, "
    "spread_ns, repeats, calls, sm_mhz_before, sm_mhz_after, device) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
constexpr const char* kInsertAlgorithm =
    "INSERT OR REPLACE INTO probe_algorithm (run, op, signature, dtype, numerics, algorithm, tile, stages, split_k, "
    "waves, workspace_bytes, alignment_a, alignment_b, alignment_c, alignment_d, failure, library_version, device) "
    "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
constexpr int kColumnsOfAlgorithm = 11;

Statement& put_matmul(Statement& row, std::int64_t run, const ProbedMatmul& matmul) {
  return row.put(run).put(matmul.op).put(matmul.signature).put(static_cast<int>(matmul.dtype));
}

void insert_time(Statement& row, std::int64_t run, const ProbeTime& time) {
  const Timing& timing = time.timing;
  put_matmul(row, run, time.matmul).put(static_cast<int>(time.arithmetic.dtype)).put(time.arithmetic.tf32);
  row.put(time.is_padded).put(time.sizes).put(time.cudnn_benchmark);
  row.put(timing.median_us * 1e3).put(timing.spread_us * 1e3).put(timing.repeats).put(timing.calls);
  row.put(timing.sm_mhz_before).put(timing.sm_mhz_after).put(time.device).execute();
}

void insert_algorithm(Statement& row, std::int64_t run, const ProbeAlgorithm& answer) {
  put_matmul(row, run, answer.matmul);
  if (const auto& algorithm = answer.algorithm) {
    row.put(algorithm->numerics).put(algorithm->id).put(algorithm->tile).put(algorithm->stages);
    row.put(algorithm->split_k).put(algorithm->waves).put(algorithm->workspace_bytes);
    for (const std::int64_t bytes : algorithm->alignment_bytes) row.put(bytes);
  } else {
    row.put_null(kColumnsOfAlgorithm);
  }
  row.put(answer.failure).put(answer.library_version).put(answer.device).execute();
}

}  // namespace

void insert_probe(Database& database, std::int64_t run, const ProbeRecords& records) {
  Statement time(database, kInsertTime);
  for (const ProbeTime& record : records.times) insert_time(time, run, record);
  Statement algorithm(database, kInsertAlgorithm);
  for (const ProbeAlgorithm& record : records.algorithms) insert_algorithm(algorithm, run, record);
}

}  // namespace ampprof
