// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/rows.h"

namespace ampprof {
namespace {

constexpr const char* kTimes =
    "SELECT run, op, signature, dtype, timed_dtype, tf32, padded, sizes, cudnn_benchmark, median_ns, spread_ns, "
    "repeats, calls, sm_mhz_before, sm_mhz_after, device FROM probe_time WHERE ?1 IS NULL OR run = ?1 "
    "ORDER BY run, rowid";
constexpr const char* kAlgorithms =
    "SELECT run, op, signature, dtype, numerics, algorithm, tile, stages, split_k, waves, workspace_bytes, "
    "alignment_a, alignment_b, alignment_c, alignment_d, failure, library_version, device FROM probe_algorithm "
    "WHERE ?1 IS NULL OR run = ?1 ORDER BY run, op, signature, dtype";
constexpr int kColumnsOfAnswer = 11;

/// Reports of an earlier ampprof have no such tables.
bool has_table(Database& database, std::string_view name) {
  Statement row(database, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  row.put(name);
  return row.next();
}

ProbedMatmul matmul_in(Statement& row) {
  ProbedMatmul matmul{.op = row.text(), .signature = row.text()};
  matmul.dtype = dtype_from_number(row.integer());
  return matmul;
}

ProbeTime time_in(Statement& row) {
  ProbeTime time{.matmul = matmul_in(row), .arithmetic = {}, .sizes = {}, .timing = {}, .device = {}};
  time.arithmetic.dtype = dtype_from_number(row.integer());
  time.arithmetic.tf32 = row.flag();
  time.is_padded = row.flag();
  time.sizes = row.text();
  if (const auto benchmark = row.optional_integer()) time.cudnn_benchmark = *benchmark != 0;
  time.timing = {.median_us = row.real() / 1e3, .spread_us = row.real() / 1e3, .repeats = row.integer()};
  time.timing.calls = row.integer();
  time.timing.sm_mhz_before = row.optional_integer();
  time.timing.sm_mhz_after = row.optional_integer();
  time.device = row.text();
  return time;
}

GemmAlgorithm algorithm_in(Statement& row) {
  GemmAlgorithm algorithm{.numerics = row.integer(), .id = row.integer(), .tile = row.text(), .stages = row.integer()};
  algorithm.split_k = row.integer();
  algorithm.waves = row.real();
  algorithm.workspace_bytes = row.integer();
  for (std::int64_t& bytes : algorithm.alignment_bytes) bytes = row.integer();
  return algorithm;
}

ProbeAlgorithm answer_in(Statement& row) {
  ProbeAlgorithm answer{.matmul = matmul_in(row), .failure = {}, .device = {}};
  if (row.at_null()) {
    row.skip(kColumnsOfAnswer);
  } else {
    answer.algorithm = algorithm_in(row);
  }
  answer.failure = row.text();
  answer.library_version = row.integer();
  answer.device = row.text();
  return answer;
}

}  // namespace

std::vector<ProbeTimeRow> probe_time_rows(Database& database, RunFilter run) {
  std::vector<ProbeTimeRow> times;
  if (!has_table(database, "probe_time")) return times;
  Statement rows(database, kTimes);
  rows.put(run);
  while (rows.next()) {
    const std::int64_t id = rows.integer();
    times.push_back({id, time_in(rows)});
  }
  return times;
}

std::vector<ProbeAlgorithmRow> probe_algorithm_rows(Database& database, RunFilter run) {
  std::vector<ProbeAlgorithmRow> answers;
  if (!has_table(database, "probe_algorithm")) return answers;
  Statement rows(database, kAlgorithms);
  rows.put(run);
  while (rows.next()) {
    const std::int64_t id = rows.integer();
    answers.push_back({id, answer_in(rows)});
  }
  return answers;
}

}  // namespace ampprof
