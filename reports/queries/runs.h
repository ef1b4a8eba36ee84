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
  std::string level;  ///< "" where the program decided and no engine said
  std::string program;
  std::string flags;   ///< of `ampprof run`, as a shell reads them; "" where there were none
  std::string folder;  ///< that the program was started in; "" where it records itself
  std::string device;
  std::string torch_version;
  std::string cuda_version;     ///< that LibTorch was built with; "" without CUDA
  std::string ampprof_version;  ///< that recorded it
  std::string ampprof_commit;
  std::int32_t repeat = 0;                 ///< 0 for the first run of a level
  std::optional<std::int64_t> rank;        ///< in a distributed program; empty where no launcher said, as up to host
  std::optional<std::int64_t> world_size;  ///< how many ranks there are
  std::optional<std::int64_t> local_rank;  ///< among the processes of one machine
  std::string host;                        ///< the machine's name
  std::string reference;
  std::string target_gpu;
  std::string what_if;                 ///< type that each op was judged in, "" for the run's own
  std::optional<double> assume_scale;  ///< loss scale that the backward was judged at
  std::int64_t steps = 0;              ///< of inference calls of an outermost module
  std::int64_t recorded_steps = 0;
  std::int64_t skipped_steps = 0;
  std::vector<OptimizerTotal> optimizers = {};
  bool is_inference = false;                ///< nothing went backward, and no optimizer ran
  std::optional<double> ms_per_step;        ///< median over recorded steps, ampprof's own time included
  std::int64_t warm_up_steps = 0;           ///< recorded steps before the first that took at most 1.5 times ms_per_step
  std::optional<double> ms_per_step_noise;  ///< standard error of ms_per_step; empty with a single step
  std::optional<double> overhead_ms_per_step;  ///< of that, ampprof's own
  std::optional<double> gpu_ms_per_step;  ///< median of kernels, memcpys and memsets, added up; empty: no GPU was seen
  std::optional<double> gpu_busy_share;   ///< in which some stream worked, of the run without overhead_gpu_ms
  std::optional<double> overhead_gpu_ms;  ///< of the whole run, not in gpu_ms_per_step: ampprof's own; empty: no GPU
  std::optional<std::int64_t> peak_bytes;
  // See LossSummary.
  std::optional<double> initial_loss;      ///< the first one; losses of one step are summed
  std::optional<double> final_loss;        ///< the last one
  std::optional<double> first_loss_mean;   ///< over the first steps, at most 10, whose loss is finite
  std::optional<double> last_loss_mean;    ///< the same over the last steps
  std::optional<double> last_loss_noise;   ///< standard error of last_loss_mean
  std::int64_t last_losses_nonfinite = 0;  ///< of those steps, left out of last_loss_mean
  std::int64_t nonfinite_losses = 0;       ///< values of the whole run
  bool ends_nonfinite = false;             ///< each of the last losses is NaN or inf
  std::optional<double> loss_fall;         ///< of the mean from the first to the last steps
  std::optional<double> loss_fall_noise;   ///< standard error of loss_fall
  std::optional<double> loss_change;       ///< mean of loss_changes() over steps
  std::int64_t overflow_events = 0;        ///< that a loss scaler saw
  std::int64_t nonfinite_events = 0;       ///< those, and all others
  std::int64_t nonfinite_ops = 0;          ///< call sites with a NaN or inf in an output
  std::optional<double> loss_scale_final;
  std::optional<int> exit_code;  ///< empty while it runs, or where the command line was killed, or nobody could ask
  std::optional<std::int64_t> ended_ns;  ///< since 1970; empty where nobody saw it end
  bool complete = false;                 ///< program and recorder both ended cleanly
  std::int64_t op_calls = 0;
  std::int64_t other_shapes = 0;        ///< calls whose shapes were not kept, since there were too many kinds
  DType reduced_type = DType::Unknown;  ///< that most calls of forward (or inference alone) in reduced types give
  bool has_compiled_regions = false;    ///< torch.compile() made op calls of graphs
  std::int64_t casts = 0;               ///< that AMP inserted, those from its cache included
  std::string settings_json;

  /// Returns whether nothing more will come.
  bool has_ended() const { return complete || exit_code || ended_ns; }
};

std::vector<RunRow> runs(const Report& report);

}  // namespace ampprof::queries
