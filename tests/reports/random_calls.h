// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "reports/records/dtype.h"
#include "reports/records/exponents.h"
#include "reports/records/gpu_activity.h"
#include "reports/records/op_call.h"
#include "reports/records/statistics.h"

namespace ampprof::testing_reports {

/// Makes random op calls, casts and GPU activities. Equal seeds give equal records. Summed statistics are integers, so
/// that the order of addition does not matter.
class RandomCalls {
 public:
  explicit RandomCalls(unsigned seed) : random_(seed) {}

  int up_to(int largest) { return std::uniform_int_distribution<int>(0, largest)(random_); }
  bool one_in(int number) { return up_to(number - 1) == 0; }

  OpCall call(std::int64_t segment, int sites) {
    OpCall call;
    call.segment = segment;
    call.call_site = 1 + up_to(sites - 1);
    call.signature = one_in(5) ? 1 + up_to(3) : 1;
    now_ += up_to(3) == 0 ? up_to(2'000'000) : up_to(500);
    call.start_ns = now_;
    call.duration_ns = one_in(4) ? up_to(100'000) : 0;
    now_ += call.duration_ns;
    call.thread = one_in(9) ? up_to(3) : 0;
    call.dtype_in = static_cast<DType>(up_to(static_cast<int>(DType::Complex)));
    call.dtype_out = one_in(3) ? DType::Half : call.dtype_in;
    call.cast_bytes = one_in(6) ? up_to(1 << 30) : 0;
    if (one_in(3)) call.scale = std::ldexp(1024.0, up_to(6));  // powers of two: unscaling is exact
    if (one_in(2)) call.local = error();
    if (one_in(2)) call.ranges = ranges();
    if (one_in(4)) call.inherited = error();
    if (one_in(2)) call.exponents = exponents();
    if (one_in(4)) call.inherited_exponents = exponents();
    call.nonfinite_expected = one_in(10);
    return call;
  }

  CastRecord cast(std::int64_t segment, int sites) {
    return {.segment = segment,
            .call_site = 1 + up_to(sites - 1),
            .from = DType::Float,
            .to = one_in(3) ? DType::BFloat16 : DType::Half,
            .casts = 1 + up_to(3),
            .cache_hits = up_to(1),
            .bytes = up_to(100'000),
            .duration_ns = up_to(10'000),
            .rounded_twice = up_to(1)};
  }

  /// Returns a GPU activity. The call site is 0 if no op call launched the activity.
  GpuActivity activity(std::int64_t segment, int sites) {
    GpuActivity activity;
    activity.segment = segment;
    activity.call_site = up_to(sites);
    activity.kind = static_cast<GpuActivityKind>(one_in(4) ? 1 + up_to(1) : 0);
    activity.name = 1 + up_to(5);
    device_now_ += up_to(3) == 0 ? up_to(1'000'000) : up_to(700);
    activity.start_ns = device_now_ - up_to(200);
    activity.duration_ns = up_to(50'000);
    device_now_ += activity.duration_ns;
    activity.launched_ns = one_in(5) ? 0 : activity.start_ns - up_to(5'000);
    if (activity.kind != GpuActivityKind::Kernel) activity.bytes = up_to(1 << 30);
    activity.device = one_in(9) ? 1 : 0;
    activity.stream = one_in(7) ? up_to(20) : 7;
    activity.thread = up_to(1);
    activity.graph = one_in(20) ? 3 : 0;
    return activity;
  }

 private:
  double whole() { return up_to(1000); }

  ErrorStats error() {
    return {.count = up_to(1 << 20),
            .excluded = one_in(9) ? up_to(5) : 0,
            .infinite = one_in(9) ? up_to(5) : 0,
            .flushed = up_to(9),
            .max_abs = one_in(20) ? std::numeric_limits<double>::infinity() : whole(),
            .max_ulp = whole(),
            .sum_ulp = whole(),
            .sum_sq_error = whole(),
            .sum_sq_reference = whole(),
            .sum_sq_output = whole(),
            .sum_product = -whole()};
  }

  RangeStats ranges() {
    return {.count = up_to(1 << 20),
            .nonfinite = one_in(9) ? up_to(5) : 0,
            .amax = whole(),
            .smallest = one_in(5) ? 0.0 : 1e-40 * up_to(9),
            .reference_amax = whole(),
            .rounds_to_inf = up_to(3),
            .subnormal = up_to(3),
            .rounds_to_zero = up_to(3)};
  }

  std::string exponents() {
    ExponentHistogram histogram;
    const int first = 20 + up_to(50);  // so that no loss scale shifts counts into the tails
    for (int bin = first; bin < first + 10; ++bin) histogram.counts[static_cast<std::size_t>(bin)] = up_to(1 << 16);
    return encode(histogram);
  }

  std::mt19937 random_;
  std::int64_t now_ = 0;
  std::int64_t device_now_ = 10'000;
};

}  // namespace ampprof::testing_reports
