// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Names the variables that tell the preload stub what it needs before LibTorch is there. They are apart from those of
/// options.h, since the stub links libc and libstdc++ only.
namespace ampprof::recording {

inline constexpr const char* kLibraryVariable = "AMPPROF_RECORD_LIBRARY";  ///< path of libampprof.so
inline constexpr const char* kPythonVariable = "AMPPROF_RECORD_PYTHON";    ///< path of the Python hooks
inline constexpr const char* kClaimVariable = "AMPPROF_RECORD_CLAIM";      ///< path of the claim file
/// LOCAL_RANK of `ampprof run` itself; tells workers of a launcher that it starts from one that starts it.
inline constexpr const char* kLocalRankVariable = "AMPPROF_RECORD_LOCAL_RANK";

}  // namespace ampprof::recording
