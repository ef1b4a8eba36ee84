// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ampprof::profiler {

struct TrainingLoop;

/// A call of the autograd engine. All threads that evaluate nodes of the pass can read this object (current_pass()),
/// since LibTorch passes the debug info of the calling thread to them. A call from inside a node (reentrant
/// checkpointing) has the id and loss of the outer call.
struct BackwardPass : c10::DebugInfoBase {
  std::int64_t id = 0;                   ///< number of the pass, from 1
  bool is_of_loss = false;               ///< the pass accumulates into leaves; false for autograd::grad()
  TrainingLoop* loop = nullptr;          ///< the pass's training loop; lives as long as the session
  std::optional<double> scale{};         ///< the pass's loss scale; empty if unknown
  std::optional<double> likely_scale{};  ///< like `scale`, or a guess, such as the scale of a new GradScaler
  int exceptions_before = 0;             ///< std::uncaught_exceptions() when the pass began
};

/// Returns the pass that this thread is running. Null outside of any pass, and in a pass of another engine (distributed
/// autograd).
const BackwardPass* current_pass();

/// Makes `pass` this thread's current_pass() for the guard's lifetime. Destroy the guard on the same thread.
class [[nodiscard]] PassScope {
 public:
  explicit PassScope(std::shared_ptr<BackwardPass> pass) : guard_(kind(), std::move(pass)) {}

  /// Returns a kind of debug info that only LibTorch's own tests use. This is a function because the kind is a constant
  /// in LibTorch 2.11 and an object in 2.15.
  static c10::DebugInfoKind kind() { return c10::DebugInfoKind::TEST_INFO_2; }

 private:
  c10::DebugInfoGuard guard_;
};

/// A node at which a pass begins.
struct BackwardRoot {
  const void* node = nullptr;
  std::uint32_t output = 0;  ///< index among the outputs of the forward op
  std::uint64_t sequence_number = 0;
};

/// Returns the outputs of a custom autograd function. `outputs`: an argument of the interposed LibTorch function, which
/// points to a std::vector<std::optional<at::Tensor>>.
std::vector<at::Tensor> outputs_of_function(const void* outputs);

/// Returns the leaves that a pass from these roots may reach. Costly: walks the graph.
std::vector<const c10::TensorImpl*> leaves_below(const std::vector<BackwardRoot>& roots);

/// Returns the nodes at which a pass begins. `edge_list`: the engine's torch::autograd::edge_list.
std::vector<BackwardRoot> roots_of(const void* edge_list);

}  // namespace ampprof::profiler
