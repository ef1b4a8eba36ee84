// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>

#include "reports/records/batch.h"
#include "reports/records/op_total.h"
#include "reports/store/column_kinds.h"

/// The tables of op calls.
namespace ampprof::store {

inline constexpr auto kOpTotal = table<OpTotal>(
    "op_total", keys("run", "call_site", "position"),
    std::tuple{
        column("calls", &OpTotal::calls, "Number of op calls."),
        column("duration_ns", &OpTotal::duration_ns, "CPU time of the calls."),
        column("cast_bytes", &OpTotal::cast_bytes, "Bytes that AMP's casts wrote for the calls."),
        column("nonfinite_calls", &OpTotal::nonfinite_calls, "Number of calls with an unexpected NaN or inf."),
        column("expected_calls", &OpTotal::expected_calls,
               "Number of calls with an expected NaN or inf, such as the -inf of a mask."),
        column("scale", &OpTotal::scale,
               "Latest loss scale. Magnitudes and exponents in this table are divided by the loss scale that was in "
               "force at each call."),
        optional_part("", &OpTotal::local, statistics_columns<ErrorStats>()),
        optional_part("", &OpTotal::ranges, statistics_columns<RangeStats>()),
        column_as<ExponentsBlob>("exponents", &OpTotal::exponents,
                                 "Histogram of binary exponents of the reference, or of the output if there is no "
                                 "reference, encoded as `reports/records/exponents.h` says."),
        optional_part("inherited_", &OpTotal::inherited, statistics_columns<ErrorStats>()),
        column_as<ExponentsBlob>(
            "inherited_exponents", &OpTotal::inherited_exponents,
            "Histogram of binary exponents in the step in exact arithmetic, encoded like `exponents`.")});

inline constexpr auto kOpVariant = table<VariantCalls>(
    "op_variant", keys("run", "call_site", "position"),
    std::tuple{
        part(&VariantCalls::variant,
             std::tuple{
                 column("signature", &OpVariant::signature,
                        "Arguments: `id` of `signature`. 0: all further lists of arguments together."),
                 column("dtype_in", &OpVariant::in, "Type of the inputs, a number of `reports/records/dtype.h`."),
                 column("dtype_out", &OpVariant::out, "Type of the output, a number of `reports/records/dtype.h`.")}),
        column("calls", &VariantCalls::calls, "Number of calls with these arguments and types.")});

inline constexpr auto kCastTotal = table<CastRecord>(
    "cast_total", keys("run", "call_site", "position"),
    std::tuple{column("dtype_from", &CastRecord::from, "Type before the cast, a number of `reports/records/dtype.h`."),
               column("dtype_to", &CastRecord::to, "Type after the cast, a number of `reports/records/dtype.h`."),
               column("casts", &CastRecord::casts, "Number of casts."),
               column("cache_hits", &CastRecord::cache_hits,
                      "Number of casts that wrote nothing, because the cache had their result."),
               column("bytes", &CastRecord::bytes, "Bytes that the casts wrote."),
               column("duration_ns", &CastRecord::duration_ns, "CPU time of the casts."),
               column("rounded_twice", &CastRecord::rounded_twice,
                      "Number of casts of a value that had already been rounded to another reduced type.")});

inline constexpr auto kGpuActivityTotal = table<GpuActivityTotal>(
    "gpu_activity_total", keys("run", "call_site", "position"),
    std::tuple{column("name", &GpuActivityTotal::name, "Name: `id` of `gpu_activity_name`."),
               column("kind", &GpuActivityTotal::kind, "Kind: 0 kernel, 1 memcpy, 2 memset."),
               column("count", &GpuActivityTotal::count, "Number of activities."),
               column("duration_ns", &GpuActivityTotal::duration_ns, "GPU time of the activities."),
               column("bytes", &GpuActivityTotal::bytes, "Bytes that were copied or set.")});

inline constexpr auto kStaleCast = table<StaleCast>(
    "stale_cast", keys("run"),
    std::tuple{
        column("segment", &StaleCast::segment, "Segment of the op call."),
        column("call_site", &StaleCast::call_site, "Call site that computed with the copy."),
        column("parameter", &StaleCast::parameter, "Parameter that was written after the cast; '' if it has no name."),
        column("dtype", &StaleCast::dtype, "Type of the copy, a number of `reports/records/dtype.h`."),
        column("cast_segment", &StaleCast::cast_segment, "Segment in which the copy was made."),
        column("elements", &StaleCast::elements, "Number of elements of the copy."),
        column("differing", &StaleCast::differing, "Number of elements of the copy that a new cast would change."),
        column(
            "sum_sq_change", &StaleCast::sum_sq_change,
            "Sum of (copy - new cast)² over elements where both are finite; 0 if the parameter's shape has changed."),
        column("sum_sq_cast", &StaleCast::sum_sq_cast, "Sum of squares of the new cast.")});

inline constexpr auto kSketch = table<Sketch>(
    "sketch", keys("run"),
    std::tuple{
        column("segment", &Sketch::segment, "Segment of the call."),
        column("call_site", &Sketch::call_site, "Call site."),
        column("inputs", &Sketch::inputs, "Checksum of the bits of all inputs of the call."),
        column("elements", &Sketch::elements, "Number of elements of the call's outputs."),
        column("nonfinite", &Sketch::nonfinite,
               "Number of output elements that are NaN or inf. The sums leave them out."),
        column("checksum", &Sketch::checksum, "Checksum of the bits of the outputs."),
        column("sum_sq", &Sketch::sum_sq, "Sum of squares of the outputs."),
        column_as<SumsBlob>("sums", &Sketch::sums,
                            "64 random projections of the outputs as doubles, see `reports/records/sketch.h`.")});

inline constexpr auto kDecision = table<CallDecisions>(
    "decision", keys("run"),
    std::tuple{
        column("segment", &CallDecisions::segment, "Segment of the call."),
        column("call_site", &CallDecisions::call_site,
               "Call site that computes integers or booleans from floating-point values."),
        column("decisions", &CallDecisions::decisions, "Number of decisions: rows for topk, elements for other ops."),
        column("differing", &CallDecisions::differing, "Number of decisions that differ in the replayed step.")});

}  // namespace ampprof::store
