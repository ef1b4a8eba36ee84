// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reports/records/dtype.h"
#include "reports/records/phase.h"
#include "reports/records/statistics.h"

namespace ampprof {

/// The place in the program where an op is called. A CallSite identifies an op across steps, levels, ranks and reports.
///
/// Loops and repeated calls of a module reuse their call sites. `ordinal` numbers the call sites of one op on one line
/// in one module and phase, from 0, in the order in which they were first reached. The position of the segment
/// distinguishes calls in different segments of a step.
struct CallSite {
  std::int64_t id = 0;
  Phase phase = Phase::Forward;
  std::string module;  ///< module path, "" if unknown
  std::string op;      ///< operator name with overload, without "aten::": "conv2d", "add.Tensor"
  std::int32_t ordinal = 0;
  std::string source;  ///< file:line, "" if unknown
};

/// Signature of calls whose shapes are not recorded, since the program has too many variants.
inline constexpr std::int64_t kOtherShapes = 0;

/// One dispatcher call by the user's code.
struct OpCall {
  std::int64_t segment = 0;
  std::int64_t call_site = 0;
  std::int64_t signature = 0;  ///< id of an interned Signature text, or kOtherShapes
  std::int64_t start_ns = 0;
  std::int64_t duration_ns = 0;
  std::int32_t thread = 0;
  DType dtype_in = DType::Unknown;      ///< type of the first floating tensor argument
  DType dtype_out = DType::Unknown;     ///< type of the first floating output
  std::int64_t cast_bytes = 0;          ///< bytes written by casts that AMP inserted in this call
  std::optional<double> scale;          ///< loss scale in force; backward only
  std::optional<ErrorStats> local;      ///< empty if the call is FP32 throughout or could not be replayed
  std::optional<RangeStats> ranges;     ///< empty with --reference off
  std::optional<ErrorStats> inherited;  ///< relative to the shadow; only with --inherited
  std::string exponents;                ///< encoded histogram of the reference; of the output if there is no reference
  std::string inherited_exponents;      ///< encoded histogram of the shadow's output
  bool nonfinite_expected = false;      ///< its NaN or inf are harmless: the -inf of a mask, values that are never read

  bool operator==(const OpCall&) const = default;
};

/// An op call without statistics, in a sixth of the memory of an OpCall. The thread that records a call spends most
/// time on writing to cold memory, so such a call is a PlainCall until the writer's thread receives it.
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

/// The casts between one pair of types that AMP inserted in one op call.
struct CastRecord {
  std::int64_t segment = 0;
  std::int64_t call_site = 0;  ///< call site of the call that needed the casts
  DType from = DType::Unknown;
  DType to = DType::Unknown;
  std::int64_t casts = 0;          ///< requested casts
  std::int64_t cache_hits = 0;     ///< casts served from the cast cache, without writing
  std::int64_t bytes = 0;          ///< bytes written
  std::int64_t duration_ns = 0;    ///< time of the casts that wrote
  std::int64_t rounded_twice = 0;  ///< casts of values that another reduced type had already rounded

  bool operator==(const CastRecord&) const = default;
};

}  // namespace ampprof
