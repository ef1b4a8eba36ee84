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

/// A call of a region that torch.compile() compiled from a graph. It counts as one op call. The Python hooks own the
/// object while the region runs, on one thread. If the object is destroyed before end(), the call is not recorded.
class RegionCall {
 public:
  /// Begins a call. `name`: PyTorch's compile id, such as "0/0". `inputs`: all arguments of the region, undefined for
  /// an argument that is not a tensor. Returns null if the call is not recorded, or runs inside another op call or
  /// region.
  static std::unique_ptr<RegionCall> begin(Session& session, const std::string& name, std::vector<at::Tensor> inputs);
  ~RegionCall();
  RegionCall(const RegionCall&) = delete;
  RegionCall& operator=(const RegionCall&) = delete;

  /// Returns the type in which the uncompiled graph must run to give references for end(); empty if none are needed.
  /// The type is FP64 even where FP32 was requested if one of the graph's `functions` may compute FP32 tensors in TF32
  /// or BF16. `functions`: names separated by spaces.
  std::optional<at::ScalarType> compared_in(std::string_view functions) const;

  /// start() and stop() bracket the region's own work. This thread's work before start(), and between stop() and end(),
  /// is ampprof's: it is not observed, and changes neither gradients nor the random state. If start() or stop() fails,
  /// the region runs as usual.
  void start();
  /// Returns whether to run the uncompiled graph now. If `keeps_graph`, autograd records the uncompiled graph for its
  /// backward.
  bool stop(bool keeps_graph);

  /// Ends the call. `references`: the uncompiled graph's result for each of `results`; undefined if there is none.
  /// `why_not`: why there are no references at all, otherwise "". Returns whether results and references are compared.
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
  std::vector<reference::SavedCall> prepared_;         ///< the saved call for each replay of the step
  std::optional<reference::RandomState> as_it_began_;  ///< random state before the region; set if results are compared
  std::optional<reference::RandomState> as_it_ended_;
  std::optional<LaunchScope> launched_;
  bool has_range_ = false;
  std::optional<tensors::ObserverDisabledGuard> ours_;  ///< ended only between start() and stop()
  std::optional<tensors::OwnGraphGuard> graph_;         ///< from stop() to end(), if stop() keeps the graph
};

}  // namespace ampprof::profiler
