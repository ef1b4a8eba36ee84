// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/records/dtype.h"
#include "reports/records/statistics.h"

/// Plain records: what the recorder hands to the store. Ids are chosen by the recorder, unique within a run, from 1.
/// Times are nanoseconds since the run's recorder started. Absent values are empty optionals and NULL in the file.
namespace ampprof {

/// What an op call was part of. Numbers are stored in report files: never renumber.
enum class Phase : std::uint8_t { Forward = 0, Backward = 1, Optimizer = 2, Inference = 3 };

std::string_view name_of(Phase phase);

/// The place an op is called from; matches ops across steps, levels, ranks and reports.
///
/// `ordinal` counts the calls of the same op in the same module and phase within one segment, from 0. Two calls in
/// different segments of a step are told apart by the segment's position.
struct CallSite {
  std::int64_t id = 0;
  Phase phase = Phase::Forward;
  std::string module;  ///< module path, "" where none is known
  std::string op;      ///< operator name with overload, without "aten::": "conv2d", "add.Tensor"
  std::int32_t ordinal = 0;
  std::string source;  ///< file:line, "" where unknown
};

/// A stretch of the program from the first grad-enabled forward op after an optimizer update to the next such op.
/// `step` counts from 1; segment 0 is what comes before the first step. `position` counts segments within a step.
struct Segment {
  std::int64_t id = 0;
  std::int64_t step = 0;
  std::int32_t position = 0;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;   ///< end of its last optimizer update, or of its last op where there was none
  std::int64_t tool_ns = 0;  ///< of that, spent by ampprof itself
  bool recorded = true;      ///< false outside --steps and --every
  bool skipped = false;      ///< an optimizer update of this segment was skipped
};

/// One dispatcher call as the user made it.
struct OpCall {
  std::int64_t segment = 0;
  std::int64_t call_site = 0;
  std::int64_t signature = 0;  ///< id of an interned Signature text
  std::int64_t start_ns = 0;
  std::int64_t duration_ns = 0;
  std::int32_t thread = 0;
  DType dtype_in = DType::Unknown;   ///< of the first floating tensor argument
  DType dtype_out = DType::Unknown;  ///< of the first floating output
  std::int64_t cast_bytes = 0;       ///< bytes written by casts that AMP inserted in this call
  std::optional<double> scale;       ///< loss scale in force; backward only
  std::optional<ErrorStats> local;   ///< empty where the call is FP32 throughout or could not be re-run
  std::optional<RangeStats> ranges;  ///< empty with --reference off
};

/// Id and text of an interned string.
struct InternedText {
  std::int64_t id = 0;
  std::string text;
};

/// The loss as the AMP engine saw it, unscaled, in FP32.
struct LossValue {
  std::int64_t segment = 0;
  std::int32_t loss_id = 0;
  double value = 0.0;
};

/// One decision of a loss scaler.
struct ScaleUpdate {
  std::int64_t segment = 0;
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
  std::int64_t segment = 0;
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

/// What the command line knows of a run before the program starts.
struct RunStart {
  std::string level;    ///< "O0".."O3", "" where the program decides
  std::string program;  ///< the command line, arguments quoted where needed
  std::string started_at;  ///< ISO 8601, UTC
  std::string reference;   ///< "fp32", "fp64" or "off"
  std::string target_gpu;  ///< the GPU that Tensor Core rules speak of: "sm_90"
  std::optional<std::int64_t> seed;
  std::int32_t repeat = 0;  ///< 0 for the first
};

/// What the recorder inside the program knows when it attaches.
struct RunAttach {
  std::string device;         ///< "cpu" or the GPU's name
  std::string torch_version;
  std::string settings_json;  ///< {"tf32":…,"cudnn_benchmark":…,"deterministic":…,"threads":…}
  std::string level;          ///< level in force, where the engine said so
};

/// What the recorder knows when the program ends cleanly.
struct RunDetach {
  std::int64_t peak_bytes = 0;  ///< peak memory above the level after loading
  std::int64_t wall_ns = 0;
  std::int64_t tool_ns = 0;
};

/// Everything that a recorder hands over at once; written in one transaction.
struct Batch {
  std::vector<InternedText> signatures;
  std::vector<CallSite> call_sites;
  std::vector<Segment> segments;  ///< one with a known id replaces the earlier row
  std::vector<OpCall> calls;
  std::vector<LossValue> losses;
  std::vector<ScaleUpdate> scale_updates;
  std::vector<OverflowEvent> events;
  std::vector<Missing> missing;
};

}  // namespace ampprof
