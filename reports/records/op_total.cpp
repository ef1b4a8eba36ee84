// SPDX-License-Identifier: Apache-2.0
#include "reports/records/op_total.h"

#include <algorithm>
#include <cmath>

#include "reports/records/merge_optional.h"
#include "reports/records/saturating_add.h"

namespace ampprof {
namespace {

/// Returns the nearest power of two to a factor, to shift magnitudes by.
int shift_of(double factor) { return static_cast<int>(std::lround(std::log2(factor))); }

void add_exponents(std::optional<ExponentHistogram>& total, std::string_view encoded, double factor) {
  const auto exponents = encoded.empty() ? std::nullopt : decode_exponents(encoded);
  if (exponents)
    merge_optional(total, std::optional(factor == 1.0 ? *exponents : exponents->shifted(shift_of(factor))));
}

std::optional<RangeStats> multiplied(std::optional<RangeStats> ranges, double factor) {
  if (!ranges || factor == 1.0) return ranges;
  ranges->amax *= factor;
  ranges->smallest *= factor;
  ranges->reference_amax *= factor;
  return ranges;
}

bool is_usable(double scale) { return scale > 0 && std::isfinite(scale); }

// Searches linearly, since nearly all places have a single variant.
void count_variant(std::vector<VariantCalls>& variants, const OpVariant& variant, std::int64_t calls) {
  const auto known = std::ranges::find(variants, variant, &VariantCalls::variant);
  if (known != variants.end()) {
    saturating_add(known->calls, calls);
  } else if (variant.signature != kOtherShapes && variants.size() >= OpTotal::kMostVariants) {
    count_variant(variants, {kOtherShapes, variant.in, variant.out}, calls);
  } else {
    variants.push_back({variant, calls});
  }
}

}  // namespace

void OpTotal::add(const OpCall& call) {
  calls += 1;
  saturating_add(duration_ns, call.duration_ns);
  saturating_add(cast_bytes, call.cast_bytes);
  if (call.nonfinite_expected) {
    ++expected_calls;
  } else if (call.ranges && call.ranges->nonfinite > 0) {
    ++nonfinite_calls;
  }
  if (call.scale) scale = call.scale;
  const double factor = call.scale && is_usable(*call.scale) ? 1.0 / *call.scale : 1.0;
  merge_optional(local, call.local);
  merge_optional(ranges, multiplied(call.ranges, factor));
  merge_optional(inherited, call.inherited);
  add_exponents(exponents, call.exponents, factor);
  add_exponents(inherited_exponents, call.inherited_exponents, factor);
  count_variant(variants, {call.signature, call.dtype_in, call.dtype_out}, 1);
}

void OpTotal::add(const CastRecord& cast) {
  const auto same = [&](const CastRecord& other) { return other.from == cast.from && other.to == cast.to; };
  auto known = std::ranges::find_if(casts, same);
  if (known == casts.end()) known = casts.insert(casts.end(), {.from = cast.from, .to = cast.to});
  saturating_add(known->casts, cast.casts);
  saturating_add(known->cache_hits, cast.cache_hits);
  saturating_add(known->bytes, cast.bytes);
  saturating_add(known->duration_ns, cast.duration_ns);
  saturating_add(known->rounded_twice, cast.rounded_twice);
}

void OpTotal::add(const GpuActivityTotal& activity) {
  const auto same = [&](const GpuActivityTotal& other) {
    return other.name == activity.name && other.kind == activity.kind;
  };
  auto known = std::ranges::find_if(activities, same);
  if (known == activities.end())
    known = activities.insert(activities.end(), {.name = activity.name, .kind = activity.kind});
  saturating_add(known->count, activity.count);
  saturating_add(known->duration_ns, activity.duration_ns);
  saturating_add(known->bytes, activity.bytes);
}

void OpTotal::merge(const OpTotal& later) {
  saturating_add(calls, later.calls);
  saturating_add(duration_ns, later.duration_ns);
  saturating_add(cast_bytes, later.cast_bytes);
  saturating_add(nonfinite_calls, later.nonfinite_calls);
  saturating_add(expected_calls, later.expected_calls);
  if (later.scale) scale = later.scale;
  merge_optional(local, later.local);
  merge_optional(ranges, later.ranges);
  merge_optional(inherited, later.inherited);
  merge_optional(exponents, later.exponents);
  merge_optional(inherited_exponents, later.inherited_exponents);
  for (const auto& [variant, count] : later.variants) count_variant(variants, variant, count);
  for (const CastRecord& cast : later.casts) add(cast);
  for (const GpuActivityTotal& activity : later.activities) add(activity);
}

OpTotal OpTotal::at_its_scale() const {
  OpTotal scaled = *this;
  const double factor = scale && is_usable(*scale) ? *scale : 1.0;
  scaled.ranges = multiplied(ranges, factor);
  for (auto* histogram : {&scaled.exponents, &scaled.inherited_exponents}) {
    if (*histogram && factor != 1.0) *histogram = (*histogram)->shifted(shift_of(factor));
  }
  return scaled;
}

}  // namespace ampprof
