// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "reports/records/probe.h"
#include "reports/store/tables.h"

/// The tables of matmuls that were timed in isolation, and of cublasLt's answers.
namespace ampprof::store {

/// Stores microseconds as nanoseconds.
struct AsNanoseconds {
  static constexpr const char* kType = "REAL";
  static constexpr bool kIsNullable = false;
  static void put(Statement& row, double us) { row.put(us * 1e3); }
  static double take(ResultRow& row) { return row.real() / 1e3; }
};

inline constexpr auto kProbedMatmul =
    std::tuple{column("op", &ProbedMatmul::op), column("signature", &ProbedMatmul::signature),
               column("dtype", &ProbedMatmul::dtype)};

inline constexpr auto kProbeTime = table<ProbeTime>(
    "probe_time", keys("run"),
    std::tuple{part(&ProbeTime::matmul, kProbedMatmul),
               part(&ProbeTime::arithmetic,
                    std::tuple{column("timed_dtype", &Arithmetic::dtype), column("tf32", &Arithmetic::tf32)}),
               column("padded", &ProbeTime::is_padded), column("sizes", &ProbeTime::sizes),
               column("cudnn_benchmark", &ProbeTime::cudnn_benchmark),
               part(&ProbeTime::timing, std::tuple{column_as<AsNanoseconds>("median_ns", &Timing::median_us),
                                                   column_as<AsNanoseconds>("spread_ns", &Timing::spread_us),
                                                   column("repeats", &Timing::repeats), column("calls", &Timing::calls),
                                                   column("sm_mhz_before", &Timing::sm_mhz_before),
                                                   column("sm_mhz_after", &Timing::sm_mhz_after)}),
               column("device", &ProbeTime::device)});

/// Declares a matmul's alignment requirement for one of A, B, C and D.
template <std::size_t kOperand>
constexpr auto alignment_column(std::string_view name) {
  return column_as<Stored<std::int64_t>>(
      name, [](auto& algorithm) -> auto& { return algorithm.alignment_bytes[kOperand]; });
}

inline constexpr auto kProbeAlgorithm = table<ProbeAlgorithm>(
    "probe_algorithm", keys("run"),
    std::tuple{
        part(&ProbeAlgorithm::matmul, kProbedMatmul),
        optional_part("", &ProbeAlgorithm::algorithm,
                      std::tuple{column("numerics", &GemmAlgorithm::numerics), column("algorithm", &GemmAlgorithm::id),
                                 column("tile", &GemmAlgorithm::tile), column("stages", &GemmAlgorithm::stages),
                                 column("split_k", &GemmAlgorithm::split_k), column("waves", &GemmAlgorithm::waves),
                                 column("workspace_bytes", &GemmAlgorithm::workspace_bytes),
                                 alignment_column<0>("alignment_a"), alignment_column<1>("alignment_b"),
                                 alignment_column<2>("alignment_c"), alignment_column<3>("alignment_d")}),
        column("failure", &ProbeAlgorithm::failure), column("library_version", &ProbeAlgorithm::library_version),
        column("device", &ProbeAlgorithm::device)});

}  // namespace ampprof::store
