// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "profiler/preload/hooks.h"
#include "reports/records/op_call.h"

namespace c10 {
struct FunctionSchema;
}

namespace ampprof::profiler {

struct TrainingLoop;
struct OpInfo;

/// Holds one thread's caches, and the modules, steps and calls in progress on it.
///
/// current() costs more than reading a member, so an op call looks up the state once and passes it on.
struct ThreadState {
  /// A call of a module.
  struct Scope {
    std::int32_t name;
    const void* identity;
    bool is_call = true;          ///< false while the module's tensors are converted or moved
    std::int64_t call_group = 0;  ///< number of the group of calls (CallSites::Origin::call_group)
  };
  struct Met {
    const c10::FunctionSchema* schema = nullptr;
    const OpInfo* info = nullptr;
  };

  /// A call of an optimizer's step().
  struct OptimizerStep {
    preload::OptimizerStepKind kind = preload::OptimizerStepKind::Updates;
    const void* node = nullptr;  ///< the autograd node in whose backward step() was called; null outside of backward
    std::int64_t number = 0;     ///< number of this step() call, from 1
    std::vector<const void*> leaves{};  ///< leaves that the step wrote (GradientLeaves::Identity)
  };
  /// The forward of a custom autograd function. Grad mode is off inside, although the function gets an autograd node.
  struct CustomFunction {
    bool is_open = false;
    const void* node = nullptr;    ///< the autograd node in whose backward the forward runs; null outside of backward
    std::uint64_t number = 0;      ///< identifies the function: combines its node and the thread that made the node
    std::uint64_t first_node = 0;  ///< sequence number of the first node made by the function
    std::uint64_t last_node_excluded = 0;
    std::vector<std::pair<std::int32_t, std::int64_t>> calls{};  ///< op id and call site of each call inside, in order
  };
  /// Autograd's state when the last op call ended. A change before the next op call shows that a custom function began.
  struct Autograd {
    std::uint64_t next_node = UINT64_MAX;  ///< sequence number; UINT64_MAX if unknown
    bool records = false;
    const void* node = nullptr;
  };

  std::vector<Scope> scopes;
  std::vector<OptimizerStep> optimizer_steps;  ///< calls of step() in progress, innermost last
  bool awaits_update = false;                  ///< a loss's backward pass ran on this thread, without an update yet
  bool has_gradients = false;  ///< any backward pass ran, autograd::grad() included, without an update yet
  CustomFunction function;
  Autograd autograd;
  TrainingLoop* loop = nullptr;   ///< the thread's own loop; null if the thread takes part in the first loop
  std::vector<CastRecord> casts;  ///< casts that AMP made in the call in progress
  bool in_call = false;
  bool is_recorded = true;              ///< the call in progress is recorded; between calls, whether the last one was
  const void* recipe_result = nullptr;  ///< the last result in the call in progress that AMP computed by a recipe
  int hidden = 0;  ///< nesting depth of compilations and compiled regions; their inner ops are not observed
  std::int64_t last_segment = 0;  ///< segment of the call in progress; between calls, of the last recorded call
  std::int64_t last_site = 0;     ///< call site of the last recorded call
  bool naming = false;            ///< true while ampprof walks a module tree, which calls hooked functions
  std::int32_t number;            ///< number of the thread, from 0 in order of first use
  std::int64_t seen_ns = 0;       ///< ns that this thread has spent in op calls
  int unmeasured_calls = 0;       ///< number of calls since ampprof's overhead was last measured
  std::array<Met, 256> ops{};

  /// Starts a group of op calls, and returns its number, unique among all threads (CallSites::Origin::call_group).
  std::int64_t new_call_group();
  /// Returns the number of the group of calls made by the expression `place`. Starts a new group if the previous call
  /// came from another expression.
  std::int64_t call_group_at(std::uint64_t place);
  /// Adds a cast to `casts`; sums up casts between the same two types.
  void add_cast(const CastRecord& cast);

  static ThreadState& current();
  /// Resets every thread's state except its number, because the session has ended.
  static void forget_all();
  /// Returns our number of the thread whose system id (gettid()) is or was `os_thread`; 0 if that thread was never
  /// seen.
  static std::int32_t number_of(std::uint32_t os_thread);

 private:
  ThreadState();
  explicit ThreadState(std::int32_t known_number);

  std::uint64_t session_;  ///< number of the session to which the state belongs
  std::int64_t runs_ = 0;
  std::uint64_t run_place_ = 0;
  std::int64_t run_ = 0;
};

}  // namespace ampprof::profiler
