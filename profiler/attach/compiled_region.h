// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "precision/replay/reference/random_state.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "profiler/calls/call.h"
#include "profiler/gpu/recording.h"
#include "profiler/scopes/gradient_leaves.h"

namespace ampprof::profiler {

class Session;

/// A call of what torch.compile() made of a graph: one op call, whatever runs inside. Python's hooks hold it while the
/// region runs, on one thread; one that is destroyed before end() is not recorded.
class RegionCall {
 public:
  /// `name` is PyTorch's compile id, "0/0"; `inputs` are all that the region takes, undefined for what is no tensor.
  /// Returns null where the call is not recorded, or is part of another one.
  static std::unique_ptr<RegionCall> begin(Session& session, const std::string& name, std::vector<at::Tensor> inputs);
  ~RegionCall();
  RegionCall(const RegionCall&) = delete;
  RegionCall& operator=(const RegionCall&) = delete;

  /// In which type end() may want to know what the uncompiled graph gives: FP64 too where one of the `functions` that
  /// it calls, names between spaces, would be TF32 or BF16 inside in FP32. Empty where it will not ask.
  std::optional<at::ScalarType> compared_in(std::string_view functions) const;

  /// Bracket the region's own work. What this thread runs before and after it, until end(), is ampprof's: it is not
  /// seen, and changes neither gradients nor the random state. Whatever fails in them, the region runs as it would.
  void start();
  /// Returns whether the uncompiled graph should run now; with `keeps_graph` autograd records that for its backward.
  bool stop(bool keeps_graph);

  /// `references`: of each result what the uncompiled graph gave, undefined where there is none; `why_not` says why
  /// there are none at all, "" where there are. Returns whether the results are compared with them.
  bool end(const std::vector<at::Tensor>& results, std::vector<at::Tensor> references, const std::string& why_not);

 private:
  RegionCall(Session& session, const c10::OperatorHandle& op, const OpInfo& info, std::vector<at::Tensor> inputs);

  bool begin();
  reference::Replay replay_of(const std::vector<at::Tensor>& results, std::vector<at::Tensor> references,
                              const std::string& why_not);
  void follow();
  void restore_random_state();

  Session& session_;
  const std::int64_t entered_ns_;
  const c10::OperatorHandle op_;
  torch::jit::Stack stack_;
  Call call_;
  bool is_compared_ = false;
  std::vector<GradientLeaves::Versioned>
      leaves_;  ///< that an optimizer's region may write, though it does not take them
  std::vector<reference::SavedCall> prepared_;         ///< for each replay of the step
  std::optional<reference::RandomState> as_it_began_;  ///< where the results are compared
  std::optional<reference::RandomState> as_it_ended_;
  std::optional<LaunchScope> launched_;
  bool has_range_ = false;
  std::optional<tensors::ObserverDisabledGuard> ours_;  ///< outside of start() and stop()
  std::optional<tensors::OwnGraphGuard> graph_;         ///< within it, between stop() and end()
};

}  // namespace ampprof::profiler
