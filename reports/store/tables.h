// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <optional>
#include <string>

#include "reports/records/batch.h"
#include "reports/records/chunk_codec.h"
#include "reports/records/dtype.h"
#include "reports/records/exponents.h"
#include "reports/records/op_total.h"
#include "reports/records/statistics.h"
#include "reports/store/recipe_table.h"
#include "reports/store/table.h"

/// The tables of a report, each declared once. The schema steps create them, and explain columns where needed. A test
/// compares the two.
namespace ampprof::store {

/// These have an enumerator for unknown numbers.
template <>
DType enum_from_number(std::int64_t number);
template <>
GpuActivityKind enum_from_number(std::int64_t number);

template <>
inline constexpr LastEnumerator<Phase> kLast<Phase>{Phase::Recompute, "a call site has the unknown phase"};
template <>
inline constexpr LastEnumerator<NonfiniteCause> kLast<NonfiniteCause>{kLastCause, "an event has the unknown cause"};
template <>
inline constexpr LastEnumerator<NonfiniteOutcome> kLast<NonfiniteOutcome>{kLastOutcome,
                                                                          "an event has the unknown outcome"};
template <>
inline constexpr LastEnumerator<ImpactSource> kLast<ImpactSource>{ImpactSource::Decision,
                                                                  "a loss impact has the unknown source"};
template <>
inline constexpr LastEnumerator<ImpactGap> kLast<ImpactGap>{ImpactGap::NoMaster, "a loss impact has the unknown gap"};
template <>
inline constexpr LastEnumerator<GradientImpactSource> kLast<GradientImpactSource>{
    GradientImpactSource::ForwardErrors, "a gradient impact has the unknown source"};
template <>
inline constexpr LastEnumerator<GradientImpactGap> kLast<GradientImpactGap>{GradientImpactGap::LeftOut,
                                                                            "a gradient impact has the unknown gap"};
template <>
inline constexpr LastEnumerator<ImpactGradient> kLast<ImpactGradient>{ImpactGradient::Mean,
                                                                      "a loss impact has the unknown gradient"};

template <>
inline constexpr LastEnumerator<DriftClass> kLast<DriftClass>{DriftClass::Broken, "a drift has the unknown class"};
template <>
inline constexpr LastEnumerator<DriftRole> kLast<DriftRole>{DriftRole::State, "a drift has the unknown role"};

/// A histogram in the encoding of encode(); NULL for none.
struct ExponentsBlob {
  static constexpr const char* kType = "BLOB";
  static constexpr bool kIsNullable = true;
  static void put(Statement& row, const std::optional<ExponentHistogram>& exponents) {
    exponents ? row.put_copy_of_blob(encode(*exponents)) : row.put_null();
  }
  static std::optional<ExponentHistogram> take(ResultRow& row) {
    const std::string bytes = row.blob();
    return bytes.empty() ? std::nullopt : decode_exponents(bytes);
  }
};

/// Stores 0 or an empty text, which mean "none", as NULL.
template <class T>
struct ZeroIsNull {
  static constexpr const char* kType = Stored<T>::kType;
  static constexpr bool kIsNullable = true;
  static void put(Statement& row, const T& value) { value == T{} ? row.put_null() : row.put(value); }
  static T take(ResultRow& row) { return Stored<std::optional<T>>::take(row).value_or(T{}); }
};

/// The column of a statistic; see records/statistics.h.
template <class Stats, class Value>
struct StatisticColumn {
  Statistic<Stats, Value> statistic;

  static constexpr int kCount = 1;
  static constexpr bool kIsRead = true;
  template <class Visit>
  void each(std::string_view prefix, const Visit& visit) const {
    visit(ColumnType{std::string(prefix) + std::string(statistic.column), Stored<Value>::kType, false});
  }
  void put(Statement& row, const Stats& stats) const {
    const Value value = stats.*statistic.field;
    statistic.zero_is_null&& value == Value{} ? row.put_null() : row.put(value);
  }
  void take(ResultRow& row, Stats& stats) const {
    stats.*statistic.field = statistic.zero_is_null ? ZeroIsNull<Value>::take(row) : Stored<Value>::take(row);
  }
};

template <class Stats>
constexpr auto statistics_columns() {
  return std::apply(
      []<class... Values>(const Statistic<Stats, Values>&... each) {
        return std::tuple{StatisticColumn<Stats, Values>{each}...};
      },
      kStatistics<Stats>);
}

inline constexpr auto kRunStart =
    table<RunStart>("run", keys(),
                    std::tuple{column("level", &RunStart::level), column("program", &RunStart::program),
                               column("started_at", &RunStart::started_at), column("reference", &RunStart::reference),
                               column("target_gpu", &RunStart::target_gpu), column("seed", &RunStart::seed),
                               column("repeat", &RunStart::repeat), column("what_if", &RunStart::what_if),
                               column("assume_scale", &RunStart::assume_scale),
                               column_as<ZeroIsNull<std::string>>("ampprof_version", &RunStart::ampprof_version),
                               column_as<ZeroIsNull<std::string>>("ampprof_commit", &RunStart::ampprof_commit),
                               column("check_ranks", &RunStart::check_ranks),
                               column_as<ZeroIsNull<std::string>>("flags", &RunStart::flags),
                               column_as<ZeroIsNull<std::string>>("folder", &RunStart::folder)});

/// Texts that are NULL until they are known.
struct LaterText : Stored<std::string> {
  static constexpr bool kIsNullable = true;
};

inline constexpr auto kRunAttach =
    table<RunAttach>("run", keys(),
                     std::tuple{column_as<LaterText>("device", &RunAttach::device),
                                column_as<LaterText>("torch_version", &RunAttach::torch_version),
                                column_as<LaterText>("settings_json", &RunAttach::settings_json),
                                column_as<ZeroIsNull<std::string>>("cuda_version", &RunAttach::cuda_version),
                                column("rank", &RunAttach::rank), column("world_size", &RunAttach::world_size),
                                column("local_rank", &RunAttach::local_rank),
                                column_as<ZeroIsNull<std::string>>("host", &RunAttach::host)});

/// A number that is NULL until it is known.
struct LaterNumber : Stored<std::int64_t> {
  static constexpr bool kIsNullable = true;
};

inline constexpr auto kRunDetach =
    table<RunDetach>("run", keys(),
                     std::tuple{column_as<LaterNumber>("peak_bytes", &RunDetach::peak_bytes),
                                column_as<LaterNumber>("wall_ns", &RunDetach::wall_ns),
                                column_as<LaterNumber>("overhead_ns", &RunDetach::overhead_ns),
                                column("gpu_busy_ns", &RunDetach::gpu_busy_ns),
                                column_as<LaterNumber>("overhead_gpu_ns", &RunDetach::overhead_gpu_ns)});

inline constexpr auto kInternedText = std::tuple{column("id", &InternedText::id), column("text", &InternedText::text)};
inline constexpr auto kSignature = table<InternedText>("signature", keys("run"), kInternedText);
inline constexpr auto kGpuActivityName = table<InternedText>("gpu_activity_name", keys("run"), kInternedText);
inline constexpr auto kNvtxRangeName = table<InternedText>("nvtx_range_name", keys("run"), kInternedText);

inline constexpr auto kCallSite =
    table<CallSite>("call_site", keys("run"),
                    std::tuple{column("id", &CallSite::id), column("phase", &CallSite::phase),
                               column("module", &CallSite::module), column("op", &CallSite::op),
                               column("ordinal", &CallSite::ordinal), column("source", &CallSite::source)});

inline constexpr auto kSegment = table<Segment>(
    "segment", keys("run"),
    std::tuple{column("id", &Segment::id), column("step", &Segment::step), column("position", &Segment::position),
               column("start_ns", &Segment::start_ns), column("end_ns", &Segment::end_ns),
               column("overhead_ns", &Segment::overhead_ns), column("recorded", &Segment::recorded),
               column("skipped", &Segment::skipped), column("updated", &Segment::updated)});

/// Number of bits of a range's length in nanoseconds, which queries for a span use.
std::int64_t length_bits(const NvtxRange& range);

inline constexpr auto kNvtxRange =
    table<NvtxRange>("nvtx_range", keys("run"),
                     std::tuple{column("thread", &NvtxRange::thread), column("depth", &NvtxRange::depth),
                                column("name", &NvtxRange::name), column("start_ns", &NvtxRange::start_ns),
                                column("end_ns", &NvtxRange::end_ns), computed("length", length_bits)});

/// Bytes of another owner; NULL for none. They are read one by one, and decoded at once.
struct WrittenBytes {
  static constexpr const char* kType = "BLOB";
  static constexpr bool kIsNullable = true;
  static void put(Statement& row, std::string_view bytes) { row.put_blob(bytes); }
};

/// Time span of a chunk's records, and the bytes of their tracks.
struct ChunkTime {
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::string_view tracks;
};

/// A row of call_chunk to be written.
struct ChunkRow {
  std::int64_t id = 0;
  std::int64_t segment = 0;
  std::int64_t count = 0;
  std::optional<ChunkTime> time;
  std::string_view calls;
  std::string_view casts;
  std::int64_t activity_count = 0;
  std::int64_t activity_ns = 0;
  std::optional<ChunkTime> activity_time;
  std::string_view activities;
  std::int64_t codec = kChunkCodec;  ///< encoding of calls, casts and activities
};

inline constexpr auto kChunkTime =
    std::tuple{column("start_ns", &ChunkTime::start_ns), column("end_ns", &ChunkTime::end_ns),
               column_as<WrittenBytes>("tracks", &ChunkTime::tracks)};

inline constexpr auto kCallChunk = table<ChunkRow>(
    "call_chunk", keys("run"),
    std::tuple{column("id", &ChunkRow::id), column("segment", &ChunkRow::segment), column("count", &ChunkRow::count),
               optional_part("", &ChunkRow::time, kChunkTime), column_as<WrittenBytes>("calls", &ChunkRow::calls),
               column_as<WrittenBytes>("casts", &ChunkRow::casts), column("activity_count", &ChunkRow::activity_count),
               column("activity_ns", &ChunkRow::activity_ns),
               optional_part("activity_", &ChunkRow::activity_time, kChunkTime),
               column_as<WrittenBytes>("activities", &ChunkRow::activities), column("codec", &ChunkRow::codec)});

inline constexpr auto kOpTotal = table<OpTotal>(
    "op_total", keys("run", "call_site", "position"),
    std::tuple{column("calls", &OpTotal::calls), column("duration_ns", &OpTotal::duration_ns),
               column("cast_bytes", &OpTotal::cast_bytes), column("nonfinite_calls", &OpTotal::nonfinite_calls),
               column("expected_calls", &OpTotal::expected_calls), column("scale", &OpTotal::scale),
               optional_part("", &OpTotal::local, statistics_columns<ErrorStats>()),
               optional_part("", &OpTotal::ranges, statistics_columns<RangeStats>()),
               column_as<ExponentsBlob>("exponents", &OpTotal::exponents),
               optional_part("inherited_", &OpTotal::inherited, statistics_columns<ErrorStats>()),
               column_as<ExponentsBlob>("inherited_exponents", &OpTotal::inherited_exponents)});

inline constexpr auto kOpVariant =
    table<VariantCalls>("op_variant", keys("run", "call_site", "position"),
                        std::tuple{part(&VariantCalls::variant, std::tuple{column("signature", &OpVariant::signature),
                                                                           column("dtype_in", &OpVariant::in),
                                                                           column("dtype_out", &OpVariant::out)}),
                                   column("calls", &VariantCalls::calls)});

inline constexpr auto kCastTotal =
    table<CastRecord>("cast_total", keys("run", "call_site", "position"),
                      std::tuple{column("dtype_from", &CastRecord::from), column("dtype_to", &CastRecord::to),
                                 column("casts", &CastRecord::casts), column("cache_hits", &CastRecord::cache_hits),
                                 column("bytes", &CastRecord::bytes), column("duration_ns", &CastRecord::duration_ns),
                                 column("rounded_twice", &CastRecord::rounded_twice)});

inline constexpr auto kGpuActivityTotal = table<GpuActivityTotal>(
    "gpu_activity_total", keys("run", "call_site", "position"),
    std::tuple{column("name", &GpuActivityTotal::name), column("kind", &GpuActivityTotal::kind),
               column("count", &GpuActivityTotal::count), column("duration_ns", &GpuActivityTotal::duration_ns),
               column("bytes", &GpuActivityTotal::bytes)});

inline constexpr auto kLossImpact = table<LossImpact>(
    "loss_impact", keys("run"),
    std::tuple{column("segment", &LossImpact::segment), column("loss_id", &LossImpact::loss_id),
               column("source", &LossImpact::source), column("call_site", &LossImpact::call_site),
               column("name", &LossImpact::name), column("impact", &LossImpact::impact),
               column("gap", &LossImpact::gap),
               part(&LossImpact::squares, std::tuple{column("activation_square", &ImpactSquares::activation),
                                                     column("weight_square", &ImpactSquares::weight),
                                                     column("output_square", &ImpactSquares::output)}),
               column("gradient", &LossImpact::gradient)});

inline constexpr auto kGradientImpact = table<GradientImpact>(
    "gradient_impact", keys("run"),
    std::tuple{column("segment", &GradientImpact::segment), column("source", &GradientImpact::source),
               column("call_site", &GradientImpact::call_site), column("matmul", &GradientImpact::matmul),
               column("impact", &GradientImpact::impact), column("square", &GradientImpact::square),
               column("gap", &GradientImpact::gap), column("no_cotangents", &GradientImpact::no_cotangents),
               column("is_ranking_only", &GradientImpact::is_ranking_only)});

inline constexpr auto kStepDecrease = table<StepDecrease>(
    "step_decrease", keys("run"),
    std::tuple{column("segment", &StepDecrease::segment), column("loss_before", &StepDecrease::before),
               column("loss_after", &StepDecrease::after)});

inline constexpr auto kGradientError = table<GradientError>(
    "gradient_error", keys("run"),
    std::tuple{column("segment", &GradientError::segment), column("parameter", &GradientError::parameter),
               column("elements", &GradientError::elements), column("flushed", &GradientError::flushed),
               column("sum_sq_error", &GradientError::sum_sq_error),
               column("sum_sq_reference", &GradientError::sum_sq_reference),
               column("sum_sq_run", &GradientError::sum_sq_run), column("product", &GradientError::product),
               column("sum_sq_change", &GradientError::sum_sq_change)});

inline constexpr auto kDrift = table<Drift>(
    "drift", keys("run"),
    std::tuple{column("call_site", &Drift::call_site), column("role", &Drift::role),
               column("parameter", &Drift::parameter), column("dtype", &Drift::dtype),
               column("elements", &Drift::elements), column("sampled", &Drift::sampled),
               column("tensors", &Drift::tensors), column("segments", &Drift::segments),
               column("restarts", &Drift::restarts), column("verdict", &Drift::verdict),
               column("drift", &Drift::drift), column("relative", &Drift::relative), column("bias", &Drift::bias),
               column("own", &Drift::own), column("lost", &Drift::lost), column("walk", &Drift::walk),
               column("growth", &Drift::growth), column("ulps", &Drift::ulps), column("way", &Drift::way),
               column("way_of_run", &Drift::way_of_run), column("effective", &Drift::effective),
               column("broken", &Drift::broken)});
inline constexpr auto kStaleCast = table<StaleCast>(
    "stale_cast", keys("run"),
    std::tuple{column("segment", &StaleCast::segment), column("call_site", &StaleCast::call_site),
               column("parameter", &StaleCast::parameter), column("dtype", &StaleCast::dtype),
               column("cast_segment", &StaleCast::cast_segment), column("elements", &StaleCast::elements),
               column("differing", &StaleCast::differing), column("sum_sq_change", &StaleCast::sum_sq_change),
               column("sum_sq_cast", &StaleCast::sum_sq_cast)});

inline constexpr auto kWeightUpdate = table<WeightUpdate>(
    "weight_update", keys("run"),
    std::tuple{column("segment", &WeightUpdate::segment), column("call_site", &WeightUpdate::call_site),
               column("parameter", &WeightUpdate::parameter), column("dtype", &WeightUpdate::dtype),
               column("elements", &WeightUpdate::count), column("lost", &WeightUpdate::lost),
               column("below_half_ulp", &WeightUpdate::below_half_ulp), column("sum_ulp", &WeightUpdate::sum_ulp)});

inline constexpr auto kParameterChecksum = table<ParameterChecksum>(
    "parameter_checksum", keys("run"),
    std::tuple{column("segment", &ParameterChecksum::segment), column("parameter", &ParameterChecksum::parameter),
               column("checksum", &ParameterChecksum::checksum)});

inline constexpr auto kCollective = table<CollectiveCall>(
    "collective", keys("run"),
    std::tuple{column("segment", &CollectiveCall::segment), column("call_site", &CollectiveCall::call_site),
               column("group_name", &CollectiveCall::group), column("group_size", &CollectiveCall::group_size),
               column("reduction", &CollectiveCall::reduction), column("dtype", &CollectiveCall::dtype),
               column("bytes", &CollectiveCall::bytes), column("start_ns", &CollectiveCall::start_ns),
               column("end_ns", &CollectiveCall::end_ns)});

inline constexpr auto kTrial = table<Trial>(
    "trial", keys("run"),
    std::tuple{column("policy", &Trial::policy), column("metric", &Trial::metric), column("value", &Trial::value)});

/// Real numbers, eight bytes each, in native byte order.
struct SumsBlob {
  static constexpr const char* kType = "BLOB";
  static constexpr bool kIsNullable = false;
  using Sums = decltype(Sketch::sums);
  static void put(Statement& row, const Sums& sums) {
    row.put_copy_of_blob({reinterpret_cast<const char*>(sums.data()), sizeof sums});
  }
  /// Returns zeros for bytes of any other length.
  static Sums take(ResultRow& row) {
    Sums sums{};
    const std::string bytes = row.blob();
    if (bytes.size() == sizeof sums) std::memcpy(sums.data(), bytes.data(), sizeof sums);
    return sums;
  }
};

inline constexpr auto kSketch =
    table<Sketch>("sketch", keys("run"),
                  std::tuple{column("segment", &Sketch::segment), column("call_site", &Sketch::call_site),
                             column("inputs", &Sketch::inputs), column("elements", &Sketch::elements),
                             column("nonfinite", &Sketch::nonfinite), column("checksum", &Sketch::checksum),
                             column("sum_sq", &Sketch::sum_sq), column_as<SumsBlob>("sums", &Sketch::sums)});

inline constexpr auto kCollectiveSketch = table<CollectiveSketch>(
    "collective_sketch", keys("run"),
    std::tuple{part(&CollectiveSketch::sketch,
                    std::tuple{column("segment", &Sketch::segment), column("call_site", &Sketch::call_site)}),
               column("is_result", &CollectiveSketch::is_result),
               part(&CollectiveSketch::sketch,
                    std::tuple{column("elements", &Sketch::elements), column("nonfinite", &Sketch::nonfinite),
                               column("sum_sq", &Sketch::sum_sq), column_as<SumsBlob>("sums", &Sketch::sums)})});

inline constexpr auto kLoss =
    table<LossValue>("loss", keys("run"),
                     std::tuple{column("segment", &LossValue::segment), column("loss_id", &LossValue::loss_id),
                                column("value", &LossValue::value), column("shadow_value", &LossValue::shadow_value),
                                column("is_shadow_decided", &LossValue::is_shadow_decided)});

inline constexpr auto kDecision = table<CallDecisions>(
    "decision", keys("run"),
    std::tuple{column("segment", &CallDecisions::segment), column("call_site", &CallDecisions::call_site),
               column("decisions", &CallDecisions::decisions), column("differing", &CallDecisions::differing)});

inline constexpr auto kScaleUpdate = table<ScaleUpdate>(
    "scale_update", keys("run"),
    std::tuple{column("segment", &ScaleUpdate::segment), column("loss_id", &ScaleUpdate::loss_id),
               column("scale_before", &ScaleUpdate::scale_before), column("scale_after", &ScaleUpdate::scale_after),
               column("overflow", &ScaleUpdate::overflow), column("skipped", &ScaleUpdate::skipped)});

inline constexpr auto kNonfiniteEvent = table<NonfiniteEvent>(
    "nonfinite_event", keys("run"),
    std::tuple{column("segment", &NonfiniteEvent::segment),
               column_as<ZeroIsNull<std::int64_t>>("first_site", &NonfiniteEvent::first_site),
               column("calls", &NonfiniteEvent::calls), column("steps", &NonfiniteEvent::steps),
               column("micro_batch", &NonfiniteEvent::micro_batch), column("cause", &NonfiniteEvent::cause),
               column("value", &NonfiniteEvent::value),
               column("fp32_holds", &NonfiniteEvent::fp32_holds), column("shadow_holds", &NonfiniteEvent::shadow_holds),
               column("outcome", &NonfiniteEvent::outcome), column("reached", &NonfiniteEvent::reached),
               column_as<ZeroIsNull<std::int64_t>>("outcome_site", &NonfiniteEvent::outcome_site),
               column("by_scaler", &NonfiniteEvent::by_scaler), column("loss_id", &NonfiniteEvent::loss_id),
               column("scale_before", &NonfiniteEvent::scale_before),
               column("scale_after", &NonfiniteEvent::scale_after), column("skipped", &NonfiniteEvent::skipped),
               column("largest_safe_scale", &NonfiniteEvent::largest_safe_scale),
               column("largest_safe_scale_is_bound", &NonfiniteEvent::largest_safe_scale_is_bound)});

inline constexpr auto kNonfiniteParameter = table<EventParameter>(
    "nonfinite_parameter", keys("event", "position"),
    std::tuple{column("name", &EventParameter::name), column("nan", &EventParameter::nan),
               column("inf", &EventParameter::inf), column("finite_amax", &EventParameter::finite_amax)});

inline constexpr auto kMissing =
    table<Missing>("missing", keys("run"),
                   std::tuple{column("what", &Missing::what), column("cause", &Missing::cause),
                              column("count", &Missing::count), column("remedy", &Missing::remedy)});

}  // namespace ampprof::store
