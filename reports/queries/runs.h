// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/queries/report.h"
#include "reports/records/dtype.h"
#include "reports/records/step.h"

namespace ampprof::queries {

/// One run of the program. Field names are the JSON keys of `ampprof show runs`.
struct RunRow {
  std::int64_t run = 0;
  std::string level;  ///< "" if the program decided and no engine reported it
  std::string program;
  std::string flags;   ///< flags of `ampprof run`, in shell syntax; "" without any
  std::string folder;  ///< folder that the program was started in; "" if the program records itself
  std::string device;
  std::string torch_version;
  std::string cuda_version;     ///< CUDA version that LibTorch was built with; "" without CUDA
  std::string ampprof_version;  ///< ampprof version that recorded the run
  std::string ampprof_commit;
  std::int32_t repeat = 0;                 ///< 0 for the first run of a level
  std::optional<std::int64_t> rank;        ///< rank in a distributed program; empty without a launcher
  std::optional<std::int64_t> world_size;  ///< number of ranks
  std::optional<std::int64_t> local_rank;  ///< rank among the processes of one machine
  std::string host;                        ///< name of the machine
  std::string reference;                   ///< "fp32", "fp64", or "off": values of tensors are not read
  std::string target_gpu;
  std::string what_if;                 ///< type that each op was judged in; "" for the run's own types
  std::optional<double> assume_scale;  ///< loss scale that the backward was judged at
  std::int64_t steps = 0;              ///< for a run that only infers: calls of an outermost module
  std::int64_t recorded_steps = 0;
  std::int64_t skipped_steps = 0;
  std::vector<OptimizerTotal> optimizers = {};
  bool is_inference = false;                ///< no backward pass and no optimizer ran
  std::optional<double> ms_per_step;        ///< median over recorded steps, including ampprof's own time
  std::int64_t warm_up_steps = 0;           ///< recorded steps before the first one that takes at most 1.5 ms_per_step
  std::optional<double> ms_per_step_noise;  ///< standard error of ms_per_step; empty with a single step
  std::optional<double> overhead_ms_per_step;  ///< ampprof's own part of ms_per_step
  std::optional<double> gpu_ms_per_step;       ///< median GPU time of a step: kernels, memcpys, memsets; empty: no GPU
  std::optional<double> gpu_busy_share;        ///< share of the run with a busy stream, without overhead_gpu_ms
  std::optional<double> overhead_gpu_ms;  ///< sum for ampprof alone over the run; not in gpu_ms_per_step; empty: no GPU
  std::optional<std::int64_t> peak_bytes;
  // See LossSummary.
  std::optional<double> initial_loss;      ///< first value; losses of one step are summed
  std::optional<double> final_loss;        ///< last value
  std::optional<double> first_loss_mean;   ///< over the finite losses of the first 10 steps
  std::optional<double> last_loss_mean;    ///< over the finite losses of the last 10 steps
  std::optional<double> last_loss_noise;   ///< standard error of last_loss_mean
  std::int64_t last_losses_nonfinite = 0;  ///< number of the last 10 steps with NaN or inf, left out of last_loss_mean
  std::int64_t nonfinite_losses = 0;       ///< number of loss values in the run that are NaN or inf
  bool ends_nonfinite = false;             ///< all losses of the last three steps are NaN or inf
  std::optional<double> loss_fall;         ///< decrease of the mean from the first to the last steps
  std::optional<double> loss_fall_noise;   ///< standard error of loss_fall
  std::optional<double> loss_change;       ///< mean of loss_changes() over steps
  std::int64_t overflow_events = 0;        ///< events that a loss scaler saw
  std::int64_t nonfinite_events = 0;       ///< all events with NaN or inf, including overflow_events
  std::int64_t nonfinite_ops = 0;          ///< call sites with a NaN or inf in an output
  std::optional<double> loss_scale_final;
  std::optional<int> exit_code;  ///< empty while the program runs, if `ampprof run` was killed, or if it is unknown
  std::optional<std::int64_t> ended_ns;  ///< since 1970; empty if unknown
  bool complete = false;                 ///< program and recorder both ended cleanly
  std::int64_t op_calls = 0;
  std::int64_t other_shapes = 0;        ///< calls without recorded shapes, since there were too many variants
  DType reduced_type = DType::Unknown;  ///< type that most forward (or inference) calls in reduced types output
  bool has_compiled_regions = false;    ///< torch.compile() ran graphs as single op calls
  std::int64_t casts = 0;               ///< casts that AMP inserted, including hits of its cache
  std::string settings_json;

  /// Returns whether the run has ended.
  bool has_ended() const { return complete || exit_code || ended_ns; }

  /// Returns whether ampprof read values of tensors. If not, it saw no error, and no NaN or inf of an op.
  bool reads_values() const { return reference != "off"; }
  /// Returns a number of faults that were seen; empty if it is 0 and the run read no values, since then it is unknown.
  std::optional<std::int64_t> known_faults(std::int64_t seen) const {
    return seen > 0 || reads_values() ? std::optional(seen) : std::nullopt;
  }
};

std::vector<RunRow> runs(const Report& report);

}  // namespace ampprof::queries
