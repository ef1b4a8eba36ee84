// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "reports/records/dtype.h"
#include "reports/records/exponents.h"
#include "reports/records/gpu_activity.h"
#include "reports/records/op_call.h"
#include "reports/records/statistics.h"

namespace ampprof {

/// Total of the GPU activities with one name that were launched from one place.
struct GpuActivityTotal {
  std::int32_t name = 0;
  GpuActivityKind kind = GpuActivityKind::Kernel;
  std::int64_t count = 0;
  std::int64_t duration_ns = 0;
  std::int64_t bytes = 0;

  bool operator==(const GpuActivityTotal&) const = default;
};

/// Signature and types of a call.
struct OpVariant {
  std::int64_t signature = 0;
  DType in = DType::Unknown;
  DType out = DType::Unknown;

  auto operator<=>(const OpVariant&) const = default;
};

struct VariantCalls {
  OpVariant variant;
  std::int64_t calls = 0;

  auto operator<=>(const VariantCalls&) const = default;
};

/// Total of the calls at one place in the step. Merging the totals of two parts gives the total of the whole. The loss
/// scale changes between calls, so magnitudes in `ranges` and exponents are those of gradients divided by the scale of
/// their call. Counts and errors are those of the executed values.
struct OpTotal {
  /// Largest number of variants kept per place. Calls of further variants count as kOtherShapes.
  static constexpr std::size_t kMostVariants = 64;

  std::int64_t calls = 0;
  std::int64_t duration_ns = 0;
  std::int64_t cast_bytes = 0;
  std::int64_t nonfinite_calls = 0;  ///< calls with an unexpected NaN or inf
  std::int64_t expected_calls = 0;   ///< calls with an expected NaN or inf
  std::optional<double> scale;       ///< the last loss scale in force
  std::optional<ErrorStats> local;
  std::optional<RangeStats> ranges;
  std::optional<ErrorStats> inherited;
  std::optional<ExponentHistogram> exponents;
  std::optional<ExponentHistogram> inherited_exponents;
  std::vector<VariantCalls> variants;                      ///< in the order of arrival
  std::vector<CastRecord> casts;                           ///< one for each pair of types; without segment or site
  std::vector<GpuActivityTotal> activities;                ///< one for each name and kind

  void add(const OpCall& call);
  void add(const CastRecord& cast);
  void add(const GpuActivity& activity) {
    add({activity.name, activity.kind, 1, activity.duration_ns, activity.bytes});
  }
  void add(const GpuActivityTotal& activity);
  /// `later` follows this total in time.
  void merge(const OpTotal& later);
  /// Returns the total with magnitudes and exponents multiplied by the last scale.
  OpTotal at_its_scale() const;
};

/// A call site in a step: the id of the call site, and the position of the segment in the step.
using SiteInStep = std::pair<std::int64_t, std::int32_t>;

using OpTotals = std::map<SiteInStep, OpTotal>;

}  // namespace ampprof
