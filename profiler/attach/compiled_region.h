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

/// A call of a compiled region, which torch.compile() made of a graph. It counts as one op call. Python's hooks hold it
/// while the region runs, on one thread. If it is destroyed before end(), the call is not recorded.
class RegionCall {
 public:
  /// `name` is PyTorch's compile id, "0/0"; `inputs` are all arguments of the region, undefined for those that are not
  /// tensors. Returns null if the call is not recorded, or is part of another one.
  static std::unique_ptr<RegionCall> begin(Session& session, const std::string& name, std::vector<at::Tensor> inputs);
  ~RegionCall();
  RegionCall(const RegionCall&) = delete;
  RegionCall& operator=(const RegionCall&) = delete;

  /// Returns the type in which end() may need the results of the uncompiled graph; empty if it will not need them. The
  /// type is FP64 also if one of the graph's `functions` would compute in TF32 or BF16 inside in FP32. `functions`:
  /// names separated by spaces.
  std::optional<at::ScalarType> compared_in(std::string_view functions) const;

  /// start() and stop() bracket the region's own work. Work of this thread outside of them, until end(), is ampprof's.
  /// It is not observed, and does not change gradients or the random state. A failure in either leaves the region's run
  /// unchanged.
  void start();
  /// Returns whether the uncompiled graph should run now. With `keeps_graph` autograd records that run for its
  /// backward.
  bool stop(bool keeps_graph);

  /// Ends the call. `references`: the uncompiled graph's result for each result, undefined if there is none. `why_not`:
  /// the reason for a lack of all references, otherwise "". Returns whether the results are compared with them.
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
      leaves_;  ///< leaves that an optimizer's region may write although they are not arguments
  std::vector<reference::SavedCall> prepared_;         ///< for each replay of the step
  std::optional<reference::RandomState> as_it_began_;  ///< set if the results are compared
  std::optional<reference::RandomState> as_it_ended_;
  std::optional<LaunchScope> launched_;
  bool has_range_ = false;
  std::optional<tensors::ObserverDisabledGuard> ours_;  ///< held outside of start() and stop()
  std::optional<tensors::OwnGraphGuard> graph_;         ///< held within ours_, between stop() and end()
};

}  // namespace ampprof::profiler
