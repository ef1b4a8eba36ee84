// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/records/collective.h"
#include "reports/records/dtype.h"
#include "reports/records/exponents.h"
#include "reports/records/gpu_activity.h"
#include "reports/records/gradient_impact.h"
#include "reports/records/recipe_matmul.h"
#include "reports/records/sketch.h"
#include "reports/records/statistics.h"

/// Plain records: what the recorder hands to the store. Ids are chosen by the recorder, unique within a run, from 1.
/// Times are nanoseconds since the run's recorder started. Absent values are empty optionals and NULL in the file.
namespace ampprof {

/// Phase that an op call was part of. Numbers are stored in report files: never renumber.
/// Recompute is a part of the forward that activation checkpointing runs once more inside backward.
enum class Phase : std::uint8_t { Forward = 0, Backward = 1, Optimizer = 2, Inference = 3, Recompute = 4 };

/// All of them, in the order in which a step has them.
inline constexpr Phase kPhases[] = {Phase::Forward, Phase::Recompute, Phase::Backward, Phase::Optimizer,
                                    Phase::Inference};

std::string_view name_of(Phase phase);

/// The place an op is called from; matches ops across steps, levels, ranks and reports.
///
/// `ordinal` counts the calls of the same op in the same module and phase within one substep, from 0. Two calls in
/// different substeps of a step are told apart by the substep's position.
struct CallSite {
  std::int64_t id = 0;
  Phase phase = Phase::Forward;
  std::string module;  ///< module path, "" where none is known
  std::string op;      ///< operator name with overload, without "aten::": "conv2d", "add.Tensor"
  std::int32_t ordinal = 0;
  std::string source;  ///< file:line, "" where unknown
};

/// A stretch of the program from the first grad-enabled forward op after an optimizer update to the next such op.
/// `step` counts from 1; step 0 is what comes before the first step. `position` counts substeps within a step.
struct Substep {
  std::int64_t id = 0;
  std::int64_t step = 0;
  std::int32_t position = 0;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;       ///< end of its last optimizer update, or of its last op where there was none
  std::int64_t overhead_ns = 0;  ///< of that, spent by ampprof itself
  bool recorded = true;          ///< false outside --steps and --every
  bool skipped = false;          ///< an optimizer update of this substep was skipped
};

/// Signature of calls whose arguments are not told apart any more, since there were too many kinds of them.
inline constexpr std::int64_t kOtherShapes = 0;

/// One dispatcher call as the user made it.
struct OpCall {
  std::int64_t substep = 0;
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

  std::int64_t substep;
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

/// Why a loss impact has no value. Numbers are stored in report files: never renumber.
enum class ImpactGap : std::uint8_t {
  None = 0,
  GradientNotFinite = 1,
  ScaleUnknown = 2,
  ErrorNotFinite = 3,  ///< the output or its reference is not finite
  NoMaster = 4,        ///< a half parameter without an FP32 original to compare it with
};

/// A sentence's worth of reason; "" for None.
std::string_view reason_of(ImpactGap gap);

/// Source of a change of the loss. Numbers are stored in report files: never renumber.
enum class ImpactSource : std::uint8_t {
  OpCall = 0,     ///< an op call's local error
  Parameter = 1,  ///< the rounding of a parameter that the model holds in reduced precision
  Input = 2,      ///< the rounding of what came into the graph from outside: the input batch
};

/// Gradient that an error met. Numbers are stored in report files: never renumber.
enum class ImpactGradient : std::uint8_t {
  Run = 0,     ///< that of the run
  Shadow = 1,  ///< that of the shadow: the run's own may be flushed
  Mean = 2,    ///< the mean of both, which counts what errors do together
};

/// "run", "shadow", "mean".
std::string_view name_of(ImpactGradient gradient);

/// Expected squares of the change of one loss, by what was rounded: each a sum of (gradient times rounding)^2 over the
/// elements, which are rounded independently of each other, divided by the square of the loss scale. Empty where
/// nothing of that kind was measured.
struct ImpactSquares {
  std::optional<double> activation{};  ///< operands that are computed, or come in a batch
  std::optional<double> weight{};      ///< operands that are parameters
  std::optional<double> output{};

  /// Returns E^2, the sum; empty where there is none of them.
  std::optional<double> sum() const;
  /// Adds what another part has.
  void add(const ImpactSquares& other);

  bool operator==(const ImpactSquares&) const = default;
};

/// First-order change of one loss by one error: the sum of gradient times error, divided by the loss scale.
struct LossImpact {
  std::int64_t substep = 0;
  std::int32_t loss_id = 0;
  ImpactSource source = ImpactSource::OpCall;
  std::int64_t call_site = 0;  ///< of the op call, or of the one that took the input; 0 for a parameter
  std::string name;            ///< of the parameter; "" otherwise
  std::optional<double> impact;
  ImpactGap gap = ImpactGap::None;  ///< None where there is an impact
  ImpactSquares squares{};          ///< of the error's roundings; empty where they are not known
  ImpactGradient gradient = ImpactGradient::Run;
};

/// The casts of one kind that AMP inserted in one op call.
struct CastRecord {
  std::int64_t substep = 0;
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

/// Records what one optimizer call did to one parameter.
struct WeightUpdate {
  std::int64_t substep = 0;
  std::int64_t call_site = 0;
  std::string parameter;
  DType dtype = DType::Unknown;      ///< whose ulp is meant: the weight's, or that of --what-if
  std::int64_t count = 0;            ///< elements whose update is not zero
  std::optional<std::int64_t> lost;  ///< of those, the weight stayed as it was; empty without a reference
  std::int64_t below_half_ulp = 0;   ///< of those, |update| < ulp(weight) / 2
  double sum_ulp = 0.0;              ///< sum of |update| / ulp(weight)
};

/// The bits that an update left in one parameter, for a comparison of ranks.
struct ParameterChecksum {
  std::int64_t substep = 0;
  std::string parameter;
  std::int64_t checksum = 0;  ///< of the bits of its elements in order, whatever their strides

  bool operator==(const ParameterChecksum&) const = default;
};

/// Id and text of an interned string.
struct InternedText {
  std::int64_t id = 0;
  std::string text;
};

/// A range that the program, or a library of it, marked with NVTX; a mark where it ends when it starts.
struct NvtxRange {
  std::int32_t thread = 0;  ///< as OpCall::thread: where it began
  std::int32_t depth = 0;   ///< ranges of this thread that it lies within
  std::int64_t name = 0;    ///< id of an interned text: "forward", "domain: forward"
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;

  bool operator==(const NvtxRange&) const = default;
};

/// The loss as the AMP engine saw it, unscaled, in FP32.
struct LossValue {
  std::int64_t substep = 0;
  std::int32_t loss_id = 0;
  double value = 0.0;
  std::optional<double> shadow_value = {};  ///< of the shadow: in high precision with --inherited, else in the recipe
};

/// One decision of a loss scaler.
struct ScaleUpdate {
  std::int64_t substep = 0;
  std::int32_t loss_id = 0;
  double scale_before = 1.0;
  double scale_after = 1.0;
  bool overflow = false;
  bool skipped = false;  ///< the optimizer update is skipped for it
};

/// One parameter whose gradient was not finite.
struct EventParameter {
  std::string name;
  std::int64_t nan = 0;
  std::int64_t inf = 0;
  std::optional<double> finite_amax;  ///< largest finite |gradient|, scaled; empty when none is finite
};

/// A loss scaler saw a gradient that is not finite.
struct OverflowEvent {
  std::int64_t substep = 0;
  std::int32_t loss_id = 0;
  double scale_before = 1.0;
  double scale_after = 1.0;
  bool skipped = false;
  std::int64_t first_site = 0;  ///< call site that first turned finite inputs into NaN or inf; 0 where unknown
  std::optional<double> largest_safe_scale;
  bool largest_safe_scale_is_bound = true;
  std::vector<EventParameter> parameters;
  std::vector<std::int64_t> chain;  ///< call sites it spread through, in order, the first included
};

/// Something that the report does not hold, and what to do about it. Counts of the same `what` and `cause` add up.
struct Missing {
  std::string what;
  std::int64_t count = 0;
  std::string cause;
  std::string remedy;
};

/// `what` of a run whose GPUs could not be recorded at all.
inline constexpr const char* kAllGpuActivity = "all GPU activity";

/// Holds what the command line knows of a run before the program starts.
struct RunStart {
  std::string level;       ///< "O0".."O3", "" where the program decides
  std::string program;     ///< the command line, arguments quoted where needed
  std::string started_at;  ///< ISO 8601, UTC
  std::string reference;   ///< "fp32", "fp64" or "off"
  std::string target_gpu;  ///< the GPU that Tensor Core rules speak of: "sm_90"
  std::optional<std::int64_t> seed;
  std::int32_t repeat = 0;  ///< 0 for the first
  std::string what_if{};    ///< type that each op was judged in: "fp16"; "" for the types of the run itself
  std::optional<double> assume_scale{};       ///< loss scale that the backward was judged at; with what_if only
  std::string ampprof_version{};              ///< of the program that records
  std::string ampprof_commit{};               ///< that it was built from; "" where nobody knows
  std::optional<std::int64_t> check_ranks{};  ///< parameters are checked in every Nth recorded step; empty: in none
};

/// Holds what the recorder inside the program knows when it attaches.
struct RunAttach {
  std::string device;  ///< "cpu" or the GPU's name
  std::string torch_version;
  std::string settings_json;           ///< {"tf32_matmul":…,"tf32_cudnn":…,"cudnn_benchmark":…,"threads":…}
  std::string level;                   ///< level in force, where the engine said so
  std::string cuda_version{};          ///< that LibTorch was built with: "13.0"; "" without CUDA
  std::optional<std::int64_t> rank{};  ///< of the process in a distributed program; empty where no launcher said
  std::optional<std::int64_t> world_size{};  ///< how many ranks there are
  std::optional<std::int64_t> local_rank{};  ///< among the processes of one machine
  std::string host{};                        ///< name of the machine; "" without a rank
};

/// Holds what the recorder knows when the program ends cleanly.
struct RunDetach {
  std::int64_t peak_bytes = 0;  ///< peak memory: of a program on a GPU there, else above the level after loading
  std::int64_t wall_ns = 0;
  std::int64_t overhead_ns = 0;
  std::int64_t overhead_gpu_ns = 0;              ///< in which GPUs worked for ampprof alone
  std::optional<std::int64_t> gpu_busy_ns = {};  ///< in which some stream of a GPU did something; empty: not seen
};

/// Tells what a run of `ampprof search` was a trial of, and what came out.
struct Trial {
  std::string policy;                ///< text of the policy file that it ran with, "" for none
  std::string metric;                ///< "loss", "overflows", or an expression of what the program prints
  std::optional<double> value = {};  ///< empty: it failed, or was stopped since it was past hope

  bool operator==(const Trial&) const = default;
};

/// Everything that a recorder hands over at once; written in one transaction.
struct Batch {
  std::vector<InternedText> signatures;
  std::vector<InternedText> activity_names;
  std::vector<InternedText> range_names;
  std::vector<CallSite> call_sites;
  std::vector<Substep> substeps;  ///< one with a known id replaces the earlier row
  std::vector<OpCall> calls;
  std::vector<PlainCall> plain_calls;
  std::vector<LossImpact> impacts;
  std::vector<GradientImpact> gradient_impacts;
  std::vector<GradientError> gradient_errors;
  std::vector<StepDecrease> decreases;
  std::vector<RecipeMatmul> recipe_matmuls;
  std::vector<CastRecord> casts;
  std::vector<GpuActivity> activities;
  std::vector<NvtxRange> ranges;
  std::vector<WeightUpdate> updates;
  std::vector<ParameterChecksum> checksums;
  std::vector<CollectiveCall> collectives;  ///< one of a known substep and call site replaces the earlier row
  std::vector<CollectiveSketch> collective_sketches;
  std::vector<Sketch> sketches;
  std::vector<LossValue> losses;
  std::vector<ScaleUpdate> scale_updates;
  std::vector<OverflowEvent> events;
  std::vector<Missing> missing;
};

}  // namespace ampprof
