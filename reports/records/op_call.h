// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reports/records/dtype.h"
#include "reports/records/phase.h"
#include "reports/records/statistics.h"

namespace ampprof {

/// The place an op is called from; matches ops across steps, levels, ranks and reports.
///
/// Loops and repeated calls of a module come back to the same call sites. `ordinal` counts the call sites of one op on
/// one line in one module and phase, from 0, in the order in which they were first met. Calls in different segments of
/// a step are told apart by the segment's position.
struct CallSite {
  std::int64_t id = 0;
  Phase phase = Phase::Forward;
  std::string module;  ///< module path, "" where none is known
  std::string op;      ///< operator name with overload, without "aten::": "conv2d", "add.Tensor"
  std::int32_t ordinal = 0;
  std::string source;  ///< file:line, "" where unknown
};

/// Signature of calls whose arguments are not told apart any more, since there were too many kinds of them.
inline constexpr std::int64_t kOtherShapes = 0;

/// One dispatcher call as the user made it.
struct OpCall {
  std::int64_t segment = 0;
  std::int64_t call_site = 0;
  std::int64_t signature = 0;  ///< id of an interned Signature text, or kOtherShapes
  std::int64_t start_ns = 0;
  std::int64_t duration_ns = 0;
  std::int32_t thread = 0;
  DType dtype_in = DType::Unknown;      ///< of the first floating tensor argument
  DType dtype_out = DType::Unknown;     ///< of the first floating output
  std::int64_t cast_bytes = 0;          ///< bytes written by casts that AMP inserted in this call
  std::optional<double> scale;          ///< loss scale in force; backward only
  std::optional<ErrorStats> local;      ///< empty where the call is FP32 throughout or could not be re-run
  std::optional<RangeStats> ranges;     ///< empty with --reference off
  std::optional<ErrorStats> inherited;  ///< against the shadow; with --inherited only
  std::string exponents;                ///< encoded histogram of the reference, of the output where there is none
  std::string inherited_exponents;      ///< encoded histogram of the shadow's output
  bool nonfinite_expected = false;      ///< its NaN or inf are no failure: a mask's -inf, a part that nobody reads

  bool operator==(const OpCall&) const = default;
};

/// An op call without values. Most of what a call costs its thread is writing its record to cold memory, so a call that
/// has none of the values takes a sixth of the room until the writer's thread has it.
struct PlainCall {
  PlainCall() = default;
  /// Leaves out local, ranges, inherited, their exponents, and nonfinite_expected.
  explicit PlainCall(const OpCall& call);
  OpCall whole() const;

  std::int64_t segment;
  std::int64_t start_ns;
  std::int64_t duration_ns;
  std::int64_t cast_bytes;
  double scale;  ///< NaN for none
  std::int32_t call_site;
  std::int32_t signature;
  std::int32_t thread;
  DType dtype_in;
  DType dtype_out;
};

/// The casts of one kind that AMP inserted in one op call.
struct CastRecord {
  std::int64_t segment = 0;
  std::int64_t call_site = 0;  ///< of the call that needed them
  DType from = DType::Unknown;
  DType to = DType::Unknown;
  std::int64_t casts = 0;          ///< asked for
  std::int64_t cache_hits = 0;     ///< of those, served from the cast cache: nothing was written
  std::int64_t bytes = 0;          ///< written
  std::int64_t duration_ns = 0;    ///< of the casts that wrote
  std::int64_t rounded_twice = 0;  ///< of a value that another reduced type had rounded before

  bool operator==(const CastRecord&) const = default;
};

}  // namespace ampprof
