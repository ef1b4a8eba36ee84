// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Texts of Missing for the data that a full report leaves out. Counts add up by `what` and `cause`, so all code that
/// leaves something out uses these texts.
namespace ampprof::left_out {

inline constexpr const char* kCause = "the report reached its size limit";
inline constexpr const char* kRemedy = "raise --max-report, or record fewer steps with --steps or --every";
inline constexpr const char* kRemedyOfCalls =
    "totals are kept; raise --max-report, or record fewer steps with --steps or --every";

inline constexpr const char* kCalls = "op calls one by one";
inline constexpr const char* kActivities = "GPU activities one by one";
inline constexpr const char* kImpacts = "loss impacts";
inline constexpr const char* kGradientImpacts = "gradient impacts";
inline constexpr const char* kGradientErrors = "errors of gradients";
inline constexpr const char* kRecipeMatmuls = "matmuls of recipes";
inline constexpr const char* kStaleCasts = "stale casts";
inline constexpr const char* kDecisions = "decisions";
inline constexpr const char* kUpdates = "weight updates";
inline constexpr const char* kChecksums = "checksums of parameters";
inline constexpr const char* kCollectives = "collectives";
inline constexpr const char* kCollectiveSketches = "sketches of collectives";
inline constexpr const char* kSketches = "sketches of outputs";
inline constexpr const char* kRanges = "NVTX ranges";

}  // namespace ampprof::left_out
