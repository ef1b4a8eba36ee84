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

/// A call of the autograd engine, and its purpose. All threads that evaluate its nodes see it, since LibTorch passes
/// the calling thread's debug info to them. A call from inside a node (reentrant checkpointing) continues the outer
/// call's id and loss.
struct BackwardPass : c10::DebugInfoBase {
  std::int64_t id = 0;                   ///< from 1
  bool is_of_loss = false;               ///< it accumulates into leaves; a pass of autograd::grad() does not
  TrainingLoop* loop = nullptr;          ///< training loop that it belongs to; lives as long as the session
  std::optional<double> scale{};         ///< of its loss, if it is known
  std::optional<double> likely_scale{};  ///< the same, or a likely one: a new GradScaler's
  int exceptions_before = 0;             ///< number of exceptions in flight when it began
};

/// Returns the pass that this thread is in; null outside of any pass, and where another engine (distributed autograd)
/// runs it.
const BackwardPass* current_pass();

/// Makes `pass` the current one of this thread during its lifetime. Destroy it on its thread.
class [[nodiscard]] PassScope {
 public:
  explicit PassScope(std::shared_ptr<BackwardPass> pass) : guard_(kind(), std::move(pass)) {}

  /// Only LibTorch's own tests use this kind. A function, since LibTorch 2.15 has an object here where 2.11 has a
  /// constant.
  static c10::DebugInfoKind kind() { return c10::DebugInfoKind::TEST_INFO_2; }

 private:
  c10::DebugInfoGuard guard_;
};

/// A node that a pass begins at, and the number of its op's output.
struct BackwardRoot {
  const void* node = nullptr;
  std::uint32_t output = 0;
  std::uint64_t sequence_number = 0;
};

/// Returns the outputs of a custom autograd function, from the pointer that the hook on its end gets.
std::vector<at::Tensor> outputs_of_function(const void* outputs);

/// Returns the leaves that a pass from these roots may reach. Walks the graph.
std::vector<const c10::TensorImpl*> leaves_below(const std::vector<BackwardRoot>& roots);

/// Returns the nodes at which the pass with this edge_list begins.
std::vector<BackwardRoot> roots_of(const void* edge_list);

}  // namespace ampprof::profiler
