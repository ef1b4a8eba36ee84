// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "reports/records/probe.h"
#include "reports/store/tables.h"

/// The tables of matmuls that were timed in isolation, and of the algorithms that cublasLt chose.
namespace ampprof::store {

/// Stores microseconds as nanoseconds.
struct AsNanoseconds {
  static constexpr const char* kType = "REAL";
  static constexpr bool kIsNullable = false;
  static void put(Statement& row, double us) { row.put(us * 1e3); }
  static double take(ResultRow& row) { return row.real() / 1e3; }
};

inline constexpr auto kProbedMatmul =
    std::tuple{column("op", &ProbedMatmul::op, "Name of the op, with its overload."),
               column("signature", &ProbedMatmul::signature, "Arguments, written like the text of `signature`."),
               column("dtype", &ProbedMatmul::dtype,
                      "Type that the run computed the op in, a number of `reports/records/dtype.h`.")};

inline constexpr auto kProbeTime = table<ProbeTime>(
    "probe_time", keys("run"),
    std::tuple{
        part(&ProbeTime::matmul, kProbedMatmul),
        part(&ProbeTime::arithmetic,
             std::tuple{column("timed_dtype", &Arithmetic::dtype,
                               "Type that the op was timed in, a number of `reports/records/dtype.h`."),
                        column("tf32", &Arithmetic::tf32, "1: FP32 ops were allowed to compute in TF32.")}),
        column("padded", &ProbeTime::is_padded, "1: the op was timed with padded sizes."),
        column("sizes", &ProbeTime::sizes, "Sizes that were timed, such as M = 64, N = 104, K = 128."),
        column("cudnn_benchmark", &ProbeTime::cudnn_benchmark,
               "1: cuDNN tried its algorithms first and chose the fastest. NULL if the op is not a convolution."),
        part(&ProbeTime::timing,
             std::tuple{column_as<AsNanoseconds>("median_ns", &Timing::median_us, "Median time of a call."),
                        column_as<AsNanoseconds>("spread_ns", &Timing::spread_us,
                                                 "Interquartile range of the repeats' times."),
                        column("repeats", &Timing::repeats, "Number of repeats."),
                        column("calls", &Timing::calls, "Number of calls in each repeat."),
                        column("sm_mhz_before", &Timing::sm_mhz_before,
                               "Clock of the multiprocessors before the timing. NULL if unknown."),
                        column("sm_mhz_after", &Timing::sm_mhz_after,
                               "Clock of the multiprocessors after the timing. NULL if unknown.")}),
        column("device", &ProbeTime::device, "`cpu`, or the name of the GPU.")});

/// Declares a matmul's alignment requirement for one of A, B, C and D.
template <std::size_t kOperand>
constexpr auto alignment_column(std::string_view name, std::string_view about) {
  return column_as<Stored<std::int64_t>>(
      name, [](auto& algorithm) -> auto& { return algorithm.alignment_bytes[kOperand]; }, about);
}

inline constexpr auto kProbeAlgorithm = table<ProbeAlgorithm>(
    "probe_algorithm", keys("run"),
    std::tuple{
        part(&ProbeAlgorithm::matmul, kProbedMatmul),
        optional_part(
            "", &ProbeAlgorithm::algorithm,
            std::tuple{
                column("numerics", &GemmAlgorithm::numerics,
                       "CUBLASLT_NUMERICAL_IMPL_FLAGS: the instruction, the types of the accumulator and of the "
                       "inputs. NULL, like the columns up to `alignment_d`, if cublasLt gave no answer."),
                column("algorithm", &GemmAlgorithm::id, "cublasLt's identifier of the algorithm."),
                column("tile", &GemmAlgorithm::tile, "Tile, such as 128x256."),
                column("stages", &GemmAlgorithm::stages,
                       "cublasLt's identifier of the staging, not a number of stages."),
                column("split_k", &GemmAlgorithm::split_k, "Number of parts that K is split into."),
                column("waves", &GemmAlgorithm::waves, "Number of waves of tiles: 1 fills the GPU once."),
                column("workspace_bytes", &GemmAlgorithm::workspace_bytes, "Workspace that the algorithm needs."),
                alignment_column<0>("alignment_a", "Least alignment of A, the left factor, in bytes."),
                alignment_column<1>("alignment_b", "Least alignment of B, the right factor, in bytes."),
                alignment_column<2>("alignment_c", "Least alignment of C, in bytes."),
                alignment_column<3>("alignment_d", "Least alignment of D, the result, in bytes.")}),
        column("failure", &ProbeAlgorithm::failure, "Reason why cublasLt gave no answer; '' if it gave one."),
        column("library_version", &ProbeAlgorithm::library_version, "Version of cublasLt: 130100 is 13.1."),
        column("device", &ProbeAlgorithm::device, "Name of the GPU.")});

}  // namespace ampprof::store
